// Package reviewtest fakes the reviewer CLIs in tests: claude, codex, gemini,
// copilot, cursor-agent and opencode, each with the output shapes, exit codes
// and refusals of the real one, for the flags that the adapters pass.
//
// A fake is the test binary itself under another name. A test binary calls
// [Main] early in TestMain if it was started under one of the [Names]:
//
//	func TestMain(m *testing.M) {
//		if reviewtest.IsFake() {
//			os.Exit(reviewtest.Main())
//		}
//		…
//	}
//
// and links the names into a folder on PATH with [Install]. A large test binary takes long to start;
// [Build] puts a small one there.
//
// # What a fake answers
//
// All of it is read from the folder that the environment variable FAKE_DIR names. Each call has a
// stem, and the files named stem.suffix say what happens:
//
//	.answer       what the model says; it is wrapped in the CLI's output shape
//	.verbatim     the answer goes out without words on claims that it does not have
//	.raw          stdout, byte for byte, instead of an answer
//	.stderr       printed on stderr, before anything the CLI itself prints there
//	.usage-limit  the CLI's usage-limit error, with this message or, if the file
//	              is empty, with the CLI's own
//	.rate-limit   the same for a server that asks for fewer requests
//	.auth         the same for a refused key
//	.exit         the exit code, after whatever else was printed
//	.signal       KILL or TERM: the fake sends it to itself, after printing
//	.hang         the fake prints nothing and never ends by itself
//
// The stem is the first of these for which any such file exists:
//
//   - <name>.<label> or any.<label>, if there is a file <stem>.when, each line of
//     which occurs in the prompt (or, after "!", does not); in the order of the
//     file names. A label is not a number.
//   - <name>.<k> for the k-th call of that name, counted from 1
//   - <name>
//   - any
//
// Without any such file, or if the stem's files give no output, the model says
// {"status":"pass","violations":[]}.
//
// # Claims
//
// Prompts list ids of eight characters under the headings "# Claims", "# Disputed" and "# Known",
// in lines that begin with "- <id> ". In an answer "{{claim 1}}" means the first id under Claims,
// and "{{disputed 1}}" and "{{known 1}}" those under the others. A placeholder for an id that the
// prompt does not list stays.
//
// An honest reviewer has a word on each claim. So an answer that is one JSON object with "status"
// and without "claims", and does not say "error", gets "claims" with the verdict "fixed" and the
// evidence "checked" for each id under Claims. That also happens in a call that repeats the prompt
// with the answer so far. An answer with a file .verbatim, one with any text around the object, and
// .raw are printed unchanged.
//
// A file <name>.signed-out or any.signed-out makes the CLI's status command say that nobody is
// signed in.
//
// # What a fake records
//
// The k-th call of a name writes <name>.<k>.args (a JSON array), <name>.<k>.env (a line for each
// variable), <name>.<k>.dir (the folder that it was started in, and a line for each file in it) and
// <name>.<k>.prompt. Calls may run at the same time; each has its own number.
//
// # What a fake refuses
//
// A fake refuses what the real CLI refuses, or what would do harm: flags that the adapters do not
// pass, a missing prompt, a prompt above the CLI's limit (gemini: an empty answer and exit code 0),
// claude inside Claude Code, gemini without its policy, opencode without the variables that make it
// read-only, and any CLI but claude in a folder that looks like a repository.
//
// A prompt with the heading "# Answer" must come with a schema, for claude in --json-schema and for
// codex in --output-schema, unless it lists a hundred claims or more, because their schema may be
// too long for an argument. Claude refuses keywords that draft 7 of JSON Schema does not have, and
// combinations at the top level; codex refuses a schema that is not strict. With a schema, claude
// puts an answer that is one JSON object into structured_output, too. No fake checks the answer
// against the schema.
package reviewtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Names returns the executables that [Main] can act as.
func Names() []string {
	return []string{"claude", "codex", "copilot", "cursor-agent", "gemini", "opencode"}
}

// IsFake reports whether this process was started under one of the [Names].
func IsFake() bool { return slices.Contains(Names(), ownName()) }

func ownName() string { return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") }

// Install links the running executable into dir under each of the [Names].
func Install(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, name := range Names() {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Build is [Install] with a program that is only the fakes.
func Build(dir string) error {
	program := filepath.Join(dir, "fake")
	build := exec.Command("go", "build", "-o", program, "github.com/reviewledger/reviewledger/internal/testing/reviewtest/fake")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the fake reviewers: %w\n%s", err, out)
	}
	for _, name := range Names() {
		if err := os.Symlink(program, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Main acts as the CLI whose name the process was started under, and returns
// its exit code.
func Main() int {
	code, err := run(ownName(), os.Getenv("FAKE_DIR"))
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "reviewtest: %v\n", err)
		return 99
	}
	return code
}

func run(name, dir string) (code int, err error) {
	if dir == "" {
		return 0, fmt.Errorf("FAKE_DIR is not set")
	}
	if slices.Equal(os.Args[1:], []string{"--version"}) { // does not call the model
		_, err := fmt.Println("1.0 (fake)")
		return 0, err
	}
	fake := shapes()[name]
	if len(fake.status) > 0 && slices.Equal(os.Args[1:], fake.status) {
		return fake.signedIn(!exists(dir, name+".signed-out") && !exists(dir, "any.signed-out")).print()
	}
	prompt, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 0, fmt.Errorf("read stdin: %w", err)
	}
	call, err := record(dir, name, prompt)
	if err != nil {
		return 0, err
	}
	if refusal := fake.refuse(os.Args[1:], prompt); refusal != nil {
		return refusal.print()
	}
	script, err := chooseScript(dir, name, call, string(prompt))
	if err != nil {
		return 0, err
	}
	return script.play(fake, string(prompt))
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// printed is the output and the exit code of a CLI.
type printed struct {
	stdout, stderr string
	code           int
}

func (p printed) print() (code int, err error) {
	if _, err := io.WriteString(os.Stderr, p.stderr); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(os.Stdout, p.stdout); err != nil {
		return 0, err
	}
	return p.code, nil
}

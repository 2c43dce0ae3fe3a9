package setup

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
)

// Lack is something that a project's checks need and that is not installed.
type Lack struct {
	// Path is the folder that is missing.
	Path string
	// Fix says how to install it from the repository's root, with commands in backticks.
	Fix string
}

// installation is what a program needs in the folder of its project, and the command that installs it.
type installation struct {
	// programs are the first words of commands that need it; one that ends in a slash is a folder.
	programs []string
	// with is a file without which nothing has to be installed.
	with, folder, fix string
}

func installations() []installation {
	return []installation{
		{[]string{"vendor/bin/", "composer"}, "composer.json", "vendor", "composer install"},
		{[]string{"mix"}, "mix.lock", "deps", "mix deps.get"},
		{[]string{"terraform"}, "", ".terraform", "terraform init -backend=false"},
		{[]string{"dart"}, "", ".dart_tool", "dart pub get"},
		{[]string{"flutter"}, "", ".dart_tool", "flutter pub get"},
	}
}

// MissingFor returns what a check's command needs in its working directory and what is missing
// there: the dependencies of a project, or a virtual environment.
func MissingFor(facts Facts, dir, command string) (Lack, bool) {
	program := Program(command)
	switch {
	case slices.Contains([]string{"npm", "npx", "yarn", "pnpm", "bun"}, program):
		return missingModules(facts, dir)
	case regexp.MustCompile(`^\.?venv/bin/`).MatchString(program):
		venv, _, _ := strings.Cut(program, "/")
		folder := path.Join(dir, venv)
		return Lack{folder, "`python3 -m venv " + text.ShellWord(folder) + "`, then install the project's dependencies in it"}, !facts.Exists(folder)
	case strings.Contains(command, "terraform fmt"), program == "composer" && !needsVendor(facts, dir):
		return Lack{}, false
	}
	for _, i := range installations() {
		needs := slices.ContainsFunc(i.programs, func(p string) bool { return p == program || strings.HasSuffix(p, "/") && strings.HasPrefix(program, p) })
		if folder := path.Join(dir, i.folder); needs && (i.with == "" || facts.Exists(path.Join(dir, i.with))) && !facts.Exists(folder) {
			return Lack{folder, "`" + inFolder(dir, i.fix) + "`"}, true
		}
	}
	return Lack{}, false
}

// inFolder returns a command that runs in a folder of the repository.
func inFolder(dir, command string) string {
	if dir == "." {
		return command
	}
	return fmt.Sprintf("cd %s && %s", text.ShellWord(dir), command)
}

// missingModules reports whether the Node project in the folder has dependencies that are not
// installed, and returns what is missing.
func missingModules(facts Facts, dir string) (Lack, bool) {
	manifest := readPackage(facts, dir)
	if len(manifest.Dependencies)+len(manifest.DevDependencies) == 0 {
		return Lack{}, false
	}
	for _, in := range upwards(dir) {
		if facts.Exists(path.Join(in, "node_modules")) || facts.Exists(path.Join(in, ".pnp.cjs")) {
			return Lack{}, false
		}
	}
	fix := nodeManager(facts, dir) + " install"
	if facts.Exists(path.Join(dir, "package-lock.json")) && fix == "npm install" {
		fix = "npm ci"
	}
	return Lack{path.Join(dir, "node_modules"), "`" + inFolder(dir, fix) + "`"}, true
}

// Program returns the program that a shell command begins with, or "" if it begins with something
// that only a shell understands.
func Program(command string) string {
	for word := range strings.FieldsSeq(command) {
		if regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=[A-Za-z0-9_./,:@%+=-]*$`).MatchString(word) {
			continue
		}
		word = strings.TrimRight(word, ";")
		if !regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$`).MatchString(word) || slices.Contains(shellWords(), word) {
			return ""
		}
		return word
	}
	return ""
}

// Needs returns the program that has to be installed for a check: the one that xargs starts, or else
// the one that the command begins with.
func Needs(command string) string {
	if _, last, piped := strings.Cut(command, "| xargs "); piped {
		for word := range strings.FieldsSeq(last) {
			if !strings.HasPrefix(word, "-") {
				return Program(word)
			}
		}
	}
	return Program(command)
}

// Collecting returns a command that makes pytest list its tests and change nothing, if the command
// runs it and nothing else. hasEnvironment means that the project has a virtual environment: without
// one, the programs that manage it would make it.
func Collecting(command string, hasEnvironment bool) string {
	if !regexp.MustCompile(`^[A-Za-z0-9_=./,:+@ -]+$`).MatchString(command) {
		return ""
	}
	words, program := strings.Fields(command), Program(command)
	at := slices.IndexFunc(words, func(word string) bool { return path.Base(word) == "pytest" })
	managed := slices.Contains([]string{"uv", "poetry", "pdm", "pipenv"}, program)
	direct := path.Base(program) == "pytest" || strings.HasPrefix(path.Base(program), "python")
	if at < 0 || managed && !hasEnvironment || !managed && !direct {
		return ""
	}
	if program == "uv" {
		command = strings.Replace(command, "uv run ", "uv run --no-sync ", 1)
	}
	return "PYTHONDONTWRITEBYTECODE=1 " + command + " --collect-only -q -p no:cacheprovider"
}

// shellWords returns the words that a shell handles without starting a program.
func shellWords() []string {
	return []string{
		".", ":", "alias", "bg", "break", "case", "cd", "command", "continue", "do", "done", "echo", "elif", "else", "esac", "eval",
		"exec", "exit", "export", "false", "fi", "for", "function", "if", "in", "kill", "local", "printf", "pwd", "read", "readonly",
		"return", "set", "shift", "source", "test", "then", "time", "times", "trap", "true", "type", "ulimit", "umask", "unset", "until",
		"wait", "while",
	}
}

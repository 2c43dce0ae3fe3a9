package answer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
)

const document = "../../docs/answer.md"

// block returns the document's first code block in a language.
func block(t *testing.T, language string) string {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(data), "```"+language+"\n")
	code, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("%s has no block of %s", document, language)
	}
	return code
}

// The form in the document fits, and the reviewer in it answers in the form.
func TestDocument(t *testing.T) {
	t.Parallel()
	form, misfit := answer.Read(block(t, "json"), answer.Asked{Claims: []string{"ztg4f3qv"}, Disputes: []string{"x9yr6pg4"}, Known: []string{"pb88fj8g"}})
	if misfit != nil || form.Warnings != nil || form.Remarks != nil {
		t.Errorf("the form: %v, %q, %q", misfit, form.Warnings, form.Remarks)
	}
	const prompt = "You review code.\n\n# The change\n\nCommits:\n- DEBUG as a word\n\n# The diff\n\nBEGIN X\n--- a/src/a \"b\".go\n+++ b/src/a \"b\".go\n@@ -1,2 +1,3 @@\n" +
		"    1  // DEBUG: old\n      -// DEBUG: gone\n    2 +// DEBUG: new\n    3 +\\ok\n+++ b/c.go\n  120 +\t\"DEBUG\"\nEND X\n\n" +
		"# What to look for\n\n- DEBUG\n\n# Claims\n\nBEGIN X\n- c1 left.go:3-4 [low] The change adds DEBUG.\n  - no entry\n- c2 right.go [low] The change [this one] adds DEBUG.\n- c3 gone.go:1 [low] x\nEND X\n\n" +
		"# Disputed\n\n- d1 left.go:7 [low] x\n\n# Known\n\n- k1 left.go:7 x\n\n# Answer\n\n- \"status\"\n"
	folder := t.TempDir()
	for name, text := range map[string]string{"nodebug.sh": block(t, "sh"), "left.go": "DEBUG\nok\nDEBUG", "right.go": "ok\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reviewer := exec.Command("sh", "nodebug.sh")
	reviewer.Dir, reviewer.Stdin, reviewer.Stderr = folder, strings.NewReader(prompt), os.Stderr
	out, err := reviewer.Output()
	if err != nil {
		t.Fatal(err)
	}
	asked := answer.Asked{Claims: []string{"c1", "c2", "c3"}, Disputes: []string{"d1"}}
	got, misfit := answer.Read(string(out), asked)
	want := answer.Form{Status: answer.Fail,
		Violations: []ledger.Entry{at(1, `src/a "b".go`, 2, "The change adds DEBUG."), at(2, "c.go", 120, "The change adds DEBUG.")},
		Claims: []ledger.ClaimWord{{ID: "c1", Verdict: ledger.ClaimNotFixed, Evidence: "lines of left.go that say DEBUG: 2"}, {ID: "c2", Verdict: ledger.ClaimFixed, Evidence: "lines of right.go that say DEBUG: 0"},
			{ID: "c3", Verdict: ledger.ClaimFixed, Evidence: "lines of gone.go that say DEBUG: 0"}},
		Disputes: []ledger.ClaimWord{{ID: "d1", Verdict: ledger.DisputeStands, Evidence: "A line says DEBUG or not."}}}
	if diff := cmp.Diff(want, got); misfit != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s\n%s", misfit, diff, out)
	}
}

// The plain answers in the document fit, and so does what its five-line reviewer prints.
func TestDocumentPlain(t *testing.T) {
	t.Parallel()
	asked := answer.Asked{Claims: []string{"c1"}}
	for line := range strings.Lines(block(t, "text")) {
		if form, misfit := answer.Read(line, asked); misfit != nil || form.Status != answer.Error && len(form.Silent) != 1 {
			t.Errorf("%s: %v", line, misfit)
		}
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	folder := t.TempDir()
	run := func(name string, arguments ...string) string {
		command := exec.Command(name, arguments...)
		command.Dir, command.Stderr = folder, os.Stderr
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, arguments, err)
		}
		return string(out)
	}
	run("git", "init", "--quiet")
	if err := os.Mkdir(filepath.Join(folder, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]answer.Form{
		"ok\n":         {Status: answer.Pass, Notes: "No DEBUG", Silent: []string{"c1"}},
		"a\nDEBUG b\n": {Status: answer.Fail, Silent: []string{"c1"}, Violations: []ledger.Entry{{Position: 1, Place: ledger.Place{File: "src/a.go", Start: 2, End: 2}, Issue: "It says DEBUG.", Priority: "medium"}}},
	} {
		for name, content := range map[string]string{"nodebug.sh": block(t, "bash"), "src/a.go": text} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got, misfit := answer.Read(run("sh", "nodebug.sh"), asked)
		if diff := cmp.Diff(want, got); misfit != nil || diff != "" {
			t.Errorf("%q: %v (-want +got):\n%s", text, misfit, diff)
		}
	}
}

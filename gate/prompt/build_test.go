package prompt_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

var update = flag.Bool("update", false, "accept the prompts as they are")

const diffOfStore = `diff --git a/src/store.go b/src/store.go
index 0123456..789abcd 100644
--- a/src/store.go
+++ b/src/store.go
@@ -41,7 +41,9 @@ func (s *Store) Get(key string) (string, error) {
 	s.mu.Lock()
 	defer s.mu.Unlock()
 
-	value := s.values[key]
+	value, ok := s.values[key]
+	if !ok {
+		return "", nil
+	}
 	return value, nil
 }
 
`

const diffOfRename = `diff --git a/src/docs/old.md b/src/docs/new.md
similarity index 90%
rename from src/docs/old.md
rename to src/docs/new.md
index 0123456..789abcd 100644
--- a/src/docs/old.md
+++ b/src/docs/new.md
@@ -1 +1,2 @@
-Old
\ No newline at end of file
+New
+store
`

func first() prompt.Input {
	return prompt.Input{
		Instructions: "Look for mistakes in the handling of errors, and for missing tests.\n",
		EntryPoint:   "src", Closed: []string{"gauntlet_logs", ".git/reviewledger"}, Tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
		Change: prompt.Change{Subjects: []string{"Get tells a missing key from an empty value", "Docs: the store has its own page"}, Branch: "missing-keys"},
		New: []diff.File{
			{New: "src/store.go", Text: []byte(diffOfStore)}, {New: "src/docs/new.md", Text: []byte(diffOfRename)},
			{New: "src/logo.png", Text: []byte("diff --git a/src/logo.png b/src/logo.png\nindex 0123456..789abcd 100644\nBinary files a/src/logo.png and b/src/logo.png differ\n")},
		},
		Named: []string{".claude/skills/reviewledger/SKILL.md"},
		Checks: []prompt.Check{
			{Name: "go-test", Ended: "passed", Tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
			{Name: "lint", Ended: "failed, exited with code 1", Tree: "0123456789", Excerpt: "store.go:44: unused\n1 problem", Pending: true}, {Name: "slow", Pending: true},
		},
		Altered: []prompt.Altered{{Path: "src/store.go", By: "git's ident"}},
	}
}

func gatesOf(names ...string) (gates []prompt.Gate) {
	for _, name := range names {
		gates = append(gates, prompt.Gate{Name: name, Covers: []string{"src"}})
	}
	return gates
}

func linesOf(number int, texts ...string) (lines []prompt.Line) {
	for i, text := range texts {
		lines = append(lines, prompt.Line{Number: number + i, Text: text})
	}
	return lines
}

// earlier is the data for a claim or dispute.
type earlier struct {
	ID                 string
	Place              ledger.Place
	Also               []spot
	Priority           ledger.Priority
	Issue, Fix, Author string
	Again              string
	Gone               bool
	Lines              []prompt.Line
	Last               int
}

type spot struct {
	Place ledger.Place
	Lines []prompt.Line
	Last  int
}

func (e earlier) finding() prompt.Finding {
	f := prompt.Finding{
		Violation: ledger.Violation{ShortID: e.ID, Place: e.Place, Priority: e.Priority, Issue: e.Issue, Fix: e.Fix, Result: e.Author},
		Now:       []prompt.Excerpt{{Lines: e.Lines, Last: e.Last}}, Again: e.Again, Gone: e.Gone,
	}
	for _, s := range e.Also {
		f.Also, f.Now = append(f.Also, s.Place), append(f.Now, prompt.Excerpt{Lines: s.Lines, Last: s.Last})
	}
	return f
}

func findings(list []earlier) (all []prompt.Finding) {
	for _, e := range list {
		all = append(all, e.finding())
	}
	return all
}

func claims() []prompt.Finding {
	return findings([]earlier{
		{
			ID: "8c31gnxt", Place: ledger.Place{File: "src/store.go", Start: 44, End: 47}, Priority: "high",
			Issue: "A missing key and an empty value cannot be told apart.", Fix: "Return ErrNotFound.", Author: "Get says whether the key is there", Again: "in iteration 2 you could not tell",
			Also:  []spot{{Place: ledger.Place{File: "src/docs/new.md", Start: 2, End: 2}, Lines: linesOf(1, "New", "store")}, {Place: ledger.Place{File: "README.md"}}},
			Lines: linesOf(38, "", "// Get returns a value.", "func (s *Store) Get(key string) (string, error) {", "\ts.mu.Lock()", "\tdefer s.mu.Unlock()", "", "\tvalue, ok := s.values[key]", "\tif !ok {", "\t\treturn \"\", nil", "\t}", "\treturn value, nil", "}"), Last: 120,
		},
		{ID: "z0at33y5", Place: ledger.Place{File: "src/store_test.go"}, Priority: "low", Issue: "No test asks for a missing key.\n\nBoth return values want one.", Author: "added a test"},
	})
}

func rerun() prompt.Input {
	in := first()
	in.Answered, in.Seen, in.New = true, in.New[1:], in.New[:1]
	in.Named, in.Checks = nil, nil
	in.Claims = claims()
	in.Disputed = findings([]earlier{{ID: "x9yr6pg4", Place: ledger.Place{File: "src/store.go", Start: 42, End: 42}, Priority: "medium", Issue: "The lock is held too long.", Gone: true, Author: "the map is guarded by it: see store.go:12", Lines: linesOf(40, "func (s *Store) Get(key string) (string, error) {", "\ts.mu.Lock()", "\tdefer s.mu.Unlock()")}})
	in.Known = []prompt.Known{
		{Violation: ledger.Violation{ShortID: "pb88fj8g", Place: ledger.Place{File: "src/store.go", Start: 48, End: 48}, Priority: "low", Issue: "The value is copied twice."}, State: "open, yours", Own: true},
		{Violation: ledger.Violation{ShortID: "q7m2c0de", Place: ledger.Place{File: "src/close.go", Start: 9, End: 12}, Priority: "medium", Issue: "Close is called twice."}, State: "skipped", Gone: true},
	}
	in.MoreKnown = 3
	return in
}

func codeReview() prompt.Input {
	in := first()
	in.CodeReview, in.Named, in.Checks = true, nil, nil
	return in
}

func verification() prompt.Input {
	in := codeReview()
	in.Verify, in.New, in.Claims = true, in.New[:1], claims()[:1]
	return in
}

// situations returns inputs for the situations in which a reviewer is called.
func situations() map[string]prompt.Input {
	again := rerun()
	again.EntryPoint = "."
	again.Claims, again.Disputed, again.Known, again.Seen = nil, nil, nil, nil
	gates := first()
	gates.Gate, gates.Gates = "errors", gatesOf("errors", "style", "docs")
	never := rerun() // its slot was in error; findings of others are known
	never.Answered, never.New, never.Seen, never.Claims, never.Disputed = false, first().New, nil, nil, nil
	whole := codeReview()
	whole.WholeFiles, whole.Subjects, whole.Branch = true, nil, ""
	whole.New = []diff.File{{New: "src/a.go", Text: []byte("package a\n\nvar x = 1")}, {New: "src/empty.go"}}
	return map[string]prompt.Input{
		"first": first(), "rerun-claims": rerun(), "rerun": again, "gates": gates, "never-answered": never,
		"code-review": codeReview(), "verification": verification(), "whole-files": whole,
	}
}

// TestBuildText compares complete prompts, because their wording is what reviewers act on. Run it
// with -update to accept new ones.
func TestBuildText(t *testing.T) {
	t.Parallel()
	texts := map[string][]byte{}
	for name, in := range situations() {
		prompts := build(t, in)
		if len(prompts) != 1 {
			t.Fatalf("%s: %d prompts", name, len(prompts))
		}
		texts[name] = prompts[0].Text
	}
	split := rerun()
	split.Limit = len(texts["rerun-claims"]) - 200
	prompts := build(t, split)
	if len(prompts) != 2 {
		t.Fatalf("split into %d prompts", len(prompts))
	}
	texts["split"] = prompts[1].Text
	texts["again"] = prompt.Again(build(t, first())[0], "I found nothing.\n\n{\"status\": \"pass\", \"violations\": []}", "text before the object, at byte 0")
	for name, text := range texts {
		golden := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(golden, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func build(t *testing.T, in prompt.Input) []prompt.Prompt {
	t.Helper()
	prompts, err := prompt.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	return prompts
}

func text(t *testing.T, in prompt.Input) string {
	t.Helper()
	prompts := build(t, in)
	if len(prompts) != 1 {
		t.Fatalf("%d prompts", len(prompts))
	}
	return string(prompts[0].Text)
}

// large returns a change of 20 KB in a rerun.
func large() prompt.Input {
	in := rerun()
	in.New = nil
	for i := range 10 {
		in.New = append(in.New, diff.File{New: fmt.Sprintf("src/f%d.go", i), Text: fmt.Appendf(nil, "--- a/src/f%[1]d.go\n+++ b/src/f%[1]d.go\n@@ -0,0 +1,50 @@\n%s", i, strings.Repeat("+\tvalue := compute(arguments, of, some)\n", 50))})
	}
	in.Gate, in.Gates = "errors", gatesOf("errors", "style")
	return in
}

// TestPrefixIsShared measures how much of the prompts of two slots, and of two gates, providers can
// cache.
func TestPrefixIsShared(t *testing.T) {
	t.Parallel()
	base := large()
	base.Known, base.Disputed, base.Claims = base.Known[:1], nil, nil
	slot := base
	slot.Known = rerun().Known[1:]
	claimed := base
	claimed.Claims = claims()
	gate := base
	gate.Gate, gate.Gates = "style", gatesOf("errors", "style")
	gate.Instructions = strings.Repeat("Names say what they mean. Comments say why. ", 40)
	for _, test := range []struct {
		name string
		a, b prompt.Input
		want float64
	}{
		{"two slots of one gate", base, slot, 0.90}, {"two gates of one entry point", gate, base, 0.70}, {"two gates, the first with claims", claimed, gate, 0.70},
	} {
		a, b := text(t, test.a), text(t, test.b)
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		share := float64(n) / float64(max(len(a), len(b)))
		t.Logf("%s: %d of %d and %d bytes are shared: %.1f %%", test.name, n, len(a), len(b), 100*share)
		if share < test.want {
			t.Errorf("%s share %.3f, want %.2f; they differ at %q", test.name, share, test.want, a[n:min(n+80, len(a))])
		}
	}
}

package builtin_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/builtin"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// askBuiltin gives a subject to the built-in reviewer, and returns "file:first-last priority issue"
// for each violation.
func askBuiltin(t testing.TB, dir string, subject clients.Subject) []string {
	t.Helper()
	reply, err := builtin.New().Review(t.Context(), clients.Call{Dir: dir, Subject: &subject})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Status     string
		Violations []struct {
			File, Issue, Fix, Priority string
			Line                       any
		}
	}
	if err := json.Unmarshal([]byte(reply.Text), &answer); err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, v := range answer.Violations {
		place := fmt.Sprint(v.Line)
		if !strings.Contains(place, "-") {
			place += "-" + place
		}
		found = append(found, fmt.Sprintf("%s:%s %s %s", v.File, place, v.Priority, v.Issue))
		if v.Fix == "" {
			t.Errorf("no fix: %+v", v)
		}
	}
	if (answer.Status == "fail") != (len(found) > 0) || answer.Status != "fail" && answer.Status != "pass" {
		t.Errorf("status %s with %d violations", answer.Status, len(found))
	}
	return found
}

// versions are the old and the new content of a file.
type versions struct{ name, before, after string }

func versionsToCheck() []versions {
	return []versions{
		{"clean", "a\n", "a\nb\n"},
		{"trailing space", "a\n", "a \nb\n"},
		{"trailing tab", "", "a\t\n"},
		{"blank line of spaces", "a\nb\n", "a\n  \nb\n"},
		{"space before tab", "", " \tx\n"},
		{"tab before space", "", "\t x\n"},
		{"space before tab, later", "", "\t  \tx\n"},
		{"not in the indent", "", "x \ty\n"},
		{"conflict", "a\n", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"},
		{"base of a conflict", "", "||||||| 123\n"},
		{"no markers", "", "<<<<<<<<\n========\n>>>>>> x\n<<<<<<<x\n"},
		{"unchanged faults", "a \nb\n c\n", "a \nb\n c\nd\n"},
		{"new blank line at the end", "a\n", "a\n\n"},
		{"new file with blank lines at the end", "", "a\n\n \n"},
		{"one more blank line at the end", "a\n\n", "a\n\n\n"},
		{"text deleted before the end", "a\n\nb\n", "a\n\n"},
		{"blank line within", "a\nb\nc\nd\ne\n", "a\n\nb\nc\nd\ne\n"},
		{"blank line, then text without a line feed", "a\n", "a\n\nb"},
		{"no line feed", "a\n", "a\nb "},
		{"two hunks", strings.Repeat("x\n", 20), "y \n" + strings.Repeat("x\n", 18) + "z\n\n"},
		{"file emptied", "a\n\n", ""},
		{"blank lines removed", "a\n\n\n", "a\n"},
		{"one of the blank lines removed", "a\n\n\n", "a\n\n"},
		{"text above blank lines within emptied", "x\na\n\n\n\n\nb\n", "x\n\n\n\n\n\nb\n"},
		{"signs that are no marker", "", "|a b c| d\n=a=b=c= d\naaaaaaa d\naaaaaaa\n"},
		{"faults apart", "a\nb\nc\n", "a \nb\nc \n"},
		{"block rewritten", "a\nb\nc\n", "A \nB \nC \n"},
		{"far from the end", strings.Repeat("x\n", 4) + "\n", "y\n" + strings.Repeat("x\n", 4) + "\n"},
		{"conflict markers before a tab", "", "<<<<<<<\tx\n>>>>>>>\n"},
		{"above blank lines at the end, of which one is new", "a\n\n\n", "b\n\n\n\n"},
		{"above as many blank lines at the end", "a\n\n", "b\n\n"},
		{"blank lines more in one hunk, fewer at the end", "a\n\n\n\n" + strings.Repeat("x\n", 8) + "\n\n\n\n", "\n\n\n\n\n" + strings.Repeat("x\n", 8) + "\n\n\n"},
	}
}

// The built-in reviewer finds the same as `git diff --check`, line by line.
func TestBuiltinFindsWhatGitFinds(t *testing.T) {
	t.Parallel()
	for _, v := range versionsToCheck() {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "old/f", v.before)
			write(t, dir, "new/f", v.after)
			want := map[string]bool{}
			line := regexp.MustCompile(`(?m)^new/f:(\d+): (.*?)\.?$`)
			for _, m := range line.FindAllStringSubmatch(gitDiff(t, dir, "--check"), -1) {
				for issue := range strings.SplitSeq(m[2], ", ") {
					if issue == "new blank line at EOF" {
						m[1] = "" // git counts from the first blank line, whether it was added or not
					}
					want[issue+" "+m[1]] = true
				}
			}
			got := map[string]bool{}
			for _, e := range askBuiltin(t, dir, clients.Subject{Files: []diff.File{{New: "f", Text: []byte(gitDiff(t, dir, "-U3"))}}}) {
				addFound(t, got, e)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-git +builtin):\n%s", diff)
			}
		})
	}
}

// Of the blank lines at the end those that were added are named, or all if text after them was
// deleted.
func TestBuiltinNamesBlankLines(t *testing.T) {
	t.Parallel()
	for _, v := range []versions{
		{"f:3-4", "a\n\n", "a\n\n\n\n"}, {"f:2-3", "", "a\n\n \n"}, {"f:2-2", "a\n\nb\n", "a\n\n"}, {"f:1-1", "", "\n"},
	} {
		dir := t.TempDir()
		write(t, dir, "old/f", v.before)
		write(t, dir, "new/f", v.after)
		found := askBuiltin(t, dir, clients.Subject{Files: []diff.File{{New: "f", Text: []byte(gitDiff(t, dir, "-U3"))}}})
		if !slices.ContainsFunc(found, func(e string) bool { return strings.HasPrefix(e, v.name+" ") && strings.Contains(e, "lank line") }) {
			t.Errorf("%q, then %q: %q, want %s", v.before, v.after, found, v.name)
		}
	}
}

// addFound translates a violation into git's words, one for each line.
func addFound(t *testing.T, got map[string]bool, entry string) {
	t.Helper()
	var first, last int
	place, rest, _ := strings.Cut(entry, " ")
	if _, err := fmt.Sscanf(place, "f:%d-%d", &first, &last); err != nil {
		t.Fatal(err)
	}
	words := map[string]string{
		"critical Leftover conflict marker":         "leftover conflict marker",
		"low Trailing whitespace":                   "trailing whitespace",
		"low Space before a tab in the indent":      "space before tab in indent",
		"low New blank line at the end of the file": "new blank line at EOF",
	}[rest]
	if words == "" {
		t.Fatalf("unexpected violation %q", entry)
	}
	if words == "new blank line at EOF" {
		got[words+" "] = true
		return
	}
	for n := first; n <= last; n++ {
		got[fmt.Sprintf("%s %d", words, n)] = true
	}
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gitDiff compares old/f with new/f. Exit codes above 0 mean differences.
func gitDiff(t *testing.T, dir, option string) string {
	t.Helper()
	cmd := exec.Command("git", "diff", "--no-index", option, "--no-color", "--", "old/f", "new/f")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	out, err := cmd.Output()
	if err != nil && len(cmd.ProcessState.String()) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

func TestBuiltinVerifiesClaimsOnTheFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "f", "fine\nstill \nfine\n<<<<<<< HEAD\n\n")
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	claims := []ledger.Violation{
		{ShortID: "1", Place: ledger.Place{File: "f", Start: 1, End: 1}, Issue: "Trailing whitespace"},
		{ShortID: "2", Place: ledger.Place{File: "f", Start: 2, End: 2}, Issue: "Trailing whitespace"},
		{ShortID: "3", Place: ledger.Place{File: "f", Start: 5}, Issue: "New blank line at the end of the file"},
		{ShortID: "4", Place: ledger.Place{File: "gone", Start: 5}, Issue: "Trailing whitespace"},
		{ShortID: "5", Place: ledger.Place{File: "link", Start: 1}, Issue: "Trailing whitespace"},
	}
	got := askBuiltin(t, dir, clients.Subject{Claims: claims})
	want := []string{
		"f:2-2 low Trailing whitespace",
		"f:5-5 low New blank line at the end of the file",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	whole := askBuiltin(t, dir, clients.Subject{Claims: []ledger.Violation{{ShortID: "6", Place: ledger.Place{File: "f"}}}})
	if !slices.Contains(whole, "f:4-4 critical Leftover conflict marker") || len(whole) != 3 {
		t.Errorf("a claim about the whole file gave %q", whole)
	}
}

// A claim at a place that cannot be read is not confirmed.
func TestBuiltinRefusesToVerifyOutside(t *testing.T) {
	t.Parallel()
	reviewer := builtin.New()
	verify := func(dir, file string) error {
		subject := &clients.Subject{Claims: []ledger.Violation{{ShortID: "1", Place: ledger.Place{File: file, Start: 1}}}}
		_, err := reviewer.Review(t.Context(), clients.Call{Dir: dir, Subject: subject})
		return err
	}
	if verify(t.TempDir(), "../outside") == nil {
		t.Error("verified a claim outside the repository")
	}
	dir := t.TempDir()
	large, err := os.Create(filepath.Join(dir, "large"))
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()
	if err := errors.Join(large.Truncate(64<<20+1), os.Mkdir(filepath.Join(dir, "folder"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for file, refused := range map[string]bool{"large": true, "folder": false, "none": false} {
		if err := verify(dir, file); (err != nil) != refused || refused && !strings.Contains(err.Error(), "not a regular file of at most 64 MiB") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestBuiltinReviewsWholeFiles(t *testing.T) {
	t.Parallel()
	got := askBuiltin(t, t.TempDir(), clients.Subject{WholeFiles: true, Files: []diff.File{
		{New: "a", Text: []byte("x\ny \nz \n")}, {New: "b", Text: []byte("\x00 \n")}, {New: "crlf", Text: []byte("x\r\ny\r\n")},
		{New: "markers", Text: []byte("<<<<<<< a\n>>>>>>> b\n")},
	}})
	want := []string{"a:2-3 low Trailing whitespace", "markers:1-1 critical Leftover conflict marker", "markers:2-2 critical Leftover conflict marker"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzBuiltin checks that the answer to any diff can be parsed, and that its lines may be in a
// hunk.
func FuzzBuiltin(f *testing.F) {
	f.Add("@@ -1 +1,2 @@\n a\n+b \n")
	f.Add("@@ -0,0 +1,3 @@\n+<<<<<<< x\n+\n+\n\\ No newline at end of file\n")
	f.Add("@@ -9999999999999999999 +-1,-1 @@\n+ \n@@ -1,2\n")
	f.Fuzz(func(t *testing.T, part string) {
		dir := t.TempDir()
		for _, entry := range askBuiltin(t, dir, clients.Subject{Files: []diff.File{{New: "f", Text: []byte(part)}}}) {
			if !strings.HasPrefix(entry, "f:") || strings.HasPrefix(entry, "f:-") {
				t.Errorf("violation %q", entry)
			}
		}
	})
}

// Not reporting a claim again confirms it.
func TestBuiltinConfirmsByAbsence(t *testing.T) {
	t.Parallel()
	if r := builtin.New(); !r.ByAbsence() || !r.ReadsPrompts() {
		t.Errorf("%+v", r)
	}
}

package diff

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// oddNames are names that a parser of diffs may get wrong.
var oddNames = []string{
	"plain", "with space", " leading", "trailing ", "a b/c b/d", "x b/x", "tab\tname", "line\nbreak", "carriage\rreturn",
	`quo"te`, `back\slash`, "ümläut", "\xff\xfe", "日本語", "--- a", "+++ b", "-dash", "--help", "rename from x",
	"@@ -1 +1 @@", "dev/null", ":(top)x", ":!x", "*", "[a]", "#hash", "\x01\x7f", "a/a/a", "Binary files a and b differ", "\u00a0",
	"index 1..2 160000", "'quote'", "$(touch x)", "%s%n", "{a => b}", strings.Repeat("n", 250),
}

// rawPaths returns the changes between two trees in the form "status old new", from output of git
// that needs no parsing of a diff.
func (s *sandbox) rawPaths(from, to string) []string {
	s.t.Helper()
	fields := strings.Split(s.git("diff-tree", "-r", "-z", "-M50%", "-l1000", "--raw", from, to), "\x00")
	var entries []string
	for i := 0; i+1 < len(fields); i += 2 {
		status := fields[i][strings.LastIndexByte(fields[i], ' ')+1:][:1]
		before, after := fields[i+1], fields[i+1]
		switch status {
		case "R":
			after = fields[i+2]
			i++
		case "A":
			before = ""
		case "D":
			after = ""
		}
		entries = append(entries, fmt.Sprintf("%s %q %q", status, before, after))
	}
	return entries
}

// parsedPaths returns the same as rawPaths for a parsed diff.
func parsedPaths(d *Diff) []string {
	status := map[Kind]string{Added: "A", Deleted: "D", Modified: "M", Renamed: "R", TypeChanged: "T"}
	var entries []string
	for _, f := range d.Files {
		entries = append(entries, fmt.Sprintf("%s %q %q", status[f.Kind], f.Old, f.New))
	}
	return entries
}

func TestDiffOddNames(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	write := func(prefix, content string) {
		for i, name := range oddNames {
			s.write(prefix+name, lines(100*i, 100*i+20)+content)
		}
	}
	first := s.commit()
	write("", "one\n")
	second := s.commit()
	write("", "two\n")
	third := s.commit()
	for _, name := range oddNames {
		if err := os.Chmod(s.path(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fourth := s.commit()
	s.git("rm", "-rq", "--cached", ".")
	for i, name := range oddNames {
		s.remove(name)
		s.write("moved/"+name+"/"+oddNames[len(oddNames)-1-i], lines(100*i, 100*i+20)+"two\nthree\n")
	}
	fifth := s.commit()
	for name, ids := range map[string][2]string{
		"added": {first, second}, "modified": {second, third}, "mode": {third, fourth}, "mode and content": {second, fourth},
		"renamed": {fourth, fifth}, "back": {fifth, fourth}, "deleted": {second, first},
	} {
		d := s.diff(ids[0], ids[1])
		if diff := cmp.Diff(s.rawPaths(ids[0], ids[1]), parsedPaths(d)); diff != "" {
			t.Errorf("%s (-raw +parsed):\n%s", name, diff)
		}
		if len(d.Files) != len(oddNames) {
			t.Errorf("%s: %d files, want %d", name, len(d.Files), len(oddNames))
		}
	}
	changed := s.diff(second, third)
	for _, name := range oddNames {
		if !changed.Contains(name, 22, 22) || changed.Contains(name, 5, 5) {
			t.Errorf("the changed line of %q is not found", name)
		}
	}
	if d := s.diff(second, third, oddNames...); !d.Empty() {
		t.Errorf("excluded, but still in the diff: %q", d.Paths())
	}
}

func TestDiffKinds(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("binary", "\x00\x01")
	s.write("attribute", "1\n")
	s.write(".gitattributes", "attribute -diff\n")
	s.write("type", "1\n")
	s.write("emptied", lines(1, 3))
	s.write("unended", "1\n2")
	s.write("crlf", "1\r\n2\r\n")
	s.write("looks", "-- a/x\n++ b/x\nkeep\n")
	s.write("pure", lines(1, 50))
	s.write("gone", "\x00gone")
	first := s.commit()
	s.write("binary", "\x00\x02")
	s.write("attribute", "2\n")
	s.remove("type")
	s.symlink("target", "type")
	s.write("emptied", "")
	s.write("unended", "1\n2\n")
	s.write("crlf", "1\r\n3\r\n")
	s.write("looks", "++ b/y\nkeep\n-- c\n")
	s.git("mv", "pure", "moved")
	s.remove("gone")
	s.write("empty", "")
	second := s.commit()

	got := map[string]File{}
	d := s.diff(first, second)
	for _, f := range d.Files {
		f.Text, f.Hunks = nil, nil
		got[max(f.New, f.Old)] = f
	}
	want := map[string]File{
		"attribute": {Old: "attribute", New: "attribute", Kind: Modified, Blocks: []Block{{1, 1, 1, 1}}},
		"binary":    {Old: "binary", New: "binary", Kind: Modified, Binary: true},
		"crlf":      {Old: "crlf", New: "crlf", Kind: Modified, Blocks: []Block{{2, 1, 2, 1}}},
		"emptied":   {Old: "emptied", New: "emptied", Kind: Modified, Blocks: []Block{{1, 3, 1, 0}}},
		"empty":     {New: "empty", Kind: Added},
		"gone":      {Old: "gone", Kind: Deleted, Binary: true},
		"looks":     {Old: "looks", New: "looks", Kind: Modified, Blocks: []Block{{1, 2, 1, 1}, {4, 0, 3, 1}}},
		"pure":      {Old: "pure", New: "moved", Kind: Renamed},
		"type":      {Old: "type", New: "type", Kind: TypeChanged},
		"unended":   {Old: "unended", New: "unended", Kind: Modified, Blocks: []Block{{2, 1, 2, 1}}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(File{}), cmp.Transformer("nil", func(b []Block) []Block { return append([]Block(nil), b...) })); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(s.rawPaths(first, second), parsedPaths(d)); diff != "" {
		t.Errorf("paths (-raw +parsed):\n%s", diff)
	}
}

func TestDiffSubmodule(t *testing.T) {
	t.Parallel()
	library := newSandbox(t)
	library.write("f", "1\n")
	library.commit()
	s := newSandbox(t)
	s.git("submodule", "--quiet", "add", library.dir, "libs/sub")
	s.git("config", "-f", ".gitmodules", "submodule.libs/sub.ignore", "all")
	first := s.commit()
	sub := s.in(s.path("libs/sub"))
	sub.write("f", "2\n")
	id := sub.commit()
	snapshot := s.snapshot()
	d := s.diff(first, snapshot.Tree)
	if len(d.Files) != 1 || !d.Files[0].Submodule || !strings.Contains(string(d.Files[0].Text), "+Subproject commit "+id+"\n") {
		t.Fatalf("diff: %+v", d.Files)
	}
	for file, want := range map[string]bool{"libs/sub": true, "libs/sub/f": true, "libs": false} {
		if got := d.Contains(file, 1, 1); got != want {
			t.Errorf("Contains(%q) = %t", file, got)
		}
	}
	if r := sub.open(); r.Root != sub.dir || r.CommonDir != s.path(".git/modules/libs/sub") {
		t.Errorf("opened in the submodule: %+v", r)
	}
	if got := sub.snapshot().Tree; got != sub.git("rev-parse", "HEAD^{tree}") {
		t.Errorf("snapshot of the submodule: tree %q", got)
	}
	remove := s.diff(first, s.open().EmptyTree())
	if !slices.Contains(remove.Paths(), "libs/sub") {
		t.Errorf("paths of the removal: %q", remove.Paths())
	}
}

func TestDiffIsMadeOfIDs(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := s.commit()
	r := s.open()
	for _, bad := range []string{"HEAD", "", "--output=x", id[:39], id + "0"} {
		if _, err := r.Diff(context.Background(), id, bad, nil); err == nil || !strings.Contains(err.Error(), "not a full object id") {
			t.Errorf("Diff to %q: %v", bad, err)
		}
	}
	_, err := r.Diff(context.Background(), id, strings.Repeat("1", 40), nil)
	var failed *gitError
	if !errors.As(err, &failed) || failed.Args[0] != "diff-tree" || !strings.Contains(err.Error(), strings.Repeat("1", 40)) {
		t.Errorf("Diff to an object that does not exist: %v", err)
	}
}

// In a partial clone git fetches the texts of a diff when they are needed.
func TestDiffOfPartialClone(t *testing.T) {
	t.Parallel()
	origin := newSandbox(t)
	origin.git("config", "uploadpack.allowFilter", "true")
	origin.write("f", "1\n")
	first := origin.commit()
	origin.write("f", "2\n")
	second := origin.commit()
	origin.git("repack", "-a", "-d", "-q")
	clone := origin.in(filepath.Join(filepath.Dir(origin.dir), "clone"))
	origin.git("clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+origin.dir, clone.dir)
	clone.git("config", "remote.origin.url", "moved:") // where it is now is known to the user's configuration
	r, err := open(t.Context(), clone.dir, append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+origin.dir+".insteadOf", "GIT_CONFIG_VALUE_0=moved:"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if d, err := r.Diff(t.Context(), first, second, nil); err != nil || len(d.Files) != 1 || !strings.Contains(string(d.Files[0].Text), "-1\n+2\n") {
		t.Errorf("%+v, %v", d, err)
	}
	if origin.open().isPartial() || !r.isPartial() {
		t.Error("only the clone fetches objects on demand")
	}
}

func TestDiffExclude(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first := s.commit()
	for _, name := range []string{"logs/a", "logs/sub/b", "logs2/c", "src/logs/d", "log", "[x]/e", "x/f", "file"} {
		s.write(name, name)
	}
	second := s.commit()
	got := s.diff(first, second, "logs", "[x]", "file", "absent").Paths()
	if diff := cmp.Diff([]string{"log", "logs2/c", "src/logs/d", "x/f"}, got); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
}

// TestHostileConfiguration compares the diff and the snapshot with those made without any
// configuration, and checks that no configured program has run.
//
// Rule: Nothing is left out without a word.
func TestHostileConfiguration(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("ümlaut", lines(1, 60))
	s.write("moved", lines(100, 160))
	s.write("f.txt", "a\n\nb\n")
	s.write(".gitattributes", "*.txt diff=evil\n")
	first := s.commit()
	s.write("ümlaut", strings.ReplaceAll(lines(1, 60), "0\n", "zero\n"))
	s.git("mv", "moved", "renamed")
	s.write("f.txt", "a\n\nc\r\n")
	s.write("untracked dir/x", "1\n")
	calm := s.snapshot()
	want := s.diff(first, calm.Tree)
	if text := string(want.Files[len(want.Files)-1].Text); !strings.HasPrefix(text, "diff --git a/ümlaut b/ümlaut\n") {
		t.Errorf("the diff shows the name as %q", text)
	}

	marker := filepath.Join(filepath.Dir(s.dir), "marker")
	program := s.program("program", "touch "+marker+"; exit 1")
	hooks := filepath.Join(filepath.Dir(s.dir), "hooks")
	for _, hook := range []string{"post-index-change", "reference-transaction", "pre-commit", "post-commit", "fsmonitor-watchman"} {
		s.program("hooks/"+hook, "touch "+marker+"; exit 1")
	}
	s.write("../attributes", "* -diff\n")
	s.write("../order", "*.txt\n")
	for _, setting := range [][2]string{
		{"diff.noprefix", "true"}, {"diff.mnemonicPrefix", "true"}, {"diff.external", program}, {"color.ui", "always"},
		{"color.diff", "always"}, {"diff.renames", "copies"}, {"diff.renameLimit", "1"}, {"core.quotePath", "true"},
		{"core.fsmonitor", program}, {"core.hooksPath", hooks}, {"core.attributesFile", filepath.Join(filepath.Dir(s.dir), "attributes")},
		{"diff.evil.textconv", program}, {"diff.evil.command", program}, {"diff.evil.algorithm", "patience"},
		{"status.showUntrackedFiles", "no"}, {"diff.ignoreSubmodules", "all"}, {"diff.submodule", "log"}, {"diff.context", "0"},
		{"diff.interHunkContext", "50"}, {"diff.algorithm", "patience"}, {"diff.orderFile", filepath.Join(filepath.Dir(s.dir), "order")},
		{"diff.suppressBlankEmpty", "true"}, {"diff.colorMoved", "zebra"}, {"diff.relative", "true"}, {"diff.wsErrorHighlight", "all"},
		{"diff.indentHeuristic", "false"}, {"commit.gpgSign", "true"}, {"gpg.program", program}, {"core.pager", program},
		{"pager.diff-tree", "true"}, {"core.splitIndex", "true"}, {"core.untrackedCache", "true"}, {"core.safecrlf", "true"},
		{"add.ignoreErrors", "true"}, {"gc.auto", "1"}, {"user.useConfigOnly", "true"}, {"core.logAllRefUpdates", "always"},
		{"core.abbrev", "4"}, {"submodule.recurse", "true"}, {"i18n.commitEncoding", "latin1"}, {"advice.addIgnoredFile", "true"},
	} {
		s.git("config", setting[0], setting[1])
	}
	environ := append(os.Environ(), "GIT_DIR=/nowhere", "GIT_WORK_TREE=/nowhere", "GIT_INDEX_FILE=/nowhere", "GIT_OBJECT_DIRECTORY=/nowhere",
		"GIT_EXTERNAL_DIFF="+program, "GIT_DIFF_OPTS=-u0", "GIT_PAGER="+program, "GIT_LITERAL_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1",
		"GIT_COMMON_DIR=/nowhere", "GIT_PREFIX=x/", "GIT_NAMESPACE=x", "GIT_CONFIG_PARAMETERS='diff.noprefix=true'", "GIT_TRACE=1",
		"GIT_AUTHOR_DATE=bad", "GIT_COMMITTER_DATE=bad", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de", "GIT_ATTR_SOURCE=HEAD",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=diff.noprefix", "GIT_CONFIG_VALUE_0=true")

	r, err := open(context.Background(), s.path("untracked dir"), environ, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.Snapshot(context.Background(), SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Tree != calm.Tree || len(got.Warnings) > 0 {
		t.Errorf("snapshot: tree %s, want %s; warnings %q", got.Tree, calm.Tree, got.Warnings)
	}
	d, err := r.Diff(context.Background(), first, got.Tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, d, cmp.AllowUnexported(File{})); diff != "" {
		t.Errorf("diff (-calm +hostile):\n%s", diff)
	}
	if _, err := os.Stat(marker); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a configured program has run: %v", err)
	}
	if shared, _ := filepath.Glob(s.path(".git/sharedindex.*")); shared != nil {
		t.Errorf("git wrote %q", shared)
	}
}

// program writes a shell script next to the repository.
func (s *sandbox) program(name, script string) string {
	s.t.Helper()
	path := filepath.Join(filepath.Dir(s.dir), filepath.FromSlash(name))
	s.write("../"+name, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// TestCarryAgreesWithContent follows every line through the real diff of random files: unchanged
// lines must arrive at the same text.
func TestCarryAgreesWithContent(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	random := rand.New(rand.NewPCG(1, 2))
	const files = 40
	contents := func() [][]string {
		all := make([][]string, files)
		for i := range all {
			for range random.IntN(60) {
				all[i] = append(all[i], fmt.Sprint(random.IntN(12)))
			}
			s.write(fmt.Sprintf("f%d", i), strings.Join(all[i], "\n"))
		}
		return all
	}
	before := contents()
	first := s.commit()
	after := contents()
	d := s.diff(first, s.snapshot().Tree)
	for i := range files {
		name := fmt.Sprintf("f%d", i)
		at := slices.IndexFunc(d.Files, func(f File) bool { return f.Old == name })
		if at < 0 {
			t.Fatalf("%s is not in the diff", name)
		}
		changed := map[int]bool{}
		rebuilt, next := []string{}, 0
		for _, b := range d.Files[at].Blocks {
			for n := b.OldStart; n < b.oldEnd(); n++ {
				changed[n] = true
			}
			rebuilt = append(rebuilt, before[i][next:b.OldStart-1]...)
			rebuilt = append(rebuilt, after[i][b.NewStart-1:b.newEnd()-1]...)
			next = b.oldEnd() - 1
		}
		rebuilt = append(rebuilt, before[i][next:]...)
		if diff := cmp.Diff(after[i], rebuilt); diff != "" && len(after[i]) > 0 {
			t.Errorf("%s: the blocks do not make the new file (-want +got):\n%s", name, diff)
		}
		for n := 1; n <= len(before[i]); n++ {
			_, start, end := d.Carry(name, n, n)
			if !changed[n] && (start != end || after[i][start-1] != before[i][n-1]) {
				t.Errorf("%s: line %d (%s) went to %d–%d", name, n, before[i][n-1], start, end)
			}
		}
	}
}

// Without renames a file that moved is a new file, and its content can be read in either tree.
//
// Rule: No slot passes what it was not shown.
func TestDiffUnrenamed(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("old name", "one\ntwo\nthree\n")
	from := s.commit()
	s.git("mv", "old name", "new")
	to := s.commit()
	r := s.open()
	renamed, err := r.Diff(t.Context(), from, to, nil)
	if err != nil || len(renamed.Files) != 1 || renamed.Files[0].Kind != Renamed {
		t.Fatalf("%+v, error %v", renamed, err)
	}
	plain, err := r.DiffUnrenamed(t.Context(), from, to, nil)
	if err != nil || len(plain.Files) != 2 {
		t.Fatalf("%+v, error %v", plain, err)
	}
	if whole := renamed.Unrename(func(string, string) bool { return true }, plain); whole.Files[0].Kind != Added || !whole.Contains("new", 3, 3) {
		t.Errorf("%+v", whole.Files)
	}
	for _, test := range []struct {
		tree, file, want string
		there            bool
	}{{from, "old name", "one\ntwo\nthree\n", true}, {to, "new", "one\ntwo\nthree\n", true}, {to, "old name", "", false}} {
		content, there, err := r.FileIn(t.Context(), test.tree, test.file)
		if err != nil || there != test.there || string(content) != test.want {
			t.Errorf("%q: %q, there %t, error %v", test.file, content, there, err)
		}
	}
	for _, bad := range [][2]string{{"HEAD", "new"}, {to, "a\nb"}} {
		if _, _, err := r.FileIn(t.Context(), bad[0], bad[1]); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// FormerTexts returns a file's distinct texts in the last commits, even if some commits lack the
// file.
func TestFormerTexts(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, text := range []string{"one\n", "two\n", "", "one\n", "three"} {
		if text == "" {
			s.git("rm", "--quiet", "file")
		} else {
			s.write("file", text)
			s.git("add", "file")
		}
		s.git("commit", "--quiet", "--allow-empty", "--message=next")
	}
	texts, err := s.open().FormerTexts(t.Context(), "file")
	if err != nil || fmt.Sprintf("%q", texts) != `["three" "one\n" "two\n"]` {
		t.Errorf("got %q, error %v", texts, err)
	}
}

package exchange

import (
	"bytes"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// private returns a run in which every text names the place that it is from.
func private() *Run {
	r := sample()
	set(r, "run", 0, "log_dir", "LOGDIR", "branch", "BRANCH", "worktree_name", "NAME", "worktree", "/home/ann/work/app", "base_ref", "origin/BRANCH",
		"repository_kind", "path", "repository", "/home/ann/work/app/.git")
	const said = "WORD in /home/ann/work/app/a.go, /home/ann/.netrc, /home/anna/x and /home/ann/work/app2"
	set(r, "gate", 0, "reason", said, "command", "COMMAND")
	set(r, "slot", 0, "reason", said)
	set(r, "violation", 0, "result", said, "reason", string(ledger.FalsePositive), "file", "FILE")
	more(r, in("violation_place", "position", number(1), "file", "FILE in /home/ann/work/app", "line_start", number(3), "line_end", number(4)))
	set(r, "report", 0, "issue", said, "fix", said, "title", said, "reason", said, "file", "FILE")
	set(r, "event", 1, "result", said, "reason", "WORD of another set")
	set(r, "slot_entry", 0, "result", said)
	more(r, in("code_review", "review_id", "0123abcd", "target", "BRANCH", "report_path", "LOGDIR/x"))
	more(r, in("finding", "finding_id", "FILE"))
	more(r, in("gate_blob", "sha256", "LOG"))
	more(r, in("report_excerpt", "position", number(1), "sha256", "EXCERPT"))
	more(r, in("event_hunk", "event", number(2), "sha256", "HUNK"))
	return r
}

// lines returns the run in the form of a dump.
func lines(t *testing.T, r *Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := NewWriter(&out).Put(Record{Run: r}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCut(t *testing.T) {
	t.Parallel()
	const database = "0123456789abcdef0123456789abcdef"
	never := []string{"LOGDIR", "COMMAND", "NAME", "/home/ann/", `/home/ann"`, database}
	for content, c := range map[Content]struct{ has, lacks []string }{
		ContentWords: {[]string{"WORD in <worktree>/a.go, ~/.netrc, /home/anna/x and ~/work/app2", "BRANCH", "FILE", "WORD of another set"}, []string{"sha256"}},
		ContentFull:  {[]string{"WORD in <worktree>/a.go", "sha256", "slot_blob", "gate_blob", "report_excerpt", "event_hunk"}, nil},
	} {
		whole, cutter := private(), NewCutter(content, database)
		before := lines(t, whole)
		cut := cutter.Run(whole)
		got := lines(t, cut)
		for _, word := range c.has {
			if !strings.Contains(got, word) {
				t.Errorf("%s: %q is not there:\n%s", content, word, got)
			}
		}
		for _, word := range append(c.lacks, never...) {
			if strings.Contains(got, word) {
				t.Errorf("%s: %q is there:\n%s", content, word, got)
			}
		}
		if lines(t, whole) != before {
			t.Errorf("%s: the record itself was changed", content)
		}
		if err := cut.Sound(); err != nil {
			t.Errorf("%s: %v", content, err)
		}
		if again := lines(t, cutter.Run(cut)); again != got {
			t.Errorf("%s: cut again it is\n%s, and was\n%s", content, again, got)
		}
		if whole.Digest(nil) != cut.Digest(nil) {
			t.Errorf("%s: its digest depends on what was cut", content)
		}
	}
	one, other := NewCutter(ContentWords, "a").Run(private()), NewCutter(ContentWords, "b").Run(private())
	if one.Head.Text("worktree") == other.Head.Text("worktree") || one.Head.Text("repository") == other.Head.Text("repository") {
		t.Error("two ledgers have the same hash of a path")
	}
}

func TestDigestSeesEveryEvent(t *testing.T) {
	t.Parallel()
	was := sample().Digest(nil)
	if sample().Digest([]Row{row("forgotten_skip", "violation", "V", "event", number(2))}) == was {
		t.Error("a forgotten skip does not change the digest")
	}
	for name, change := range map[string]func(*Run){
		"an event":     func(r *Run) { r.Rows["event"] = r.Rows["event"][:1] },
		"a status":     func(r *Run) { set(r, "violation", 0, "status", "new") },
		"a time":       func(r *Run) { set(r, "event", 1, "at", "2026-01-02T03:04:05.678Z") },
		"no end":       func(r *Run) { set(r, "iteration", 0, "finished_at", nil) },
		"the revision": func(r *Run) { set(r, "run", 0, "revision", number(8)) },
		"a number":     func(r *Run) { set(r, "slot", 0, "accepted", number(2)) },
		"a cost":       func(r *Run) { set(r, "slot", 0, "cost_usd", 0.5) },
		"moved text":   func(r *Run) { set(r, "run", 0, "kind", "gate", "base", "s") },
	} {
		r := sample()
		change(r)
		if r.Digest(nil) == was {
			t.Errorf("%s does not change the digest", name)
		}
	}
	if r := sample(); !strings.HasPrefix(r.Digest(nil), "1:") {
		t.Error(r.Digest(nil))
	}
}

func TestReplacePath(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"/work/a":                  "<worktree>",
		"at /work/a/b.go:1.":       "at <worktree>/b.go:1.",
		"/work/ab /work/a-b":       "/work/ab /work/a-b",
		"/my/work/a":               "/my/work/a",
		"file:///work/a/b":         "file://<worktree>/b",
		"(/work/a), '/work/a/x'":   "(<worktree>), '<worktree>/x'",
		"/work/a. /work/a/work/a/": "<worktree>. <worktree>/work/a/",
	} {
		if got := replacePath(given, shortened{"/work/a", "<worktree>"}); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	w := &wording{Cutter: NewCutter(ContentWords, "d")}
	w.paths = w.pathsOf(`C:\Users\ann\app`)
	if got, want := w.shorten(`C:\Users\ann\app\x.go "C:\\Users\\ann\\app\\x" C:/Users/ann/app/x C:\Users\ann\.netrc`), `<worktree>\x.go "<worktree>\\x" <worktree>/x ~\.netrc`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A path of a machine is recognized by its form, and so is a home folder.
func TestWhatIsAPath(t *testing.T) {
	t.Parallel()
	const origin, path, configured = ledger.RepositoryOrigin, ledger.RepositoryPath, ledger.RepositoryConfigured
	for _, test := range []struct {
		kind ledger.RepositoryKind
		key  string
		want bool
	}{
		{origin, "github.com/a/b", false}, {origin, "/srv/a", true}, {origin, `\\host\a`, true}, {origin, "C:/a", true}, {origin, `c:\a`, true}, {origin, "c:a", false}, {origin, "c:", false}, {origin, "ab/c", false}, {origin, "", false},
		{origin, "a/:b", false}, {path, "anything", true}, {configured, "/srv/a", false}, {configured, "C:/a", false},
	} {
		if got := isPath(test.kind, test.key); got != test.want {
			t.Errorf("%s %q: %t", test.kind, test.key, got)
		}
	}
	for path, want := range map[string]string{
		"/root": "/root", "/root/app": "/root", "/rootless/app": "", "/home/ann/app": "/home/ann", "/Users/ann/app": "/Users/ann", `C:\Users\ann\app`: `C:\Users\ann`, "d:/home/ann/app": "d:/home/ann",
		"/home/a/app": "/home/a", "/home/ann": "", "/home//app": "", "/srv/home/ann/app": "", "xy/home/ann/app": "", "x/home/ann/app": "", "/data/Users/ann/app": "", "": "",
	} {
		if got := strings.Join(homesOf(path), "|"); got != want {
			t.Errorf("the home of %q is %q", path, got)
		}
	}
	short := NewCutter(ContentWords, "d", "", "/", "/h")
	if got := short.homes; len(got) != 1 || got[0] != "/h" {
		t.Errorf("homes %q", got)
	}
	w := &wording{Cutter: short}
	w.paths = w.pathsOf("/w")
	if got := w.shorten("/w/a /h/a /x"); got != "<worktree>/a ~/a /x" {
		t.Errorf("short folders: %q", got)
	}
	w.paths = w.pathsOf("hash:0123456789abcdef0123456789abcdef")
	if got := w.shorten("hash:0123456789abcdef0123456789abcdef/a /h"); got != "hash:0123456789abcdef0123456789abcdef/a ~" {
		t.Errorf("what was cut before: %q", got)
	}
}

// A name may continue with letters, digits, some signs, and anything that is not ASCII.
func TestWholeFolders(t *testing.T) {
	t.Parallel()
	for _, c := range "azAZ09_-é\u0080" {
		if text := "/work/a" + string(c); replacePath(text, shortened{"/work/a", "~"}) != text {
			t.Errorf("%q is cut", text)
		}
	}
	for _, c := range "/.:@[`{ \"'," {
		if text := "/work/a" + string(c); replacePath(text, shortened{"/work/a", "~"}) != "~"+string(c) {
			t.Errorf("%q is not cut", text)
		}
	}
}

func TestContentOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		meta []Row
		want Content
	}{
		{nil, ContentFull}, {[]Row{NewRow("meta", "content", "words")}, ContentWords}, {[]Row{NewRow("meta", "other", "none"), NewRow("meta", "content", "words")}, ContentWords},
		{[]Row{NewRow("meta", "other", "none")}, ContentFull}, {[]Row{NewRow("meta", "content", "some")}, ContentFull},
	} {
		if got := ContentOf(test.meta); got != test.want {
			t.Errorf("%v: %s", test.meta, got)
		}
	}
	for text, want := range map[string]bool{
		"hash:0123456789abcdef0123456789abcdef": true, "hash:0123456789abcdef0123456789abcde": false, "hash:0123456789abcdef0123456789abcdeg": false, "0123456789abcdef0123456789abcdef": false, "hash:": false,
	} {
		if hashed(text) != want {
			t.Errorf("%q", text)
		}
	}
}

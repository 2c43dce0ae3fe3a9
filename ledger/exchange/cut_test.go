package exchange

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Each column has one rule, and each rule names existing columns: a new column is not sent before
// somebody has decided its rule.
func TestEveryColumnHasARule(t *testing.T) {
	t.Parallel()
	kinds := map[string]reflect.Type{"run": reflect.TypeFor[Head](), "file": reflect.TypeFor[File]()}
	for kind, list := range (&Run{}).Lists() {
		kinds[kind] = reflect.TypeOf(list).Elem().Elem()
	}
	for kind, row := range kinds {
		var want, got []string
		for _, field := range fieldsOf(row) {
			want = append(want, field.key)
		}
		for _, keys := range rules[kind] {
			got = append(got, strings.Fields(keys)...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s: the columns are\n%q, and the rules name\n%q", kind, want, got)
		}
	}
	for kind := range rules {
		if kinds[kind] == nil {
			t.Errorf("there is not a record %q", kind)
		}
	}
}

// private returns a run in which every text names the place that it is from.
func private() *Run {
	r := sample()
	r.Head.LogDir, r.Head.Branch, r.Head.WorktreeName = "LOGDIR", pointer("BRANCH"), pointer("NAME")
	r.Head.Worktree, r.Head.BaseRef = "/home/ann/work/app", "origin/BRANCH"
	r.Head.RepositoryKind, r.Head.Repository = "path", "/home/ann/work/app/.git"
	const said = "WORD in /home/ann/work/app/a.go, /home/ann/.netrc, /home/anna/x and /home/ann/work/app2"
	r.Gates[0].Reason, r.Gates[0].Command = said, pointer("COMMAND")
	r.Slots[0].Reason = said
	r.Violations[0].Result, r.Violations[0].Reason, r.Violations[0].File = pointer(said), pointer(string(ledger.FalsePositive)), "FILE"
	r.Moves = []ViolationPlace{{Run: "R", Violation: "V", Iteration: 1, Position: 1, File: "FILE", LineStart: 3, LineEnd: 4}}
	r.Reports[0].Issue, r.Reports[0].Fix, r.Reports[0].Title, r.Reports[0].Reason, r.Reports[0].File = said, said, pointer(said), said, "FILE"
	r.Events[1].Result, r.Events[1].Reason = pointer(said), pointer("WORD of another set")
	r.SlotEntries[0].Result = pointer(said)
	r.Reviews = []CodeReview{{Run: "R", ReviewID: "0123abcd", Target: "BRANCH", ReportPath: "LOGDIR/x"}}
	r.Findings = []Finding{{Run: "R", Violation: "V", FindingID: "FILE"}}
	r.GateBlobs = []GateBlob{{Run: "R", Iteration: 1, Job: r.Gates[0].Job, Sha256: []byte("LOG")}}
	r.Excerpts = []Excerpt{{InSlot: InSlot{"R", 1, r.Gates[0].Job, 1}, Position: 1, Sha256: []byte("EXCERPT")}}
	r.Hunks = []Hunk{{Run: "R", Violation: "V", Event: 2, Sha256: []byte("HUNK")}}
	return r
}

// lines returns the run in the form of a dump.
func lines(t *testing.T, r *Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := NewWriter(&out).Put(r); err != nil {
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
		if moved := cut.Moves[0]; moved.File != cut.Violations[0].File || moved.LineStart != 3 || moved.LineEnd != 4 {
			t.Errorf("%s: the violation is in %v, and its lines went to %v", content, cut.Violations[0].File, moved)
		}
		if whole.Digest(nil) != cut.Digest(nil) {
			t.Errorf("%s: its digest depends on what was cut", content)
		}
	}
	one, other := NewCutter(ContentWords, "a").Run(private()), NewCutter(ContentWords, "b").Run(private())
	if one.Head.Worktree == other.Head.Worktree || one.Head.Repository == other.Head.Repository {
		t.Error("two ledgers have the same hash of a path")
	}
}

func TestDigestSeesEveryEvent(t *testing.T) {
	t.Parallel()
	was := sample().Digest(nil)
	if sample().Digest([]ForgottenSkip{{Violation: "V", Event: 2}}) == was {
		t.Error("a forgotten skip does not change the digest")
	}
	for name, change := range map[string]func(*Run){
		"an event":     func(r *Run) { r.Events = r.Events[:1] },
		"a status":     func(r *Run) { r.Violations[0].Status = "new" },
		"a time":       func(r *Run) { r.Events[1].At = "2026-01-02T03:04:05.678Z" },
		"no end":       func(r *Run) { r.Iterations[0].FinishedAt = nil },
		"the revision": func(r *Run) { r.Head.Revision++ },
		"a number":     func(r *Run) { r.Slots[0].Accepted = 2 },
		"a cost":       func(r *Run) { r.Slots[0].CostUSD = new(float64) },
		"moved text":   func(r *Run) { r.Head.Kind, r.Head.Base = "gate", "s" },
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
		meta []Meta
		want Content
	}{
		{nil, ContentFull}, {[]Meta{{Key: "content", Value: "words"}}, ContentWords}, {[]Meta{{Key: "other", Value: "none"}, {Key: "content", Value: "words"}}, ContentWords},
		{[]Meta{{Key: "other", Value: "none"}}, ContentFull}, {[]Meta{{Key: "content", Value: "some"}}, ContentFull},
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

package replay

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	pairsOfHistory = 26
	maxChanged     = 120 // files of a pair; nobody reviews a larger change
)

// history is a repository whose commits are replayed.
type history struct {
	testing.TB
	name string
	repo *diff.Repo
	git  func(args ...string) string
}

// openHistory opens the git directory through an empty repository that borrows its
// objects, so that nothing is written to it.
func openHistory(tb testing.TB, dir string) *history {
	tb.Helper()
	scratch := tb.TempDir()
	h := &history{TB: tb, name: filepath.Base(strings.TrimSuffix(strings.TrimSuffix(dir, "/.git"), "/repo"))}
	run := func(in string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", in}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
		out, err := cmd.Output()
		if err != nil {
			tb.Fatalf("git %q in %q: %v", args, in, err)
		}
		return string(out)
	}
	h.git = func(args ...string) string { return run(dir, append([]string{"-c", "safe.directory=*"}, args...)...) }
	run(scratch, "init", "--quiet", "--template=")
	objects := strings.TrimSpace(h.git("rev-parse", "--path-format=absolute", "--git-path", "objects"))
	alternates := filepath.Join(scratch, ".git", "objects", "info", "alternates")
	if err := os.MkdirAll(filepath.Dir(alternates), 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(alternates, []byte(objects+"\n"), 0o600); err != nil {
		tb.Fatal(err)
	}
	repo, err := diff.Open(context.Background(), scratch)
	if err != nil {
		tb.Fatal(err)
	}
	h.repo = repo
	return h
}

// pairs draws pairs of commits, near each other and far apart; half of them have a
// rename between them, where the history has as many.
func (h *history) pairs() (pairs [][2]string) {
	random := rand.New(rand.NewPCG(7, 11))
	commits := strings.Fields(h.git("log", "--first-parent", "--format=%H", "HEAD"))
	slices.Reverse(commits)
	at := map[string]int{}
	for i, commit := range commits {
		at[commit] = i
	}
	var renames []int
	for _, commit := range strings.Fields(h.git("log", "--first-parent", "-m", "--diff-filter=R", "-M50%", "--format=%H", "--no-patch", "HEAD")) {
		if i := at[commit]; i > 0 {
			renames = append(renames, i)
		}
	}
	seen := map[[2]string]bool{}
	for tries := 0; tries < 40*pairsOfHistory && len(pairs) < pairsOfHistory && len(commits) > 1; tries++ {
		span := []int{1, 2, 5, 15, 40}[random.IntN(5)]
		from := random.IntN(len(commits))
		if len(renames) > 0 && tries%2 == 0 {
			from = max(0, renames[random.IntN(len(renames))]-1-random.IntN(span))
		}
		to := min(len(commits)-1, from+span)
		pair := [2]string{commits[from], commits[to]}
		if from < to && !seen[pair] {
			seen[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// lineAt is a line of a file.
type lineAt struct {
	file string
	line int
}

// change is the change between two commits, with all lines of the changed files.
type change struct {
	diff *diff.Diff
	old  map[string][]string // by file, in the old tree
	now  map[string][]string
	// oldText and nowText are where each text stands, if at one place only.
	oldText, nowText map[string]lineAt
	hashes           map[*string][]string // of a file's lines, by its first one
}

// load reads a pair; ok is false if the pair is not a change to replay.
func (h *history) load(pair [2]string) (c change, ok bool) {
	ctx := context.Background()
	d, err := h.repo.Diff(ctx, pair[0], pair[1], nil)
	if err != nil {
		h.Fatal(err)
	}
	if len(d.Files) == 0 || len(d.Files) > maxChanged {
		return c, false
	}
	var olds, news []string
	for _, f := range d.Files {
		if !f.Binary && !f.Submodule && f.Kind != diff.TypeChanged {
			olds, news = append(olds, f.Old), append(news, f.New)
		}
	}
	c = change{diff: d, old: h.contents(pair[0], olds), now: h.contents(pair[1], news), hashes: map[*string][]string{}}
	c.oldText, c.nowText = unique(c.old), unique(c.now)
	return c, true
}

func (h *history) contents(commit string, files []string) map[string][]string {
	all, err := h.repo.TreeFiles(context.Background(), commit, nil)
	if err != nil {
		h.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(f diff.TreeFile) bool { return !slices.Contains(files, f.Path) })
	d, err := h.repo.Contents(context.Background(), all)
	if err != nil {
		h.Fatal(err)
	}
	contents := map[string][]string{}
	for _, f := range d.Files {
		if !f.Binary && len(f.Text) > 0 {
			contents[f.New] = strings.Split(string(bytes.TrimSuffix(f.Text, []byte("\n"))), "\n")
		}
	}
	return contents
}

// unique is where each trimmed text stands that stands at one place only.
func unique(files map[string][]string) map[string]lineAt {
	count, at := map[string]int{}, map[string]lineAt{}
	for file, lines := range files {
		for i, line := range lines {
			text := strings.TrimSpace(line)
			count[text]++
			at[text] = lineAt{file, i + 1}
		}
	}
	for text, n := range count {
		if n > 1 || len(text) < 6 || len(ledger.Words(text)) == 0 {
			delete(at, text)
		}
	}
	return at
}

// count is how often the text stands in the new tree's changed files.
func (c *change) count(text string) (n int) {
	for _, lines := range c.now {
		for _, line := range lines {
			if strings.TrimSpace(line) == text {
				n++
			}
		}
	}
	return n
}

// removes reports whether the diff removes the line of the old tree.
func (c *change) removes(at lineAt) bool {
	return slices.ContainsFunc(c.diff.Files, func(f diff.File) bool {
		return f.Old == at.file && slices.ContainsFunc(f.Blocks, func(b diff.Block) bool {
			return b.OldStart <= at.line && at.line < b.OldStart+b.OldCount
		})
	})
}

func (l lineAt) String() string { return fmt.Sprintf("%s:%d", l.file, l.line) }

//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

// bench is a scratch repository with a loop in progress, of one check and one review with two
// slots, whose reviewer answers at once.
type bench struct {
	testing.TB
	dir, binary string
	env         []string
}

const benchFiles = 20

// newBench builds the program separately: the test binary that scripts run includes the tests and
// starts later.
func newBench(b testing.TB) *bench {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "reviewledger")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return benchOf(b, binary)
}

// benchOf creates a scratch repository for the program with this path.
func benchOf(b testing.TB, binary string) *bench {
	b.Helper()
	dir := b.TempDir()
	w := &bench{TB: b, dir: filepath.Join(dir, "repo"), binary: binary}
	w.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	reviewer := `[sh, -c, 'cat >/dev/null; echo "{\"status\":\"fail\",\"violations\":[{\"file\":\"src/file1.txt\",\"line\":3,\"issue\":\"x\",\"priority\":\"high\"}]}"']`
	w.write(".gauntlet/config.yml", "base_branch: main\nmax_retries: 1000\ncli:\n  default_preference: [one, two]\n  adapters:\n    one: {command: "+reviewer+"}\n    two: {command: "+reviewer+"}\nentry_points:\n  - {path: src, checks: [ok], reviews: [quality]}\n")
	w.write(".gauntlet/checks/ok.yml", "command: \"true\"\n")
	w.write(".gauntlet/reviews/quality.md", "---\nnum_reviews: 2\n---\nReview.\n")
	w.write(".gitignore", "gauntlet_logs\n")
	// git rereads files that are as new as its index, which few files of a real repository are.
	hourAgo := time.Now().Add(-time.Hour)
	for i := range 200 {
		name := fmt.Sprintf("src/file%d.txt", i)
		w.write(name, strings.Repeat("a line of text\n", 50))
		if err := os.Chtimes(filepath.Join(w.dir, name), hourAgo, hourAgo); err != nil {
			b.Fatal(err)
		}
	}
	w.run("git", "init", "--quiet", "--initial-branch=main")
	w.run("git", "add", "--all")
	w.run("git", "commit", "--quiet", "--message=start")
	w.run("git", "checkout", "--quiet", "-b", "feature")
	return w
}

func (w *bench) write(name, text string) {
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

// run runs a command in the repository. Exit code 1 means a failed gate, which is fine.
func (w *bench) run(args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		w.Fatalf("%v: %v\n%s", args, err, out)
	}
	return cmd
}

// change edits the files that the next iteration is about.
func (w *bench) change(n int) {
	for i := range benchFiles {
		w.write(fmt.Sprintf("src/file%d.txt", i), fmt.Sprintf("a line of text\na line of text\nchanged %d\n", n)+strings.Repeat("a line of text\n", 47))
	}
}

// iterations measures whole reruns and returns their peak memory in bytes.
func (w *bench) iterations(b *testing.B) (peak int64) {
	w.change(-1)
	w.run(w.binary, "run")
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		w.change(n)
		b.StartTimer()
		peak = max(peak, peakMemory(w.run(w.binary, "run")))
	}
	return peak
}

// BenchmarkRerun measures a whole rerun: one check, one review with two slots that answer at once,
// and 20 changed files.
func BenchmarkRerun(b *testing.B) {
	peak := newBench(b).iterations(b)
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
}

// BenchmarkRerunScript measures a shell script that does only what no rerun can do without: a
// snapshot, a diff, a check and two calls of reviewers.
func BenchmarkRerunScript(b *testing.B) {
	w := newBench(b)
	w.write(".git/script", `set -e
cp .git/index .git/script-index
export GIT_INDEX_FILE=.git/script-index
git add -A
commit=$(git commit-tree -m snapshot -p HEAD $(git write-tree))
git update-ref refs/script/snapshot $commit
git diff --no-color main $commit >.git/script-diff
true
for slot in 1 2; do sh -c 'cat >/dev/null; echo answer' <.git/script-diff >.git/script-answer-$slot & done
wait
`)
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		w.change(n)
		b.StartTimer()
		w.run("sh", ".git/script")
	}
}

// BenchmarkRerunMillion is BenchmarkRerun with 1,000,000 violations of other runs in the ledger.
func BenchmarkRerunMillion(b *testing.B) {
	w := newBench(b)
	path := filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")
	start := time.Now()
	if err := storetest.Generate(b.Context(), path, storetest.Million(), time.Now()); err != nil {
		b.Fatal(err)
	}
	b.Logf("made the ledger in %.1f s", time.Since(start).Seconds())
	w.iterations(b) // the peak would be that of this process, which generated the ledger
}

// BenchmarkLargeDiff measures a first iteration over a diff of the given size, with a reviewer that
// accepts about 10 MB at a time.
func BenchmarkLargeDiff(b *testing.B) {
	for _, megabytes := range []int{9, 30} {
		b.Run(fmt.Sprintf("%dMB", megabytes), func(b *testing.B) {
			w := newBench(b)
			line := strings.Repeat("x", 99) + "\n"
			for file := range megabytes {
				w.write(fmt.Sprintf("src/large%d.txt", file), strings.Repeat(line, 10_000))
			}
			peak := int64(0)
			for b.Loop() {
				peak = max(peak, peakMemory(w.run(w.binary, "run")))
				b.StopTimer()
				w.run(w.binary, "clean")
				b.StartTimer()
			}
			b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
		})
	}
}

// BenchmarkDemo measures the whole demo: a repository, three iterations and their nine reviews and
// checks.
func BenchmarkDemo(b *testing.B) {
	w := newBench(b)
	for b.Loop() {
		cmd := exec.Command(w.binary, "demo", "--dir", b.TempDir())
		cmd.Dir, cmd.Env = w.dir, w.env
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}

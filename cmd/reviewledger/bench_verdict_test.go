//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchFindings is the number of findings in the benchmarks of a verdict.
const benchFindings = 10_000

// newVerdictBench creates a repository whose reviewer finds nothing and confirms every claim, and a
// file with the findings of a skill.
func newVerdictBench(b testing.TB) (w *bench, findings string) {
	w = newBench(b)
	w.write(".gauntlet/config.yml", "base_branch: main\ncli:\n  default_preference: [none]\n  adapters:\n    none: {command: [awk, -f, .git/reviewer.awk]}\nentry_points:\n  - {path: src, reviews: [quality]}\n")
	w.write(".git/reviewer.awk", `BEGIN { printf "{\"status\":\"pass\",\"violations\":[],\"claims\":[" }
/^- [0-9a-z]+ .* \[[a-z]+\] / && length($2) == 8 { printf "%s{\"id\":\"%s\",\"verdict\":\"fixed\",\"evidence\":\"gone\"}", sep, $2; sep = "," }
END { print "]}" }
`)
	severities := []string{"Blocker", "High", "Medium", "Low", "Info"}
	var list []map[string]any
	for n := range benchFindings {
		list = append(list, map[string]any{
			"domain": "quality", "severity": severities[n%5], "confidence": 0.5 + float64(n%50)/100,
			"file": fmt.Sprintf("src/file%d.txt", n%200), "lineRange": fmt.Sprintf("%d-%d", n+1, n+4),
			"title": fmt.Sprintf("Finding number %d of the skill", n), "recommendation": fmt.Sprintf("Do this and that about number %d, at some length", n),
		})
	}
	data, err := json.Marshal(list)
	if err != nil {
		b.Fatal(err)
	}
	findings = filepath.Join(filepath.Dir(w.dir), "findings.json")
	if err := os.WriteFile(findings, data, 0o644); err != nil {
		b.Fatal(err)
	}
	return w, findings
}

// pipe runs the program with the file as its stdin.
func (w *bench) pipe(name string, args ...string) *exec.Cmd {
	file, err := os.Open(name)
	if err != nil {
		w.Fatal(err)
	}
	defer file.Close()
	cmd := exec.Command(w.binary, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, file
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		w.Fatalf("%v: %v\n%s", args, err, out)
	}
	return cmd
}

func (w *bench) forget() {
	for _, name := range []string{".code-review", ".git/reviewledger"} {
		if err := os.RemoveAll(filepath.Join(w.dir, name)); err != nil {
			w.Fatal(err)
		}
	}
}

// BenchmarkFindings measures `code-review --findings -` with 10,000 findings, as a whole process.
func BenchmarkFindings(b *testing.B) {
	w, findings := newVerdictBench(b)
	peak := int64(0)
	for b.Loop() {
		b.StopTimer()
		w.forget()
		b.StartTimer()
		peak = max(peak, peakMemory(w.pipe(findings, "code-review", "--findings", "-")))
	}
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
}

// BenchmarkFindingsAgain is BenchmarkFindings with the verdict of an earlier review of the same
// size, which is read and archived first.
func BenchmarkFindingsAgain(b *testing.B) {
	w, findings := newVerdictBench(b)
	peak := int64(0)
	for b.Loop() {
		b.StopTimer()
		w.forget()
		w.pipe(findings, "code-review", "--findings", "-")
		b.StartTimer()
		peak = max(peak, peakMemory(w.pipe(findings, "code-review", "--findings", "-")))
	}
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
}

// BenchmarkVerify measures `code-review --verify` of a verdict with 10,000 findings that the team
// marked as fixed, with a reviewer that answers at once.
func BenchmarkVerify(b *testing.B) {
	w, findings := newVerdictBench(b)
	verdict := filepath.Join(w.dir, verdictFile)
	peak := int64(0)
	for b.Loop() {
		b.StopTimer()
		w.forget()
		w.pipe(findings, "code-review", "--findings", "-")
		data, err := os.ReadFile(verdict)
		if err != nil {
			b.Fatal(err)
		}
		fixed := strings.ReplaceAll(string(data), `"status": "open"`, `"status": "fixed"`)
		if err := os.WriteFile(verdict, []byte(fixed), 0o644); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		peak = max(peak, peakMemory(w.run(w.binary, "code-review", "--verify")))
	}
	b.ReportMetric(float64(peak)/(1<<20), "peak-MiB")
}

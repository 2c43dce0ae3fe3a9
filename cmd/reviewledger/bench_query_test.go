//go:build unix

package main

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

// BenchmarkQuestions runs each query in a process of its own, on a ledger of 1,000,000 violations,
// 3,000,000 events and 100,000 slots, 5 % of them from the last 30 days. Generating the ledger
// takes a minute.
func BenchmarkQuestions(b *testing.B) {
	w := newBench(b)
	path := filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")
	if err := storetest.Generate(b.Context(), path, storetest.Million(), time.Now()); err != nil {
		b.Fatal(err)
	}
	handle, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		b.Fatal(err)
	}
	var violation, run string
	if err := handle.QueryRow("SELECT v.short_id, r.ulid FROM violations AS v, runs AS r WHERE v.id = 333333 AND r.id = 2500").Scan(&violation, &run); err != nil {
		b.Fatal(err)
	}
	if err := handle.Close(); err != nil {
		b.Fatal(err)
	}
	for _, question := range []string{
		"runs", "violations --open --limit 50", "history " + violation, "show", "show " + run,
		"why " + violation, "why " + run, "why " + run + "/2/review:src:quality@1",
		"violations --file src/** --limit 50", "report --since 30d", "report",
		"violations --status abandoned --limit 50", "violations --recurring --limit 50",
	} {
		name := strings.NewReplacer(violation, "VIOLATION", run, "RUN", "/", "_").Replace(question)
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				w.run(append([]string{w.binary}, strings.Fields(question)...)...)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
		})
	}
}

// BenchmarkStatus measures `status` with a ledger of 1,000,000 violations, in a working tree with a
// run and later changes. For comparison it also measures the git calls that it makes, and a query
// that makes none.
func BenchmarkStatus(b *testing.B) {
	w := newBench(b)
	path := filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")
	if err := storetest.Generate(b.Context(), path, storetest.Million(), time.Now()); err != nil {
		b.Fatal(err)
	}
	w.change(1)
	w.run(w.binary, "run")
	w.change(2)
	index := filepath.Join(b.TempDir(), "index")
	for _, command := range []struct {
		name string
		args []string
	}{
		{"status", []string{w.binary, "status"}},
		{"question", []string{w.binary, "show"}},
		{"git", []string{"sh", "-c", "cp -p .git/index " + index + "; export GIT_INDEX_FILE=" + index + "; git rev-parse HEAD HEAD^{tree} main...HEAD; " +
			"git status --porcelain=v2 -z --untracked-files=all; git ls-files -m -z | git update-index -z --stdin"}},
	} {
		b.Run(command.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				w.run(command.args...)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
		})
	}
}

package team_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// BenchmarkTeam pushes and pulls TEAM_RUNS runs of 200 violations, once, and prints how long each
// step takes: go test ./ledger/team -run '^$' -bench Team -benchtime 1x.
func BenchmarkTeam(b *testing.B) {
	runs := 50
	if n, err := strconv.Atoi(os.Getenv("TEAM_RUNS")); err == nil {
		runs = n
	}
	url, folder := migrated(b), b.TempDir()
	path := generated(b, storetest.Size{Runs: runs, Iterations: 2, Violations: 200, Varied: true})
	l, s := reading(b, path), at(b, url, folder)
	step := func(name string, do func() error) {
		began := time.Now()
		if err := do(); err != nil {
			b.Fatal(name, err)
		}
		b.Logf("%s: %s", name, time.Since(began).Round(time.Millisecond))
	}
	push := func() error {
		_, err := s.Push(b.Context(), l, team.Sending{Content: exchange.ContentWords})
		return err
	}
	var replica string
	pull := func() error {
		out, err := s.Pull(b.Context(), team.Pulling{Since: &time.Time{}, Now: time.Now()})
		replica = out.Path
		return err
	}
	for b.Loop() {
		step("push", push)
		step("push, nothing new", push)
		step("pull", pull)
		step("pull, nothing new", pull)
		teamtest.Exec(b, url, "ANALYZE")
		step("v_violations of the last 500 runs", func() error {
			n := teamtest.Ask[int64](b, url, `SELECT count(*) FROM (SELECT priority, issue FROM v_violations
				WHERE run_started_at >= (SELECT min(started_at) FROM (SELECT started_at FROM run ORDER BY started_at DESC LIMIT 500) AS r) OFFSET 0) AS v`)
			b.Logf("%d violations", n)
			return nil
		})
		b.Logf("bytes in the store: %d", teamtest.Ask[int64](b, url, "SELECT pg_total_relation_size('run')"))
		if info, err := os.Stat(replica); err == nil {
			b.Logf("bytes in the replica: %d, in the ledger: %d", info.Size(), sizeOf(b, path))
		}
	}
}

func sizeOf(b *testing.B, path string) int64 {
	b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

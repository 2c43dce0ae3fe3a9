package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// placed is a file or a line, with its number of violations or runs.
type placed struct {
	Name   string
	Number int
}

// For any filter, the files and lines are those that are found by reading all rows, in the order of
// numbers and names.
func TestListsAreThoseOfTheRows(t *testing.T) {
	t.Parallel()
	path := generatedLedger(t, storetest.Size{Runs: 120, Iterations: 2, Violations: 8})
	handle := rows(t, path)
	for _, statement := range []string{
		"UPDATE violations SET file = printf('src/%02d.go', id * id % 37), fingerprint = printf('%032x', id * 7 % 290)",
		"UPDATE violations SET fingerprint = NULL WHERE id % 11 = 0",
	} {
		if _, err := handle.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	var branch, moment string
	if err := handle.QueryRow("SELECT r.branch, v.first_seen FROM runs AS r JOIN violations AS v ON v.run_id = r.id WHERE r.id = 60 ORDER BY v.id DESC LIMIT 1").Scan(&branch, &moment); err != nil {
		t.Fatal(err)
	}
	at := must(time.Parse(time.RFC3339Nano, moment))(t)
	after := func(days int) time.Time { return at.AddDate(0, 0, days) }
	l := openLedger(t, path)
	for name, c := range map[string]struct {
		filter figures.Filter
		where  string
	}{
		"since a moment":    {figures.Filter{Period: ledger.Period{Since: at}}, "v.first_seen >= '" + moment + "'"},
		"until a moment":    {figures.Filter{Period: ledger.Period{Until: at}}, "v.first_seen < '" + moment + "'"},
		"a period":          {figures.Filter{Period: ledger.Period{Since: at, Until: after(30)}}, "v.first_seen >= '" + moment + "' AND v.first_seen < '" + db.Time(after(30)).Text() + "'"},
		"an adapter":        {figures.Filter{Adapter: "claude"}, "v.adapter = 'claude'"},
		"an adapter, since": {figures.Filter{Adapter: "codex", Period: ledger.Period{Since: at}}, "v.adapter = 'codex' AND v.first_seen >= '" + moment + "'"},
		"a model":           {figures.Filter{Model: "model-1"}, "1"},
		"another model":     {figures.Filter{Model: "model-2"}, "0"},
		"a gate":            {figures.Filter{Gate: "quality", EntryPoint: "src"}, "1"},
		"another gate":      {figures.Filter{Gate: "lint"}, "0"},
		"a branch":          {figures.Filter{Branch: branch}, "r.branch = '" + branch + "'"},
		"a worktree":        {figures.Filter{Worktree: "/work/tree3", Period: ledger.Period{Since: after(-200)}}, "r.worktree = '/work/tree3' AND v.first_seen >= '" + db.Time(after(-200)).Text() + "'"},
		"a repository":      {figures.Filter{Repository: ledger.UnknownRepository, Period: ledger.Period{Since: at}}, "v.first_seen >= '" + moment + "'"},
		"no repository":     {figures.Filter{Repository: "other", Period: ledger.Period{Since: at}}, "0"},
	} {
		for _, top := range []int{0, 1, 5} {
			t.Run(fmt.Sprintf("%s, top %d", name, top), func(t *testing.T) {
				c.filter.Top = top
				s := must(l.Statistics(t.Context(), c.filter))(t)
				var files, lines []placed
				for _, f := range s.Files {
					files = append(files, placed{f.File, f.Violations.Violations})
				}
				for _, r := range s.Recurring {
					lines = append(lines, placed{r.Fingerprint, r.Runs})
				}
				wantFiles := listOf(t, path, "v.file", "count(*)", c.where, 1, top)
				wantLines := listOf(t, path, "v.fingerprint", "count(DISTINCT v.run_id)", c.where+" AND v.fingerprint IS NOT NULL", 2, top)
				if d := cmp.Diff(wantFiles, files, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("files (-rows +statistics):\n%s", d)
				}
				if d := cmp.Diff(wantLines, lines, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("lines (-rows +statistics):\n%s", d)
				}
			})
		}
	}
}

func listOf(t *testing.T, path, name, number, where string, least, top int) (list []placed) {
	t.Helper()
	if top == 0 {
		top = -1
	}
	found, err := rows(t, path).Query(fmt.Sprintf(`SELECT %s, %s FROM violations AS v JOIN runs AS r ON r.id = v.run_id
		WHERE %s GROUP BY 1 HAVING %s >= %d ORDER BY 2 DESC, 1 LIMIT %d`, name, number, where, number, least, top))
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for found.Next() {
		var l placed
		if err := found.Scan(&l.Name, &l.Number); err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

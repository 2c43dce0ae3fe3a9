package team_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// notInTheStore has, by view, the columns of a ledger's that a team store does not have: what never
// leaves the machine, and what takes all runs to compute.
var notInTheStore = map[string]string{
	"v_runs": "log_dir worktree worktree_name", "v_gates": "command excerpt", "v_violations": "recurring",
	"v_verdicts": "report_path", "v_skips": "met last_met",
}

// The views of a team store have the columns of a ledger's, also the start of the run.
func TestViewsHaveTheColumnsOfALedger(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := must(store.Open(t.Context(), path, store.Options{}))(t).Close(); err != nil {
		t.Fatal(err)
	}
	handle := must(sql.Open("sqlite", path))(t)
	defer handle.Close()
	columns := func(view string) (names []string) {
		result := must(handle.QueryContext(t.Context(), "SELECT name FROM pragma_table_info(?)", view))(t)
		defer result.Close()
		for result.Next() {
			var name string
			if err := result.Scan(&name); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		return names
	}
	for view := range strings.FieldsSeq("v_runs v_iterations v_gates v_slots v_violations v_events v_transitions v_reports v_verdicts v_skips") {
		want := slices.DeleteFunc(columns(view), func(name string) bool {
			return slices.Contains(strings.Fields(notInTheStore[view]), name)
		})
		if view != "v_runs" {
			want = append(want, "run_started_at")
		}
		got := strings.Fields(teamtest.Ask[string](t, url,
			"SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0", view))
		if missing := slices.DeleteFunc(want, func(name string) bool { return slices.Contains(got, name) }); len(missing) > 0 {
			t.Errorf("%s does not have %q", view, missing)
		}
	}
}

// A view has a row for each row of what was pushed.
func TestViewsHaveWhatWasPushed(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := generated(t, storetest.Size{Runs: 3, Iterations: 2, Violations: 50, Varied: true})
	pushed(t, url, reading(t, path), team.Sending{})
	handle := must(sql.Open("sqlite", path))(t)
	defer handle.Close()
	for view := range strings.FieldsSeq("v_runs v_iterations v_gates v_slots v_violations v_events v_transitions v_reports v_verdicts v_skips") {
		var want int64
		if err := handle.QueryRowContext(t.Context(), "SELECT count(*) FROM "+view).Scan(&want); err != nil {
			t.Fatal(err)
		}
		if got := teamtest.Ask[int64](t, url, "SELECT count(*) FROM "+view); got != want || want == 0 && view != "v_verdicts" && view != "v_skips" {
			t.Errorf("%s has %d rows, and in the ledger %d", view, got, want)
		}
	}
}

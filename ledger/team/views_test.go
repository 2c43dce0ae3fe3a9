package team_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// notInTheStore has, by view, the columns of a ledger's that a team store does not have: what never
// leaves the machine, and what takes all runs to compute.
var notInTheStore = map[string]string{
	"v_runs": "log_dir worktree worktree_name", "v_gates": "command excerpt", "v_violations": "recurring",
	"v_verdicts": "report_path", "v_skips": "met last_met",
}

// The views of a team store have the columns of a ledger's, also the start of the run, and a row for each
// row of what was pushed.
func TestViewsAreThoseOfALedger(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	path := generated(t, storetest.Size{Runs: 3, Iterations: 2, Violations: 50, Varied: true})
	pushed(t, url, reading(t, path), team.Sending{})
	handle := must(sql.Open("sqlite", path))(t)
	defer handle.Close()
	asked := func(query string, args ...any) (answer string) {
		if err := handle.QueryRowContext(t.Context(), query, args...).Scan(&answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for view := range strings.FieldsSeq("v_runs v_iterations v_gates v_slots v_violations v_events v_transitions v_reports v_verdicts v_skips") {
		want := slices.DeleteFunc(strings.Fields(asked("SELECT group_concat(name, ' ') FROM pragma_table_info(?)", view)), func(name string) bool {
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
		count := "SELECT CAST(count(*) AS text) FROM " + view
		if want, got := asked(count), teamtest.Ask[string](t, url, count); got != want || want == "0" && view != "v_verdicts" && view != "v_skips" {
			t.Errorf("%s has %s rows, and in the ledger %s", view, got, want)
		}
	}
}

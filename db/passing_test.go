package db

import (
	"slices"
	"strings"
	"testing"
)

// An upgrade makes no total or index that it makes anew later, and the last ones of each.
func TestUpgradesMakeNothingTwice(t *testing.T) {
	t.Parallel()
	pending, err := pendingMigrations(3)
	if err != nil {
		t.Fatal(err)
	}
	all := len(slices.Concat(statementsOf(pending)...))
	kept := slices.Concat(statementsOf(withoutPassing(pending))...)
	for _, table := range []string{"event_totals", "run_totals", "violation_totals"} {
		fills := 0
		for _, statement := range kept {
			if strings.HasPrefix(statement, "INSERT INTO "+table+" SELECT * FROM made_"+table) {
				fills++
			}
		}
		if fills != 1 {
			t.Errorf("%s is filled %d times", table, fills)
		}
	}
	if len(kept) >= all {
		t.Errorf("%d of %d statements are left", len(kept), all)
	}
}

func statementsOf(pending []migration) (lists [][]string) {
	for _, m := range pending {
		lists = append(lists, slices.Clone(m.statements))
	}
	return lists
}

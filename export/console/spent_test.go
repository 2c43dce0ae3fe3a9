package console_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/ledger"
)

func TestSpentText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		spent ledger.Spent
		want  string
	}{
		{ledger.Spent{}, ""},
		{ledger.Spent{Calls: 2, Known: 2}, ""},
		{ledger.Spent{Calls: 1}, ""},
		{ledger.Spent{Calls: 1, Priced: true}, "Cost so far: unknown (1 call)"},
		{ledger.Spent{Calls: 3, Priced: true}, "Cost so far: unknown (3 calls)"},
		{ledger.Spent{Calls: 3, Known: 1}, "Cost so far: $0.00 (known for 1 of 3 calls)"},
		{ledger.Spent{Calls: 3, Known: 3, CostUSD: 1.234}, "Cost so far: $1.23 (known for 3 of 3 calls)"},
	} {
		if got := console.SpentText(test.spent); got != test.want {
			t.Errorf("%+v: %q", test.spent, got)
		}
	}
}

package store

import (
	"errors"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
)

// Damage says in plain words what is wrong with a ledger: in Means what is lost, as the end of a
// sentence that begins with its path, and in Fix what to do. It is zero if nothing is wrong.
type Damage struct{ Means, Fix string }

// loopStays is what damage of the file does not touch.
const loopStays = "but not the open loop, whose files in the log directory are enough to go on"

var (
	unreadable = Damage{"is not a ledger, or so damaged that nothing in it can be read: then all that is in no copy and in no dump of it is lost, " + loopStays, db.Replace + "; or name another database with --db or REVIEWLEDGER_DB"}
	broken     = Damage{"is damaged: some of what is in no copy and in no dump of it may be lost, " + loopStays, db.Replace}
	contradict = Damage{"can be read, but some of its rows contradict each other: what it shows of their runs may be wrong, and nothing else is lost", db.Replace + "; or ask for help with this list"}
)

// DamageIn returns what an error of opening or reading a ledger means. It is zero for an error that is
// not about its file.
func DamageIn(err error) Damage {
	switch {
	case errors.Is(err, ErrUnusable):
		return unreadable
	case IsDamaged(err):
		return broken
	}
	return Damage{}
}

// DamageOf returns what the problems mean that [Store.Problems] or [Inspect] found.
func DamageOf(problems []string) Damage {
	switch {
	case len(problems) == 0:
		return Damage{}
	case slices.ContainsFunc(problems, func(problem string) bool { return strings.HasPrefix(problem, db.BrokenPrefix) }):
		return broken
	}
	return contradict
}

package listings

import (
	"maps"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// Statistics returns the JSON form of statistics over a period.
func Statistics(s figures.Statistics) text.Object {
	object := text.Object{
		{Key: "since", Value: inJSON(s.Filter.Period.Since)},
		{Key: "until", Value: inJSON(s.Filter.Period.Until)},
		{Key: "runs", Value: s.Runs},
		{Key: "passed", Value: s.Passed},
		{Key: "iterations_to_pass", Value: passes.Objects(passesOf(s))},
		{Key: "mean_iterations_to_pass", Value: meanToPass(s)},
	}
	object = append(object, outcomes.Object(s.Outcomes)...)
	return append(object, text.Object{
		{Key: "skipped_by_reason", Value: reasons.Objects(reasonsOf(s.SkippedBy))},
		{Key: "claims_confirmed", Value: s.Confirmed},
		{Key: "claims_contradicted", Value: s.Contradicted},
		{Key: "claims_confirmed_share", Value: share(confirmedShare(s))},
		{Key: "in_fix_lines", Value: inJSON(s.InFixLines)},
		{Key: "in_fix_lines_share", Value: share(inFixLinesShare(s))},
		{Key: "iterations", Value: iterations.Objects(s.Iterations)},
		{Key: "files", Value: Files.Objects(s.Files)},
		{Key: "gates", Value: gateTotals.Objects(s.Gates)},
		{Key: "recurring", Value: recurring.Objects(s.Recurring)},
		{Key: "adapters", Value: Reviewers.Objects(s.Adapters)},
		{Key: "saved", Value: text.Object{{Key: "slots", Value: s.Saved.Slots}, {Key: "tokens", Value: s.Saved.Tokens}, {Key: "cost_usd", Value: dollars(s.Saved.CostUSD)}}},
		{Key: "time_to_pass", Value: durations(s.TimeToPass)},
		{Key: "cost", Value: cost(s.Cost)},
		{Key: "priorities", Value: priorities.Objects(s.Priorities)},
		{Key: "models", Value: Reviewers.Objects(s.Models)},
		{Key: "overlaps", Value: overlaps.Objects(s.Overlaps)},
		{Key: "checks", Value: Checks.Objects(s.Checks)},
		{Key: "flaky", Value: flaky.Objects(s.Flaky)},
		{Key: "weeks", Value: weeks.Objects(s.Weeks)},
		{Key: "verdicts", Value: Verdicts.Objects(s.Verdicts)},
		{Key: "verdict_weeks", Value: verdictWeeks.Objects(s.VerdictWeeks)},
	}...)
}

// countJSON is a number of violations with the command that lists exactly these.
type countJSON struct {
	Count int    `json:"count"`
	List  string `json:"list"`
}

func newCountJSON(c ledger.Count) countJSON {
	return countJSON{Count: c.Violations, List: FilterCommand(c.Filter)}
}

// pass is how many runs passed after a number of iterations.
type pass struct{ iterations, runs int }

var passes = Columns[pass]{
	{Key: "iterations", Value: func(p *pass) any { return p.iterations }},
	{Key: "runs", Value: func(p *pass) any { return p.runs }},
}

// passesOf returns how many runs passed, by their number of iterations.
func passesOf(s figures.Statistics) (list []pass) {
	for _, n := range slices.Sorted(maps.Keys(s.IterationsToPass)) {
		list = append(list, pass{n, s.IterationsToPass[n]})
	}
	return list
}

// meanToPass returns how many iterations the runs that passed took on average, or nil if none passed.
func meanToPass(s figures.Statistics) any {
	sum := 0
	for _, p := range passesOf(s) {
		sum += p.iterations * p.runs
	}
	return share(figures.Share{Part: sum, Whole: s.Passed})
}

func confirmedShare(s figures.Statistics) figures.Share {
	return figures.Share{Part: s.Confirmed, Whole: s.Confirmed + s.Contradicted}
}

func inFixLinesShare(s figures.Statistics) figures.Share {
	return figures.Share{Part: s.InFixLines.Violations, Whole: s.Violations.Violations}
}

// reason is how many violations were skipped for a reason.
type reason struct {
	reason ledger.SkipReason
	ledger.Count
}

var reasons = Columns[reason]{
	{Key: "reason", Value: func(r *reason) any { return r.reason }},
	{Key: "count", Value: func(r *reason) any { return r.Violations }},
	{Key: "list", Value: func(r *reason) any { return FilterCommand(r.Filter) }},
}

func reasonsOf(by map[ledger.SkipReason]ledger.Count) (list []reason) {
	for _, word := range append(ledger.SkipReasons(), ledger.NoReason) {
		if count, ok := by[word]; ok {
			list = append(list, reason{word, count})
		}
	}
	return list
}

// discard is how many reports were discarded with one disposition.
type discard struct {
	disposition ledger.Disposition
	ledger.Count
}

var discards = Columns[discard]{
	{Key: "disposition", Value: func(d *discard) any { return d.disposition }},
	{Key: "reports", Value: func(d *discard) any { return d.Violations }},
	{Key: "list", Value: func(d *discard) any { return FilterCommand(d.Filter) }},
}

func discardsOf(by map[ledger.Disposition]ledger.Count) (list []discard) {
	for _, d := range ledger.Dispositions() {
		if count := by[d]; count.Violations > 0 {
			list = append(list, discard{d, count})
		}
	}
	return list
}

// dollars rounds a sum to a millionth. Further digits are only rounding errors of the addition.
func dollars(sum float64) float64 { return math.Round(sum*1e6) / 1e6 }

// share returns a share from 0 to 1, or nil if the whole is 0.
func share(s figures.Share) any {
	if value, ok := s.Value(); ok {
		return value
	}
	return nil
}

// durations returns percentiles in milliseconds, or nil if there are none.
func durations(d figures.Durations) any {
	if d.N == 0 {
		return nil
	}
	return text.Object{{Key: "count", Value: d.N}, {Key: "p50_ms", Value: d.P50.Milliseconds()}, {Key: "p90_ms", Value: d.P90.Milliseconds()}}
}

// cost returns the cost of the calls for which it is known.
func cost(c ledger.Cost) text.Object {
	return text.Object{{Key: "cost_usd", Value: knownCost(c)}, {Key: "known", Value: c.Known}, {Key: "calls", Value: c.Calls}}
}

func knownCost(c ledger.Cost) any {
	if c.Known == 0 {
		return nil
	}
	return dollars(c.USD)
}

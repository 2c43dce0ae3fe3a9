package ledger

import "slices"

// Count is a number of violations, with the filter that lists exactly these. If the filter has
// Discards, it is a number of reports.
type Count struct {
	Violations int
	Filter     ViolationFilter
}

// Cost is what model calls cost in US dollars. Known is how many of all Calls have a known cost. If
// it is less than Calls, the cost is a lower bound; if it is 0, the cost is unknown.
type Cost struct {
	USD          float64
	Known, Calls int
}

// TakenBack reports whether the first of a violation's events is a skip that a later one took back.
// Nobody counts such a skip.
func TakenBack(events []Event) bool {
	return events[0].Status == StatusSkipped && slices.ContainsFunc(events, func(e Event) bool { return e.Status != StatusSkipped })
}

// UnknownModel stands for slots whose reviewer did not report its model.
const UnknownModel = "unknown"

// UnknownRepository stands, in filters, for runs that did not record their repository.
const UnknownRepository = "unknown"

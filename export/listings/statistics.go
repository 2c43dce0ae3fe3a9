package listings

import (
	"maps"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// CountJSON is a number of violations, with the command that lists exactly
// those.
type CountJSON struct {
	Count int    `json:"count"`
	List  string `json:"list"`
}

func countJSON(c ledger.Count) CountJSON {
	return CountJSON{Count: c.Violations, List: FilterCommand(c.Filter)}
}

// StatisticsJSON are statistics over a period. docs/json.md describes its keys.
type StatisticsJSON struct {
	Since            *string              `json:"since"`
	Until            *string              `json:"until"`
	Runs             int                  `json:"runs"`
	Passed           int                  `json:"passed"`
	IterationsToPass []ToPassJSON         `json:"iterations_to_pass"`
	MeanToPass       *float64             `json:"mean_iterations_to_pass"`
	Violations       CountJSON            `json:"violations"`
	Open             CountJSON            `json:"open"`
	Abandoned        CountJSON            `json:"abandoned"`
	Claimed          CountJSON            `json:"claimed"`
	Verified         CountJSON            `json:"verified"`
	Skipped          CountJSON            `json:"skipped"`
	SkippedBy        []ReasonJSON         `json:"skipped_by_reason"`
	Confirmed        int                  `json:"claims_confirmed"`
	Contradicted     int                  `json:"claims_contradicted"`
	ConfirmedShare   *float64             `json:"claims_confirmed_share"`
	InFixLines       CountJSON            `json:"in_fix_lines"`
	InFixLinesShare  *float64             `json:"in_fix_lines_share"`
	Iterations       []IterationTotalJSON `json:"iterations"`
	Files            []FileTotalJSON      `json:"files"`
	Gates            []GateTotalJSON      `json:"gates"`
	Recurring        []RecurringJSON      `json:"recurring"`
	Adapters         []AdapterJSON        `json:"adapters"`
	Saved            SavedJSON            `json:"saved"`
	TimeToPass       *DurationsJSON       `json:"time_to_pass"`
	Cost             CostJSON             `json:"cost"`
	Priorities       []PriorityJSON       `json:"priorities"`
	Models           []AdapterJSON        `json:"models"`
	Overlaps         []OverlapJSON        `json:"overlaps"`
	Checks           []CheckJSON          `json:"checks"`
	Flaky            []FlakyJSON          `json:"flaky"`
	Weeks            []WeekJSON           `json:"weeks"`
	Days             []DayJSON            `json:"days,omitempty"`
	Branches         []BranchJSON         `json:"branches,omitempty"`
	Verdicts         []VerdictJSON        `json:"verdicts"`
	VerdictWeeks     []VerdictWeekJSON    `json:"verdict_weeks"`
}

// ToPassJSON is how many runs passed after so many iterations.
type ToPassJSON struct {
	Iterations int `json:"iterations"`
	Runs       int `json:"runs"`
}

// ReasonJSON is how many violations were skipped for a reason.
type ReasonJSON struct {
	Reason string `json:"reason"`
	CountJSON
}

// IterationTotalJSON are all iterations of one number.
type IterationTotalJSON struct {
	Iteration int       `json:"iteration"`
	New       CountJSON `json:"new"`
	Carried   int       `json:"carried"`
	Fixed     int       `json:"fixed"`
	Reopened  int       `json:"reopened"`
	Skipped   CountJSON `json:"skipped"`
}

// FileTotalJSON are the violations of one file.
type FileTotalJSON struct {
	File       string  `json:"file"`
	Repository *string `json:"repository"`
	OutcomesJSON
	Reopened   CountJSON `json:"reopened"`
	InFixLines CountJSON `json:"in_fix_lines"`
	Runs       int       `json:"runs"`
	Weeks      []int     `json:"weeks"`
}

// GateTotalJSON are the violations of one gate.
type GateTotalJSON struct {
	EntryPoint string    `json:"entry_point"`
	Gate       string    `json:"gate"`
	Violations CountJSON `json:"violations"`
	Open       CountJSON `json:"open"`
}

// RecurringJSON is a line that violations of several runs are about.
type RecurringJSON struct {
	Fingerprint string    `json:"fingerprint"`
	Runs        int       `json:"runs"`
	Violations  CountJSON `json:"violations"`
	Open        CountJSON `json:"open"`
	Latest      string    `json:"latest"`
	Job         string    `json:"job"`
	File        string    `json:"file"`
	Line        int       `json:"line"`
	Issue       string    `json:"issue"`
}

// AdapterJSON is what one adapter did, or one model; the other of the two is null.
type AdapterJSON struct {
	Adapter          *string           `json:"adapter"`
	Model            *string           `json:"model"`
	Runs             int               `json:"runs"`
	Errors           int               `json:"errors"`
	ErrorRate        *float64          `json:"error_rate"`
	Interrupted      int               `json:"interrupted"`
	Skips            int               `json:"skips"`
	Repairs          int               `json:"repairs"`
	Reports          int               `json:"reports"`
	Repeats          int               `json:"repeats"`
	Violations       CountJSON         `json:"violations"`
	Open             CountJSON         `json:"open"`
	Abandoned        CountJSON         `json:"abandoned"`
	Claimed          CountJSON         `json:"claimed"`
	Confirmed        CountJSON         `json:"confirmed"`
	Skipped          CountJSON         `json:"skipped"`
	Withdrawn        CountJSON         `json:"withdrawn"`
	SkippedBy        []ReasonJSON      `json:"skipped_by_reason"`
	Discarded        []DispositionJSON `json:"discarded"`
	Alone            CountJSON         `json:"alone"`
	AloneConfirmed   CountJSON         `json:"alone_confirmed"`
	Precision        *PrecisionJSON    `json:"precision"`
	InputTokens      *int64            `json:"input_tokens"`
	OutputTokens     *int64            `json:"output_tokens"`
	CostUSD          *float64          `json:"cost_usd"`
	CostKnown        int               `json:"cost_known"`
	CostPerConfirmed *float64          `json:"cost_usd_per_confirmed"`
	Took             *DurationsJSON    `json:"duration"`
}

// DispositionJSON is how many reports were removed by a filter.
type DispositionJSON struct {
	Disposition string `json:"disposition"`
	Reports     int    `json:"reports"`
	List        string `json:"list"`
}

// SavedJSON is what skipping slots saved.
type SavedJSON struct {
	Slots   int     `json:"slots"`
	Tokens  int64   `json:"tokens"`
	CostUSD float64 `json:"cost_usd"`
}

// NewStatisticsJSON makes the JSON form of statistics.
func NewStatisticsJSON(s ledger.Statistics) StatisticsJSON {
	out := StatisticsJSON{
		Since: text.Timestamp(s.Filter.Period.Since), Until: text.Timestamp(s.Filter.Period.Until), Runs: s.Runs, Passed: s.Passed,
		IterationsToPass: []ToPassJSON{}, Violations: countJSON(s.Violations), Open: countJSON(s.Open),
		Abandoned: countJSON(s.Abandoned), Claimed: countJSON(s.Claimed), Verified: countJSON(s.Verified), Skipped: countJSON(s.Skipped),
		SkippedBy: reasonsJSON(s.SkippedBy), Confirmed: s.Confirmed, Contradicted: s.Contradicted,
		ConfirmedShare: share(s.Confirmed, s.Confirmed+s.Contradicted), InFixLines: countJSON(s.InFixLines),
		InFixLinesShare: share(s.InFixLines.Violations, s.Violations.Violations),
		Iterations:      []IterationTotalJSON{}, Files: []FileTotalJSON{}, Gates: []GateTotalJSON{},
		Recurring: []RecurringJSON{}, Adapters: []AdapterJSON{}, Saved: SavedJSON{s.Saved.Slots, s.Saved.Tokens, dollars(s.Saved.CostUSD)},
	}
	sum := 0
	for _, n := range slices.Sorted(maps.Keys(s.IterationsToPass)) {
		out.IterationsToPass = append(out.IterationsToPass, ToPassJSON{n, s.IterationsToPass[n]})
		sum += n * s.IterationsToPass[n]
	}
	out.MeanToPass = share(sum, s.Passed)
	for _, i := range s.Iterations {
		out.Iterations = append(out.Iterations, IterationTotalJSON{i.Number, countJSON(i.New), i.Carried, i.Verified, i.Reopened, countJSON(i.Skipped)})
	}
	for _, f := range s.Files {
		out.Files = append(out.Files, FileTotalJSON{
			f.File, orNull(f.Repository), outcomesJSON(f.OutcomeStatistics), countJSON(f.Reopened), countJSON(f.InFixLines), f.Runs, f.Weeks,
		})
	}
	for _, g := range s.Gates {
		out.Gates = append(out.Gates, GateTotalJSON{g.EntryPoint, g.Gate, countJSON(g.Violations), countJSON(g.Open)})
	}
	for _, r := range s.Recurring {
		out.Recurring = append(out.Recurring, RecurringJSON{
			r.Fingerprint, r.Runs, countJSON(r.Violations), countJSON(r.Open), r.Latest, r.Job, r.File, r.Line, r.Issue,
		})
	}
	for _, a := range s.Adapters {
		out.Adapters = append(out.Adapters, adapterJSON(a))
	}
	out.addSections(s)
	return out
}

func adapterJSON(a ledger.AdapterStatistics) AdapterJSON {
	out := AdapterJSON{
		Adapter: orNull(a.Adapter), Runs: a.Runs, Errors: a.Errors, ErrorRate: shareJSON(a.ErrorRate()),
		Interrupted: a.Interrupted, Skips: a.Skips, Repairs: a.Repairs, Reports: a.Reports, Repeats: a.Repeats(),
		Violations: countJSON(a.Violations), Open: countJSON(a.Open), Abandoned: countJSON(a.Abandoned), Claimed: countJSON(a.Claimed),
		Confirmed: countJSON(a.Confirmed()), Skipped: countJSON(a.Skipped), Withdrawn: countJSON(a.Withdrawn), SkippedBy: reasonsJSON(a.SkippedBy),
		Discarded: []DispositionJSON{}, Alone: countJSON(a.Alone), AloneConfirmed: countJSON(a.AloneConfirmed),
		Precision: precisionJSON(a.Precision()), CostKnown: a.Cost.Known, Took: durationsJSON(a.Took),
	}
	if a.Model != ledger.UnknownModel {
		out.Model = orNull(a.Model)
	}
	for _, d := range ledger.Dispositions() {
		if count := a.Discarded[d]; count.Violations > 0 {
			out.Discarded = append(out.Discarded, DispositionJSON{string(d), count.Violations, FilterCommand(count.Filter)})
		}
	}
	if a.WithTokens > 0 {
		out.InputTokens, out.OutputTokens = &a.InputTokens, &a.OutputTokens
	}
	if a.Cost.Known > 0 {
		cost := dollars(a.Cost.USD)
		out.CostUSD = &cost
	}
	if cost, ok := a.CostPerConfirmed(); ok {
		cost = dollars(cost)
		out.CostPerConfirmed = &cost
	}
	return out
}

// dollars is a sum to the millionth: what lies below comes from adding up
// binary fractions, not from a reviewer.
func dollars(sum float64) float64 { return math.Round(sum*1e6) / 1e6 }

func reasonsJSON(by map[ledger.SkipReason]ledger.Count) []ReasonJSON {
	list := []ReasonJSON{}
	for _, reason := range append(ledger.SkipReasons(), ledger.NoReason) {
		if count, ok := by[reason]; ok {
			list = append(list, ReasonJSON{string(reason), countJSON(count)})
		}
	}
	return list
}

// share is a part of a whole, or nil of nothing.
func share(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}

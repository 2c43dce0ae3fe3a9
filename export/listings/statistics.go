package listings

import (
	"maps"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// countJSON is a number of violations with the command that lists exactly these.
type countJSON struct {
	Count int    `json:"count"`
	List  string `json:"list"`
}

func newCountJSON(c ledger.Count) countJSON {
	return countJSON{Count: c.Violations, List: FilterCommand(c.Filter)}
}

// StatisticsJSON are statistics over a period. docs/json.md describes its keys.
type StatisticsJSON struct {
	Since            *string              `json:"since"`
	Until            *string              `json:"until"`
	Runs             int                  `json:"runs"`
	Passed           int                  `json:"passed"`
	IterationsToPass []toPassJSON         `json:"iterations_to_pass"`
	MeanToPass       *float64             `json:"mean_iterations_to_pass"`
	Violations       countJSON            `json:"violations"`
	Open             countJSON            `json:"open"`
	Abandoned        countJSON            `json:"abandoned"`
	Claimed          countJSON            `json:"claimed"`
	Verified         countJSON            `json:"verified"`
	Skipped          countJSON            `json:"skipped"`
	Withdrawn        countJSON            `json:"withdrawn"`
	SkippedBy        []reasonJSON         `json:"skipped_by_reason"`
	Confirmed        int                  `json:"claims_confirmed"`
	Contradicted     int                  `json:"claims_contradicted"`
	ConfirmedShare   *float64             `json:"claims_confirmed_share"`
	InFixLines       countJSON            `json:"in_fix_lines"`
	InFixLinesShare  *float64             `json:"in_fix_lines_share"`
	Iterations       []iterationTotalJSON `json:"iterations"`
	Files            []fileTotalJSON      `json:"files"`
	Gates            []gateTotalJSON      `json:"gates"`
	Recurring        []recurringJSON      `json:"recurring"`
	Adapters         []adapterJSON        `json:"adapters"`
	Saved            savedJSON            `json:"saved"`
	TimeToPass       *durationsJSON       `json:"time_to_pass"`
	Cost             costJSON             `json:"cost"`
	Priorities       []priorityJSON       `json:"priorities"`
	Models           []adapterJSON        `json:"models"`
	Overlaps         []overlapJSON        `json:"overlaps"`
	Checks           []CheckJSON          `json:"checks"`
	Flaky            []flakyJSON          `json:"flaky"`
	Weeks            []weekJSON           `json:"weeks"`
	Verdicts         []VerdictJSON        `json:"verdicts"`
	VerdictWeeks     []verdictWeekJSON    `json:"verdict_weeks"`
}

// toPassJSON is how many runs passed after a number of iterations.
type toPassJSON struct {
	Iterations int `json:"iterations"`
	Runs       int `json:"runs"`
}

// reasonJSON is how many violations were skipped for a reason.
type reasonJSON struct {
	Reason string `json:"reason"`
	countJSON
}

// iterationTotalJSON are the totals of the iterations with one number.
type iterationTotalJSON struct {
	Iteration int       `json:"iteration"`
	New       countJSON `json:"new"`
	Carried   int       `json:"carried"`
	Verified  int       `json:"verified"`
	Reopened  int       `json:"reopened"`
	Skipped   countJSON `json:"skipped"`
}

type fileTotalJSON struct {
	File       string  `json:"file"`
	Repository *string `json:"repository"`
	outcomesJSON
	Reopened   countJSON `json:"reopened"`
	InFixLines countJSON `json:"in_fix_lines"`
	Runs       int       `json:"runs"`
	Weeks      []int     `json:"weeks"`
}

type gateTotalJSON struct {
	EntryPoint string    `json:"entry_point"`
	Gate       string    `json:"gate"`
	Violations countJSON `json:"violations"`
	Open       countJSON `json:"open"`
}

// recurringJSON is a line with violations in several runs.
type recurringJSON struct {
	Fingerprint string    `json:"fingerprint"`
	Runs        int       `json:"runs"`
	Violations  countJSON `json:"violations"`
	Open        countJSON `json:"open"`
	Latest      string    `json:"latest"`
	Job         string    `json:"job"`
	File        string    `json:"file"`
	Line        int       `json:"line"`
	Issue       string    `json:"issue"`
}

// adapterJSON are the totals of one adapter or of one model. The key of the other one is null.
type adapterJSON struct {
	Adapter          *string           `json:"adapter"`
	Model            *string           `json:"model"`
	Runs             int               `json:"runs"`
	Errors           int               `json:"errors"`
	ErrorRate        *float64          `json:"error_rate"`
	Interrupted      int               `json:"interrupted"`
	Skips            int               `json:"skips"`
	Repairs          int               `json:"repairs"`
	WithoutWord      int               `json:"without_word"`
	Reports          int               `json:"reports"`
	Repeats          int               `json:"repeats"`
	Violations       countJSON         `json:"violations"`
	Open             countJSON         `json:"open"`
	Abandoned        countJSON         `json:"abandoned"`
	Claimed          countJSON         `json:"claimed"`
	Confirmed        countJSON         `json:"confirmed"`
	Skipped          countJSON         `json:"skipped"`
	Withdrawn        countJSON         `json:"withdrawn"`
	Duplicates       countJSON         `json:"duplicates"`
	SkippedBy        []reasonJSON      `json:"skipped_by_reason"`
	Discarded        []dispositionJSON `json:"discarded"`
	Alone            countJSON         `json:"alone"`
	AloneConfirmed   countJSON         `json:"alone_confirmed"`
	Precision        *precisionJSON    `json:"precision"`
	InputTokens      *int64            `json:"input_tokens"`
	OutputTokens     *int64            `json:"output_tokens"`
	CostUSD          *float64          `json:"cost_usd"`
	CostKnown        int               `json:"cost_known"`
	Calls            int               `json:"calls"`
	CostPerConfirmed *float64          `json:"cost_usd_per_confirmed"`
	Took             *durationsJSON    `json:"duration"`
}

// dispositionJSON is how many reports were discarded with one disposition.
type dispositionJSON struct {
	Disposition string `json:"disposition"`
	Reports     int    `json:"reports"`
	List        string `json:"list"`
}

// savedJSON is what skipping slots saved.
type savedJSON struct {
	Slots   int     `json:"slots"`
	Tokens  int64   `json:"tokens"`
	CostUSD float64 `json:"cost_usd"`
}

// NewStatisticsJSON returns the JSON form of statistics.
func NewStatisticsJSON(s figures.Statistics) StatisticsJSON {
	out := StatisticsJSON{
		Since: text.Timestamp(s.Filter.Period.Since), Until: text.Timestamp(s.Filter.Period.Until), Runs: s.Runs, Passed: s.Passed,
		IterationsToPass: []toPassJSON{}, Violations: newCountJSON(s.Violations), Open: newCountJSON(s.Open),
		Abandoned: newCountJSON(s.Abandoned), Claimed: newCountJSON(s.Claimed), Verified: newCountJSON(s.Verified), Skipped: newCountJSON(s.Skipped),
		Withdrawn: newCountJSON(s.Withdrawn),
		SkippedBy: reasonsJSON(s.SkippedBy), Confirmed: s.Confirmed, Contradicted: s.Contradicted,
		ConfirmedShare: share(s.Confirmed, s.Confirmed+s.Contradicted), InFixLines: newCountJSON(s.InFixLines),
		InFixLinesShare: share(s.InFixLines.Violations, s.Violations.Violations),
		Iterations:      []iterationTotalJSON{}, Files: []fileTotalJSON{}, Gates: []gateTotalJSON{},
		Recurring: []recurringJSON{}, Adapters: []adapterJSON{}, Saved: savedJSON{s.Saved.Slots, s.Saved.Tokens, dollars(s.Saved.CostUSD)},
	}
	sum := 0
	for _, n := range slices.Sorted(maps.Keys(s.IterationsToPass)) {
		out.IterationsToPass = append(out.IterationsToPass, toPassJSON{n, s.IterationsToPass[n]})
		sum += n * s.IterationsToPass[n]
	}
	out.MeanToPass = share(sum, s.Passed)
	for _, i := range s.Iterations {
		out.Iterations = append(out.Iterations, iterationTotalJSON{i.Number, newCountJSON(i.New), i.Carried, i.Verified, i.Reopened, newCountJSON(i.Skipped)})
	}
	for _, f := range s.Files {
		out.Files = append(out.Files, fileTotalJSON{
			f.File, orNull(f.Repository), newOutcomesJSON(f.Outcomes), newCountJSON(f.Reopened), newCountJSON(f.InFixLines), f.Runs, f.Weeks,
		})
	}
	for _, g := range s.Gates {
		out.Gates = append(out.Gates, gateTotalJSON{g.EntryPoint, g.Gate, newCountJSON(g.Violations), newCountJSON(g.Open)})
	}
	for _, r := range s.Recurring {
		out.Recurring = append(out.Recurring, recurringJSON{
			r.Fingerprint, r.Runs, newCountJSON(r.Violations), newCountJSON(r.Open), r.Latest, r.Job, r.File, r.Line, r.Issue,
		})
	}
	for _, a := range s.Adapters {
		out.Adapters = append(out.Adapters, newAdapterJSON(a))
	}
	out.addSections(s)
	return out
}

func newAdapterJSON(a figures.Reviewer) adapterJSON {
	out := adapterJSON{
		Adapter: orNull(a.Adapter), Runs: a.Runs, Errors: a.Errors, ErrorRate: shareJSON(a.ErrorRate()),
		Interrupted: a.Interrupted, Skips: a.Skips, Repairs: a.Repairs, WithoutWord: a.WithoutWord, Reports: a.Reports, Repeats: a.Repeats(),
		Violations: newCountJSON(a.Violations), Open: newCountJSON(a.Open), Abandoned: newCountJSON(a.Abandoned), Claimed: newCountJSON(a.Claimed),
		Confirmed: newCountJSON(a.Confirmed()), Skipped: newCountJSON(a.Skipped), Withdrawn: newCountJSON(a.Withdrawn), Duplicates: newCountJSON(a.Duplicates), SkippedBy: reasonsJSON(a.SkippedBy),
		Discarded: []dispositionJSON{}, Alone: newCountJSON(a.Alone), AloneConfirmed: newCountJSON(a.AloneConfirmed),
		Precision: newPrecisionJSON(a.Precision()), CostKnown: a.Cost.Known, Calls: a.Cost.Calls, Took: newDurationsJSON(a.Took),
	}
	if a.Model != ledger.UnknownModel {
		out.Model = orNull(a.Model)
	}
	for _, d := range ledger.Dispositions() {
		if count := a.Discarded[d]; count.Violations > 0 {
			out.Discarded = append(out.Discarded, dispositionJSON{string(d), count.Violations, FilterCommand(count.Filter)})
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

// dollars rounds a sum to a millionth. Further digits are only rounding errors of the addition.
func dollars(sum float64) float64 { return math.Round(sum*1e6) / 1e6 }

func reasonsJSON(by map[ledger.SkipReason]ledger.Count) []reasonJSON {
	list := []reasonJSON{}
	for _, reason := range append(ledger.SkipReasons(), ledger.NoReason) {
		if count, ok := by[reason]; ok {
			list = append(list, reasonJSON{string(reason), newCountJSON(count)})
		}
	}
	return list
}

// share returns a part of a whole, or nil if the whole is 0.
func share(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}

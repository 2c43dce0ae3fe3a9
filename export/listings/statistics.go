package listings

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/export/text"
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
	File       string    `json:"file"`
	Violations CountJSON `json:"violations"`
	Runs       int       `json:"runs"`
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
	Latest      string    `json:"latest"`
	Job         string    `json:"job"`
	File        string    `json:"file"`
	Line        int       `json:"line"`
	Issue       string    `json:"issue"`
}

// AdapterJSON is what one adapter did.
type AdapterJSON struct {
	Adapter          string            `json:"adapter"`
	Runs             int               `json:"runs"`
	Errors           int               `json:"errors"`
	Skips            int               `json:"skips"`
	Reports          int               `json:"reports"`
	Violations       CountJSON         `json:"violations"`
	Confirmed        CountJSON         `json:"confirmed"`
	SkippedBy        []ReasonJSON      `json:"skipped_by_reason"`
	Discarded        []DispositionJSON `json:"discarded"`
	Alone            CountJSON         `json:"alone"`
	InputTokens      *int64            `json:"input_tokens"`
	OutputTokens     *int64            `json:"output_tokens"`
	CostUSD          *float64          `json:"cost_usd"`
	CostPerConfirmed *float64          `json:"cost_usd_per_confirmed"`
}

// DispositionJSON is how many reports were removed by a filter.
type DispositionJSON struct {
	Disposition string `json:"disposition"`
	Reports     int    `json:"reports"`
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
		IterationsToPass: []ToPassJSON{}, Violations: countJSON(s.Violations), Open: countJSON(s.Open), Abandoned: countJSON(s.Abandoned),
		Claimed: countJSON(s.Claimed), Verified: countJSON(s.Verified), Skipped: countJSON(s.Skipped),
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
		out.Files = append(out.Files, FileTotalJSON{f.File, countJSON(f.Violations), f.Runs})
	}
	for _, g := range s.Gates {
		out.Gates = append(out.Gates, GateTotalJSON{g.EntryPoint, g.Gate, countJSON(g.Violations), countJSON(g.Open)})
	}
	for _, r := range s.Recurring {
		count := countJSON(ledger.Count{Violations: r.Violations, Filter: r.Filter})
		out.Recurring = append(out.Recurring, RecurringJSON{r.Fingerprint, r.Runs, count, r.Latest, r.Job, r.File, r.Line, r.Issue})
	}
	for _, a := range s.Adapters {
		out.Adapters = append(out.Adapters, adapterJSON(a))
	}
	return out
}

func adapterJSON(a ledger.AdapterStatistics) AdapterJSON {
	out := AdapterJSON{
		Adapter: a.Adapter, Runs: a.Runs, Errors: a.Errors, Skips: a.Skips, Reports: a.Reports,
		Violations: countJSON(a.Violations), Confirmed: countJSON(a.Confirmed), SkippedBy: reasonsJSON(a.SkippedBy),
		Discarded: []DispositionJSON{}, Alone: countJSON(a.Alone),
	}
	for _, d := range ledger.Dispositions() {
		if n := a.Discarded[d]; n > 0 {
			out.Discarded = append(out.Discarded, DispositionJSON{string(d), n})
		}
	}
	if a.WithTokens > 0 {
		out.InputTokens, out.OutputTokens = &a.InputTokens, &a.OutputTokens
	}
	if a.Costed > 0 {
		cost := dollars(a.CostUSD)
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

// Figure is one number of statistics, for tables and CSV.
type Figure struct {
	// Section and Name say what is counted, Measure how.
	Section, Name, Measure, Value string
	// List is the command that lists the violations that were counted. It is
	// empty if violations are not what is counted.
	List string
}

// Figures are all numbers of statistics, in one list.
func Figures(r StatisticsJSON) []Figure {
	f := figures{}
	f.add("runs", "", "runs", r.Runs)
	f.add("runs", "", "passed", r.Passed)
	for _, p := range r.IterationsToPass {
		f.add("iterations_to_pass", fmt.Sprint(p.Iterations), "runs", p.Runs)
	}
	f.ratio("iterations_to_pass", "", "mean", r.MeanToPass, "%.2f")
	for _, c := range []struct {
		measure string
		count   CountJSON
	}{{"violations", r.Violations}, {"open", r.Open}, {"claimed", r.Claimed}, {"verified", r.Verified}, {"skipped", r.Skipped}, {"abandoned", r.Abandoned}, {"in_fix_lines", r.InFixLines}} {
		f.count("violations", "", c.measure, c.count)
	}
	f.ratio("violations", "", "in_fix_lines_share", r.InFixLinesShare, "%.4f")
	for _, s := range r.SkippedBy {
		f.count("skipped_by_reason", s.Reason, "violations", s.CountJSON)
	}
	f.add("claims", "", "confirmed", r.Confirmed)
	f.add("claims", "", "contradicted", r.Contradicted)
	f.ratio("claims", "", "confirmed_share", r.ConfirmedShare, "%.4f")
	for _, i := range r.Iterations {
		name := fmt.Sprint(i.Iteration)
		f.count("iterations", name, "new", i.New)
		f.add("iterations", name, "carried", i.Carried)
		f.add("iterations", name, "fixed", i.Fixed)
		f.add("iterations", name, "reopened", i.Reopened)
		f.count("iterations", name, "skipped", i.Skipped)
	}
	for _, file := range r.Files {
		f.count("files", file.File, "violations", file.Violations)
		f.add("files", file.File, "runs", file.Runs)
	}
	for _, g := range r.Gates {
		f.count("gates", g.EntryPoint+":"+g.Gate, "violations", g.Violations)
		f.count("gates", g.EntryPoint+":"+g.Gate, "open", g.Open)
	}
	for _, x := range r.Recurring {
		f.count("recurring", x.Fingerprint, "violations", x.Violations)
		f.add("recurring", x.Fingerprint, "runs", x.Runs)
	}
	for _, a := range r.Adapters {
		f.adapter(a)
	}
	f.add("saved", "", "slots", r.Saved.Slots)
	f.add("saved", "", "tokens", r.Saved.Tokens)
	f.add("saved", "", "cost_usd", fmt.Sprintf("%.4f", r.Saved.CostUSD))
	return f
}

type figures []Figure

func (f *figures) add(section, name, measure string, value any) {
	*f = append(*f, Figure{section, name, measure, fmt.Sprint(value), ""})
}

func (f *figures) count(section, name, measure string, c CountJSON) {
	*f = append(*f, Figure{section, name, measure, fmt.Sprint(c.Count), c.List})
}

func (f *figures) ratio(section, name, measure string, value *float64, format string) {
	if value != nil {
		f.add(section, name, measure, fmt.Sprintf(format, *value))
	}
}

func (f *figures) adapter(a AdapterJSON) {
	f.add("adapters", a.Adapter, "runs", a.Runs)
	f.add("adapters", a.Adapter, "errors", a.Errors)
	f.add("adapters", a.Adapter, "skips", a.Skips)
	f.add("adapters", a.Adapter, "reports", a.Reports)
	f.count("adapters", a.Adapter, "violations", a.Violations)
	f.count("adapters", a.Adapter, "confirmed", a.Confirmed)
	f.count("adapters", a.Adapter, "alone", a.Alone)
	for _, s := range a.SkippedBy {
		f.count("adapters", a.Adapter, "skipped_"+s.Reason, s.CountJSON)
	}
	for _, d := range a.Discarded {
		f.add("adapters", a.Adapter, "discarded_"+d.Disposition, d.Reports)
	}
	if a.InputTokens != nil {
		f.add("adapters", a.Adapter, "input_tokens", *a.InputTokens)
		f.add("adapters", a.Adapter, "output_tokens", *a.OutputTokens)
	}
	f.ratio("adapters", a.Adapter, "cost_usd", a.CostUSD, "%.4f")
	f.ratio("adapters", a.Adapter, "cost_usd_per_confirmed", a.CostPerConfirmed, "%.4f")
}

// FiguresCSV are figures as rows of [WriteCSV].
func FiguresCSV(list []Figure) (titles []string, rows [][]string) {
	for _, f := range list {
		rows = append(rows, []string{f.Section, f.Name, f.Measure, f.Value, f.List})
	}
	return []string{"section", "name", "measure", "value", "list"}, rows
}

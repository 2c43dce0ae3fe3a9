package listings

import "fmt"

// figure is one number of statistics, for tables and CSV.
type figure struct {
	// Section and Name say what is counted, Measure how.
	Section, Name, Measure, Value string
	// List is the command that lists the violations that were counted. It is
	// empty if violations are not what is counted.
	List string
}

// Figures are all numbers of statistics, in one list.
func Figures(r StatisticsJSON) []figure {
	f := figures{}
	f.add("runs", "", "runs", r.Runs)
	f.add("runs", "", "passed", r.Passed)
	for _, p := range r.IterationsToPass {
		f.add("iterations_to_pass", fmt.Sprint(p.Iterations), "runs", p.Runs)
	}
	f.ratio("iterations_to_pass", "", "mean", r.MeanToPass, "%.2f")
	for _, c := range []struct {
		measure string
		count   countJSON
	}{{"violations", r.Violations}, {"open", r.Open}, {"abandoned", r.Abandoned}, {"claimed", r.Claimed}, {"verified", r.Verified}, {"skipped", r.Skipped}, {"withdrawn", r.Withdrawn}, {"in_fix_lines", r.InFixLines}} {
		f.count("violations", "", c.measure, c.count)
	}
	f.ratio("violations", "", "in_fix_lines_share", r.InFixLinesShare, "%.4f")
	for _, s := range r.SkippedBy {
		f.count("skipped_by_reason", s.Reason, "violations", s.countJSON)
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
		f.outcomes("files", file.File, file.outcomesJSON)
		f.count("files", file.File, "reopened", file.Reopened)
		f.count("files", file.File, "in_fix_lines", file.InFixLines)
		f.add("files", file.File, "runs", file.Runs)
	}
	for _, g := range r.Gates {
		f.count("gates", g.EntryPoint+":"+g.Gate, "violations", g.Violations)
		f.count("gates", g.EntryPoint+":"+g.Gate, "open", g.Open)
	}
	for _, x := range r.Recurring {
		f.count("recurring", x.Fingerprint, "violations", x.Violations)
		f.count("recurring", x.Fingerprint, "open", x.Open)
		f.add("recurring", x.Fingerprint, "runs", x.Runs)
	}
	for _, a := range r.Adapters {
		f.adapter("adapters", shown(a.Adapter), a)
	}
	for _, m := range r.Models {
		f.adapter("models", shown(m.Model), m)
	}
	f.sections(r)
	f.add("saved", "", "slots", r.Saved.Slots)
	f.add("saved", "", "tokens", r.Saved.Tokens)
	f.add("saved", "", "cost_usd", fmt.Sprintf("%.4f", r.Saved.CostUSD))
	return f
}

type figures []figure

func (f *figures) add(section, name, measure string, value any) {
	*f = append(*f, figure{section, name, measure, fmt.Sprint(value), ""})
}

func (f *figures) count(section, name, measure string, c countJSON) {
	*f = append(*f, figure{section, name, measure, fmt.Sprint(c.Count), c.List})
}

func (f *figures) ratio(section, name, measure string, value *float64, format string) {
	if value != nil {
		f.add(section, name, measure, fmt.Sprintf(format, *value))
	}
}

func (f *figures) adapter(section, name string, a adapterJSON) {
	f.add(section, name, "runs", a.Runs)
	f.add(section, name, "errors", a.Errors)
	f.add(section, name, "interrupted", a.Interrupted)
	f.add(section, name, "skips", a.Skips)
	f.add(section, name, "reports", a.Reports)
	f.count(section, name, "violations", a.Violations)
	f.count(section, name, "confirmed", a.Confirmed)
	f.count(section, name, "alone", a.Alone)
	f.count(section, name, "alone_confirmed", a.AloneConfirmed)
	f.count(section, name, "open", a.Open)
	f.count(section, name, "abandoned", a.Abandoned)
	f.count(section, name, "claimed", a.Claimed)
	f.count(section, name, "skipped", a.Skipped)
	f.count(section, name, "withdrawn", a.Withdrawn)
	f.count(section, name, "duplicates", a.Duplicates)
	for _, s := range a.SkippedBy {
		f.count(section, name, "skipped_"+s.Reason, s.countJSON)
	}
	for _, d := range a.Discarded {
		f.count(section, name, "discarded_"+d.Disposition, countJSON{d.Reports, d.List})
	}
	if a.InputTokens != nil {
		f.add(section, name, "input_tokens", *a.InputTokens)
		f.add(section, name, "output_tokens", *a.OutputTokens)
	}
	if p := a.Precision; p != nil {
		f.ratio(section, name, "precision", &p.Value, "%.4f")
		f.ratio(section, name, "precision_low", &p.Low, "%.4f")
		f.ratio(section, name, "precision_high", &p.High, "%.4f")
	}
	f.ratio(section, name, "error_rate", a.ErrorRate, "%.4f")
	f.durations(section, name, a.Took)
	f.ratio(section, name, "cost_usd", a.CostUSD, "%.4f")
	f.add(section, name, "cost_known", a.CostKnown)
	f.ratio(section, name, "cost_usd_per_confirmed", a.CostPerConfirmed, "%.4f")
}

// FiguresCSV are figures as rows of [WriteCSV].
func FiguresCSV(list []figure) (titles []string, rows [][]string) {
	for _, f := range list {
		rows = append(rows, []string{f.Section, f.Name, f.Measure, f.Value, f.List})
	}
	return []string{"section", "name", "measure", "value", "list"}, rows
}

// shown is a name that may not be known.
func shown(name *string) string {
	if name == nil {
		return "unknown"
	}
	return *name
}

func (f *figures) outcomes(section, name string, o outcomesJSON) {
	f.count(section, name, "violations", o.Violations)
	f.count(section, name, "open", o.Open)
	f.count(section, name, "abandoned", o.Abandoned)
	f.count(section, name, "claimed", o.Claimed)
	f.count(section, name, "verified", o.Verified)
	f.count(section, name, "skipped", o.Skipped)
	f.count(section, name, "withdrawn", o.Withdrawn)
}

func (f *figures) durations(section, name string, d *durationsJSON) {
	if d != nil {
		f.add(section, name, "duration_p50_ms", d.P50)
		f.add(section, name, "duration_p90_ms", d.P90)
	}
}

func (f *figures) cost(section, name string, c costJSON) {
	f.ratio(section, name, "cost_usd", c.USD, "%.4f")
	f.add(section, name, "cost_known", c.Known)
	f.add(section, name, "cost_calls", c.Calls)
}

func (f *figures) period(section, name string, p periodJSON) {
	f.count(section, name, "new", p.New)
	f.count(section, name, "reopened", p.Reopened)
	f.count(section, name, "verified", p.Verified)
	f.count(section, name, "skipped", p.Skipped)
	f.count(section, name, "withdrawn", p.Withdrawn)
	f.count(section, name, "claimed", p.Claimed)
	f.count(section, name, "disputed", p.Disputed)
	f.count(section, name, "duplicate", p.Duplicate)
	f.add(section, name, "runs", p.Runs)
	f.add(section, name, "passed", p.Passed)
	f.cost(section, name, p.Cost)
}

// sections are the figures of the parts that have a table of their own.
func (f *figures) sections(r StatisticsJSON) {
	f.durations("time_to_pass", "", r.TimeToPass)
	f.cost("cost", "", r.Cost)
	for _, p := range r.Priorities {
		f.outcomes("priorities", p.Priority, p.outcomesJSON)
	}
	for _, b := range r.Branches {
		f.outcomes("branches", b.Branch, b.outcomesJSON)
		f.add("branches", b.Branch, "runs", b.Runs)
		f.add("branches", b.Branch, "passed", b.Passed)
	}
	for _, o := range r.Overlaps {
		f.add("overlaps", o.Adapter+" "+o.Other, "violations", o.Violations)
		f.add("overlaps", o.Adapter+" "+o.Other, "shared", o.Shared)
	}
	for _, w := range r.Weeks {
		f.period("weeks", w.Week, w.periodJSON)
	}
	for _, d := range r.Days {
		f.period("days", d.Day, d.periodJSON)
	}
	for _, c := range r.Checks {
		f.add("checks", c.Job, "executions", c.Executions)
		f.add("checks", c.Job, "failures", c.Failures)
		f.ratio("checks", c.Job, "failure_rate", c.FailureRate, "%.4f")
		f.durations("checks", c.Job, c.Took)
		f.add("checks", c.Job, "flaky", c.Flaky)
	}
	for _, w := range r.VerdictWeeks {
		for _, word := range []struct {
			name string
			n    int
		}{{"pass", w.Pass}, {"warn", w.Warn}, {"fail", w.Fail}, {"abort", w.Abort}} {
			f.add("verdict_weeks", w.Week, word.name, word.n)
		}
	}
}

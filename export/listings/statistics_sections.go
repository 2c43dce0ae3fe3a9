package listings

import (
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// OutcomesJSON are violations by what became of them.
type OutcomesJSON struct {
	Violations CountJSON `json:"violations"`
	Open       CountJSON `json:"open"`
	Abandoned  CountJSON `json:"abandoned"`
	Claimed    CountJSON `json:"claimed"`
	Verified   CountJSON `json:"verified"`
	Skipped    CountJSON `json:"skipped"`
}

func outcomesJSON(o ledger.OutcomeStatistics) OutcomesJSON {
	return OutcomesJSON{countJSON(o.Violations), countJSON(o.Open), countJSON(o.Abandoned), countJSON(o.Claimed), countJSON(o.Verified), countJSON(o.Skipped)}
}

// DurationsJSON are percentiles of durations in milliseconds, of three digits.
type DurationsJSON struct {
	Count int   `json:"count"`
	P50   int64 `json:"p50_ms"`
	P90   int64 `json:"p90_ms"`
}

func durationsJSON(d ledger.Durations) *DurationsJSON {
	if d.N == 0 {
		return nil
	}
	return &DurationsJSON{d.N, d.P50.Milliseconds(), d.P90.Milliseconds()}
}

// CostJSON is what calls cost, where so many of them said so.
type CostJSON struct {
	USD   *float64 `json:"cost_usd"`
	Known int      `json:"known"`
	Calls int      `json:"calls"`
}

func costJSON(c ledger.Cost) CostJSON {
	out := CostJSON{Known: c.Known, Calls: c.Calls}
	if c.Known > 0 {
		usd := dollars(c.USD)
		out.USD = &usd
	}
	return out
}

// PrecisionJSON is a share with its 95 % interval.
type PrecisionJSON struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"`
}

func precisionJSON(s ledger.Share) *PrecisionJSON {
	value, ok := s.Value()
	if !ok {
		return nil
	}
	low, high, _ := s.Interval()
	return &PrecisionJSON{value, low, high, s.Whole}
}

func shareJSON(s ledger.Share) *float64 { return share(s.Part, s.Whole) }

// PriorityJSON are the violations of one priority.
type PriorityJSON struct {
	Priority string `json:"priority"`
	OutcomesJSON
}

// BranchJSON are the runs and violations of one branch.
type BranchJSON struct {
	Branch string `json:"branch"`
	Runs   int    `json:"runs"`
	Passed int    `json:"passed"`
	OutcomesJSON
}

// OverlapJSON is how much of what one adapter reported another one reported, too.
type OverlapJSON struct {
	Adapter    string   `json:"adapter"`
	Other      string   `json:"other"`
	Violations int      `json:"violations"`
	Shared     int      `json:"shared"`
	Share      *float64 `json:"share"`
}

// PeriodJSON is what happened in a week or a day.
type PeriodJSON struct {
	Partial  bool      `json:"partial"`
	New      CountJSON `json:"new"`
	Reopened CountJSON `json:"reopened"`
	Verified CountJSON `json:"verified"`
	Skipped  CountJSON `json:"skipped"`
	Claimed  CountJSON `json:"claimed"`
	Runs     int       `json:"runs"`
	Passed   int       `json:"passed"`
	Cost     CostJSON  `json:"cost"`
}

// WeekJSON is a week, by its Monday.
type WeekJSON struct {
	Week string `json:"week"`
	PeriodJSON
}

// DayJSON is a day.
type DayJSON struct {
	Day string `json:"day"`
	PeriodJSON
}

func periodJSON(p ledger.PeriodStatistics) PeriodJSON {
	return PeriodJSON{
		p.Partial, countJSON(p.New), countJSON(p.Reopened), countJSON(p.Verified), countJSON(p.Skipped), countJSON(p.Claimed),
		p.Runs, p.Passed, costJSON(p.Cost),
	}
}

// CheckJSON are the executions of a check.
type CheckJSON struct {
	Job         string          `json:"job"`
	EntryPoint  string          `json:"entry_point"`
	Check       string          `json:"check"`
	Command     *string         `json:"command"`
	Executions  int             `json:"executions"`
	Failures    int             `json:"failures"`
	FailureRate *float64        `json:"failure_rate"`
	Last        []ExecutionJSON `json:"last"`
	Took        *DurationsJSON  `json:"duration"`
	Flaky       int             `json:"flaky"`
	Weeks       []CheckWeekJSON `json:"weeks"`
}

// CheckWeekJSON are the executions of a check in one week.
type CheckWeekJSON struct {
	Week        string         `json:"week"`
	Executions  int            `json:"executions"`
	Failures    int            `json:"failures"`
	FailureRate *float64       `json:"failure_rate"`
	Took        *DurationsJSON `json:"duration"`
}

// ExecutionJSON is one execution of a check.
type ExecutionJSON struct {
	Run       string  `json:"run"`
	Iteration int     `json:"iteration"`
	Status    string  `json:"status"`
	At        *string `json:"at"`
}

func executionJSON(e ledger.CheckExecution) ExecutionJSON {
	return ExecutionJSON{e.Run, e.Iteration, string(e.Status), text.Timestamp(e.At)}
}

// FlakyJSON is a check with two outcomes on one tree.
type FlakyJSON struct {
	Job    string        `json:"job"`
	Tree   string        `json:"tree"`
	Branch *string       `json:"branch"`
	First  ExecutionJSON `json:"first"`
	Then   ExecutionJSON `json:"then"`
}

// VerdictJSON is one verdict, with its findings by severity.
type VerdictJSON struct {
	Run       string  `json:"run"`
	Review    string  `json:"review"`
	Iteration int     `json:"iteration"`
	Scope     string  `json:"scope"`
	Target    string  `json:"target"`
	Mode      string  `json:"mode"`
	Verdict   string  `json:"verdict"`
	At        *string `json:"at"`
	SeverityJSON
}

// SeverityJSON are findings by severity, whatever their status.
type SeverityJSON struct {
	Blocker int `json:"blocker"`
	High    int `json:"high"`
	Medium  int `json:"medium"`
	Low     int `json:"low"`
	Info    int `json:"info"`
}

func severityJSON(findings map[ledger.Priority]int) SeverityJSON {
	return SeverityJSON{
		findings[ledger.Critical], findings[ledger.High], findings[ledger.Medium], findings[ledger.Low], findings[ledger.Info],
	}
}

// VerdictWeekJSON are the verdicts of a week.
type VerdictWeekJSON struct {
	Week    string `json:"week"`
	Partial bool   `json:"partial"`
	Pass    int    `json:"pass"`
	Warn    int    `json:"warn"`
	Fail    int    `json:"fail"`
	Abort   int    `json:"abort"`
	SeverityJSON
}

// addSections adds what has a table of its own.
func (out *StatisticsJSON) addSections(s ledger.Statistics) {
	out.TimeToPass, out.Cost = durationsJSON(s.TimeToPass), costJSON(s.Cost)
	out.Priorities, out.Models, out.Overlaps = []PriorityJSON{}, []AdapterJSON{}, []OverlapJSON{}
	out.Checks, out.Flaky, out.Weeks = []CheckJSON{}, []FlakyJSON{}, []WeekJSON{}
	out.Verdicts, out.VerdictWeeks = []VerdictJSON{}, []VerdictWeekJSON{}
	for _, p := range s.Priorities {
		out.Priorities = append(out.Priorities, PriorityJSON{string(p.Priority), outcomesJSON(p.OutcomeStatistics)})
	}
	for _, m := range s.Models {
		out.Models = append(out.Models, adapterJSON(m))
	}
	for _, o := range s.Overlaps {
		out.Overlaps = append(out.Overlaps, OverlapJSON{o.Adapter, o.Other, o.Shared.Whole, o.Shared.Part, shareJSON(o.Shared)})
	}
	for _, b := range s.Branches {
		out.Branches = append(out.Branches, BranchJSON{b.Branch, b.Runs, b.Passed, outcomesJSON(b.OutcomeStatistics)})
	}
	for _, w := range s.Weeks {
		out.Weeks = append(out.Weeks, WeekJSON{w.Start.Format(time.DateOnly), periodJSON(w)})
	}
	for _, d := range s.Days {
		out.Days = append(out.Days, DayJSON{d.Start.Format(time.DateOnly), periodJSON(d)})
	}
	out.addChecks(s)
	out.addVerdicts(s)
}

func (out *StatisticsJSON) addChecks(s ledger.Statistics) {
	for _, c := range s.Checks {
		check := CheckJSON{
			Job: c.Job, EntryPoint: c.EntryPoint, Check: c.Check, Command: orNull(c.Command), Executions: c.Executions,
			Failures: c.Failures, FailureRate: share(c.Failures, c.Executions), Last: []ExecutionJSON{}, Took: durationsJSON(c.Took), Flaky: c.Flaky,
		}
		for _, e := range c.Last {
			check.Last = append(check.Last, executionJSON(e))
		}
		check.Weeks = []CheckWeekJSON{}
		for _, w := range c.Weeks {
			check.Weeks = append(check.Weeks, CheckWeekJSON{
				w.Start.Format(time.DateOnly), w.Executions, w.Failures, share(w.Failures, w.Executions), durationsJSON(w.Took),
			})
		}
		out.Checks = append(out.Checks, check)
	}
	for _, f := range s.Flaky {
		out.Flaky = append(out.Flaky, FlakyJSON{f.Job, f.Tree, orNull(f.Branch), executionJSON(f.First), executionJSON(f.Then)})
	}
}

func (out *StatisticsJSON) addVerdicts(s ledger.Statistics) {
	for _, v := range s.Verdicts {
		out.Verdicts = append(out.Verdicts, VerdictJSON{
			v.Run, v.Review, v.Iteration, v.Scope, v.Target, v.Mode, string(v.Verdict), text.Timestamp(v.At), severityJSON(v.Findings),
		})
	}
	for _, w := range s.VerdictWeeks {
		out.VerdictWeeks = append(out.VerdictWeeks, VerdictWeekJSON{
			w.Start.Format(time.DateOnly), w.Partial, w.By[ledger.VerdictPass], w.By[ledger.VerdictWarn],
			w.By[ledger.VerdictFail], w.By[ledger.VerdictAbort], severityJSON(w.Findings),
		})
	}
}

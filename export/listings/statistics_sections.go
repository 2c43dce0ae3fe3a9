package listings

import (
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// outcomesJSON counts violations by what became of them.
type outcomesJSON struct {
	Violations countJSON `json:"violations"`
	Open       countJSON `json:"open"`
	Abandoned  countJSON `json:"abandoned"`
	Claimed    countJSON `json:"claimed"`
	Verified   countJSON `json:"verified"`
	Skipped    countJSON `json:"skipped"`
	Withdrawn  countJSON `json:"withdrawn"`
}

func newOutcomesJSON(o figures.Outcomes) outcomesJSON {
	return outcomesJSON{
		newCountJSON(o.Violations), newCountJSON(o.Open), newCountJSON(o.Abandoned), newCountJSON(o.Claimed), newCountJSON(o.Verified),
		newCountJSON(o.Skipped), newCountJSON(o.Withdrawn),
	}
}

// durationsJSON are percentiles of durations in milliseconds.
type durationsJSON struct {
	Count int   `json:"count"`
	P50   int64 `json:"p50_ms"`
	P90   int64 `json:"p90_ms"`
}

func newDurationsJSON(d figures.Durations) *durationsJSON {
	if d.N == 0 {
		return nil
	}
	return &durationsJSON{d.N, d.P50.Milliseconds(), d.P90.Milliseconds()}
}

// costJSON is the cost of the calls for which it is known.
type costJSON struct {
	USD   *float64 `json:"cost_usd"`
	Known int      `json:"known"`
	Calls int      `json:"calls"`
}

func newCostJSON(c ledger.Cost) costJSON {
	out := costJSON{Known: c.Known, Calls: c.Calls}
	if c.Known > 0 {
		usd := dollars(c.USD)
		out.USD = &usd
	}
	return out
}

// precisionJSON is a share with its 95 % confidence interval.
type precisionJSON struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"`
}

func newPrecisionJSON(s figures.Share) *precisionJSON {
	value, ok := s.Value()
	if !ok {
		return nil
	}
	low, high, _ := s.Interval()
	return &precisionJSON{value, low, high, s.Whole}
}

func shareJSON(s figures.Share) *float64 { return share(s.Part, s.Whole) }

type priorityJSON struct {
	Priority string `json:"priority"`
	outcomesJSON
}

// overlapJSON is how many of the violations of one adapter another one reported too.
type overlapJSON struct {
	Adapter    string   `json:"adapter"`
	Other      string   `json:"other"`
	Violations int      `json:"violations"`
	Shared     int      `json:"shared"`
	Share      *float64 `json:"share"`
}

// periodJSON is what happened in a week or on a day.
type periodJSON struct {
	Partial   bool      `json:"partial"`
	New       countJSON `json:"new"`
	Reopened  countJSON `json:"reopened"`
	Verified  countJSON `json:"verified"`
	Skipped   countJSON `json:"skipped"`
	Withdrawn countJSON `json:"withdrawn"`
	Claimed   countJSON `json:"claimed"`
	Disputed  countJSON `json:"disputed"`
	Duplicate countJSON `json:"duplicate"`
	Runs      int       `json:"runs"`
	Passed    int       `json:"passed"`
	Cost      costJSON  `json:"cost"`
}

// weekJSON is a week, named by its Monday.
type weekJSON struct {
	Week string `json:"week"`
	periodJSON
}

func newPeriodJSON(p figures.Week) periodJSON {
	return periodJSON{
		p.Partial, newCountJSON(p.New), newCountJSON(p.Reopened), newCountJSON(p.Verified), newCountJSON(p.Skipped), newCountJSON(p.Withdrawn),
		newCountJSON(p.Claimed), newCountJSON(p.Disputed), newCountJSON(p.Duplicate), p.Runs, p.Passed, newCostJSON(p.Cost),
	}
}

// CheckJSON are the executions of a check over a period.
type CheckJSON struct {
	Job         string          `json:"job"`
	EntryPoint  string          `json:"entry_point"`
	Check       string          `json:"check"`
	Command     *string         `json:"command"`
	Executions  int             `json:"executions"`
	Failures    int             `json:"failures"`
	FailureRate *float64        `json:"failure_rate"`
	Last        []executionJSON `json:"last"`
	Took        *durationsJSON  `json:"duration"`
	Flaky       int             `json:"flaky"`
	Weeks       []checkWeekJSON `json:"weeks"`
}

type checkWeekJSON struct {
	Week        string         `json:"week"`
	Executions  int            `json:"executions"`
	Failures    int            `json:"failures"`
	FailureRate *float64       `json:"failure_rate"`
	Took        *durationsJSON `json:"duration"`
}

type executionJSON struct {
	Run       string  `json:"run"`
	Iteration int     `json:"iteration"`
	Status    string  `json:"status"`
	At        *string `json:"at"`
}

func newExecutionJSON(e figures.Execution) executionJSON {
	return executionJSON{e.Run, e.Iteration, string(e.Status), text.Timestamp(e.At)}
}

// flakyJSON is a check with two different results on the same tree.
type flakyJSON struct {
	Job    string        `json:"job"`
	Tree   string        `json:"tree"`
	Branch *string       `json:"branch"`
	First  executionJSON `json:"first"`
	Then   executionJSON `json:"then"`
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
	verdict.Summary
}

// severities converts counts by priority to counts by severity.
func severities(findings map[ledger.Priority]int) verdict.Summary {
	return verdict.Summary{
		Blocker: findings[ledger.Critical], High: findings[ledger.High], Medium: findings[ledger.Medium],
		Low: findings[ledger.Low], Info: findings[ledger.Info],
	}
}

type verdictWeekJSON struct {
	Week    string `json:"week"`
	Partial bool   `json:"partial"`
	Pass    int    `json:"pass"`
	Warn    int    `json:"warn"`
	Fail    int    `json:"fail"`
	Abort   int    `json:"abort"`
	verdict.Summary
}

// addSections adds the sections that have tables of their own.
func (out *StatisticsJSON) addSections(s figures.Statistics) {
	out.TimeToPass, out.Cost = newDurationsJSON(s.TimeToPass), newCostJSON(s.Cost)
	out.Priorities, out.Models, out.Overlaps = []priorityJSON{}, []adapterJSON{}, []overlapJSON{}
	out.Checks, out.Flaky, out.Weeks = []CheckJSON{}, []flakyJSON{}, []weekJSON{}
	out.Verdicts, out.VerdictWeeks = []VerdictJSON{}, []verdictWeekJSON{}
	for _, p := range s.Priorities {
		out.Priorities = append(out.Priorities, priorityJSON{string(p.Priority), newOutcomesJSON(p.Outcomes)})
	}
	for _, m := range s.Models {
		out.Models = append(out.Models, newAdapterJSON(m))
	}
	for _, o := range s.Overlaps {
		out.Overlaps = append(out.Overlaps, overlapJSON{o.Adapter, o.Other, o.Shared.Whole, o.Shared.Part, shareJSON(o.Shared)})
	}
	for _, w := range s.Weeks {
		out.Weeks = append(out.Weeks, weekJSON{w.Start.Format(time.DateOnly), newPeriodJSON(w)})
	}
	out.addChecks(s)
	out.addVerdicts(s)
}

func (out *StatisticsJSON) addChecks(s figures.Statistics) {
	for _, c := range s.Checks {
		check := CheckJSON{
			Job: c.Job, EntryPoint: c.EntryPoint, Check: c.Check, Command: orNull(c.Command), Executions: c.Executions,
			Failures: c.Failures, FailureRate: share(c.Failures, c.Executions), Last: []executionJSON{}, Took: newDurationsJSON(c.Took), Flaky: c.Flaky,
		}
		for _, e := range c.Last {
			check.Last = append(check.Last, newExecutionJSON(e))
		}
		check.Weeks = []checkWeekJSON{}
		for _, w := range c.Weeks {
			check.Weeks = append(check.Weeks, checkWeekJSON{
				w.Start.Format(time.DateOnly), w.Executions, w.Failures, share(w.Failures, w.Executions), newDurationsJSON(w.Took),
			})
		}
		out.Checks = append(out.Checks, check)
	}
	for _, f := range s.Flaky {
		out.Flaky = append(out.Flaky, flakyJSON{f.Job, f.Tree, orNull(f.Branch), newExecutionJSON(f.First), newExecutionJSON(f.Then)})
	}
}

func (out *StatisticsJSON) addVerdicts(s figures.Statistics) {
	for _, v := range s.Verdicts {
		out.Verdicts = append(out.Verdicts, VerdictJSON{
			v.Run, v.Review, v.Iteration, v.Scope, v.Target, v.Mode, string(v.Verdict), text.Timestamp(v.At), severities(v.Findings),
		})
	}
	for _, w := range s.VerdictWeeks {
		out.VerdictWeeks = append(out.VerdictWeeks, verdictWeekJSON{
			w.Start.Format(time.DateOnly), w.Partial, w.By[ledger.VerdictPass], w.By[ledger.VerdictWarn],
			w.By[ledger.VerdictFail], w.By[ledger.VerdictAbort], severities(w.Findings),
		})
	}
}

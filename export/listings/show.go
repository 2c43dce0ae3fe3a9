package listings

import (
	"fmt"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Show returns the JSON form of a run with its iterations.
func Show(state *ledger.State) text.Object {
	iterations := make([]text.Object, len(state.Iterations))
	for n, i := range state.Iterations {
		iterations[n] = append(shownIterations.Object(i), text.Member{Key: "gates", Value: gatesIn(state, i.Number)})
	}
	return append(Runs.Object(state.Run),
		text.Member{Key: "bases", Value: bases.Objects(state.Bases())},
		text.Member{Key: "extended", Value: extensions.Objects(state.Extensions())},
		text.Member{Key: "looked_at", Value: lookedAt(state.Passed())},
		text.Member{Key: "per_iteration", Value: iterations})
}

// bases describe the bases that a run has had, each since an iteration; from is the one before.
var bases = Columns[ledger.MovedBase]{
	{Key: "base", Value: func(b *ledger.MovedBase) any { return b.Base }},
	{Key: "from", Value: func(b *ledger.MovedBase) any { return orNull(b.From) }},
	{Key: "at", Value: func(b *ledger.MovedBase) any { return b.Iteration.StartedAt }},
	{Key: "iteration", Value: func(b *ledger.MovedBase) any { return b.Iteration.Number }},
}

// extensions describe how many more iterations a person allowed, beyond max_retries.
var extensions = Columns[ledger.Transition]{
	{Key: "iterations", Value: func(t *ledger.Transition) any { return t.Iterations }},
	{Key: "by", Value: func(*ledger.Transition) any { return ledger.ActorHuman }},
	{Key: "at", Value: func(t *ledger.Transition) any { return t.At }},
}

// shownIterations describe iterations, without their gates.
var shownIterations = Columns[ledger.Iteration]{
	{Key: "iteration", Value: func(i *ledger.Iteration) any { return i.Number }},
	{Key: "branch", Value: func(i *ledger.Iteration) any { return orNull(i.Branch) }},
	{Key: "mode", Value: func(i *ledger.Iteration) any { return i.Mode }},
	{Key: "source", Value: func(i *ledger.Iteration) any { return i.Source }},
	{Key: "status", Value: func(i *ledger.Iteration) any { return i.Status }},
	{Key: "started_at", Value: func(i *ledger.Iteration) any { return i.StartedAt }},
	{Key: "finished_at", Value: func(i *ledger.Iteration) any { return i.FinishedAt }},
	{Key: "noticed_at", Value: func(i *ledger.Iteration) any { return i.NoticedAt }},
	{Key: "verdict", Value: func(i *ledger.Iteration) any { return orNull(i.Verdict) }},
}

// gate is the execution of one job in one iteration. Its files are known in the iteration alone.
type gate struct {
	ledger.RunGate
	slots []text.Object
}

var gates = Columns[gate]{
	{Key: "job", Value: func(g *gate) any { return g.Job }},
	{Key: "kind", Value: func(g *gate) any { return g.Kind }},
	{Key: "entry_point", Value: func(g *gate) any { return g.EntryPoint }},
	{Key: "gate", Value: func(g *gate) any { return g.Name }},
	{Key: "status", Value: func(g *gate) any { return g.Status }},
	{Key: "reason", Value: func(g *gate) any { return orNull(g.Reason) }},
	{Key: "problems", Value: func(g *gate) any { return g.Problems }},
	{Key: "excerpt", Value: func(g *gate) any { return orNull(g.Excerpt) }},
	{Key: "duration_ms", Value: func(g *gate) any { return g.Duration.Milliseconds() }},
	{Key: "slots", Value: func(g *gate) any { return g.slots }},
	{Key: "rests_on", Value: func(g *gate) any { return orNull(g.RestsOn) }},
}

// slot is what one reviewer did in one iteration, with what was filtered of its answer, and the path of
// its file.
type slot struct {
	ledger.Slot
	filtered []ledger.FilteredEntry
	path     string
}

var slots = Columns[slot]{
	{Key: "slot", Value: func(s *slot) any { return s.Index }},
	{Key: "adapter", Value: func(s *slot) any { return s.Adapter }},
	{Key: "model", Value: func(s *slot) any { return orNull(s.Usage.Model) }},
	{Key: "status", Value: func(s *slot) any { return s.Status }},
	{Key: "pass_iteration", Value: func(s *slot) any { return orNoNumber(s.PassIteration) }},
	{Key: "reason", Value: func(s *slot) any { return orNull(s.Reason) }},
	{Key: "violations", Value: func(s *slot) any { return s.Found() }},
	{Key: "new", Value: func(s *slot) any { return s.Counts.New }},
	{Key: "reopened", Value: func(s *slot) any { return s.Counts.Reopened }},
	{Key: "verified", Value: func(s *slot) any { return s.Counts.Verified }},
	{Key: "carried", Value: func(s *slot) any { return s.Counts.Carried }},
	{Key: "discarded", Value: func(s *slot) any { return s.Counts.Discarded() }},
	{Key: "elsewhere", Value: func(s *slot) any { return s.Counts.Elsewhere }},
	{Key: "input_tokens", Value: func(s *slot) any { return s.Usage.InputTokens }},
	{Key: "output_tokens", Value: func(s *slot) any { return s.Usage.OutputTokens }},
	{Key: "cost_usd", Value: func(s *slot) any { return s.Usage.CostUSD }},
	{Key: "duration_ms", Value: func(s *slot) any { return s.Duration.Milliseconds() }},
	{Key: "repairs", Value: func(s *slot) any { return s.Repairs }},
	{Key: "unseen", Value: func(s *slot) any { return orNull(s.Unseen) }},
	{Key: "denied", Value: func(s *slot) any { return orNull(s.Denied) }},
	{Key: "notes", Value: func(s *slot) any { return orNull(s.Notes) }},
	{Key: "filtered", Value: func(s *slot) any { return s.filtered }},
}

// orNoNumber returns a number, or nil if it is not known.
func orNoNumber(n int) any {
	if n <= 0 {
		return nil
	}
	return n
}

// gatesIn returns the JSON form of the gates of an iteration.
func gatesIn(state *ledger.State, iteration int) []text.Object {
	list := []text.Object{}
	for _, g := range state.Gates {
		if g.Iteration != iteration {
			continue
		}
		shown := gate{ledger.RunGate{Gate: g}, []text.Object{}}
		for _, s := range g.Slots {
			shown.slots = append(shown.slots, slots.Object(slot{Slot: s, filtered: state.FilteredOf(s)}))
		}
		list = append(list, gates.Object(shown))
	}
	return list
}

// slotText formats a slot's status for tables.
func slotText(s ledger.SlotStatus) string {
	if s == ledger.SlotSkipped {
		return "skipped"
	}
	return string(s)
}

// ShowDetails formats all executions of gates for people, by iteration.
func ShowDetails(state *ledger.State) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "GATE", Cut: true, Late: true, Whole: true}, {Title: "ADAPTER"}, {Title: "STATUS"}, {Title: "FOUND", Right: true},
		{Title: "TIME", Right: true}, {Title: "TOKENS", Right: true}, {Title: "COST", Right: true}, {Title: "WHY", Whole: true},
	}}
	for _, i := range state.Iterations {
		heading := fmt.Sprintf("Iteration %d (%s) over %s%s: %s", i.Number, i.Mode, sourceText(state, i), onBranch(state, i), iterationWord(i))
		if !i.FinishedAt.IsZero() {
			heading += fmt.Sprintf(" after %.1fs", i.FinishedAt.Sub(i.StartedAt).Seconds())
		}
		t.Rows = append(t.Rows, text.Row{Heading: heading})
		for _, g := range state.Gates {
			if g.Iteration == i.Number {
				t.Rows = append(t.Rows, gateRows(g)...)
			}
		}
	}
	return t
}

// onBranch names the branch of an iteration if it is not the one on which the run began.
func onBranch(state *ledger.State, i ledger.Iteration) string {
	if i.Branch == state.Run.Branch || i.Branch == "" {
		return ""
	}
	return " on " + text.EscapeLine(i.Branch)
}

// iterationWord returns the status of an iteration of gates, or the verdict of a code review.
func iterationWord(i ledger.Iteration) string {
	if i.Verdict != "" {
		return string(i.Verdict)
	}
	return console.StatusText(i.Status)
}

// sourceText says what an iteration reviewed, as the iteration itself does at its start.
func sourceText(state *ledger.State, i ledger.Iteration) string {
	switch i.Source {
	case ledger.SourceBase:
		if slices.ContainsFunc(state.Gates, func(g ledger.Gate) bool { return g.Iteration == i.Number && g.RestsOn != "" }) {
			return "changes since the run that passed"
		}
		return "changes since " + text.OrElse(state.Run.BaseRef, "the base")
	case ledger.SourceSession:
		return "changes since the reviewed snapshot"
	case ledger.SourceUncommitted, ledger.SourceUncommittedOnly:
		return "uncommitted changes"
	case ledger.SourceCommit:
		return "one commit"
	case ledger.SourceFiles:
		return "files of the loop"
	}
	return string(i.Source)
}

func gateRows(g ledger.Gate) []text.Row {
	if len(g.Slots) == 0 {
		problems := text.Cell{}
		if g.Kind == ledger.KindCheck {
			problems = text.Number(g.Problems)
		}
		return []text.Row{{Cells: []text.Cell{
			{Text: g.Job}, {}, {Text: string(g.Status), Color: colorOf(g.Status)}, problems,
			{Text: shownDuration(g.Duration)}, {}, {}, {Text: g.Reason},
		}}}
	}
	var rows []text.Row
	for _, s := range g.Slots {
		rows = append(rows, text.Row{Cells: []text.Cell{
			{Text: fmt.Sprintf("%s@%d", g.Job, s.Index)}, {Text: s.Adapter}, {Text: slotText(s.Status), Color: colorOf(s.Status)},
			text.Number(s.Found()), {Text: shownDuration(s.Duration)},
			{Text: shownTokens(s.Usage)}, {Text: shownCost(s.Usage.CostUSD)}, {Text: text.OrElse(s.Reason, restText(g))},
		}})
	}
	return rows
}

func shownTokens(u ledger.Usage) string {
	if u.InputTokens == nil && u.OutputTokens == nil {
		return ""
	}
	var total int64
	for _, n := range []*int64{u.InputTokens, u.OutputTokens} {
		if n != nil {
			total += *n
		}
	}
	return fmt.Sprint(total)
}

func shownCost(cost *float64) string {
	if cost == nil {
		return ""
	}
	return fmt.Sprintf("$%.4f", *cost)
}

// restText says what a gate rests on, if anything.
func restText(g ledger.Gate) string {
	if g.RestsOn == "" {
		return ""
	}
	return "rests on run " + g.RestsOn
}

// shownDuration formats a duration for tables.
func shownDuration(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.2fs", d.Seconds())
}

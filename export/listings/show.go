package listings

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// showJSON is a run with its iterations. docs/json.md describes its keys.
type showJSON struct {
	RunJSON
	Bases        []baseJSON      `json:"bases"`
	Extended     []extendedJSON  `json:"extended"`
	LookedAt     *lookedAtJSON   `json:"looked_at"`
	PerIteration []iterationJSON `json:"per_iteration"`
}

// baseJSON is a base that the run has had since an iteration; From is the one before.
type baseJSON struct {
	Base      string  `json:"base"`
	From      *string `json:"from"`
	At        *string `json:"at"`
	Iteration int     `json:"iteration"`
}

// extendedJSON is how many more iterations a person allowed, beyond max_retries.
type extendedJSON struct {
	Iterations int     `json:"iterations"`
	By         string  `json:"by"`
	At         *string `json:"at"`
}

type iterationJSON struct {
	Iteration  int        `json:"iteration"`
	Branch     *string    `json:"branch"`
	Mode       string     `json:"mode"`
	Source     string     `json:"source"`
	Status     string     `json:"status"`
	StartedAt  *string    `json:"started_at"`
	FinishedAt *string    `json:"finished_at"`
	NoticedAt  *string    `json:"noticed_at"`
	Verdict    *string    `json:"verdict"`
	Gates      []gateJSON `json:"gates"`
}

// gateJSON is the execution of one job in one iteration.
type gateJSON struct {
	Job        string     `json:"job"`
	Kind       string     `json:"kind"`
	EntryPoint string     `json:"entry_point"`
	Gate       string     `json:"gate"`
	Status     string     `json:"status"`
	Reason     *string    `json:"reason"`
	Problems   int        `json:"problems"`
	Excerpt    *string    `json:"excerpt"`
	DurationMS int64      `json:"duration_ms"`
	Slots      []slotInfo `json:"slots"`
	RestsOn    *string    `json:"rests_on"`
}

type slotInfo struct {
	Slot          int      `json:"slot"`
	Adapter       string   `json:"adapter"`
	Model         *string  `json:"model"`
	Status        string   `json:"status"`
	PassIteration *int     `json:"pass_iteration"`
	Reason        *string  `json:"reason"`
	Violations    int      `json:"violations"`
	New           int      `json:"new"`
	Reopened      int      `json:"reopened"`
	Verified      int      `json:"verified"`
	Carried       int      `json:"carried"`
	Discarded     int      `json:"discarded"`
	Elsewhere     int      `json:"elsewhere"`
	InputTokens   *int64   `json:"input_tokens"`
	OutputTokens  *int64   `json:"output_tokens"`
	CostUSD       *float64 `json:"cost_usd"`
	DurationMS    int64    `json:"duration_ms"`
	Repairs       int      `json:"repairs"`
	Unseen        *string  `json:"unseen"`
	Denied        *string  `json:"denied"`
	// Notes is the free text of the reviewer.
	Notes *string `json:"notes"`
	// Filtered are the reports that a filter removed.
	Filtered []ledger.FilteredEntry `json:"filtered"`
}

// NewShowJSON returns the JSON form of a run with its iterations.
func NewShowJSON(state *ledger.State) showJSON {
	out := showJSON{RunJSON: NewRunJSON(state.Run), Bases: []baseJSON{}, Extended: []extendedJSON{}, LookedAt: newLookedAtJSON(state.Passed()), PerIteration: []iterationJSON{}}
	for _, b := range state.Bases() {
		out.Bases = append(out.Bases, baseJSON{b.Base, orNull(b.From), text.Timestamp(b.Iteration.StartedAt), b.Iteration.Number})
	}
	for _, t := range state.Extensions() {
		out.Extended = append(out.Extended, extendedJSON{t.Iterations, string(ledger.ActorHuman), text.Timestamp(t.At)})
	}
	for _, i := range state.Iterations {
		iteration := iterationJSON{
			Iteration: i.Number, Branch: orNull(i.Branch), Mode: string(i.Mode), Source: string(i.Source), Status: string(i.Status),
			StartedAt: text.Timestamp(i.StartedAt), FinishedAt: text.Timestamp(i.FinishedAt), NoticedAt: text.Timestamp(i.NoticedAt),
			Verdict: orNull(string(i.Verdict)), Gates: []gateJSON{},
		}
		for _, g := range state.Gates {
			if g.Iteration == i.Number {
				gate := newGateJSON(g)
				for _, s := range g.Slots {
					gate.Slots = append(gate.Slots, newSlotInfo(s, state.FilteredOf(s)))
				}
				iteration.Gates = append(iteration.Gates, gate)
			}
		}
		out.PerIteration = append(out.PerIteration, iteration)
	}
	return out
}

// newGateJSON returns a gate, without its slots yet.
func newGateJSON(g ledger.Gate) gateJSON {
	return gateJSON{
		Job: g.Job, Kind: string(g.Kind), EntryPoint: g.EntryPoint, Gate: g.Name, Status: string(g.Status),
		Reason: orNull(g.Reason), Problems: g.Problems, Excerpt: orNull(g.Excerpt), RestsOn: orNull(g.RestsOn), DurationMS: g.Duration.Milliseconds(), Slots: []slotInfo{},
	}
}

func newSlotInfo(s ledger.Slot, filtered []ledger.FilteredEntry) slotInfo {
	info := slotInfo{
		Slot: s.Index, Adapter: s.Adapter, Model: orNull(s.Usage.Model), Status: string(s.Status), Reason: orNull(s.Reason),
		Violations: s.Found(), New: s.Counts.New, Reopened: s.Counts.Reopened,
		Verified: s.Counts.Verified, Carried: s.Counts.Carried, Discarded: s.Counts.Discarded(), Elsewhere: s.Counts.Elsewhere,
		InputTokens: s.Usage.InputTokens, OutputTokens: s.Usage.OutputTokens, CostUSD: s.Usage.CostUSD,
		DurationMS: s.Duration.Milliseconds(), Repairs: s.Repairs, Unseen: orNull(s.Unseen), Denied: orNull(s.Denied), Notes: orNull(s.Notes), Filtered: filtered,
	}
	if s.PassIteration > 0 {
		info.PassIteration = &s.PassIteration
	}
	return info
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

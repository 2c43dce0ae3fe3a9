package listings

import "github.com/reviewledger/reviewledger/ledger"

// RunResultJSON is what came of run, check or review. docs/json.md describes its keys.
type RunResultJSON struct {
	Run          *string          `json:"run"`
	Iteration    *int             `json:"iteration"`
	Status       *string          `json:"status"`
	ExitCode     int              `json:"exit_code"`
	Reason       *string          `json:"reason"`
	Error        *string          `json:"error"`
	ChangedFiles int              `json:"changed_files"`
	Gates        []GateResultJSON `json:"gates"`
	Open         []ViolationJSON  `json:"open"`
	Unverified   []ViolationJSON  `json:"unverified"`
	Summary      SummaryJSON      `json:"summary"`
	Uncovered    []string         `json:"uncovered"`
	Spent        SpentJSON        `json:"spent"`
	Next         string           `json:"next"`
}

// SummaryJSON counts what the summary lists.
type SummaryJSON struct {
	Fixed   int `json:"fixed"`
	Skipped int `json:"skipped"`
	Failed  int `json:"failed"`
}

// SpentJSON is what the run has cost so far.
type SpentJSON struct {
	Calls      int     `json:"calls"`
	KnownCalls int     `json:"known_calls"`
	CostUSD    float64 `json:"cost_usd"`
	Tokens     int64   `json:"tokens"`
}

// GateResultJSON is a gate of the iteration.
type GateResultJSON struct {
	Job        string           `json:"job"`
	Kind       string           `json:"kind"`
	Status     string           `json:"status"`
	Reason     *string          `json:"reason"`
	DurationMS int64            `json:"duration_ms"`
	Log        *string          `json:"log"`
	FailsBase  *bool            `json:"fails_on_base"`
	Slots      []SlotResultJSON `json:"slots"`
}

// SlotResultJSON is a slot of the iteration.
type SlotResultJSON struct {
	Slot          int      `json:"slot"`
	Adapter       string   `json:"adapter"`
	Model         *string  `json:"model"`
	Status        string   `json:"status"`
	Reason        *string  `json:"reason"`
	PassIteration *int     `json:"pass_iteration"`
	Violations    int      `json:"violations"`
	Path          *string  `json:"path"`
	DurationMS    int64    `json:"duration_ms"`
	CostUSD       *float64 `json:"cost_usd"`
}

// NewRunResultJSON makes the JSON form of what came of an invocation.
func NewRunResultJSON(r ledger.RunResult) RunResultJSON {
	out := RunResultJSON{
		Run: orNull(r.Run), Status: orNull(string(r.Status)), ExitCode: r.ExitCode, Reason: orNull(r.Reason), Error: orNull(r.Error),
		ChangedFiles: r.ChangedFiles, Gates: []GateResultJSON{}, Open: violationsJSON(r.Open), Unverified: violationsJSON(r.Unverified),
		Summary:   SummaryJSON{r.Summary.Fixed, r.Summary.Skipped, r.Summary.Failed},
		Uncovered: append([]string{}, r.Summary.Uncovered...),
		Spent:     SpentJSON{r.Summary.Spent.Calls, r.Summary.Spent.Known, r.Summary.Spent.CostUSD, r.Summary.Spent.Tokens},
		Next:      r.Next,
	}
	if r.Iteration > 0 {
		out.Iteration = &r.Iteration
	}
	for _, g := range r.Gates {
		gate := GateResultJSON{
			Job: g.Job, Kind: string(g.Kind), Status: string(g.Status), Reason: orNull(g.Reason), DurationMS: g.Duration.Milliseconds(),
			Log: orNull(g.Log), FailsBase: g.FailsOnBase, Slots: []SlotResultJSON{},
		}
		for n, s := range g.Slots {
			slot := SlotResultJSON{
				Slot: s.Index, Adapter: s.Adapter, Model: orNull(s.Usage.Model), Status: string(s.Status), Reason: orNull(s.Reason),
				Violations: s.Counts.Accepted + s.Counts.Carried, Path: orNull(g.Paths[n]), DurationMS: s.Duration.Milliseconds(), CostUSD: s.Usage.CostUSD,
			}
			if s.PassIteration > 0 {
				slot.PassIteration = &s.PassIteration
			}
			gate.Slots = append(gate.Slots, slot)
		}
		out.Gates = append(out.Gates, gate)
	}
	return out
}

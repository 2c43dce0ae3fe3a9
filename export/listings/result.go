package listings

import (
	"github.com/reviewledger/reviewledger/ledger"
)

// runResultJSON is the result of `run`, `check` or `review`. docs/json.md describes its keys.
type runResultJSON struct {
	Run          *string          `json:"run"`
	Iteration    *int             `json:"iteration"`
	Status       *string          `json:"status"`
	ExitCode     int              `json:"exit_code"`
	Reason       *string          `json:"reason"`
	Error        *string          `json:"error"`
	ChangedFiles int              `json:"changed_files"`
	Gates        []gateResultJSON `json:"gates"`
	Open         []ViolationJSON  `json:"open"`
	Unverified   []ViolationJSON  `json:"unverified"`
	Summary      summaryJSON      `json:"summary"`
	Left         *int             `json:"iterations_left"`
	Uncovered    []string         `json:"uncovered"`
	LookedAt     *lookedAtJSON    `json:"looked_at"`
	Spent        ledger.Spent     `json:"spent"`
	Next         string           `json:"next"`
}

// summaryJSON counts what the summary lists.
type summaryJSON struct {
	Verified     int `json:"verified"`
	Skipped      int `json:"skipped"`
	Failed       int `json:"failed"`
	Withdrawn    int `json:"withdrawn"`
	ChecksFixed  int `json:"checks_fixed"`
	ChecksFailed int `json:"checks_failed"`
}

func newSummaryJSON(s ledger.Summary) summaryJSON {
	return summaryJSON{
		Verified: s.Fixed, Skipped: s.Skipped, Failed: s.Failed, Withdrawn: s.Withdrawn,
		ChecksFixed: s.ChecksFixed, ChecksFailed: s.ChecksFailed,
	}
}

// gateResultJSON is a gate as in showJSON, with the paths of its files.
type gateResultJSON struct {
	gateJSON
	Log       *string          `json:"log"`
	FailsBase *bool            `json:"fails_on_base"`
	Slots     []slotResultJSON `json:"slots"`
}

type slotResultJSON struct {
	slotInfo
	Path *string `json:"path"`
}

// NewRunResultJSON returns the JSON form of an invocation's result.
func NewRunResultJSON(r ledger.RunResult) runResultJSON {
	out := runResultJSON{
		Run: orNull(r.Run), Status: orNull(string(r.Status)), ExitCode: r.ExitCode, Reason: orNull(r.Reason), Error: orNull(r.Error),
		ChangedFiles: r.ChangedFiles, Gates: []gateResultJSON{}, Open: waitingJSON(r.Open), Unverified: waitingJSON(r.Unverified),
		Summary:   newSummaryJSON(r.Summary),
		Left:      r.Summary.Left,
		Uncovered: append([]string{}, r.Summary.Uncovered...),
		LookedAt:  newLookedAtJSON(r.Summary.LookedAt),
		Spent:     r.Summary.Spent,
		Next:      r.Next,
	}
	if r.Iteration > 0 {
		out.Iteration = &r.Iteration
	}
	for _, g := range r.Gates {
		gate := gateResultJSON{gateJSON: newGateJSON(g.Gate), Log: orNull(g.Log), FailsBase: g.FailsOnBase, Slots: []slotResultJSON{}}
		for n, s := range g.Slots {
			gate.Slots = append(gate.Slots, slotResultJSON{newSlotInfo(s, r.State.FilteredOf(s)), orNull(g.Paths[n])})
		}
		out.Gates = append(out.Gates, gate)
	}
	return out
}

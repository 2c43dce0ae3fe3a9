package listings

import (
	"github.com/reviewledger/reviewledger/ledger"
)

// StatusJSON is the state of a loop. docs/json.md describes its keys.
type StatusJSON struct {
	State       string                 `json:"state"`
	Done        bool                   `json:"done"`
	Reason      string                 `json:"reason"`
	Cause       *string                `json:"cause"`
	Run         *string                `json:"run"`
	Iteration   *int                   `json:"iteration"`
	Status      *string                `json:"status"`
	Left        *int                   `json:"iterations_left"`
	TreeChanged bool                   `json:"tree_changed"`
	Open        []ViolationJSON        `json:"open"`
	Unverified  []ViolationJSON        `json:"unverified"`
	Failing     []unresolvedJSON       `json:"failing"`
	Errors      []unresolvedJSON       `json:"errors"`
	Filtered    []ledger.FilteredEntry `json:"filtered"`
	Lacks       []string               `json:"lacks"`
	Files       []string               `json:"files"`
	LookedAt    *lookedAtJSON          `json:"looked_at"`
	Warnings    []string               `json:"warnings"`
	Next        string                 `json:"next"`
}

// lookedAtJSON is who looked at a change that passed.
type lookedAtJSON struct {
	By    []lookJSON `json:"by"`
	NotBy []string   `json:"not_by"`
}

type lookJSON struct {
	Gate    string  `json:"gate"`
	Adapter *string `json:"adapter"`
}

func newLookedAtJSON(l *ledger.LookedAt) *lookedAtJSON {
	if l == nil {
		return nil
	}
	out := lookedAtJSON{By: []lookJSON{}, NotBy: append([]string{}, l.NotBy...)}
	for _, look := range l.By {
		out.By = append(out.By, lookJSON{look.Gate, orNull(look.Adapter)})
	}
	return &out
}

// DuplicateJSON is a duplicate that was joined to a violation: another report of its problem.
type DuplicateJSON struct {
	ID      string `json:"id"`
	Gate    string `json:"gate"`
	Slot    int    `json:"slot"`
	Adapter string `json:"adapter"`
	ledger.Place
	Issue string `json:"issue"`
}

// waitingJSON returns violations that keep a run from passing, with their duplicates, which are
// closed with them.
func waitingJSON(found []ledger.ListedViolation) []ViolationJSON {
	list := violationsJSON(found)
	for i, v := range found {
		list[i].Duplicates = duplicatesJSON(v)
	}
	return list
}

func duplicatesJSON(v ledger.ListedViolation) []DuplicateJSON {
	list := []DuplicateJSON{}
	for _, d := range v.Duplicates {
		list = append(list, DuplicateJSON{d.ShortID, d.Gate, d.Slot, d.Adapter, d.Place, d.Issue})
	}
	return list
}

// unresolvedJSON is a failed check, or a gate or slot in error.
type unresolvedJSON struct {
	Job    string  `json:"job"`
	Slot   *int    `json:"slot"`
	Reason string  `json:"reason"`
	Log    *string `json:"log"`
	// Excerpt has line feeds between its lines.
	Excerpt *string `json:"excerpt"`
}

// NewStatusJSON returns the JSON form of the state of a loop.
func NewStatusJSON(p ledger.Progress) StatusJSON {
	out := StatusJSON{
		State: string(p.State), Done: p.Done(), Reason: p.Sentence(), Cause: orNull(string(p.Reason)), Left: p.Left, TreeChanged: p.TreeChanged,
		Open: waitingJSON(p.Open), Unverified: waitingJSON(p.Unverified),
		Failing: newUnresolvedJSON(p.Failing), Errors: newUnresolvedJSON(p.Errors),
		Filtered: ledger.FilteredEntries(p.Filtered), Lacks: append([]string{}, p.Lacks...),
		Files: append([]string{}, p.Files...), LookedAt: newLookedAtJSON(p.LookedAt), Warnings: append([]string{}, p.Warnings...), Next: p.Next,
	}
	if p.Run.ID != "" {
		out.Run, out.Status, out.Iteration = &p.Run.ID, orNull(string(p.Run.Status)), &p.Iteration
	}
	return out
}

func newUnresolvedJSON(found []ledger.Unresolved) []unresolvedJSON {
	list := make([]unresolvedJSON, 0, len(found))
	for _, u := range found {
		item := unresolvedJSON{Job: u.Job, Reason: u.Reason, Log: orNull(u.Log), Excerpt: orNull(u.Excerpt)}
		if u.Slot > 0 {
			item.Slot = &u.Slot
		}
		list = append(list, item)
	}
	return list
}

package listings

import (
	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/ledger"
)

// StatusJSON is how a loop stands. docs/json.md describes its keys.
type StatusJSON struct {
	State       string                   `json:"state"`
	Done        bool                     `json:"done"`
	Reason      string                   `json:"reason"`
	Cause       *string                  `json:"cause"`
	Run         *string                  `json:"run"`
	Iteration   *int                     `json:"iteration"`
	Status      *string                  `json:"status"`
	TreeChanged bool                     `json:"tree_changed"`
	Open        []ViolationJSON          `json:"open"`
	Unverified  []ViolationJSON          `json:"unverified"`
	Failing     []unresolvedJSON         `json:"failing"`
	Errors      []unresolvedJSON         `json:"errors"`
	Filtered    []slotfiles.FilteredJSON `json:"filtered"`
	Lacks       []string                 `json:"lacks"`
	Files       []string                 `json:"files"`
	Next        string                   `json:"next"`
}

// unresolvedJSON is a check that failed, or a gate or slot in error.
type unresolvedJSON struct {
	Job    string  `json:"job"`
	Slot   *int    `json:"slot"`
	Reason string  `json:"reason"`
	Log    *string `json:"log"`
	// Excerpt has LF between its lines.
	Excerpt *string `json:"excerpt"`
}

// NewStatusJSON makes the JSON form of how a loop stands.
func NewStatusJSON(p ledger.Progress) StatusJSON {
	out := StatusJSON{
		State: string(p.State), Done: p.Done(), Reason: p.Sentence(), Cause: orNull(string(p.Reason)), TreeChanged: p.TreeChanged,
		Open: violationsJSON(p.Open), Unverified: violationsJSON(p.Unverified),
		Failing: newUnresolvedJSON(p.Failing), Errors: newUnresolvedJSON(p.Errors),
		Filtered: slotfiles.NewFilteredJSON(ledger.FilteredEntries(reportsOf(p.Left))), Lacks: append([]string{}, p.Lacks...),
		Files: append([]string{}, p.Files...), Next: p.Next,
	}
	if p.Run.ID != "" {
		out.Run, out.Status, out.Iteration = &p.Run.ID, orNull(string(p.Run.Status)), &p.Iteration
	}
	return out
}

func reportsOf(listed []ledger.ListedReport) (reports []ledger.Report) {
	for _, r := range listed {
		reports = append(reports, r.Report)
	}
	return reports
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

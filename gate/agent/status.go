package agent

import (
	"context"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
)

// briefWords is how many characters of words the status shows of each finding: a model reads
// it after every step, and asks for the rest of one by its id.
const briefWords = 100

// briefStatus is how a loop stands with what a model needs of each finding to go on.
type briefStatus struct {
	listings.StatusJSON
	Open       []briefFinding `json:"open"`
	Unverified []briefFinding `json:"unverified"`
}

// briefFinding has keys of [listings.WaitingJSON]; those that say nothing are left out.
type briefFinding struct {
	ID       string   `json:"id"`
	Gate     string   `json:"gate"`
	Slot     int      `json:"slot"`
	Adapter  string   `json:"adapter"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	EndLine  int      `json:"end_line,omitempty"`
	Priority string   `json:"priority"`
	Status   string   `json:"status"`
	Issue    string   `json:"issue"`
	Result   string   `json:"result,omitempty"`
	Reopened bool     `json:"reopened,omitempty"`
	Said     string   `json:"said,omitempty"`
	Gone     string   `json:"gone,omitempty"`
	Related  []string `json:"related,omitempty"`
	// Duplicates are closed with it.
	Duplicates []listings.DuplicateJSON `json:"duplicates,omitempty"`
}

func brief(ctx context.Context, l Ledger) (any, error) {
	whole, err := l.Status(ctx)
	if err != nil {
		return nil, err
	}
	return briefStatus{StatusJSON: whole, Open: briefFindings(whole.Open), Unverified: briefFindings(whole.Unverified)}, nil
}

func briefFindings(found []listings.WaitingJSON) []briefFinding {
	list := make([]briefFinding, 0, len(found))
	for _, v := range found {
		b := briefFinding{
			ID: v.ID, Gate: v.Gate, Slot: v.Slot, Adapter: v.Adapter, File: v.File, Line: v.Line, Priority: v.Priority, Status: v.Status,
			Issue: briefly(&v.Issue), Result: briefly(v.Result), Reopened: v.Reopened, Said: briefly(v.Said), Gone: briefly(v.Gone), Related: v.Related,
		}
		for _, d := range v.Duplicates {
			d.Issue = briefly(&d.Issue)
			b.Duplicates = append(b.Duplicates, d)
		}
		if v.EndLine > v.Line {
			b.EndLine = v.EndLine
		}
		list = append(list, b)
	}
	return list
}

// briefly is the beginning of a text, which ends in an ellipsis where it goes on.
func briefly(words *string) string {
	if words == nil {
		return ""
	}
	if cut := text.Truncate(*words, briefWords); cut != *words {
		return cut + "…"
	}
	return *words
}

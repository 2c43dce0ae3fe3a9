package agent

import (
	"context"
	"slices"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
)

// The texts of all findings share briefWords characters of the status. Each has at least
// shortestText and at most longestText: a model reads the status after every step, and can ask for
// a whole finding by its id.
const (
	briefWords   = 1200
	shortestText = 30
	longestText  = 160
)

// maxRelated is how many of the findings that may be the same are named. All have the same group.
const maxRelated = 1

// briefStatus is a [listings.StatusJSON] that is short enough for a model to read after every step.
type briefStatus struct {
	listings.StatusJSON
	Open       []briefFinding `json:"open"`
	Unverified []briefFinding `json:"unverified"`
	// Filtered are the most important filtered reports, and MoreFiltered the IDs of the others.
	Filtered     []briefFinding `json:"filtered"`
	MoreFiltered []string       `json:"more_filtered,omitempty"`
	// MoreFiles is how many files are not named under Files.
	MoreFiles int      `json:"more_files,omitempty"`
	Warnings  []string `json:"warnings,omitempty"`
}

// maxFiles is how many changed files to which no gate applies are named, and excerptWords how many
// characters the excerpts of all failing checks share.
const (
	maxFiles     = 20
	excerptWords = 3000
)

// maxWarnings is how many warnings are shown, and warningWords how many characters of each.
const (
	maxWarnings  = 5
	warningWords = 250
)

// maxFiltered is how many filtered reports are shown with their text.
const maxFiltered = 3

// filteredWords is how many characters of such a text are shown.
const filteredWords = 50

// briefFinding has keys of [listings.ViolationJSON]. Empty values are left out.
type briefFinding struct {
	ID       string   `json:"id"`
	Gate     string   `json:"gate,omitempty"`
	Slot     int      `json:"slot,omitempty"`
	Adapter  string   `json:"adapter,omitempty"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	EndLine  int      `json:"end_line,omitempty"`
	Priority string   `json:"priority"`
	Status   string   `json:"status,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Issue    string   `json:"issue"`
	Result   string   `json:"result,omitempty"`
	Reopened bool     `json:"reopened,omitempty"`
	Said     string   `json:"said,omitempty"`
	Gone     string   `json:"gone,omitempty"`
	Related  []string `json:"related,omitempty"`
	// Group is omitted if it is alone in its block.
	Group string `json:"group,omitempty"`
	// Duplicates are closed together with it.
	Duplicates []listings.DuplicateJSON `json:"duplicates,omitempty"`
}

func brief(ctx context.Context, l Ledger) (any, error) {
	whole, err := l.Status(ctx)
	if err != nil {
		return nil, err
	}
	return newBriefStatus(whole), nil
}

// newBriefStatus shortens the status. Each filtered report is listed at least with its ID, so that
// it can be taken up.
//
// Rule: What is filtered is counted and kept.
func newBriefStatus(whole listings.StatusJSON) briefStatus {
	texts := 0
	for _, v := range slices.Concat(whole.Open, whole.Unverified) {
		texts += 1 + len(v.Duplicates)
		for _, words := range []*string{v.Result, v.Said, v.Gone} {
			if words != nil {
				texts++
			}
		}
	}
	limit := min(max(briefWords/max(texts, 1), shortestText), longestText)
	more := max(len(whole.Files)-maxFiles, 0)
	whole.Files, whole.Failing = whole.Files[:len(whole.Files)-more], slices.Clone(whole.Failing)
	for i := range whole.Failing {
		if excerpt := &whole.Failing[i].Excerpt; *excerpt != nil {
			*excerpt = new(briefly(*excerpt, max(excerptWords/len(whole.Failing), shortestText)))
		}
	}
	short := briefStatus{StatusJSON: whole, MoreFiles: more, Open: briefFindings(whole.Open, limit), Unverified: briefFindings(whole.Unverified, limit), Filtered: []briefFinding{}}
	short.Warnings = briefWarnings(whole.Warnings)
	for _, f := range whole.Filtered {
		if len(short.Filtered) == maxFiltered {
			short.MoreFiltered = append(short.MoreFiltered, f.ID)
			continue
		}
		short.Filtered = append(short.Filtered, briefFinding{
			ID: f.ID, File: f.File, Line: f.Line, EndLine: f.EndLine, Priority: string(f.Priority), Reason: string(f.Reason), Issue: briefly(&f.Issue, filteredWords),
		})
	}
	return short
}

func briefWarnings(all []string) (short []string) {
	for _, warning := range all[:min(len(all), maxWarnings)] {
		short = append(short, briefly(&warning, warningWords))
	}
	return short
}

func briefFindings(found []listings.ViolationJSON, limit int) []briefFinding {
	list := make([]briefFinding, 0, len(found))
	for _, v := range found {
		b := briefFinding{
			ID: v.ID, Gate: v.Gate, Slot: v.Slot, Adapter: v.Adapter, File: v.File, Line: v.Start, Priority: v.Priority, Status: v.Status,
			Issue: briefly(&v.Issue, limit), Result: briefly(v.Result, limit), Reopened: v.Reopened, Said: briefly(v.Said, limit), Gone: briefly(v.Gone, limit), Related: v.Related[:min(len(v.Related), maxRelated)],
		}
		if v.Group != nil && *v.Group != v.ID || len(v.Related) > 0 {
			b.Group = *v.Group
		}
		for _, d := range v.Duplicates {
			d.Issue = briefly(&d.Issue, limit)
			b.Duplicates = append(b.Duplicates, d)
		}
		if v.End > v.Start {
			b.EndLine = v.End
		}
		list = append(list, b)
	}
	return list
}

// briefly returns the beginning of a text, with an ellipsis if the text continues.
func briefly(words *string, limit int) string {
	if words == nil {
		return ""
	}
	if cut := text.Truncate(*words, limit); cut != *words {
		return cut + "…"
	}
	return *words
}

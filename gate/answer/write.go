package answer

import (
	"bufio"
	"errors"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Write returns the form as indented JSON with a final line break, which is how the built-in
// reviewer and tools answer. [Read] returns the same form; the order of the entries gives their
// positions.
func Write(f Form) string {
	type place struct {
		File string `json:"file"`
		Line any    `json:"line,omitempty"`
	}
	type entry struct {
		place
		Issue          string          `json:"issue"`
		Fix            string          `json:"fix,omitempty"`
		Priority       ledger.Priority `json:"priority"`
		SameAs         string          `json:"same_as,omitempty"`
		Also           []place         `json:"also,omitempty"`
		Flow           []place         `json:"flow,omitempty"`
		Title          string          `json:"title,omitempty"`
		Confidence     *float64        `json:"confidence,omitempty"`
		SystemBreaking bool            `json:"systemBreaking,omitempty"`
	}
	written := func(e ledger.Entry) entry {
		var also, flow []place
		for _, p := range e.Also {
			also = append(also, place{p.File, lineOf(p)})
		}
		for _, p := range e.Flow {
			flow = append(flow, place{p.File, lineOf(p)})
		}
		return entry{place{e.Place.File, lineOf(e.Place)}, e.Issue, e.Fix, e.Priority, e.SameAs, also, flow, e.Title, e.Confidence, e.SystemBreaking}
	}
	frame, err := text.MarshalJSON(struct {
		Status      Status             `json:"status"`
		Violations  []entry            `json:"violations"` // they are written one by one
		Claims      []ledger.ClaimWord `json:"claims,omitempty"`
		Disputes    []ledger.ClaimWord `json:"disputes,omitempty"`
		Known       []Gone             `json:"known,omitempty"`
		NotReviewed []string           `json:"not_reviewed,omitempty"`
		Notes       string             `json:"notes,omitempty"`
		Reason      string             `json:"reason,omitempty"`
	}{f.Status, []entry{}, f.Claims, f.Disputes, f.Known, f.NotReviewed, f.Notes, f.Reason}, "  ")
	before, after, _ := strings.Cut(string(frame), "[]")
	var b strings.Builder
	b.WriteString(before)
	lines := bufio.NewWriter(&b)
	err = errors.Join(err, text.WriteJSONArray(lines, text.Mapped(text.All(f.Violations), written), "  "), lines.Flush())
	if err != nil {
		panic(err) // possible only for a confidence that is not a number, which nothing reads
	}
	b.WriteString(after)
	return b.String()
}

// lineOf returns the value of the key line; nil for the whole file.
func lineOf(p ledger.Place) any {
	switch {
	case p.WholeFile():
		return nil
	case p.End == p.Start:
		return p.Start
	}
	return p.Lines()
}

package listings

import (
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// events describe the changes of a violation's status.
var events = Columns[ledger.Event]{
	{Key: "status", Value: func(e *ledger.Event) any { return string(e.Status) }, Column: text.Column{Title: "STATUS"},
		Cell: func(e *ledger.Event) text.Cell { return statusCell(e.Status) }},
	{Key: "actor", Value: func(e *ledger.Event) any { return string(e.Actor) }, Column: text.Column{Title: "BY"}},
	{Key: "iteration", Value: func(e *ledger.Event) any { return e.Iteration }, Column: text.Column{Title: "ITERATION", Right: true}},
	{Key: "result", Value: func(e *ledger.Event) any { return orNull(e.Result) }, Column: text.Column{Title: "RESULT", Cut: true}},
	{Key: "reason", Value: func(e *ledger.Event) any { return orNull(e.Reason) }, Column: text.Column{Title: "REASON", Cut: true}},
	{Key: "confirmed", Value: func(e *ledger.Event) any { return orNull(e.Confirmed) }},
	{Key: "at", Value: func(e *ledger.Event) any { return e.At }, Column: text.Column{Title: "WHEN"}},
}

// reviewerWords describe what reporters answered about claims and disputes.
var reviewerWords = Columns[ledger.ReviewerWord]{
	{Key: "iteration", Value: func(w *ledger.ReviewerWord) any { return w.Iteration }, Column: text.Column{Title: "ITERATION", Right: true}},
	{Key: "slot", Value: func(w *ledger.ReviewerWord) any { return w.Slot }},
	{Key: "adapter", Value: func(w *ledger.ReviewerWord) any { return w.Adapter }, Column: text.Column{Title: "SAID BY", Cut: true, Spare: true},
		Cell: func(w *ledger.ReviewerWord) text.Cell {
			by := fmt.Sprintf("%s@%d", w.Adapter, w.Slot)
			if w.Of != "" {
				by += " of " + w.Of
			}
			return text.Cell{Text: by}
		}},
	{Key: "of", Value: func(w *ledger.ReviewerWord) any { return orNull(w.Of) }},
	{Key: "verdict", Value: func(w *ledger.ReviewerWord) any { return string(w.Verdict) }, Column: text.Column{Title: "VERDICT"}},
	{Key: "evidence", Value: func(w *ledger.ReviewerWord) any { return orNull(w.Evidence) }, Column: text.Column{Title: "EVIDENCE", Cut: true}},
}

// reportsOfOne describe the reports of one violation.
var reportsOfOne = append(Reports.
	laidOut("adapter", text.Column{Title: "REPORTED BY", Cut: true, Spare: true}).
	laidOut("disposition", text.Column{Title: "DISPOSITION", Cut: true, Min: len(ledger.Accepted)}),
	Column[ledger.Report]{Key: "excerpt", Value: func(r *ledger.Report) any {
		if r.Excerpt.First == 0 { // it was not kept
			return nil
		}
		return r.Excerpt
	}})

// History returns the JSON form of the history of a violation. A filtered report has a history without
// a violation.
func History(h ledger.History) text.Object {
	var violation any
	if h.Violation.ID != "" {
		violation = Violations.Object(h.Violation)
	}
	return text.Object{
		{Key: "violation", Value: violation},
		{Key: "duplicates", Value: joined.Objects(h.Violation.Duplicates)},
		{Key: "events", Value: events.Objects(h.Events)},
		{Key: "reports", Value: reportsOfOne.Objects(h.Reports)},
		{Key: "words", Value: reviewerWords.Objects(h.Words)},
	}
}

// HistoryTables formats for people the events of a violation, its reports, and what its reporters
// answered about claims and disputes.
func HistoryTables(h ledger.History) (changes, reports, words text.Table) {
	return events.Table(h.Events, "at", "status", "actor", "iteration", "reason", "result"),
		reportsOfOne.Table(h.Reports, "iteration", "adapter", "priority", "disposition", "file", "issue"),
		reviewerWords.Table(h.Words, "iteration", "adapter", "verdict", "evidence")
}

// evidence describe the rows that an explanation is based on.
var evidence = Columns[ledger.Evidence]{
	{Key: "table", Value: func(e *ledger.Evidence) any { return e.Table }, Column: text.Column{Title: "ROW"}},
	{Key: "text", Value: func(e *ledger.Evidence) any { return e.Text }, Column: text.Column{Title: "CONTENT", Cut: true}},
	{Key: "at", Value: func(e *ledger.Evidence) any { return e.At }, Column: text.Column{Title: "WHEN"}},
}

// Why returns the JSON form of an explanation.
func Why(e ledger.Explanation) text.Object {
	return text.Object{
		{Key: "kind", Value: e.Kind},
		{Key: "subject", Value: e.Subject},
		{Key: "sentences", Value: WhySentences(e)},
		{Key: "rows", Value: evidence.Objects(e.Rows)},
		{Key: "looked_at", Value: lookedAt(e.LookedAt)},
	}
}

// WhySentences returns the sentences of an explanation: also who looked at the change, and which
// command prints the log.
func WhySentences(e ledger.Explanation) []string {
	sentences := append([]string{}, e.Sentences...)
	if e.LookedAt != nil {
		sentences = append(sentences, e.LookedAt.Sentence())
	}
	if e.Log != "" {
		sentences = append(sentences, fmt.Sprintf("Its log: `reviewledger log %s`.", text.ShellWord(e.Log)))
	}
	return sentences
}

// WhyTable formats for people the rows that an explanation is based on.
func WhyTable(e ledger.Explanation) text.Table { return evidence.Table(e.Rows, "table", "at", "text") }

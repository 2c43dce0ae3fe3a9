package agent

import (
	"context"
	"reflect"
	"slices"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
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

// briefKeys are the keys of a violation in a status. Empty values are left out, except for those
// that a model looks for.
var briefKeys = []string{
	"id", "gate", "slot", "adapter", "file", "line", "end_line", "priority", "status", "reason", "issue", "result", "reopened", "said", "gone", "related", "group", "duplicates",
}

func brief(ctx context.Context, l Ledger) (any, error) {
	p, err := l.Status(ctx)
	if err != nil {
		return nil, err
	}
	return briefStatus(p), nil
}

// briefStatus returns a status that is short enough for a model to read after every step. Each filtered
// report is listed at least with its ID, so that it can be taken up.
//
// Rule: What is filtered is counted and kept.
func briefStatus(p ledger.Progress) text.Object {
	limit := roomOfTexts(slices.Concat(p.Open, p.Unverified))
	open, unverified, filtered, warnings := p.Open, p.Unverified, ledger.FilteredEntries(p.Filtered), p.Warnings
	moreFiles := max(len(p.Files)-maxFiles, 0)
	p.Files, p.Failing = p.Files[:len(p.Files)-moreFiles], slices.Clone(p.Failing)
	for i := range p.Failing {
		p.Failing[i].Excerpt = briefly(p.Failing[i].Excerpt, max(excerptWords/len(p.Failing), shortestText))
	}
	short := slices.DeleteFunc(listings.Status(p), func(m text.Member) bool {
		return slices.Contains([]string{"open", "unverified", "filtered", "warnings"}, m.Key)
	})
	short = append(short, text.Object{
		{Key: "open", Value: briefFindings(open, limit)},
		{Key: "unverified", Value: briefFindings(unverified, limit)},
		{Key: "filtered", Value: briefReports(filtered[:min(len(filtered), maxFiltered)])},
	}...)
	var others []string
	for _, f := range filtered[min(len(filtered), maxFiltered):] {
		others = append(others, f.ID)
	}
	for _, m := range (text.Object{{Key: "more_filtered", Value: others}, {Key: "more_files", Value: moreFiles}, {Key: "warnings", Value: briefWarnings(warnings)}}) {
		if !isEmpty(m.Value) {
			short = append(short, m)
		}
	}
	return short
}

// roomOfTexts returns how many characters each text of findings may have.
func roomOfTexts(found []ledger.ListedViolation) int {
	texts := 0
	for _, v := range found {
		texts += 1 + len(v.Duplicates)
		for _, words := range []string{v.Result, v.Entry().Said, v.Gone.String()} {
			if words != "" {
				texts++
			}
		}
	}
	return min(max(briefWords/max(texts, 1), shortestText), longestText)
}

func briefReports(filtered []ledger.FilteredEntry) []text.Object {
	list := []text.Object{}
	for _, f := range filtered {
		report := text.Object{{Key: "id", Value: f.ID}, {Key: "file", Value: f.File}, {Key: "line", Value: f.Line}}
		if f.EndLine > 0 {
			report = append(report, text.Member{Key: "end_line", Value: f.EndLine})
		}
		list = append(list, append(report, text.Object{
			{Key: "priority", Value: f.Priority}, {Key: "reason", Value: f.Reason}, {Key: "issue", Value: briefly(f.Issue, filteredWords)},
		}...))
	}
	return list
}

func briefWarnings(all []string) (short []string) {
	for _, warning := range all[:min(len(all), maxWarnings)] {
		short = append(short, briefly(warning, warningWords))
	}
	return short
}

// briefFindings shortens findings to the most important keys and the first characters of each text.
func briefFindings(found []ledger.ListedViolation, limit int) []text.Object {
	list := []text.Object{}
	for _, v := range found {
		alone := v.Group() == v.ShortID && len(v.Related) == 0
		v.Issue, v.Result, v.Duplicates = briefly(v.Issue, limit), briefly(v.Result, limit), slices.Clone(v.Duplicates)
		for i := range v.Duplicates {
			v.Duplicates[i].Issue = briefly(v.Duplicates[i].Issue, limit)
		}
		v.Related = v.Related[:min(len(v.Related), maxRelated)]
		if v.Place.End <= v.Place.Start {
			v.Place.End = 0
		}
		object := text.Object{}
		for _, m := range listings.Outstanding.Pick(briefKeys...).Object(v) {
			switch words, _ := m.Value.(string); m.Key {
			case "said", "gone":
				m.Value = briefly(words, limit)
			case "group":
				if alone {
					continue
				}
			}
			if m.Key == "file" || m.Key == "line" || !isEmpty(m.Value) {
				object = append(object, m)
			}
		}
		list = append(list, object)
	}
	return list
}

// isEmpty reports whether a value is left out of a status.
func isEmpty(value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// briefly returns the beginning of a text, with an ellipsis if the text continues.
func briefly(words string, limit int) string {
	if cut := text.Truncate(words, limit); cut != words {
		return cut + "…"
	}
	return words
}

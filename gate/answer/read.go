package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// maxViolations is the largest number of violations that an answer may have.
const maxViolations = 100_000

// Read returns the form in the text, or what does not fit: the first thing in the text, then in its
// JSON, or the first few of its keys.
//
// Rule: What is not an answer is an error.
func Read(text string, asked Asked) (Form, *Misfit) {
	object, misfit := soleObject(valid(text))
	if misfit != nil {
		return Form{}, misfit
	}
	r := reader{asked: asked}
	r.object(object)
	if r.misfit != nil {
		return Form{}, r.allMisfits()
	}
	return r.form, nil
}

// reader fills a form from valid JSON.
type reader struct {
	asked  Asked
	form   Form
	misfit *Misfit // the first
	more   []*Misfit
}

// maxMisfits is how many things that do not fit are named.
const maxMisfits = 5

func (r *reader) wrong(path, what string, args ...any) {
	found := &Misfit{path, fmt.Sprintf(what, args...)}
	switch {
	case r.misfit == nil:
		r.misfit = found
	case len(r.more) < maxMisfits-1 && !found.follows(r.misfit) && !slices.ContainsFunc(r.more, found.follows):
		r.more = append(r.more, found)
	}
}

// follows reports whether a misfit follows from another one, as that of a list without an entry does
// from what is not a list.
func (m *Misfit) follows(from *Misfit) bool {
	return strings.HasPrefix(from.What, "must be") && (m.Path == from.Path || strings.HasPrefix(m.Path, from.Path+"/"))
}

// allMisfits returns the first misfit with the sentences of the others.
func (r *reader) allMisfits() *Misfit {
	all := *r.misfit
	for _, other := range r.more {
		all.What += "; " + other.Error()
	}
	return &all
}

func (r *reader) warn(path, what string, args ...any) {
	r.form.Warnings = append(r.form.Warnings, path+": "+fmt.Sprintf(what, args...))
}

func (r *reader) remark(path, what string, args ...any) {
	r.form.Remarks = append(r.form.Remarks, path+": "+fmt.Sprintf(what, args...))
}

// object reads the form itself.
func (r *reader) object(value string) {
	f := r.fields("", value)
	for _, c := range f {
		if !slices.Contains(formKeys, c.key) {
			r.wrong("/"+named(c.key), "unknown key")
		}
	}
	form := &r.form
	form.Status = Status(r.one("", f, "status", string(Pass), string(Fail), string(Error)))
	form.Reason = r.text("", f, "reason")
	form.Notes = strings.Join(appendText(appendText(nil, r.text("", f, "notes")), r.message(f)), "\n\n")
	if form.Status == Error && blank(form.Reason) {
		r.wrong("/reason", `must say why, with status "error"`)
	}
	if form.Status == Fail && f.get("violations") == "" || form.Status == Pass && f.get("violations") == "" && !f.plain() {
		r.wrong("/violations", "is missing: without any, it is []")
	}
	r.list("", f, "violations", func(path, value string) {
		if len(form.Violations) == maxViolations {
			r.wrong("/violations", "has more than %d entries", maxViolations)
			return
		}
		form.Violations = append(form.Violations, r.entry(path, value))
	})
	// A reviewer that could not review does not have to answer about each.
	optional := form.Status == Error || f.plain() && !r.asked.WordsRequired
	form.Claims = r.words(f, "claims", r.asked.Claims, optional || r.asked.ByAbsence, ledger.ClaimFixed, ledger.ClaimNotFixed, ledger.ClaimCannotTell)
	form.Disputes = r.words(f, "disputes", r.asked.Disputes, optional, ledger.DisputeWithdrawn, ledger.DisputeStands)
	if optional && form.Status != Error {
		form.Silent = r.unmentioned()
	}
	form.Known = r.known(f)
	r.list("", f, "not_reviewed", func(path, value string) {
		form.NotReviewed = append(form.NotReviewed, r.filled(path, value))
	})
	if form.Status == Fail && !form.supportsFail() && r.misfit == nil {
		r.wrong("/status", `"fail" needs a violation, a claim that is not fixed or a dispute that stands`)
	}
	form.settle()
}

// message reads the key message. With the status error it is the reason, unless there is one.
func (r *reader) message(f fields) string {
	message := r.text("", f, "message")
	if r.form.Status == Error && blank(r.form.Reason) {
		r.form.Reason, message = message, ""
	}
	return message
}

// unmentioned returns the ids on which a plain answer has no word. A reviewer that confirms by
// absence is not asked about claims.
func (r *reader) unmentioned() []string {
	if r.asked.ByAbsence {
		return slices.Clone(r.asked.Disputes)
	}
	return slices.Concat(r.asked.Claims, r.asked.Disputes)
}

// entry reads a violation.
//
// Rule: Violations count, whatever the status says.
func (r *reader) entry(path, value string) ledger.Entry {
	f := r.fields(path, value)
	e := ledger.Entry{Position: len(r.form.Violations) + 1}
	var priority string
	for _, required := range []struct {
		key  string
		text *string
	}{{"file", &e.Place.File}, {"issue", &e.Issue}, {"priority", &priority}} {
		text, ok := textOf(f.get(required.key))
		if required.key == "issue" && (!ok || blank(text)) {
			text, ok = r.instead(path, f, "issue", "description"), true
		}
		if !ok || blank(text) {
			e.Missing = append(e.Missing, required.key)
			continue
		}
		*required.text = text
	}
	for _, key := range e.Missing {
		switch {
		case r.asked.Last:
		case f.get(key) == "":
			r.wrong(path, "%q is missing", key)
		default:
			r.wrong(path, "%q must be text that is not blank", key)
		}
	}
	r.lines(path, f, &e.Place)
	e.Also = r.places(path, f, "also")
	if r.asked.Tool {
		e.Flow = r.places(path, f, "flow")
	}
	if e.Fix = r.text(path, f, "fix"); blank(e.Fix) {
		for _, other := range []string{"suggestion", "recommendation"} {
			if text, _ := textOf(f.get(other)); !blank(text) {
				e.Fix = r.instead(path, f, "fix", other)
				break
			}
		}
	}
	e.SameAs = normal(r.text(path, f, "same_as"))
	e.Priority = r.priority(path, priority)
	if r.asked.CodeReview {
		e.Title = r.text(path, f, "title")
		if number, err := strconv.ParseFloat(f.get("confidence"), 64); err == nil {
			e.Confidence = &number
		}
		e.SystemBreaking = f.get("systemBreaking") != "" && r.flag(path, f, "systemBreaking")
	}
	return e
}

// instead returns the text under another key that is read where one is missing, or "". It may be
// absent.
func (r *reader) instead(path string, f fields, key, other string) string {
	text, _ := textOf(f.get(other))
	if blank(text) {
		return ""
	}
	r.remark(path, "%q is read as %q, which is missing", other, key)
	return text
}

// places reads a list of places.
func (r *reader) places(path string, f fields, key string) (places []ledger.Place) {
	r.list(path, f, key, func(path, value string) {
		f := r.fields(path, value)
		place := ledger.Place{File: r.filled(path+"/file", f.get("file"))}
		r.lines(path, f, &place)
		places = append(places, place)
	})
	return places
}

// priority reads a priority that is not missing.
//
// Rule: Violations count, whatever the status says.
func (r *reader) priority(path, text string) ledger.Priority {
	if text == "" {
		return ""
	}
	priority, known := ledger.ParsePriority(text)
	if !known {
		r.warn(path, "the unknown priority %s counts as high", quote(text))
	}
	return priority
}

// words reads the verdicts on the claims or disputes that were asked about. There must be exactly
// one for each.
//
// Rule: Only an answer confirms.
func (r *reader) words(f fields, key string, put []string, optional bool, verdicts ...ledger.ClaimVerdict) (words []ledger.ClaimWord) {
	at := map[string]int{} // index in words, or -1 if there is no verdict yet
	for _, id := range put {
		at[normal(id)] = -1
	}
	r.list("", f, key, func(path, value string) {
		w := r.word(path, value, verdicts...)
		switch i, known := at[w.ID]; {
		case !known && w.ID == "": // see word
		case !known:
			r.wrong(path, "%s was not asked about", quote(w.ID))
		case i < 0:
			at[w.ID] = len(words)
			words = append(words, w)
		case words[i].Verdict != w.Verdict:
			r.wrong("/"+key, "%s appears twice, as %q and %q", quote(w.ID), words[i].Verdict, w.Verdict)
		}
	})
	if optional {
		return words
	}
	for _, id := range put {
		if at[normal(id)] < 0 {
			r.wrong("/"+key, "%s has no entry", quote(id))
		}
	}
	return words
}

func (r *reader) word(path, value string, verdicts ...ledger.ClaimVerdict) ledger.ClaimWord {
	f := r.fields(path, value)
	w := ledger.ClaimWord{ID: normal(r.filled(path+"/id", f.get("id")))}
	var allowed []string
	for _, v := range verdicts {
		allowed = append(allowed, string(v))
	}
	w.Verdict = ledger.ClaimVerdict(r.one(path, f, "verdict", allowed...))
	w.Evidence = r.filled(path+"/evidence", f.get("evidence"))
	return w
}

// known reads the reviewer's words on whether listed violations are gone.
func (r *reader) known(f fields) (known []Gone) {
	r.list("", f, "known", func(path, value string) {
		f := r.fields(path, value)
		g := Gone{ID: normal(r.filled(path+"/id", f.get("id"))), Gone: r.flag(path, f, "gone")}
		g.Evidence = r.filled(path+"/evidence", f.get("evidence"))
		if !has(r.asked.Known, g.ID) {
			r.remark(path, "ignored: %s was not listed", quote(g.ID))
			return
		}
		known = upsertGone(known, g)
	})
	return known
}

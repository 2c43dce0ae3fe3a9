package pages

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// offer is a mark that the page of a violation offers, as a button or as a command.
type offer struct {
	status      ledger.Status
	title, text string
	flags       []string // of the command; their words are to be replaced
}

// offers returns the marks in the order in which they are shown.
func offers() []offer {
	return []offer{
		{ledger.StatusFixed, "Claim that it is fixed", "a reviewer confirms that in the next run", []string{"--result", "what was changed"}},
		{ledger.StatusSkipped, "Skip it", "it stays as it is; say why", []string{"--reason", string(ledger.FalsePositive), "--result", "why it may stay"}},
		{ledger.StatusDisputed, "Dispute it", "its reviewer answers in the next run", []string{"--result", "why it is not a problem"}},
		{ledger.StatusNew, "Open it again", "this ends what it was marked as", nil},
	}
}

// marks shows the form that marks the violation, or the commands that do. It reports false if nothing
// can be marked, or not from here.
func (p Violation) marks(l links) (panel, bool) {
	v := p.History.Violation
	if l.team || !p.Current || p.Run.Worktree == "" {
		return panel{}, false
	}
	made := panel{Title: "Mark it", More: phrase{plain("in "), classed("mono", p.Run.Worktree)}}
	if form := p.form(l); form != nil {
		made.Form, made.More = form, words("recorded as a person's mark")
		made.Body, made.Footnote = p.instead(l), p.remembered()
	}
	for _, o := range offers() {
		if !p.takes(o.status) {
			continue
		}
		add := func(title string, group ...string) {
			args := slices.Concat([]string{"mark", v.ShortID}, group, []string{string(o.status)}, o.flags)
			made.Next = append(made.Next, step{
				badgeOf(o.status), plain(title), words(o.text), listings.Command(args...), listings.CommandIn(p.Run.Worktree, args...),
			})
		}
		if made.Form == nil {
			add(o.title)
		}
		if o.status == ledger.StatusFixed && v.Block != "" {
			add("Claim that its whole block is fixed", "--group")
		}
	}
	return made, made.Form != nil || len(made.Next) > 0
}

// form returns the form that marks the violation, or nil if the server cannot mark it: it marks what is
// in its own worktree, and skips what any abandoned run left.
func (p Violation) form(l links) *markForm {
	v := p.History.Violation
	if p.Form == nil || p.Run.Worktree != p.Form.Worktree && p.Run.Status != ledger.StatusAbandoned {
		return nil
	}
	made := &markForm{Action: l.violation(v.ShortID), Token: p.Form.Token, Version: v.Version(), Words: p.Form.Words, Worded: p.Form.Words != ""}
	for _, o := range offers() {
		if !p.takes(o.status) || v.DuplicateOf != "" && o.status != ledger.StatusNew {
			continue
		}
		made.Buttons = append(made.Buttons, markButton{string(o.status), o.title, o.text})
		made.Worded = made.Worded || o.status != ledger.StatusNew
		if o.status == ledger.StatusSkipped {
			made.Reasons = []choice{{Text: "none", Current: p.Form.Reason == ""}}
			for _, reason := range ledger.SkipReasons() {
				made.Reasons = append(made.Reasons, choice{strings.ReplaceAll(string(reason), "_", " "), string(reason), reason == p.Form.Reason})
			}
		}
	}
	if len(made.Buttons) == 0 {
		return nil
	}
	return made
}

// instead says where the problem of a duplicate is marked. Its page does not have the state of the
// original, so whoever marks must see that of the original first.
func (p Violation) instead(l links) []phrase {
	of := p.History.Violation.DuplicateOf
	if of == "" {
		return nil
	}
	return []phrase{{plain("What "), link(of, l.violation(of)), plain(" is marked as applies to this one, too.")}}
}

// remembered says what a person's skip means to later runs, if one can be made.
func (p Violation) remembered() string {
	if !p.takes(ledger.StatusSkipped) || p.History.Violation.DuplicateOf != "" || p.Run.Kind == ledger.KindCodeReview {
		return ""
	}
	return "Later runs remember a person's skip, unless its reason is deferred or out of scope, or it is about a whole file."
}

// answer returns the answer to a mark, and the name of the page if nothing was recorded. The words are
// kept in the form, if it is shown.
func (p Violation) answer(again bool) (name string, lead []panel) {
	f := p.Form
	switch {
	case f == nil:
	case f.Refused != "":
		made := panel{Title: "Not marked", Body: paragraphs(f.Refused)}
		if f.Words != "" && !again {
			made.Body = append(append(made.Body, phrase{bold("Your words")}), paragraphs(f.Words)...)
		}
		return "Not marked: " + headline(p.History.Violation.Issue), []panel{made}
	case f.Recorded != "":
		first, rest, _ := strings.Cut(f.Recorded, "\n")
		return "", []panel{{Title: "Marked", OK: first, Body: paragraphs(rest)}}
	}
	return "", nil
}

// takes reports whether the violation can get the mark.
func (p Violation) takes(s ledger.Status) bool {
	v := p.History.Violation
	m := ledger.Mark{Status: s, Result: "words", Actor: ledger.ActorHuman}
	if p.Run.Kind == ledger.KindCodeReview {
		return s != ledger.StatusDisputed && s != v.Status && m.CheckFindings([]ledger.ListedViolation{v}) == nil
	}
	if s == v.Status || m.Refuse(v) != "" {
		return false
	}
	d := ledger.Disputed{ReportedBy: append(slices.Clone(v.ReportedBy), ledger.Reporter{Slot: v.Slot, Adapter: v.Adapter}), Silent: []string{ledger.BuiltinAdapter}}
	d.Answered = slices.ContainsFunc(p.History.Events, func(e ledger.Event) bool { return e.Status == ledger.StatusDisputed }) && v.Status == ledger.StatusReopened
	return s != ledger.StatusDisputed || d.Refuse(v.ShortID) == ""
}

package pages

import (
	"slices"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// offer is a mark that the page of a violation offers as a command.
type offer struct {
	status      ledger.Status
	title, text string
	flags       []string
}

// offers returns the marks in the order in which they are shown. Their words are to be replaced.
func offers() []offer {
	return []offer{
		{ledger.StatusFixed, "Claim that it is fixed", "a reviewer confirms that in the next run", []string{"--result", "what was changed"}},
		{ledger.StatusSkipped, "Skip it", "it stays as it is; say why", []string{"--reason", string(ledger.FalsePositive), "--result", "why it may stay"}},
		{ledger.StatusDisputed, "Dispute it", "its reviewer answers in the next run", []string{"--result", "why it is not a problem"}},
		{ledger.StatusNew, "Open it again", "this ends what it was marked as", nil},
	}
}

// marks shows the commands that mark the violation. It reports false if nothing can be marked, or
// not from here.
func (p Violation) marks(l links) (panel, bool) {
	v := p.History.Violation
	if l.team || !p.Current || p.Run.Worktree == "" {
		return panel{}, false
	}
	made := panel{Title: "Mark it", More: phrase{plain("in "), classed("mono", p.Run.Worktree)}}
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
		add(o.title)
		if o.status == ledger.StatusFixed && v.Block != "" {
			add("Claim that its whole block is fixed", "--group")
		}
	}
	return made, len(made.Next) > 0
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

package verdict

import (
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Explain returns why a code review has its verdict: which findings count now, and what each
// earlier verdict was.
func Explain(state *ledger.State, v Verdict) ledger.Explanation {
	e := ledger.Explanation{Kind: "run", Subject: state.Run.ID}
	e.Say("This is the code review %s of %s %s; its verdict is %s: %s.", v.ReviewID, v.Scope, v.Target, v.Word, Meaning(v.Word))
	for _, f := range v.Counting() {
		if f.Priority.Rank() <= ledger.High.Rank() {
			e.Say("%s %s counts (%s): %s, %s.%s", SeverityOf(f.Priority), f.ID, f.why(), f.Place, ledger.Sentence(f.Title), f.wayOut())
		}
	}
	if now := Judge(v.Findings); now != v.Word {
		e.Say("Statuses were set since: a verification that confirmed no fix would give %s.", now)
	}
	computed := append(slices.Clone(v.Earlier), v.Computed)
	if n := len(computed); n > 1 {
		e.Say("It has %s; the latest counts.", ledger.Plural(n, "verdict"))
	}
	n := v.Summary() // which no verification changes
	for _, c := range computed {
		e.Rows = append(e.Rows, ledger.Evidence{Table: "verdict", At: c.At, Text: fmt.Sprintf(
			"iteration %d (%s): %s with %d Blocker, %d High, %d Medium, %d Low, %d Info",
			c.Iteration, c.Mode, c.Word, n.Blocker, n.High, n.Medium, n.Low, n.Info)})
	}
	e.RestOnRun(state)
	return e
}

// Meaning returns what the verdict means, as a clause.
func Meaning(w ledger.VerdictWord) string {
	switch w {
	case ledger.VerdictPass:
		return "no Blocker and no High finding counts"
	case ledger.VerdictWarn:
		return "no Blocker counts, but at least one High finding does"
	case ledger.VerdictFail:
		return "at least one Blocker counts"
	}
	return "a Blocker that breaks the system counts, so a person has to decide how to continue"
}

// why returns why the finding counts.
func (f Finding) why() string {
	switch {
	case f.Held():
		return "it breaks the system, and only an agent set it to wont_fix"
	case f.Status == ledger.StatusFixed:
		return "nobody has confirmed its fix"
	case f.Breaking():
		return FindingStatusOf(f.Status) + ", and it breaks the system"
	}
	return FindingStatusOf(f.Status)
}

// wayOut returns what a person can do about a held finding, or "" if it is not held.
func (f Finding) wayOut() string {
	if !f.Held() {
		return ""
	}
	return " A person settles it: `" + f.SettleCommand() + "`."
}

// SettleCommand returns the command with which a person settles the finding, so that it no longer
// counts. It uses the short id, because the finding's own id contains a domain name that others
// chose.
func (f Finding) SettleCommand() string {
	return "reviewledger mark " + f.ShortID + " skipped --as human --result '...'"
}

package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// Reporter is a reviewer that reported a violation: the adapter that filled the slot then.
type Reporter struct {
	Slot    int
	Adapter string
}

func (r Reporter) String() string { return fmt.Sprintf("%s@%d", r.Adapter, r.Slot) }

// MustAnswer are the reporters whose words a dispute of the violation needs, in the slots that
// are there: slot 1 stands in for those that are gone. Each of them has to withdraw the
// finding before it is closed, and one for whom it stands opens it again.
//
// Rule: Only its reporter withdraws a finding.
func (v Violation) MustAnswer(numReviews int) []Reporter {
	reporters := v.ReportedBy
	if len(reporters) == 0 {
		reporters = []Reporter{{v.Slot, v.Adapter}}
	}
	var list []Reporter
	for _, r := range reporters {
		if r.Slot = ResponsibleSlot(r.Slot, numReviews); !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// Absent are those that must answer a dispute of the violation and cannot: another adapter
// fills their slot, or nobody does. Adapters are who fills the slots, in their order.
//
// Rule: Only its reporter withdraws a finding.
func (v Violation) Absent(adapters []string) (absent []Reporter) {
	for _, r := range v.MustAnswer(len(adapters)) {
		if r.Slot > len(adapters) || adapters[r.Slot-1] != r.Adapter {
			absent = append(absent, r)
		}
	}
	return absent
}

// PutTo reports whether a dispute of the violation is put to the slot: if the slot has to
// answer it, and nobody else who has to is absent. An answer of some of them would settle nothing.
//
// Rule: Only its reporter withdraws a finding.
func (v Violation) PutTo(slot int, adapters []string) bool {
	return v.Status == StatusDisputed && len(v.Absent(adapters)) == 0 &&
		slices.ContainsFunc(v.MustAnswer(len(adapters)), func(r Reporter) bool { return r.Slot == slot })
}

// Waiting says for whom a dispute waits, and what can be done meanwhile.
func Waiting(v Violation, absent []Reporter) string {
	names := make([]string, 0, len(absent))
	for _, r := range absent {
		names = append(names, r.String())
	}
	return fmt.Sprintf("violation %s is disputed, and waits for %s, which reported it and is not asked now; a person may decide: reviewledger mark %s skipped --as human --result '…'",
		v.ShortID, strings.Join(names, " and "), v.ShortID)
}

// Disputed is what decides whether a violation may be disputed, beside its status.
type Disputed struct {
	// ReportedBy are all who reported it, and Answered whether a dispute of it was
	// answered before.
	ReportedBy []Reporter
	Answered   bool
	// Silent are the adapters that cannot answer: tools, and the built-in reviewer.
	Silent []string
	// Joined is how many others were joined to it.
	Joined int
}

// Refuse says why the violation with the short id cannot be disputed, with what can be
// done instead, or "" if it can.
//
// Rule: Only its reporter withdraws a finding.
func (d Disputed) Refuse(shortID string) string {
	for _, r := range d.ReportedBy {
		if slices.Contains(d.Silent, r.Adapter) {
			return fmt.Sprintf("violation %s was reported by %q, which cannot answer a dispute: fix it, or mark it skipped with --reason false_positive", shortID, r.Adapter)
		}
	}
	if d.Joined > 0 {
		return fmt.Sprintf("violation %s has %s: mark them new first, and dispute each, for each reporter answers for its own words", shortID, Plural(d.Joined, "duplicate"))
	}
	if d.Answered {
		return fmt.Sprintf("violation %s was disputed before, and its reporter answered: a person decides: fix it, or mark %s skipped --as human", shortID, shortID)
	}
	return ""
}

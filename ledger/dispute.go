package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// Reporter is a reviewer that reported a violation: the slot, and the adapter that filled it then.
type Reporter struct {
	Slot    int
	Adapter string
}

func (r Reporter) String() string { return fmt.Sprintf("%s@%d", r.Adapter, r.Slot) }

// mustAnswer returns the reporters that have to answer a dispute of the violation; slot 1 replaces
// slots that no longer exist. The finding is closed when all of them withdraw it, and reopened when
// one of them stands by it.
//
// Rule: Only its reporter withdraws a finding.
func (v Violation) mustAnswer(numReviews int) []Reporter {
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

// Absent returns, by the ULID of the problem, the reporters that must answer its dispute and
// cannot, because another adapter or nobody fills their slot. Then the other reporters of the
// problem are not asked either, because their answers alone would not settle it. planned has the
// fillers of the slots.
//
// Rule: Only its reporter withdraws a finding.
func Absent(violations []Violation, planned []Planned) map[string][]Reporter {
	absent := map[string][]Reporter{}
	for _, v := range violations {
		if v.Fate() != StatusDisputed {
			continue
		}
		var fillers []Filler
		if i := slices.IndexFunc(planned, func(p Planned) bool { return p.Job == v.Job }); i >= 0 {
			fillers = planned[i].Fillers
		}
		for _, r := range v.mustAnswer(len(fillers)) {
			if r.Slot > len(fillers) || fillers[r.Slot-1].Adapter != r.Adapter {
				absent[v.Problem()] = append(absent[v.Problem()], r)
			}
		}
	}
	return absent
}

// PutTo reports whether a dispute of the violation, or of its original, is put to the slot: the
// slot must be one that has to answer, and none of the reporters that have to answer may be absent.
//
// Rule: Only its reporter withdraws a finding.
// Rule: A duplicate has the fate of what it was joined to.
func (v Violation) PutTo(slot, numReviews int, absent map[string][]Reporter) bool {
	return v.Fate() == StatusDisputed && len(absent[v.Problem()]) == 0 &&
		slices.ContainsFunc(v.mustAnswer(numReviews), func(r Reporter) bool { return r.Slot == slot })
}

// Waiting returns which reporters a dispute waits for, and what can be done until they answer.
func Waiting(v Violation, absent []Reporter) string {
	names := make([]string, 0, len(absent))
	for _, r := range absent {
		names = append(names, r.String())
	}
	return fmt.Sprintf("violation %s is disputed, and waits for %s, which reported it and is not asked now; a person may decide: reviewledger mark %s skipped --as human --result '…'",
		v.ShortID, strings.Join(names, " and "), v.ShortID)
}

// Disputed has what decides, besides its status, whether a violation may be disputed.
type Disputed struct {
	// ReportedBy are all its reporters, and Answered is whether a dispute of it was answered
	// before.
	ReportedBy []Reporter
	Answered   bool
	// Silent lists the adapters that cannot answer: tools and the built-in reviewer.
	Silent []string `column:"-"`
}

// Refuse returns why the violation with the short id cannot be disputed, with what can be done
// instead, or "" if it can be.
//
// Rule: Only its reporter withdraws a finding.
func (d Disputed) Refuse(shortID string) string {
	for _, r := range d.ReportedBy {
		if slices.Contains(d.Silent, r.Adapter) {
			return fmt.Sprintf("violation %s was reported by %q, which cannot answer a dispute: fix it, or mark it skipped with --reason false_positive", shortID, r.Adapter)
		}
	}
	if d.Answered {
		return fmt.Sprintf("violation %s was disputed before, and its reporter answered: a person decides: fix it, or mark %s skipped --as human", shortID, shortID)
	}
	return ""
}

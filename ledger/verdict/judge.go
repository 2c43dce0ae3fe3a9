// Package verdict decides the result of a code review: which reports make one finding, and its ID
// (merge.go), which findings count and what verdict follows (judge.go), what the verdict file
// contains (document.go), what an edit of it means (edits.go), and why (why.go).
package verdict

import (
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// Mode is how a verdict was last computed: by a full or quick review, or by a verification.
type Mode string

const (
	Full   Mode = "full"
	Quick  Mode = "quick"
	Verify Mode = "verify"
)

func modes() []Mode { return []Mode{Full, Quick, Verify} }

// CodeReview has the fields of a verdict that are about the review as a whole.
type CodeReview struct {
	ReviewID       string // 8 hex digits
	Scope          ledger.VerdictScope
	Target         string
	ReviewDocument string // its path in the worktree; "" if there is none
}

// Held reports whether the finding counts although its file says wont_fix, because it breaks the
// system and only an agent has skipped it.
//
// Rule: The verdict counts what is open.
func (f Finding) Held() bool {
	return f.Breaking() && f.Status == ledger.StatusSkipped && f.Actor != ledger.ActorHuman
}

// Counts reports whether the finding counts for the verdict: it is open, its fix is claimed but not
// confirmed, or it is held.
//
// Rule: The verdict counts what is open.
func (f Finding) Counts() bool {
	return f.Status.Outstanding() || f.Held()
}

// Summary counts findings by severity, whatever their status.
type Summary struct {
	Blocker int `json:"blocker"`
	High    int `json:"high"`
	Medium  int `json:"medium"`
	Low     int `json:"low"`
	Info    int `json:"info"`
}

// Verdict is a code review as its file shows it.
type Verdict struct {
	CodeReview
	Computed
	// Earlier are the verdicts of the review before this one, the oldest first.
	Earlier  []Computed
	Run      string // ULID
	Findings []Finding
	// Filtered are the filtered reports of the review, the most important first.
	Filtered []ledger.Report
}

// Computed is what is computed after the review, and after each verification.
type Computed struct {
	Iteration int
	At        time.Time
	Mode      Mode
	Word      ledger.VerdictWord
}

// Counting returns the findings that count for the verdict.
func (v Verdict) Counting() (findings []Finding) {
	for _, f := range v.Findings {
		if f.Counts() {
			findings = append(findings, f)
		}
	}
	return findings
}

// Count returns the number of findings with the status.
func (v Verdict) Count(status ledger.Status) int {
	n := 0
	for _, f := range v.Findings {
		if f.Status == status {
			n++
		}
	}
	return n
}

// Summary counts the findings by severity, whatever their status.
func (v Verdict) Summary() Summary {
	var n [5]int
	for _, f := range v.Findings {
		n[f.Priority.Rank()]++
	}
	return Summary{n[0], n[1], n[2], n[3], n[4]}
}

// Judge computes the verdict from the findings that count. It is called at the end of a review or
// verification, when a finding that is still marked fixed has not been confirmed.
//
// Rule: The verdict counts what is open.
func Judge(findings []Finding) ledger.VerdictWord {
	word := ledger.VerdictPass
	for _, f := range findings {
		switch {
		case !f.Counts():
		case f.Breaking():
			return ledger.VerdictAbort
		case f.Priority == ledger.Critical:
			word = ledger.VerdictFail
		case f.Priority == ledger.High && word == ledger.VerdictPass:
			word = ledger.VerdictWarn
		}
	}
	return word
}

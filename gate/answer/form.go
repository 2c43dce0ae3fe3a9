package answer

import (
	"slices"

	"github.com/reviewledger/reviewledger/ledger"
)

// Status is the reviewer's overall result.
type Status string

// The statuses.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Error Status = "error"
)

// Form is an answer. Its texts are valid UTF-8 without NUL; ids are trimmed and in lower case.
// Names of files are as the reviewer wrote them.
type Form struct {
	// Status is Fail if a pass was declared but violations or words contradict it. In the result of
	// [Salvage] it is the declared status, or empty.
	Status      Status
	Reason      string
	Violations  []ledger.Entry
	Claims      []ledger.ClaimWord // in the order of the answer, one for each id
	Disputes    []ledger.ClaimWord
	Known       []Gone
	NotReviewed []string
	Notes       string
	// Warnings name unknown priorities, and Remarks whatever else was not taken literally, one
	// sentence each. Remarks are shown only in the log.
	Warnings, Remarks []string
}

// Gone is the reviewer's word on a violation that the prompt listed as known: whether it no longer
// exists.
type Gone struct {
	ID       string `json:"id"`
	Gone     bool   `json:"gone"`
	Evidence string `json:"evidence"`
}

// Asked is what only the prompt knows and an answer is checked against.
type Asked struct {
	Claims   []string // ids of claims to verify
	Disputes []string // ids of disputes to answer
	Known    []string // ids listed as known
	// ByAbsence allows claims without a word: such a reviewer confirms a claim by not reporting it
	// again.
	ByAbsence bool
	// CodeReview means that the keys of violations are read that only code reviews have.
	CodeReview bool
	// Last means that the reviewer will not be asked again: an entry of violations without its
	// required keys is then malformed, but does not make the whole answer unfit.
	Last bool
}

// refutes reports whether a word says that something is not settled.
func refutes(w ledger.ClaimWord) bool {
	return settling(w.Verdict) >= settling(ledger.ClaimCannotTell)
}

// supportsFail reports whether the form has a violation or a word that justifies the status
// fail.
func (f Form) supportsFail() bool {
	return len(f.Violations) > 0 || slices.ContainsFunc(f.Claims, refutes) || slices.ContainsFunc(f.Disputes, refutes)
}

// settle turns a pass into a failure if the form has something that justifies one.
//
// Rule: Violations count, whatever the status says.
func (f *Form) settle() {
	if f.Status == Pass && f.supportsFail() {
		f.Status = Fail
	}
}

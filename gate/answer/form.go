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

// Form is an answer. Its texts are valid UTF-8 without NUL, ids are trimmed and in
// lower case. Names of files are in the reviewer's words.
type Form struct {
	// Status is Fail if a pass was declared but violations or words contradict it. In what
	// [Salvage] returns it is what was declared, or empty.
	Status      Status
	Reason      string
	Violations  []ledger.Entry
	Claims      []ledger.ClaimWord // in the order of the answer, one for each id
	Disputes    []ledger.ClaimWord
	Known       []Gone
	NotReviewed []string
	Notes       string
	// Warnings name unknown priorities, and Remarks whatever else was not read as it is
	// written, one sentence each. Remarks are shown in the log only.
	Warnings, Remarks []string
}

// Gone is the reviewer's word on a finding that the prompt listed as known: whether it no
// longer exists.
type Gone struct {
	ID       string `json:"id"`
	Gone     bool   `json:"gone"`
	Evidence string `json:"evidence"`
}

// Asked is what an answer is checked against that only the prompt knows.
type Asked struct {
	Claims   []string // ids that were put for verification
	Disputes []string // ids of disputes that were put
	Known    []string // ids that were listed as known
	// ByAbsence allows claims to be left out: such a reviewer confirms a claim by not
	// reporting it again.
	ByAbsence bool
	// CodeReview reads the keys of an entry that only code reviews have.
	CodeReview bool
	// Last means that nobody will be asked again: an entry of violations without its
	// required keys is malformed, and does not make the whole unfit.
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

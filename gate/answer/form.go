package answer

import "slices"

// Status is the reviewer's overall result.
type Status string

// The statuses.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Error Status = "error"
)

// Verdict is the reviewer's result for one claim or dispute.
type Verdict string

// The verdicts on a claim, and those on a dispute.
const (
	Fixed      Verdict = "fixed"
	NotFixed   Verdict = "not_fixed"
	CannotTell Verdict = "cannot_tell"

	Withdrawn Verdict = "withdrawn"
	Stands    Verdict = "stands"
)

// Form is an answer. Its texts are valid UTF-8 without NUL, ids are trimmed and in
// lower case.
type Form struct {
	// Status is Fail if a pass was declared but violations or words contradict it. In what
	// [Salvage] returns it is what was declared, or empty.
	Status      Status
	Reason      string
	Violations  []Entry
	Claims      []Word // in the order of the answer, one for each id
	Disputes    []Word
	Known       []Gone
	NotReviewed []string
	Notes       string
	// Warnings name unknown priorities, and Remarks whatever else was not read as it is
	// written, one sentence each. Remarks are shown in the log only.
	Warnings, Remarks []string
}

// Lines are a range of lines, counted from 1. Zero means the file as a whole.
type Lines struct{ Start, End int }

// Place is where a problem is.
type Place struct {
	File string // in the reviewer's words
	Lines
}

// Entry is one reported violation.
type Entry struct {
	Position int    // in the answer, counted from 1
	File     string // in the reviewer's words
	Lines
	Also     []Place
	Issue    string
	Fix      string
	Priority string // critical, high, medium, low or info
	SameAs   string // the id of something that the prompt listed, or empty
	// Missing names the required keys that are missing, in the order file, issue, priority.
	// Such an entry is malformed; it is only accepted if [Asked.Last] is set.
	Missing []string

	// The following are set in code reviews only.
	Title          string
	Confidence     *float64 // nil without a number
	SystemBreaking bool
}

// Word is the reviewer's verdict on a claim or a dispute that it was asked about, with its
// evidence.
type Word struct {
	ID       string  `json:"id"`
	Verdict  Verdict `json:"verdict"`
	Evidence string  `json:"evidence"`
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
func (w Word) refutes() bool {
	return w.Verdict.rank() >= CannotTell.rank()
}

// supportsFail reports whether the form has a violation or a word that justifies the status
// fail.
func (f Form) supportsFail() bool {
	return len(f.Violations) > 0 || slices.ContainsFunc(f.Claims, Word.refutes) || slices.ContainsFunc(f.Disputes, Word.refutes)
}

// settle turns a pass into a failure if the form has something that justifies one.
//
// Rule: Violations count, whatever the status says.
func (f *Form) settle() {
	if f.Status == Pass && f.supportsFail() {
		f.Status = Fail
	}
}

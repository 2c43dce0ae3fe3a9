package answer

import (
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// plainKeys are the keys of a plain answer, as tools answer that know nothing of claims.
var plainKeys = []string{"status", "violations", "message"}

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
	// Notes is the key notes, and message, which plain answers have for it.
	Notes string
	// Silent has the ids of claims and disputes that were put and that a plain answer does not
	// mention. Only [Read] sets it: see [Form.Silence].
	Silent []string
	// UsesClaims reports whether the text has the key claims, and Incomplete whether it has a
	// violation that lacks a required key. Only [Salvage] sets them: after either, silence in the
	// second answer is not a plain answer.
	UsesClaims, Incomplete bool
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
	// WordsRequired means that a plain answer does not fit where claims were put.
	WordsRequired bool
	// Tool means that the answer is made of a tool's report: the places of a flow are read.
	Tool bool
	// CodeReview means that the keys of violations are read that only code reviews have.
	CodeReview bool
	// Last means that the reviewer will not be asked again: an entry of violations without its
	// required keys is then malformed, but does not make the whole answer unfit.
	Last bool
}

// Silence returns what does not fit in a plain answer where words are needed: which ids have no
// entry. It returns nil if there are none.
func (f Form) Silence(asked Asked) *Misfit {
	for _, put := range []struct {
		key string
		ids []string
	}{{"claims", asked.Claims}, {"disputes", asked.Disputes}} {
		var without []string
		for _, id := range put.ids {
			if slices.Contains(f.Silent, id) {
				without = append(without, quote(id))
			}
		}
		if len(without) > 0 {
			verb := "have"
			if len(without) == 1 {
				verb = "has"
			}
			return &Misfit{"/" + put.key, strings.Join(without, ", ") + " " + verb + " no entry"}
		}
	}
	return nil
}

// refutes reports whether a word says that something is not settled.
func refutes(w ledger.ClaimWord) bool {
	return verdictRank(w.Verdict) >= verdictRank(ledger.ClaimCannotTell)
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

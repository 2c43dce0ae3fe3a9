package clients

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Status is what an answer comes to.
type Status string

// The two statuses. The zero value is neither.
const (
	StatusPass Status = "pass"
	StatusFail Status = "fail"
	// statusError is an answer too: the reviewer says that it could not review.
	statusError Status = "error"
)

// Answer is what a reviewer said of one prompt, or of several merged.
type Answer struct {
	// Status is fail if the reviewer says so, or lists anything.
	Status Status
	// Declared is the status in the reviewer's words.
	Declared Status
	// Entries are all the violations listed, malformed ones too, in order.
	Entries []Entry
	// Claims are its words on the claims that it was asked to verify.
	Claims []ClaimWord
	// Drafts are violations that stand before a failing answer and are not in its list, or
	// in the prose around a passing one. If they are about files that are there, the answer
	// is ambiguous.
	Drafts []Entry
	// Warnings say what cannot be read of it, beside its entries.
	Warnings []string
	// Unexplained reports whether it says fail, or a merged part of it does,
	// and lists no violation. Such an answer cannot be recorded: it is an error.
	Unexplained bool
}

// AnswerError says why a text is not an answer that can be relied on.
type AnswerError struct {
	Reason string
	// Offset is the byte of the text that is to blame, or -1.
	Offset int
	// Invalid is the byte at which the JSON nearest to the blame goes wrong, or
	// -1.
	Invalid int
	// Declared reports that the text is an answer, and says that the reviewer could
	// not review. Reason is then in its words.
	Declared bool
}

// doubtAt is an error about a byte of the text.
func doubtAt(reason string, offset int) AnswerError {
	return AnswerError{Reason: reason, Offset: offset, Invalid: -1}
}

// Error returns one line for the log.
//
// Rule: What is not an answer is an error.
func (e *AnswerError) Error() string {
	if e.Declared {
		return "the reviewer could not review: " + e.Reason
	}
	text := "JSON parsing failed: " + e.Reason
	if e.Offset >= 0 {
		text += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Invalid >= 0 {
		text += fmt.Sprintf(" (invalid JSON at byte %d)", e.Invalid)
	}
	return text
}

// ParseAnswer finds the answer in a reviewer's text.
//
// The candidates are the top-level JSON objects whose status is pass or fail,
// in any letter case. If any says fail, or lists a violation, the last of
// these is the answer, else the last pass. Prose, fences and other objects do
// not matter, with one reservation: a pass stands only if nothing else in the
// text looks like a failing answer or a violation, such as an answer that is cut
// off, does not parse or is wrapped in another object, and a list of violations
// without an answer around it; and a fail stands only if nothing such comes after
// it. The candidate may be only an example that the reviewer gave before its answer. A
// status of error is a doubt of the same kind.
//
// Every error is an *[AnswerError].
func ParseAnswer(text string) (Answer, error) {
	if isBlank(text) {
		empty := doubtAt("the answer is empty", -1)
		return Answer{}, &empty
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	found := findObjects(text)
	pass, fail, doubts := readCandidates(text, found)

	chosen, from := pass, 0
	if fail != nil {
		chosen, from = fail, fail.start
	}
	for _, doubt := range doubts {
		if doubt.Offset >= from {
			return Answer{}, &doubt
		}
	}
	if chosen == nil {
		return Answer{}, &AnswerError{Reason: "no JSON object with a status of pass or fail", Offset: -1, Invalid: found.wrongBefore(len(text))}
	}
	if fail != nil {
		chosen.answer.Drafts = drafts(text, found.objects, fail)
	} else {
		chosen.answer.Drafts = proseFindings(text, found.objects)
	}
	chosen.answer.addStrayWords(text, found.objects)
	return chosen.answer, nil
}

// readCandidates returns the last passing and the last failing answer, or nil
// for none, and everything that casts doubt on them.
func readCandidates(text string, found scan) (pass, fail *candidate, doubts []AnswerError) {
	var failing []span
	for _, object := range found.objects {
		c, isCandidate, doubt := readCandidate(text, object)
		switch {
		case doubt.Reason != "":
			doubt.Offset, doubt.Invalid = object.start, -1
			doubts = append(doubts, doubt)
		case c.answer.Status == StatusFail:
			fail = &c
			failing = append(failing, object)
		case isCandidate:
			pass = &c
		}
	}
	if found.cut >= 0 {
		doubts = append(doubts, doubtAt("truncated JSON object", found.cut))
	}
	if found.deep >= 0 {
		doubts = append(doubts, doubtAt(fmt.Sprintf("JSON nested more than %d deep", maxDepth), found.deep))
	}
	if fail == nil { // else it says the same as the answer
		doubts = append(doubts, findFailLines(text)...)
	}
	return pass, fail, append(doubts, findFragments(text, found, failing)...)
}

// candidate is an answer that stands at start in the text.
type candidate struct {
	start  int
	answer Answer
}

// readCandidate decodes a top-level object. A doubt says why an object with
// the status of an answer does not count as one, or that it holds a violation and is not
// an answer that lists it.
func readCandidate(text string, object span) (c candidate, isCandidate bool, doubt AnswerError) {
	const shortest = len(`{"issue":""}`)
	if object.end-object.start < shortest {
		return candidate{}, false, AnswerError{}
	}
	raw := json.RawMessage(text[object.start:object.end])
	fields, err := readMembers(raw)
	if err != nil {
		return candidate{}, false, AnswerError{Reason: "undecodable JSON object (" + err.Error() + ")"}
	}
	declared, reason := declaredStatus(fields)
	switch {
	case reason != "":
		return candidate{}, false, AnswerError{Reason: reason}
	case declared == statusError:
		return candidate{}, false, AnswerError{Reason: reasonOf(fields), Declared: true}
	}
	answer := Answer{Status: declared, Declared: declared}
	if declared != "" {
		if reason = answer.readLists(fields); reason != "" {
			return candidate{}, false, AnswerError{Reason: reason}
		}
	}
	if answer.Status == StatusPass && statesError(fields) {
		return candidate{}, false, AnswerError{Reason: reasonOf(fields), Declared: true}
	}
	if answer.Status != StatusFail && holdsViolation(fields) {
		return candidate{}, false, AnswerError{Reason: "a violation outside of an answer"}
	}
	if answer.Status == StatusPass {
		reason = contradictsPass(fields)
	} else if answer.Status == StatusFail {
		reason = answer.beside(fields)
	}
	if reason != "" {
		return candidate{}, false, AnswerError{Reason: reason}
	}
	return candidate{object.start, answer}, declared != "", AnswerError{}
}

// readLists reads what an answer lists. A reason says why that is not possible.
func (a *Answer) readLists(fields members) (reason string) {
	listed, reason := listedViolations(fields, a.Declared)
	if reason != "" {
		return reason
	}
	for i, raw := range listed {
		a.Entries = append(a.Entries, readEntry(i+1, raw))
	}
	if len(a.Entries) > 0 {
		a.Status = StatusFail
	}
	a.Unexplained = a.Status == StatusFail && len(a.Entries) == 0
	a.Claims, a.Warnings = readClaims(fields)
	return ""
}

// declaredStatus returns the status that an object states, or "" if it is none
// of an answer. Where a key is repeated, JSON says nothing of which counts: a
// fail does.
func declaredStatus(fields members) (status Status, reason string) {
	found := map[Status]bool{}
	for _, raw := range fields.all("status") {
		word, _ := stringValue(raw)
		found[Status(strings.ToLower(strings.TrimSpace(word)))] = true
	}
	switch {
	case found[StatusFail]:
		return StatusFail, ""
	case len(found) > 1 && (found[StatusPass] || found[statusError]):
		return "", "two different statuses in the JSON object"
	case found[StatusPass]:
		return StatusPass, ""
	case found[statusError]:
		return statusError, ""
	}
	return "", ""
}

// statesError reports whether an answer tells of an error beside its status.
func statesError(fields members) bool {
	return isError(fields.last("error")) || isError(fields.last("refusal"))
}

// isError reports whether the value of a key for errors tells of one.
func isError(raw json.RawMessage) bool {
	switch strings.ToLower(anyText(raw)) {
	case "", "null", "none", "no", "n/a", "false", "0", "{}", "[]":
		return false
	}
	return true
}

// maxReason is the longest reason, in bytes, that an error keeps of the reviewer's words.
const maxReason = 500

// reasonOf is why a reviewer could not review, in its own words.
func reasonOf(fields members) string {
	reason := strings.Join(strings.Fields(anyText(fields.last("reason", "message", "error", "refusal"))), " ")
	if reason == "" {
		return "it gives no reason"
	}
	if len(reason) > maxReason {
		reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
	}
	return reason
}

// listedViolations returns the entries of every violations key of an answer.
func listedViolations(fields members, declared Status) (entries []json.RawMessage, reason string) {
	for _, raw := range fields.all("violations") {
		var list []json.RawMessage
		switch {
		case string(raw) == "null" && declared == StatusPass:
		case raw[0] != '[' || json.Unmarshal(raw, &list) != nil:
			return nil, "violations is not an array in the JSON object"
		}
		entries = append(entries, list...)
	}
	return entries, ""
}

// MergeAnswers returns the answers to the parts of one prompt as one: any fail
// makes it fail, and the entries are renumbered. Without any answer the
// result has no status.
func MergeAnswers(answers []Answer) Answer {
	var merged Answer
	var claims claimReader
	for _, a := range answers {
		if merged.Status != StatusFail {
			merged.Status = a.Status
		}
		if merged.Declared != StatusFail {
			merged.Declared = a.Declared
		}
		merged.Unexplained = merged.Unexplained || a.Unexplained
		for _, word := range a.Claims {
			claims.add(word)
		}
		merged.Warnings = append(merged.Warnings, a.Warnings...)
		merged.Drafts = append(merged.Drafts, a.Drafts...)
		for _, entry := range a.Entries {
			entry.Position = len(merged.Entries) + 1
			merged.Entries = append(merged.Entries, entry)
		}
	}
	merged.Claims = claims.words
	return merged
}

package review

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
)

// Answer is what a reviewer said of one prompt, or of several merged.
type Answer struct {
	// Status is fail if the reviewer says so, or lists anything.
	Status Status
	// Declared is the status in the reviewer's words.
	Declared Status
	// Entries are all the violations listed, malformed ones too, in order.
	Entries []Entry
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
}

// Error returns one line for the log.
//
// Rule: What is not an answer is an error.
func (e *AnswerError) Error() string {
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
// text looks like a failing answer, such as one that is cut off, does not parse
// or is wrapped in another object; and a fail stands only if nothing such comes
// after it. For the candidate may be no more than an example that the reviewer
// gave on its way to the answer.
//
// Every error is an *[AnswerError].
func ParseAnswer(text string) (Answer, error) {
	if isBlank(text) {
		return Answer{}, &AnswerError{Reason: "the answer is empty", Offset: -1, Invalid: -1}
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
		return Answer{}, &AnswerError{"no JSON object with a status of pass or fail", -1, found.wrongBefore(len(text))}
	}
	return chosen.answer, nil
}

// readCandidates returns the last passing and the last failing answer, or nil
// for none, and everything that casts doubt on them.
func readCandidates(text string, found scan) (pass, fail *candidate, doubts []AnswerError) {
	var failing []span
	for _, object := range found.objects {
		c, isCandidate, reason := readCandidate(text, object)
		switch {
		case reason != "":
			doubts = append(doubts, AnswerError{reason, object.start, -1})
		case isCandidate && c.answer.Status == StatusFail:
			fail = &c
			failing = append(failing, object)
		case isCandidate:
			pass = &c
		}
	}
	if found.cut >= 0 {
		doubts = append(doubts, AnswerError{"truncated JSON object", found.cut, -1})
	}
	return pass, fail, append(doubts, findFragments(text, found, failing)...)
}

// candidate is an answer that stands at start in the text.
type candidate struct {
	start  int
	answer Answer
}

// readCandidate decodes a top-level object. A reason says why an object with
// the status of an answer cannot be taken for one.
func readCandidate(text string, object span) (c candidate, isCandidate bool, reason string) {
	const shortest = len(`{"status":"pass"}`)
	if object.end-object.start < shortest {
		return candidate{}, false, ""
	}
	fields, err := readMembers([]byte(text[object.start:object.end]))
	if err != nil {
		return candidate{}, false, "undecodable JSON object (" + err.Error() + ")"
	}
	declared, reason := declaredStatus(fields)
	if declared == "" || reason != "" {
		return candidate{}, false, reason
	}
	answer := Answer{Status: declared, Declared: declared}
	listed, reason := listedViolations(fields, declared)
	if reason != "" {
		return candidate{}, false, reason
	}
	for i, raw := range listed {
		answer.Entries = append(answer.Entries, readEntry(i+1, raw))
	}
	if len(answer.Entries) > 0 {
		answer.Status = StatusFail
	}
	answer.Unexplained = answer.Status == StatusFail && len(answer.Entries) == 0
	return candidate{object.start, answer}, true, ""
}

// declaredStatus returns the status that an object states, or "" if it is none
// of an answer. Where a key is repeated, JSON says nothing of which counts: a
// fail does.
func declaredStatus(fields members) (status Status, reason string) {
	others := false
	for _, raw := range fields.all("status") {
		word, _ := stringValue(raw)
		switch Status(strings.ToLower(strings.TrimSpace(word))) {
		case StatusFail:
			return StatusFail, ""
		case StatusPass:
			status = StatusPass
		default:
			others = true
		}
	}
	if status == StatusPass && others {
		return "", "two different statuses in the JSON object"
	}
	return status, ""
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
// makes it fail, and the entries are numbered anew. Without any answer the
// result has no status.
func MergeAnswers(answers []Answer) Answer {
	var merged Answer
	for _, a := range answers {
		if merged.Status != StatusFail {
			merged.Status = a.Status
		}
		if merged.Declared != StatusFail {
			merged.Declared = a.Declared
		}
		merged.Unexplained = merged.Unexplained || a.Unexplained
		for _, entry := range a.Entries {
			entry.Position = len(merged.Entries) + 1
			merged.Entries = append(merged.Entries, entry)
		}
	}
	return merged
}

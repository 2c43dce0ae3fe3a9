package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// Answer is what a slot's reviewer said, as it was parsed.
type Answer struct {
	// Fail reports whether the answer's own status was "fail".
	Fail    bool
	Entries []Entry
	// Claims are the answer's words on claims that the reviewer was asked about.
	Claims []ClaimWord
}

// Entry is one violation of an answer.
type Entry struct {
	Position int // 1-based
	Place    Place
	// WholeChange reports that the place is not a file of either tree: the entry is about
	// the whole change, and is part of every diff.
	WholeChange bool
	// Claim is the short id of the claim that the entry says is still there; empty if
	// it names none.
	Claim          string
	Issue, Fix     string
	Priority       Priority
	Title          string
	Confidence     *float64 // nil: not given
	SystemBreaking bool
	// Missing names the required fields that the entry lacks; it is malformed
	// if there are any.
	Missing []string
}

// ClaimWord is what an answer says of one claim.
type ClaimWord struct {
	// ID is the claim's short id.
	ID string
	// Fixed is false also where the reviewer's word could not be read.
	Fixed bool
	// Evidence is why the reviewer thinks so; it may be empty.
	Evidence string
}

// Known is an earlier violation of the job.
type Known struct {
	Violation
	// Carried is where its lines are in the tree that was reviewed.
	Carried
	// WasClaim reports whether it was a claim when the iteration began.
	WasClaim bool
	// Shown reports whether this slot was asked to verify it.
	Shown bool
}

// Carried is where the lines of an earlier violation are in the tree that was
// reviewed.
type Carried struct {
	// Here is where most of them are.
	Here Place
	// Moved are the places of the others.
	Moved []Place
	// Rewritten reports whether some of them are gone, as if they had been fixed, and
	// Shifted whether the change removed some and added them again as they were.
	Rewritten, Shifted bool
	// Files are more files that hold lines now that stood at the place, or next to it.
	Files []string
}

// Facts tells what an answer's places mean in the tree that was reviewed.
type Facts struct {
	// Entries are in the order of the answer's entries.
	Entries []EntryFacts
	// Carried holds the places of earlier violations by ULID. One that is not there
	// counts as its whole file.
	Carried map[string]Carried
	// Remembered are the skips of earlier runs on the entries' lines.
	Remembered []Remembered
}

// EntryFacts tells what is at an entry's place.
type EntryFacts struct {
	// InDiff reports whether the place lies on a changed line.
	InDiff bool
	// InFixLines reports whether the place lies on a line that changed since the
	// slot's last answer.
	InFixLines bool
	// Line is the place's first line, and Fingerprint what recognises it in other
	// runs; it is empty where the line is not known.
	Line        LineFact
	Fingerprint string
	// Identifiers are the words of the code at the place and 3 lines around it.
	Identifiers []string
}

// LineFact is a line of a file as it was reviewed.
type LineFact struct {
	// Known reports whether the line is there. The whole file has an empty text.
	Known bool
	// Text is the line without the white space around it.
	Text string
	// Occurrence is how many lines above it have the same text, and Repeated whether
	// any other line of the file has.
	Occurrence int
	Repeated   bool
	// Hash is GitHub's primaryLocationLineHash of it, which covers the code after it,
	// too; of the whole file it is that of line 1.
	Hash string
}

// entry is what is known of the entry with the index. Without facts the entry counts
// as in the diff, so that nothing is filtered for want of them.
func (f Facts) entry(index int) EntryFacts {
	if index < len(f.Entries) {
		return f.Entries[index]
	}
	return EntryFacts{InDiff: true}
}

// CarriedFrom is where the lines of a violation are, which stood at the place of was when
// the iteration began. A place in a tree that is not known, of a run that was rebuilt
// from files, counts as its whole file; except for a skipped violation, for there the
// wider place would filter more.
func (f Facts) CarriedFrom(v, was Violation) Carried {
	carried, known := f.Carried[v.ID]
	switch {
	case was.Reviewed != "" && known:
		return carried
	case was.Reviewed == "" && v.Status == StatusSkipped:
		return Carried{Here: was.Place}
	}
	return Carried{Here: Place{File: was.Place.File}}
}

// Rules are the settings of an evaluation.
type Rules struct {
	Slot int
	// AnsweredBefore reports whether the slot has answered before in this run:
	// only then does the threshold apply.
	AnsweredBefore bool
	Threshold      Priority
	// WholeFiles accepts places on unchanged lines too.
	WholeFiles bool
	// Verify makes it the verification of a verdict: what matches nothing earlier
	// stays outside of it, and what may be meant by a report is reopened.
	Verify bool
}

// Evaluated is an entry with what becomes of it.
type Evaluated struct {
	Entry
	Disposition Disposition
	Reason      string
	InFixLines  bool
	// Line is the entry's first line, of its own place.
	Line LineFact
	// Match is the ULID of the earlier violation that the report is about; for
	// an accepted report "" means that it makes a new one.
	Match string
	// Remembered is the skip of an earlier run that the report repeats, if it is left
	// out because of it; else nil.
	Remembered *Remembered
}

// Evaluation is what a slot's answer means.
type Evaluation struct {
	Status SlotStatus // pass, fail or error
	// Reason says why the slot is in error.
	Reason  string
	Reports []Evaluated
	// Verified and Reopened are the ULIDs of the violations whose status the
	// answer changes.
	Verified, Reopened []string
	// Evidence is what the answer gives as evidence for these changes, by ULID.
	Evidence map[string]string
	Warnings []string
}

// Count is how many reports have the disposition.
func (e Evaluation) Count(d Disposition) int {
	n := 0
	for _, r := range e.Reports {
		if r.Disposition == d {
			n++
		}
	}
	return n
}

// Evaluate decides what becomes of each entry of an answer, and of the claims that the
// slot was asked to verify. Each entry gets one disposition. Malformed entries go first,
// then those off the changed lines; the others are matched with earlier violations, and
// what matches none is filtered by the threshold. Entries off the changed lines are
// matched, too, where they may be about a claim: a claim is never verified by the
// silence of a reviewer whose words a filter took away.
//
// Rule: The range filter comes first.
// Rule: A known violation bypasses the threshold.
// Rule: Missing fields are named.
func Evaluate(answer Answer, known []Known, facts Facts, rules Rules) Evaluation {
	e := newEvaluator(answer, known, facts, rules)
	e.match()
	for i := range e.reports {
		e.settle(i)
	}
	result := Evaluation{Reports: e.reports, Warnings: append(warnings(e.reports), e.unknownWords()...)}
	result.Status, result.Reason = e.slotStatus(answer, result)
	if result.Status != SlotError {
		e.change(&result)
	}
	return result
}

// evaluator evaluates one answer.
type evaluator struct {
	known   []Known
	reports []Evaluated
	facts   Facts
	rules   Rules
	words   map[string]ClaimWord // the answer's words on claims, by ULID
	unknown []string             // ids of words that fit no claim

	// wording and knownWording number the normalised issues of the entries and
	// of known, for they are compared with one another many times.
	wording, knownWording []int
	wordings              map[string]int

	// placed are the earlier violations by the places where they are now; claimed are
	// those among them that were claims.
	placed, claimed placeIndex
	// byWording are indexes of known by wording, and wordedPlaces their places.
	byWording    map[int][]int
	wordedPlaces map[int]placeIndex
	// matched is the report that each earlier violation is matched with, by index, and
	// about the violation that each report is matched with; -1 if there is none. A
	// skipped one is matched with the report that it suppresses.
	matched, about []int
	// matchedBy is the rule that matched the report.
	matchedBy []matchRule
	// contained are pairs of a report and a claim whose words it has, too, though it was
	// matched with another one.
	contained []rankedPair
	// bypasses are reports in the words of a skip, at its place, and more important.
	bypasses []bool
	// met are the ULIDs of the remembered skips that cover a report.
	met map[string]bool
	// remembered are indexes of the remembered skips by fingerprint, made when they are
	// asked for, and claimedWordings tells of a wording whether a claim has it.
	remembered      map[string][]int
	claimedWordings map[int]bool
	// malformed are the reports that lack something.
	malformed malformedReports
	rare      rareWords
}

func newEvaluator(answer Answer, known []Known, facts Facts, rules Rules) *evaluator {
	e := &evaluator{
		known: slices.Clone(known), facts: facts, rules: rules,
		wordings: map[string]int{}, byWording: map[int][]int{}, wordedPlaces: map[int]placeIndex{}, claimedWordings: map[int]bool{},
		matched:   slices.Repeat([]int{-1}, len(known)),
		about:     slices.Repeat([]int{-1}, len(answer.Entries)),
		matchedBy: make([]matchRule, len(answer.Entries)), bypasses: make([]bool, len(answer.Entries)),
	}
	var all, claims []indexedPlace
	for i := range e.known {
		k := &e.known[i]
		k.Here = k.Here.ordered()
		wording := e.number(k.Issue)
		e.knownWording, e.byWording[wording] = append(e.knownWording, wording), append(e.byWording[wording], i)
		for _, place := range k.places() {
			all = append(all, indexedPlace{place, i})
			if k.WasClaim {
				claims = append(claims, indexedPlace{place, i})
			}
		}
	}
	e.placed, e.claimed = indexPlaces(all), indexPlaces(claims)
	e.readWords(answer.Claims)
	for i, entry := range answer.Entries {
		entry.Place = entry.Place.ordered()
		entry.Priority, _ = ParsePriority(string(entry.Priority))
		fact := facts.entry(i)
		e.reports = append(e.reports, Evaluated{Entry: entry, Disposition: Accepted, Line: fact.Line})
		e.wording = append(e.wording, e.number(entry.Issue))
		e.filterPlace(&e.reports[i], fact)
	}
	e.malformed = indexMalformed(e.reports, e.wording)
	e.rare = newRareWords(e)
	return e
}

// places are all places where the violation is now.
func (k *Known) places() []Place {
	places := []Place{k.Here}
	for _, place := range k.Moved {
		places = append(places, place.ordered())
	}
	return places
}

// meets reports whether the violation is at the place now.
func (k *Known) meets(place Place) bool {
	return k.Here.Meets(place) || slices.ContainsFunc(k.Moved, func(p Place) bool { return p.ordered().Meets(place) })
}

// claim reports whether the violation was a claim that nobody has skipped since.
func (k *Known) claim() bool { return k.WasClaim && k.Status != StatusSkipped }

// number is the same for issues that [SameText] finds the same.
func (e *evaluator) number(issue string) int {
	text := normalize(issue)
	if _, seen := e.wordings[text]; !seen {
		e.wordings[text] = len(e.wordings)
	}
	return e.wordings[text]
}

// worded are the places of the earlier violations that have the entry's wording.
func (e *evaluator) worded(entry int) placeIndex {
	wording := e.wording[entry]
	index, ok := e.wordedPlaces[wording]
	if !ok {
		var list []indexedPlace
		for _, i := range e.byWording[wording] {
			for _, place := range e.known[i].places() {
				list = append(list, indexedPlace{place, i})
			}
		}
		index = indexPlaces(list)
		e.wordedPlaces[wording] = index
	}
	return index
}

// says reports whether the entry has the wording of the earlier violation.
func (e *evaluator) says(entry, known int) bool { return e.wording[entry] == e.knownWording[known] }

// slotStatus is the slot's status by its answer alone. A "fail" that names
// nothing usable is an error, never a pass.
func (e *evaluator) slotStatus(answer Answer, result Evaluation) (SlotStatus, string) {
	malformed := result.Count(Malformed)
	switch {
	case result.Count(Accepted) > 0 || e.contradicts():
		return SlotFail, ""
	case malformed > 0:
		return SlotError, fmt.Sprintf("no usable violations: %d malformed", malformed)
	case answer.Fail && len(answer.Entries) == 0:
		return SlotError, `the answer says "fail" but does not name a violation`
	}
	return SlotPass, ""
}

// WellFormed reports whether the answer is of use whatever it is about.
func (a Answer) WellFormed() bool {
	return !(a.Fail && len(a.Entries) == 0) &&
		!slices.ContainsFunc(a.Entries, func(e Entry) bool { return len(e.Missing) > 0 })
}

func warnings(reports []Evaluated) []string {
	var list []string
	for _, r := range reports {
		if r.Disposition == Malformed {
			list = append(list, fmt.Sprintf("violation %d is left out: missing %s", r.Position, strings.Join(r.Missing, ", ")))
		}
	}
	return list
}

// SameText reports whether two issues say the same, whatever their letter case,
// white space and the end of their sentence. Other closing punctuation may be
// what the issue is about.
func SameText(a, b string) bool { return normalize(a) == normalize(b) }

func normalize(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if trimmed := strings.TrimRight(text, ".!\u2026\u3002 "); trimmed != "" {
		return trimmed
	}
	return text
}

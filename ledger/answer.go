package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Answer is a reviewer's parsed answer in the terms of the ledger.
type Answer struct {
	// Error says why the slot is in error although a part of its answer counts: its reports count,
	// and its confirmations do not. It is empty if the whole answer counts.
	Error   string
	Entries []Entry
	// Claims and Disputes have one word on each claim or dispute. Gone lists known findings that
	// the reviewer no longer sees.
	Claims, Disputes []ClaimWord
	Gone             []GoneWord
	// Passed reports whether the answer is a pass, of every part of its prompt, that lists no
	// violation. It confirms claims on which the answer has no word.
	Passed bool
	// Notes are free text. No decision depends on them.
	Notes string
}

// Entry is one violation in an answer. At first its places have the names of files that the
// reviewer wrote, and the ledger's once those are looked up.
type Entry struct {
	Position int // 1-based
	Place    Place
	// Also has further places of the same problem.
	Also []Place
	// Flow has places through which a tool says that the problem leads. They count for whether it is
	// in range, and for nothing else.
	Flow []Place
	// WholeChange reports whether the place is not a file of either tree: then the entry is about
	// the whole change, and is part of every diff.
	WholeChange bool
	// SameAs is the short id of the earlier violation that the reviewer says it reports again, or
	// "".
	SameAs         string
	Issue, Fix     string
	Priority       Priority
	Title          string
	Confidence     *float64 // nil if not given
	SystemBreaking bool
	// Missing has the names of the required fields that the entry lacks. If there are any, it is
	// malformed.
	Missing []string
}

// Places returns the entry's place and all other places of its problem.
func (e Entry) Places() []Place { return append([]Place{e.Place}, e.Also...) }

// ClaimVerdict is a word with which a reviewer answers a claim or a dispute.
type ClaimVerdict string

// The words on a claim, and those on a dispute.
const (
	ClaimFixed      ClaimVerdict = "fixed"
	ClaimNotFixed   ClaimVerdict = "not_fixed"
	ClaimCannotTell ClaimVerdict = "cannot_tell"

	DisputeWithdrawn ClaimVerdict = "withdrawn"
	DisputeStands    ClaimVerdict = "stands"

	// NoWord is recorded where a plain answer neither mentions a claim nor confirms it as a whole.
	// No answer contains it.
	NoWord ClaimVerdict = "no_word"
	// ClaimGone is recorded where a reviewer says that an open violation, which nobody claims to be fixed, is
	// gone. See [GoneWord].
	ClaimGone ClaimVerdict = "gone"
)

// Confirmation is how a reviewer confirmed a claim.
type Confirmation string

// The ways to confirm a claim: with a word on it, by a pass without a word on it, and by no longer
// reporting it. [Weakest] orders them.
const (
	ConfirmedByWord    Confirmation = "word"
	ConfirmedByAbsence Confirmation = "absence"
	ConfirmedByPass    Confirmation = "pass"
)

// Weakest returns the weakest of the confirmations by the reporters of one problem: a pass without a
// word, then absence, then a word. It is "" if there are none.
func Weakest(all ...Confirmation) (weakest Confirmation) {
	order := []Confirmation{"", ConfirmedByWord, ConfirmedByAbsence, ConfirmedByPass}
	for _, c := range all {
		if slices.Index(order, c) > slices.Index(order, weakest) {
			weakest = c
		}
	}
	return weakest
}

// PassedWithoutWord is the evidence of a claim that a pass confirms.
const PassedWithoutWord = "passed without a word on it"

// Confirms reports whether the word closes the claim or dispute that it answers.
func (v ClaimVerdict) Confirms() bool { return v == ClaimFixed || v == DisputeWithdrawn }

// ClaimWord is a reviewer's answer to one claim or dispute, with its evidence.
type ClaimWord struct {
	// ID is the violation's short id.
	ID       string       `json:"id"`
	Verdict  ClaimVerdict `json:"verdict"`
	Evidence string       `json:"evidence"`
}

// ReviewerWord is the word of one reporter of a violation on a claim or a dispute in an iteration.
// The event has only the words of the first reporter. Violation, by its ULID, and Of, its short ID, are the
// one about which the reporter was asked, perhaps a duplicate; in a [History], Of is empty if it was asked
// about the violation itself.
type ReviewerWord struct {
	Violation, Of   string
	Job             string
	Iteration, Slot int
	Adapter         string
	Verdict         ClaimVerdict
	Evidence        string
	// Confirmed is how the word confirms the claim, or "" if it does not.
	Confirmed Confirmation
}

// GoneWord says that a known finding, which nobody marked fixed, is no longer in the code.
type GoneWord struct{ ID, Evidence string }

// Gone is who last said that a finding is gone although nobody claims that it is fixed, and why.
// By, as in "codex@2", is empty if nobody did. Iteration is when, or 0 if that was not asked for.
type Gone struct {
	By, Evidence string
	Iteration    int
}

// Slot returns the slot of the reviewer that said so, or 0.
func (g Gone) Slot() int {
	slot, _ := strconv.Atoi(g.By[strings.LastIndexByte(g.By, '@')+1:])
	return slot
}

// String returns both as one text, as files and listings show them, or "" if nobody said so.
func (g Gone) String() string {
	if g.By == "" {
		return ""
	}
	return g.By + ": " + g.Evidence
}

// MarshalText implements [encoding.TextMarshaler] with [Gone.String].
func (g Gone) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// Known is an earlier violation of the same job and run that an answer may be about.
type Known struct {
	Violation
	// Whereabouts is where its lines are in the tree that was reviewed.
	Whereabouts
	// WasClaim, WasDisputed and WasOpen are its state when the iteration began. A disputed
	// violation is also open.
	WasClaim, WasDisputed, WasOpen bool
	// Asked reports whether it was put to this slot as a claim or a dispute, and Listed whether the
	// prompt names it at all.
	Asked, Listed bool
}

// Whereabouts is where the lines of an earlier violation are in the tree that was
// reviewed.
type Whereabouts struct {
	// Here is the place of most of the lines.
	Here Place
	// Moved has the places of the other lines.
	Moved []Place
	// Further has the places of the violation's further places ([Violation.Also]).
	Further []Place
	// Hunk names the hunk of the slot's diff that contains the place, or is empty if none does.
	Hunk string
	// Hidden reports whether the file is in the tree but not in the working tree.
	Hidden bool
	// Gone reports whether none of its lines, and none in their place, exists any longer: Here is then
	// what stands around them, or the file.
	Gone bool
}

// Facts is what git knows about the places of an answer in the tree that was reviewed.
type Facts struct {
	// Entries are in the order of the answer's entries.
	Entries []EntryFacts
	// Whereabouts has the places of earlier violations by ULID. If a violation is missing, its
	// place is its whole file.
	Whereabouts map[string]Whereabouts
	// Earlier lists the violations of earlier runs that the prompt names.
	Earlier []EarlierViolation
	// Others has the short ids of open violations of other gates that the prompt names.
	Others []string
	// Remembered lists the skips of earlier runs on the lines of the entries.
	Remembered []EarlierViolation
}

// EntryFacts is what git knows about one entry.
type EntryFacts struct {
	// InRange reports whether one of the entry's places is in what a diff of this run showed.
	InRange bool
	// Also has the facts about the entry's further places, in their order. There InRange is about that
	// place alone. If one is missing, the place counts as in range.
	Also []EntryFacts
	// InFixLines reports whether the place is on a line that has changed since the slot's last
	// answer.
	InFixLines bool
	// SaidBefore reports whether the same reviewer reported the same words on this line before, in
	// this run, and the line is as it was.
	SaidBefore bool
	// Hunk names the hunk of the slot's diff that contains the place, or is empty if none does.
	Hunk string
	// Line is the place's first line. Fingerprint recognizes the line in other runs; it is empty if
	// the line is not known.
	Line        LineFact
	Fingerprint string
}

// LineFact is a line of a file as it was reviewed.
type LineFact struct {
	// Known reports whether the file has this line. For the whole file the text is empty.
	Known bool
	// Text is the line without surrounding white space.
	Text string
	// Occurrence is how many lines above it have the same text, and Repeated whether any other line
	// of the file has it.
	Occurrence int
	Repeated   bool
	// Hash is GitHub's primaryLocationLineHash of the line, which also covers the code after it.
	// For the whole file it is that of line 1.
	Hash string
}

// Entry returns the facts of the entry with this index. If there are none, the entry counts as in
// range, so that nothing is filtered only because a fact is missing.
func (f Facts) Entry(index int) EntryFacts {
	if index < len(f.Entries) {
		return f.Entries[index]
	}
	return EntryFacts{InRange: true}
}

// Locate returns where the lines of a violation are now; was is the violation when the iteration
// began. In a run that was restored from files, the tree that a place refers to may be unknown:
// then the place counts as its whole file. A skipped violation is an exception, because a larger
// place would filter more.
func (f Facts) Locate(v, was Violation) Whereabouts {
	now, known := f.Whereabouts[v.ID]
	switch {
	case was.Reviewed != "" && known:
		return now
	case was.Reviewed == "" && v.Status == StatusSkipped:
		return Whereabouts{Here: was.ReportedAt()}
	}
	return Whereabouts{Here: Place{File: was.ReportedAt().File}}
}

// Rules are the settings by which an answer is evaluated.
type Rules struct {
	Slot int
	// AnsweredBefore reports whether the slot has answered before in this run. Only then does the
	// threshold apply.
	AnsweredBefore bool
	Threshold      Priority
	// WholeFiles accepts places on unchanged lines.
	WholeFiles bool
	// Verify is set for the verification of a verdict: reports that do not match a finding of the
	// verdict do not become part of it.
	Verify bool
	// ByAbsence is set for sources that list everything each time and are not asked about claims:
	// tools, the built-in reviewer, and findings that were handed in. A claim is confirmed if they
	// have reported it before and no longer do.
	ByAbsence bool
	// Adapter is the adapter that answers. It is empty for a skill, whose findings may be from any
	// of its reviewers.
	Adapter string
}

// Evaluated is an entry with its disposition and the violation that it matched.
type Evaluated struct {
	Entry
	Disposition Disposition
	Reason      string
	InFixLines  bool
	// Further is the number, from 1, of the further place to which the report was moved, because what
	// is known covers only the places before it; 0 if it was not moved.
	Further int
	// Leads reports whether a matched violation shows this report's text and place. Of several
	// reports of one violation, the most important one leads.
	Leads bool
	// Line is the first line of the entry's own place.
	Line LineFact
	// Match is the ULID of the earlier violation that the report is about. If it is empty, an
	// accepted report begins a new violation. In a code review it is the finding's id.
	Match string
	// SeenBefore is the short id of the violation that a new one is said to be the same as: a
	// skipped one, or one of an earlier run.
	SeenBefore string
	// Remembered is the skip of an earlier run because of which the report is filtered, or nil.
	Remembered *EarlierViolation
	// ShortID is the short id of the violation that an accepted report begins or leads, once it is
	// recorded. SkippedBefore is a skip of the same problem in an earlier run that is not
	// remembered, or nil.
	ShortID       string
	SkippedBefore *EarlierViolation
}

// Evaluation is the effect of a slot's answer on the rows.
type Evaluation struct {
	Status SlotStatus // pass, fail or error
	// Reason is why the slot is in error.
	Reason  string
	Reports []Evaluated
	// Words has the slot's words on the claims and disputes that it was asked about, by ULID. With
	// [Rules.ByAbsence] the words on claims are derived from the reports.
	Words map[string]ClaimVerdict
	// Confirmed has how each of the words that confirm does so, by ULID.
	Confirmed map[string]Confirmation
	// Reopened are the ULIDs of the violations that the answer reopens.
	Reopened []string
	// Evidence has the answer's evidence for its words, by ULID.
	Evidence map[string]string
	// Gone has the evidence for findings that the answer calls gone, by ULID.
	Gone     map[string]string
	Warnings []string
}

// Count returns the number of reports with the disposition.
func (e Evaluation) Count(d Disposition) int {
	n := 0
	for i := range e.Reports {
		if e.Reports[i].Disposition == d {
			n++
		}
	}
	return n
}

// Ended returns the final status of the slot. carried is the number of its open violations that the
// answer does not name: any of them fails the slot, whatever the answer says.
//
// Rule: A run passes only if nothing is outstanding.
func (e Evaluation) Ended(carried int) SlotStatus {
	if e.Status == SlotPass && carried > 0 {
		return SlotFail
	}
	return e.Status
}

// Stands reports whether the slot's file lists a part of the answer although the slot is in error.
func (e Evaluation) Stands() bool { return e.Count(Accepted) > 0 || len(e.Reopened) > 0 }

// SameText reports whether two issues have the same words. Letter case, runs of white space,
// quotes, backticks and the punctuation at the end are ignored. So two answers, and two runs, are
// compared, too.
func SameText(a, b string) bool { return NormalWords(a) == NormalWords(b) }

// NormalWords returns the normal form that [SameText] compares.
func NormalWords(text string) string {
	const quotes, end = "`'\"‘’‚‛“”„«»‹›", ".!…。 "
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(quotes, r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
	text = evenlySpaced(text)
	return cmp.Or(strings.TrimRight(text, end), text)
}

// evenlySpaced returns the words of a text with one blank between them.
func evenlySpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// RuleOf returns the rule of a tool's result: the text before the colon. Counts and names in the
// message after it may change.
func RuleOf(issue string) string {
	rule, _, _ := strings.Cut(issue, ": ")
	return rule
}

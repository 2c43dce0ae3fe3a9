package ledger

import "strings"

// Answer is what a slot's reviewer said, in the ledger's words.
type Answer struct {
	// Error says why the slot is in error although something of its answer stands;
	// empty where it answered. What it reports counts, what it confirms does not.
	Error   string
	Entries []Entry
	// Claims are its words on claims, Disputes on disputes, and Gone on what it was told
	// is known.
	Claims, Disputes []ClaimWord
	Gone             []GoneWord
	// Notes are the reviewer's free words. They decide nothing.
	Notes string
}

// Entry is one violation of an answer.
type Entry struct {
	Position int // 1-based
	Place    Place
	// Also are more places of the same problem.
	Also []Place
	// WholeChange reports that the place is not a file of either tree: the entry is about
	// the whole change, and is part of every diff.
	WholeChange bool
	// SameAs is the short id of what the reviewer says the entry is about; empty if it
	// names nothing.
	SameAs         string
	Issue, Fix     string
	Priority       Priority
	Title          string
	Confidence     *float64 // nil: not given
	SystemBreaking bool
	// Missing names the required fields that the entry lacks; it is malformed
	// if there are any.
	Missing []string
}

// Places are the entry's place and all others of its problem.
func (e Entry) Places() []Place { return append([]Place{e.Place}, e.Also...) }

// ClaimVerdict is a reviewer's word on a claim or a dispute.
type ClaimVerdict string

// A reviewer's words on a claim, and those on a dispute.
const (
	ClaimFixed      ClaimVerdict = "fixed"
	ClaimNotFixed   ClaimVerdict = "not_fixed"
	ClaimCannotTell ClaimVerdict = "cannot_tell"

	DisputeWithdrawn ClaimVerdict = "withdrawn"
	DisputeStands    ClaimVerdict = "stands"
)

// Confirms reports whether the word is one that closes what it is about.
func (v ClaimVerdict) Confirms() bool { return v == ClaimFixed || v == DisputeWithdrawn }

// ClaimWord is what an answer says of one claim or dispute, with its evidence.
type ClaimWord struct {
	// ID is the violation's short id.
	ID       string
	Verdict  ClaimVerdict
	Evidence string
}

// GoneWord is what an answer says of a finding that the reviewer was told is known: that
// it is gone, though nobody claims so.
type GoneWord struct{ ID, Evidence string }

// Known is an earlier violation of the job in this run.
type Known struct {
	Violation
	// Whereabouts is where its lines are in the tree that was reviewed.
	Whereabouts
	// WasClaim reports whether it was a claim when the iteration began, WasDisputed whether
	// it was disputed, and WasOpen whether it was open, as what is disputed is.
	WasClaim, WasDisputed, WasOpen bool
	// Asked reports whether it was put to this slot, as a claim or a dispute, and Listed
	// whether the prompt named it at all.
	Asked, Listed bool
}

// Whereabouts is where the lines of an earlier violation are in the tree that was
// reviewed.
type Whereabouts struct {
	// Here is where most of them are.
	Here Place
	// Moved are the places of the others.
	Moved []Place
	// Hunk names the hunk of the slot's diff that the place lies in; empty: none.
	Hunk string
}

// EarlierDecision is a violation of an earlier run that the prompt named.
type EarlierDecision struct {
	// ID is the violation's ULID.
	ID, ShortID string
	// Decided is what became of it then, in words: "skipped on 2026-11-20 as …".
	Decided string
	// Skipped reports whether it was skipped.
	Skipped bool
}

// Facts tells what an answer's places mean in the tree that was reviewed.
type Facts struct {
	// Entries are in the order of the answer's entries.
	Entries []EntryFacts
	// Whereabouts are the places of earlier violations by ULID. One that is not there
	// counts as its whole file.
	Whereabouts map[string]Whereabouts
	// Earlier are the violations of earlier runs that the prompt named.
	Earlier []EarlierDecision
	// Remembered are the skips of earlier runs on the entries' lines.
	Remembered []Remembered
}

// EntryFacts tells what is at an entry's place.
type EntryFacts struct {
	// InRange reports whether one of its places lies in what a diff of this run showed.
	InRange bool
	// InFixLines reports whether the place lies on a line that changed since the
	// slot's last answer.
	InFixLines bool
	// Hunk names the hunk of the slot's diff that the place lies in; empty: none.
	Hunk string
	// Line is the place's first line, and Fingerprint what recognises it in other
	// runs; it is empty where the line is not known.
	Line        LineFact
	Fingerprint string
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

// Entry is what is known of the entry with the index. Without facts the entry counts
// as in range, so that nothing is filtered for want of them.
func (f Facts) Entry(index int) EntryFacts {
	if index < len(f.Entries) {
		return f.Entries[index]
	}
	return EntryFacts{InRange: true}
}

// Locate is where the lines of a violation are, which stood at the place of was when
// the iteration began. A place in a tree that is not known, of a run that was rebuilt
// from files, counts as its whole file; except for a skipped violation, for there the
// wider place would filter more.
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
	// AnsweredBefore reports whether the slot has answered before in this run:
	// only then does the threshold apply.
	AnsweredBefore bool
	Threshold      Priority
	// WholeFiles accepts places on unchanged lines too.
	WholeFiles bool
	// Verify makes it the verification of a verdict: what is not one of its findings
	// stays outside of it.
	Verify bool
	// ByAbsence is set for what lists everything each time, and is not asked about
	// claims: a tool, the built-in reviewer, findings that were handed in. Of them absence
	// confirms.
	ByAbsence bool
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
	// Leads reports whether a matched violation takes this report's words and place: of
	// several reports of one violation, the most important does.
	Leads bool
	// SeenBefore is the short id of the violation that a new one is said to be the same
	// as: one that was skipped, or one of an earlier run.
	SeenBefore string
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
	// Words are the slot's words on the claims and disputes that it was asked about, by
	// ULID. Of what confirms by absence those on claims are made from it.
	Words map[string]ClaimVerdict
	// Reopened are the ULIDs of the violations that the answer opens again.
	Reopened []string
	// Evidence is what the answer gives as evidence for its words, by ULID.
	Evidence map[string]string
	// Gone is what the answer says is gone though nobody claims so, by ULID.
	Gone     map[string]string
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

// Ended is the status that the slot ends with, where so many of its open violations were
// left unaddressed. They fail it, whatever its answer says.
//
// Rule: A run passes only if nothing is outstanding.
func (e Evaluation) Ended(carried int) SlotStatus {
	if e.Status == SlotPass && carried > 0 {
		return SlotFail
	}
	return e.Status
}

// Stands reports whether something of the answer is to be listed although its slot is in
// error.
func (e Evaluation) Stands() bool { return e.Count(Accepted) > 0 || len(e.Reopened) > 0 }

// SameText reports whether two issues have the same words: letter case, runs of blanks,
// quotes and backticks, and the end of the sentence aside.
func SameText(a, b string) bool { return NormalWords(a) == NormalWords(b) }

// NormalWords is what [SameText] compares.
func NormalWords(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '"', '\'', '`', '\u2018', '\u2019', '\u201c', '\u201d', '\u00ab', '\u00bb':
			return -1
		}
		return r
	}, strings.ToLower(text))
	text = strings.Join(strings.Fields(text), " ")
	if trimmed := strings.TrimRight(text, ".!\u2026\u3002 "); trimmed != "" {
		return trimmed
	}
	return text
}

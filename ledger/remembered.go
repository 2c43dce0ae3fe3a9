package ledger

// This file decides which skips later runs remember, and which reports they cover.

import (
	"fmt"
	"slices"
	"time"
)

// EarlierViolation is what an earlier run of a gate left: a violation that was skipped, withdrawn or
// still open when its run ended, or a report below the threshold or outside the changes.
type EarlierViolation struct {
	// ID is the violation's ULID, or "" for a report. ShortID identifies either of them in prompts.
	ID, ShortID string
	Job         string // the id of the gate
	Place       Place  // in the tree that its reviewer was shown
	Issue       string
	Priority    Priority
	// Status is skipped, withdrawn, new or reopened, or left open in an abandoned run. It is empty
	// for a report, which has a Disposition instead.
	Status      Status
	Disposition Disposition
	// At is when the violation got its status, or when the report was made. Reason and Result are
	// why.
	At             time.Time
	Reason, Result string
	// Fingerprint identifies its line, or is empty if that is not known.
	Fingerprint string
	// SameAs is the short id that the reviewer gave for a filtered report, or "".
	SameAs string
	// Event is the number of the event that skipped it, LineHash and LineRepeated are from the
	// [LineFact] of its line, and MetBefore reports whether it has already met a report of the run.
	// Only a remembered skip has them.
	Event        int
	LineHash     string
	LineRepeated bool
	MetBefore    bool
}

// LatestOfChains returns what is the latest of its kind, of a list with the latest first: not what
// something later was said to be the same as, which named has, and not what was said later in the same
// words about the same line.
//
// Rule: What is known is listed with its state.
func LatestOfChains(found []EarlierViolation, named []string) []EarlierViolation {
	old, said := map[string]bool{}, map[[2]string]bool{}
	for _, id := range named {
		old[id] = true
	}
	return slices.DeleteFunc(found, func(e EarlierViolation) bool {
		words := [2]string{e.Fingerprint, NormalWords(e.Issue)}
		again := old[e.ShortID] || said[words]
		said[words] = e.Fingerprint != ""
		if e.SameAs != "" {
			old[e.SameAs] = true
		}
		return again
	})
}

// Reported reports whether it is a filtered report.
func (v EarlierViolation) Reported() bool { return v.ID == "" }

// Said returns, as a phrase, when it was skipped or withdrawn, and why.
func (v EarlierViolation) Said() string { return v.day() + because(v.Reason, v.Result) }

func (v EarlierViolation) day() string { return "on " + v.At.UTC().Format(time.DateOnly) }

// Decided returns, as a phrase, what became of it in its run, and when.
func (v EarlierViolation) Decided() string {
	switch {
	case v.Reported() && v.Disposition == OutOfDiff:
		return "reported outside the changes " + v.day()
	case v.Reported():
		return "reported below the threshold " + v.day()
	case v.Status == StatusSkipped, v.Status == StatusWithdrawn:
		return string(v.Status) + " " + v.Said()
	}
	return "left open " + v.day()
}

// Covers reports whether the report repeats what was skipped: it is on the same line, or about the
// same whole file, has the same words or names the skip, and is not more important. If the text of
// the line was or is in its file several times, the line is the same only if the code after it is
// the same too.
//
// Rule: A human's skip is remembered.
func (v EarlierViolation) Covers(r *Evaluated, fingerprint string) bool {
	line := r.Line
	switch {
	case fingerprint == "" || fingerprint != v.Fingerprint || r.WholeChange || r.Place.WholeFile() != v.Place.WholeFile():
		return false
	case !v.Place.WholeFile() && line.Text == "": // any empty line may be the same
		return false
	case !v.Place.WholeFile() && (line.Repeated || v.LineRepeated) && (line.Hash == "" || line.Hash != v.LineHash):
		return false
	}
	return (r.SameAs == v.ShortID || SameText(r.Issue, v.Issue)) && !r.Priority.Higher(v.Priority)
}

// WithEarlier describes the report and the finding of an earlier run that it repeats, with what was
// decided then.
func (r Evaluated) WithEarlier(earlier EarlierViolation) string {
	return fmt.Sprintf("%s %s - %s, %s", r.Place, Sentence(r.Issue), earlier.ShortID, earlier.Decided())
}

// Memory is whether the skip of a mark is remembered.
type Memory string

// The values of a mark's Memory.
const (
	MemoryDefault Memory = ""
	MemoryKeep    Memory = "remember"
	MemoryDrop    Memory = "no_remember"
)

// Remembers reports whether the mark's skip is remembered beyond its run: it is if a human made it,
// unless its reason holds only for a while. A skip of a whole file is remembered only if the mark
// says so, because the file may change completely. So is a dispute, whose memory begins when it is
// withdrawn.
//
// Rule: A human's skip is remembered.
func (m Mark) Remembers(place Place) bool {
	switch {
	case m.Status == StatusDisputed:
		return m.Actor == ActorHuman && m.Memory == MemoryKeep
	case m.Status != StatusSkipped || m.Memory == MemoryDrop:
		return false
	case m.Memory == MemoryKeep:
		return true
	}
	return m.Actor == ActorHuman && m.Reason != Deferred && m.Reason != OutOfScope && !place.WholeFile()
}

// Skip is a skipped violation, with whether the skip is remembered. StatusBy is who skipped it,
// StatusAt when, and Reason and Result why.
type Skip struct {
	ListedViolation `column:"-"`
	// Remembered reports whether reports of later runs that repeat it are filtered.
	Remembered bool
	// Event is the number of the event that skipped it, and Line the fingerprint of the skipped
	// report. Line is empty if the skip was never to be remembered.
	Event int
	Line  string
	// Met is how many reports of later runs were filtered because of it, and LastMet when the
	// latest was, or zero if none were.
	Met     int
	LastMet time.Time
	// ForgottenAt is when a command ended its memory, and ForgottenBy who gave the command. They
	// are zero if none did.
	ForgottenAt time.Time
	ForgottenBy Actor
	// Expired reports whether its line is no longer anywhere in its file, so that it covers
	// nothing. It is nil if the files are not known.
	Expired *bool `column:"-"`
}

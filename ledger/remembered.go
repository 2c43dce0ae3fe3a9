package ledger

// This file decides which skips later runs remember, and which reports they cover.

import (
	"fmt"
	"time"
)

// EarlierViolation is what an earlier run left of a gate: a violation that was skipped, withdrawn or
// still open when its run ended, or a report below the threshold or outside the changes.
type EarlierViolation struct {
	// ID is the violation's ULID; empty for a report. ShortID names either in prompts.
	ID, ShortID string
	Job         string // the id of the gate
	Place       Place  // in the tree that its reviewer was shown
	Issue       string
	Priority    Priority
	// Status is skipped, withdrawn, new, reopened, or left where its run was abandoned; empty for a
	// report, which has a Disposition instead.
	Status      Status
	Disposition Disposition
	// At is when the violation got its status, or when the report was made; Reason and Result say why.
	At             time.Time
	Reason, Result string
	// Fingerprint recognises its line; empty: not known.
	Fingerprint string
	// Event is the number of the event that skipped it, LineHash and LineRepeated are what [LineFact]
	// had of its line, and MetBefore reports whether it covered a report of the run before. Only a
	// remembered skip has them. Of its place it has no more than the first line.
	Event        int
	LineHash     string
	LineRepeated bool
	MetBefore    bool
}

// Reported reports whether it is a report that a filter left out.
func (v EarlierViolation) Reported() bool { return v.ID == "" }

// Said says in a phrase when it was skipped or withdrawn, and why.
func (v EarlierViolation) Said() string { return v.day() + because(v.Reason, v.Result) }

func (v EarlierViolation) day() string { return "on " + v.At.UTC().Format(time.DateOnly) }

// Decided says in a phrase what became of it in its run, and when.
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

// Covers reports whether a report with the words and priority, about the place and on
// the line, says again what was skipped; of one that names the skip the words may be
// others. A line whose text stood, or stands, several
// times in its file is the same one only if the code after it is the same, too.
//
// Rule: A human's skip is remembered.
func (v EarlierViolation) Covers(r *Evaluated, fingerprint string) bool {
	line := r.Line
	switch {
	case fingerprint == "" || fingerprint != v.Fingerprint || r.WholeChange || r.Place.WholeFile() != v.Place.WholeFile():
		return false
	case !v.Place.WholeFile() && line.Text == "": // any empty line may be it
		return false
	case !v.Place.WholeFile() && (line.Repeated || v.LineRepeated) && (line.Hash == "" || line.Hash != v.LineHash):
		return false
	}
	return (r.SameAs == v.ShortID || SameText(r.Issue, v.Issue)) && !r.Priority.Higher(v.Priority)
}

// WithEarlier describes the report, and the finding of an earlier run that it repeats, with what was
// decided then.
func (r Evaluated) WithEarlier(earlier EarlierViolation) string {
	return fmt.Sprintf("%s %s - %s, %s", r.Place, Sentence(r.Issue), earlier.ShortID, earlier.Decided())
}

// Memory says whether the skip of a mark is remembered.
type Memory string

// What a mark says.
const (
	MemoryDefault Memory = ""
	MemoryKeep    Memory = "remember"
	MemoryDrop    Memory = "no_remember"
)

// Remembers reports whether the mark's skip is remembered beyond its run: if a human
// made it, and not for a reason that holds for a while only. What was said about a
// whole file is remembered only if the mark says so, for the file may change altogether. So
// is what is disputed: the memory begins when it is withdrawn.
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

// Skip is a skipped violation, with whether the skip is remembered. Who skipped it
// is StatusBy, when StatusAt, and why Reason and Result.
type Skip struct {
	ListedViolation
	// Remembered reports whether reports of later runs that say the same are left out.
	Remembered bool
	// Event is the number of the event that skipped it, and Line the fingerprint of the
	// report that was skipped; it is empty where the skip was never to be remembered.
	Event int
	Line  string
	// Met is how many reports of later runs were left out, and LastMet when the latest
	// was; zero: none.
	Met     int
	LastMet time.Time
	// ForgottenAt is when its memory was ended by command, and ForgottenBy by whom;
	// zero: it was not.
	ForgottenAt time.Time
	ForgottenBy Actor
	// Expired reports whether its line is nowhere in its file anymore, so that it covers nothing; nil:
	// the files are not known.
	Expired *bool
}

package ledger

// This file decides which skips later runs remember, and which reports they cover.

import (
	"fmt"
	"time"
)

// Remembered is a skip of an earlier run that reports of later runs are compared with.
type Remembered struct {
	// ID and ShortID are the violation's, and Event is the number of the event that
	// skipped it.
	ID, ShortID string
	Event       int
	// Fingerprint is that of the report that was skipped, WholeFile whether it was about
	// the file as a whole, Issue what it said, and Priority how important it was.
	Fingerprint string
	WholeFile   bool
	Issue       string
	Priority    Priority
	// LineHash and LineRepeated are what [LineFact] had of its line.
	LineHash     string
	LineRepeated bool
	// MetBefore reports whether it covered a report of the run before.
	MetBefore bool
	// Withdrawn reports whether its reviewer withdrew it, and nobody skipped it.
	Withdrawn bool
	// Reason and Result say why.
	Reason, Result string
	At             time.Time
}

// Said says in a phrase when it was skipped or withdrawn, and why.
func (m Remembered) Said() string {
	return "on " + m.At.UTC().Format(time.DateOnly) + because(m.Reason, m.Result)
}

// Decided says in a phrase what became of it, and when.
func (m Remembered) Decided() string {
	if m.Withdrawn {
		return "withdrawn " + m.Said()
	}
	return "skipped " + m.Said()
}

// Covers reports whether a report with the words and priority, about the place and on
// the line, says again what was skipped; of one that names the skip the words may be
// others. A line whose text stood, or stands, several
// times in its file is the same one only if the code after it is the same, too.
//
// Rule: A human's skip is remembered.
func (m Remembered) Covers(r *Evaluated, fingerprint string) bool {
	line := r.Line
	switch {
	case fingerprint == "" || fingerprint != m.Fingerprint || r.WholeChange || r.Place.WholeFile() != m.WholeFile:
		return false
	case !m.WholeFile && line.Text == "": // any empty line may be it
		return false
	case !m.WholeFile && (line.Repeated || m.LineRepeated) && (line.Hash == "" || line.Hash != m.LineHash):
		return false
	}
	return (r.SameAs == m.ShortID || SameText(r.Issue, m.Issue)) && !r.Priority.Higher(m.Priority)
}

// Met describes the report, and the skip of an earlier run because of which it was left out.
func (r Evaluated) Met() string {
	return fmt.Sprintf("%s %s - %s, %s", r.Place, Sentence(r.Issue), r.Remembered.ShortID, r.Remembered.Decided())
}

// Seen describes the report, and the finding of an earlier run that its reviewer named, with what was
// decided then.
func (r Evaluated) Seen(decided string) string {
	return fmt.Sprintf("%s %s - %s, %s", r.Place, Sentence(r.Issue), r.SeenBefore, decided)
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
}

// SaidBefore is a skip of an earlier run that is not remembered, and whose problem is
// reported again.
type SaidBefore struct {
	// ShortID is that of the new violation, and Like that of the skipped one.
	ShortID, Like string
	// Said is why it was skipped, and when, in words.
	Said string
}

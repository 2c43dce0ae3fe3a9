package ledger

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// The types in this file pass what a check or a slot did to logs and to the console.

// CheckLog is the log of a check in a run that is restored.
type CheckLog struct {
	FileID    string
	Iteration int
	// Status is passed, failed or error, or "" if the log has no clear end.
	Status GateStatus
}

// SlotLogHeader is written at the start of a slot's log.
type SlotLogHeader struct {
	Job, EntryPoint, Adapter string
	Slot, Iteration          int
	// Base describes what the slot's diff compares with.
	Base string
	// Plan is what was decided about the slot.
	Plan SlotPlan
	// Notes say what the slot is shown, one line each.
	Notes []string
}

// SlotLogEnd is written at the end of a slot's log.
type SlotLogEnd struct {
	// Asked reports whether there is an answer to show, which may be empty.
	Asked bool
	Raw   string
	// Document has the part of the answer that counts. It is empty if the slot has no recorded
	// answer and was not skipped: then only the answer itself can be read back.
	Document SlotDocument
	// Notes are warnings, counts and what the reviewer wrote to stderr, one line each.
	Notes  []string
	Status SlotStatus
	Reason string
}

// SlotCall is the input and output of a slot's reviewer, over all its calls.
type SlotCall struct {
	Job     string
	Slot    int
	Adapter string
	Prompts [][]byte
	// Raw is the answer that counts, as it was received, or the answers to all parts of the prompt.
	Raw string
	// Made are the calls in order, or nil if nobody was called.
	Made     []Call
	Stderr   []byte
	Usage    Usage
	Calls    int
	Duration time.Duration
	// Started is when the reviewer was started; if zero, it is computed from the duration.
	Started time.Time
	// Elsewhere is how many results a tool reported in files that the change does not touch.
	Elsewhere int
	// Unseen is what the slot's tool says that it did not look at, of what is under review, one line
	// for each statement. Denied names what its client was not allowed to do, or what failed.
	Unseen, Denied string
	// ErrorKind is why there is no answer, or "" if that is not known.
	ErrorKind ErrorKind
}

// CheckResult is how a check ended.
type CheckResult struct {
	Status GateStatus
	// Reason says in a few words why it did not pass, for example "exited with code 1".
	Reason   string
	ExitCode int // -1 if the command did not end by itself
	// Problems is how many problems the output of a failed check names, at least 1.
	Problems int
	// Excerpt is the part of the output of a failed check that shows what failed.
	Excerpt  string
	Duration time.Duration
}

// SlotOutcome is how a slot ended, for the console.
type SlotOutcome struct {
	Job           string
	Adapter       string
	Slot          int
	Status        SlotStatus
	PassIteration int
	// Violations are the violations in its file: new, or still open.
	Violations []SlotEntry
	// Filtered are filtered reports, the most important first, out of LeftOut in all.
	Filtered []FilteredEntry
	LeftOut  int
	Reason   string
	// Path is the file to read: see [SlotOutcome.InReview].
	Path     string
	Duration time.Duration
	// Notes are shown below the result, one line each.
	Notes []string
	// Suppressed is how many results are suppressed in the tool.
	Suppressed int
}

// InReview reports whether the file to read is the slot's JSON file, and not its log: that is so if
// the slot failed, or if it is in error and has violations.
func (o SlotOutcome) InReview() bool { return o.Status == SlotFail || len(o.Violations) > 0 }

// SuppressedLine returns how many results are suppressed in the tool, or "" if none are.
func (o SlotOutcome) SuppressedLine() string {
	if o.Suppressed == 0 {
		return ""
	}
	return fmt.Sprintf("%d suppressed in the tool", o.Suppressed)
}

// Blank reports whether a text has no visible character, and so no words: it may have blanks,
// control characters, characters of no width, and fillers.
//
// Rule: A mark is not a fix.
func Blank(text string) bool {
	for _, r := range text {
		if !Invisible(r) {
			return false
		}
	}
	return true
}

// Invisible reports whether a character shows nothing, or only that a text is broken.
func Invisible(r rune) bool {
	const braillePatternBlank = '\u2800'
	return unicode.IsSpace(r) || r == braillePatternBlank || r == unicode.ReplacementChar ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Plural formats a count with its noun, as in "1 violation" and "2 violations".
func Plural(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, choose(n, "", "s"))
}

// PluralVerb is [Plural] with a verb that agrees, as in "1 reviewer is" and
// "2 reviewers are".
func PluralVerb(n int, noun, one, several string) string {
	return Plural(n, noun) + " " + choose(n, one, several)
}

// OneOf joins words for a sentence: "a, b or c".
func OneOf[W ~string](words []W) string {
	list, last := make([]string, len(words)), len(words)-1
	for i, word := range words {
		list[i] = string(word)
	}
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// maxNamed is how many names [Some] lists.
const maxNamed = 40

// Some lists names, at most [maxNamed] of them.
func Some(names []string) string {
	more := ""
	if n := len(names) - maxNamed; n > 0 {
		names, more = names[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ") + more
}

func choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Ago formats a duration as in "12 minutes ago".
func Ago(d time.Duration) string { return Age(d) + " ago" }

// Age formats a duration in seconds below one minute, in minutes below one hour, in hours below two
// days, and in days above that.
func Age(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case days >= 2:
		return Plural(days, "day")
	case d >= time.Hour:
		return Plural(int(d.Hours()), "hour")
	case d >= time.Minute:
		return Plural(int(d.Minutes()), "minute")
	}
	return Plural(int(max(0, d).Seconds()), "second")
}

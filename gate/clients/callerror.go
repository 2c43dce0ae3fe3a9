package clients

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// ErrorKind says in one word why a slot has no answer. The words are stored.
type ErrorKind string

// The kinds of errors.
const (
	// KindAuth: the client is not signed in, or its key is refused.
	KindAuth ErrorKind = "auth"
	// KindUsageLimit: the plan's or the account's limit is used up for longer
	// than a call can wait.
	KindUsageLimit ErrorKind = "usage_limit"
	// KindRateLimit: the server asks for fewer requests for a moment, and the
	// call's timeout left no room to wait it out.
	KindRateLimit ErrorKind = "rate_limit"
	// KindTimeout: the call ran past its timeout and was stopped.
	KindTimeout ErrorKind = "timeout"
	// KindInputLimit: the prompt is larger than the client or the model takes.
	KindInputLimit ErrorKind = "input_limit"
	// KindRefused: the model or a filter of the server refuses to answer.
	KindRefused ErrorKind = "refused"
	// KindBadAnswer: the answer is empty, cut, too long, or does not have the client's
	// known form.
	KindBadAnswer ErrorKind = "bad_answer"
	// KindCrashed: the client could not be started, exited non-zero, was ended
	// by a signal that was not sent from here, or reports any other error.
	KindCrashed ErrorKind = "crashed"
	// KindInterrupted: the context was done, and the call was stopped.
	KindInterrupted ErrorKind = "interrupted"
)

// CallError says why a call gave no answer.
type CallError struct {
	Kind ErrorKind
	// What says in a few words what happened, as in "exited with code 3". It is
	// empty where the kind says it all.
	What string
	// Message is the client's or the system's own message, on one line and shortened; it
	// may be empty. It is foreign text: escape it for a terminal.
	Message string
	// Timeout is the one that a call of [KindTimeout] ran past.
	Timeout time.Duration
	// Until is when a limit ends, if the client names a time; else it is zero.
	Until time.Time
	// Err is the cause of a client that could not be started, or of a
	// [KindInterrupted]; else it is nil.
	Err error
}

// Error returns one line, as in "usage limit reached: You've hit your limit".
func (e *CallError) Error() string {
	if e.Message == "" {
		return e.Summary()
	}
	return e.Summary() + ": " + e.Message
}

// Unwrap returns the cause, if there is one.
func (e *CallError) Unwrap() error { return e.Err }

// Summary returns the error without what the client said, as in "usage limit
// reached" or "exited with code 3".
func (e *CallError) Summary() string {
	switch e.Kind {
	case KindUsageLimit:
		return "usage limit reached"
	case KindRateLimit:
		return "rate limit reached"
	case KindAuth:
		return "not authenticated"
	case KindTimeout:
		return fmt.Sprintf("timed out after %vs", e.Timeout.Seconds())
	case KindInterrupted:
		return "interrupted"
	case KindInputLimit:
		return "input limit exceeded"
	case KindRefused:
		return "refused to answer"
	}
	return cmp.Or(e.What, string(e.Kind))
}

// How long an adapter is not used after a limit. A client that does not give a time is
// asked again soon: a try costs seconds, while an adapter that is left out without need
// costs the loop a reviewer.
const (
	usageCooldown = 10 * time.Minute
	rateCooldown  = time.Minute
	minCooldown   = 10 * time.Second
	maxCooldown   = 8 * 24 * time.Hour
)

// Cooldown returns how long the adapter should be left alone from now on: 0
// unless a limit was reached.
func (e *CallError) Cooldown(now time.Time) time.Duration {
	var fallback time.Duration
	switch e.Kind {
	case KindUsageLimit:
		fallback = usageCooldown
	case KindRateLimit:
		fallback = rateCooldown
	default:
		return 0
	}
	if e.Until.IsZero() {
		return fallback
	}
	return min(max(e.Until.Sub(now)+time.Second, minCooldown), maxCooldown) // rounded up, never too early
}

// OneLine returns a message on one line and short enough for a console; the
// log has all of it.
func OneLine(message string) string {
	const longest = 300
	if len(message) > 64*longest {
		message = message[:64*longest] + "…"
	}
	message = strings.Join(strings.Fields(strings.ToValidUTF8(message, "\uFFFD")), " ")
	if runes := []rune(message); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return message
}

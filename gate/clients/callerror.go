package clients

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// CallError says why a call gave no answer.
type CallError struct {
	Kind ledger.ErrorKind
	// What says in a few words what happened, as in "exited with code 3". It is
	// empty where the kind says it all.
	What string
	// Message is the client's or the system's own message, on one line and shortened; it
	// may be empty. It is foreign text: escape it for a terminal.
	Message string
	// Timeout is the one that a call of [ledger.ErrorTimeout] ran past.
	Timeout time.Duration
	// Until is when a limit ends, if the client names a time; else it is zero.
	Until time.Time
	// Err is the cause of a client that could not be started, or of a
	// [ledger.ErrorInterrupted]; else it is nil.
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

// summaries are the words for kinds that say it all.
var summaries = map[ledger.ErrorKind]string{
	ledger.ErrorUsageLimit:  "usage limit reached",
	ledger.ErrorRateLimit:   "rate limit reached",
	ledger.ErrorAuth:        "not authenticated",
	ledger.ErrorInterrupted: "interrupted",
	ledger.ErrorInputLimit:  "input limit exceeded",
	ledger.ErrorRefused:     "refused to answer",
}

// Summary returns the error without what the client said, as in "usage limit
// reached" or "exited with code 3".
func (e *CallError) Summary() string {
	if e.Kind == ledger.ErrorTimeout {
		return fmt.Sprintf("timed out after %vs", e.Timeout.Seconds())
	}
	return cmp.Or(summaries[e.Kind], e.What, string(e.Kind))
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
	case ledger.ErrorUsageLimit:
		fallback = usageCooldown
	case ledger.ErrorRateLimit:
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

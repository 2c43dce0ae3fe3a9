package clients

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// CallError is the reason why a call gave no answer.
type CallError struct {
	Kind ledger.ErrorKind
	// What says in a few words what happened, for example "exited with code 3". It is empty if the
	// kind says everything.
	What string
	// Message is the client's or the system's own message, on one line and shortened; it may be
	// empty. It comes from outside: escape it for a terminal.
	Message string
	// Timeout is the limit that a call of [ledger.ErrorTimeout] exceeded.
	Timeout time.Duration
	// Until is when a limit ends, or zero if the client does not give a time.
	Until time.Time
	// Err is the cause if a client could not be started or if the kind is
	// [ledger.ErrorInterrupted], else nil.
	Err error
}

// Error returns one line, for example "usage limit reached: You've hit your limit".
func (e *CallError) Error() string {
	if e.Message == "" {
		return e.Summary()
	}
	return e.Summary() + ": " + e.Message
}

// Unwrap returns the cause, if there is one.
func (e *CallError) Unwrap() error { return e.Err }

// summaries are the words for kinds that need no further explanation.
var summaries = map[ledger.ErrorKind]string{
	ledger.ErrorUsageLimit:  "usage limit reached",
	ledger.ErrorRateLimit:   "rate limit reached",
	ledger.ErrorAuth:        "not authenticated",
	ledger.ErrorInterrupted: "interrupted",
	ledger.ErrorInputLimit:  "input limit exceeded",
	ledger.ErrorRefused:     "refused to answer",
}

// Summary returns the error without the client's message, for example "usage limit reached" or
// "exited with code 3".
func (e *CallError) Summary() string {
	if e.Kind == ledger.ErrorTimeout {
		return fmt.Sprintf("timed out after %vs", e.Timeout.Seconds())
	}
	return cmp.Or(summaries[e.Kind], e.What, string(e.Kind))
}

// These are the times for which an adapter is not used after a limit. If the client does not give a
// time, it is asked again soon: a try costs seconds, while leaving out an adapter without need
// costs the loop a reviewer.
const (
	usageCooldown = 10 * time.Minute
	rateCooldown  = time.Minute
	minCooldown   = 10 * time.Second
	maxCooldown   = 8 * 24 * time.Hour
)

// Cooldown returns for how long from now the adapter should not be used: 0 unless it reached a
// limit.
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
	return min(max(e.Until.Sub(now)+time.Second, minCooldown), maxCooldown) // rounded up, so that it is never too early
}

// OneLine returns a message on one line, short enough for a console. The log has all of it.
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

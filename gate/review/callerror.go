package review

import (
	"fmt"
	"strings"
	"time"
)

// ErrorKind says why a call gave no answer.
type ErrorKind string

// The kinds of [CallError].
const (
	// KindUsageLimit: the plan's or the account's limit is used up, and a
	// cool-down is in place.
	KindUsageLimit ErrorKind = "usage_limit"
	// KindAuth: the client is not logged in or its key is refused.
	KindAuth ErrorKind = "auth"
	// KindTimeout: the call ran past its timeout and was stopped.
	KindTimeout ErrorKind = "timeout"
	// KindInterrupted: the context was done, and the call was stopped.
	KindInterrupted ErrorKind = "interrupted"
	// KindExit: the client exited non-zero.
	KindExit ErrorKind = "exit"
	// KindSignal: a signal that was not sent from here ended the client.
	KindSignal ErrorKind = "signal"
	// KindReported: the client exited with 0 and yet reports an error.
	KindReported ErrorKind = "reported"
	// KindEmpty: the answer has no text.
	KindEmpty ErrorKind = "empty"
	// KindStart: the client could not be started, or its output not kept.
	KindStart ErrorKind = "start"
	// KindInputLimit: the prompt is larger than the client or the model takes.
	KindInputLimit ErrorKind = "input_limit"
	// KindOutputLimit: the client printed more than [MaxOutput].
	KindOutputLimit ErrorKind = "output_limit"
	// KindProtocol: what the client printed has not the shape that is known of
	// it.
	KindProtocol ErrorKind = "protocol"
)

// CallError says why a call gave no answer. All but [KindStart] and
// [KindInputLimit] mean that the client has run.
type CallError struct {
	Kind ErrorKind
	// Message is what the client or the system said, on one line and shortened;
	// it may be empty. It comes from outside: escape it for a terminal.
	Message string
	// ExitCode is the client's, or -1 if it did not exit by itself.
	ExitCode int
	// Signal names the signal that ended the client, or is empty.
	Signal string
	// Timeout is the one that a call of [KindTimeout] ran past.
	Timeout time.Duration
	// Err is the cause of a [KindStart] or [KindInterrupted], else nil.
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
	case KindAuth:
		return "not authenticated"
	case KindTimeout:
		return fmt.Sprintf("timed out after %vs", e.Timeout.Seconds())
	case KindInterrupted:
		return "interrupted"
	case KindExit:
		return fmt.Sprintf("exited with code %d", e.ExitCode)
	case KindSignal:
		return "ended by signal " + e.Signal
	case KindReported:
		return "reported an error"
	case KindEmpty:
		return "empty answer"
	case KindStart:
		return "could not run"
	case KindInputLimit:
		return "input limit exceeded"
	case KindOutputLimit:
		return fmt.Sprintf("printed more than %d MiB", MaxOutput>>20)
	case KindProtocol:
		return "unexpected output"
	}
	return string(e.Kind)
}

// oneLine returns a message on one line and short enough for a console; the
// log has all of it.
func oneLine(message string) string {
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

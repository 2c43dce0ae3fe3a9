package clients

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
	"github.com/reviewledger/reviewledger/ledger"
)

// kindOf returns the kind of an error that a client reports. The message must come from where the
// client reports its own failure: elsewhere it could be a repetition of the prompt. status is that
// of the client's last HTTP request, or 0; wait is how long the limit lasts according to the
// client, or 0.
func kindOf(status int, message string, wait time.Duration) ledger.ErrorKind {
	if isTemporary(message) {
		return ledger.ErrorRateLimit
	}
	if kind := limitKind(status, message, wait); kind != "" {
		return kind
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ledger.ErrorAuth
	case http.StatusRequestEntityTooLarge:
		return ledger.ErrorInputLimit
	}
	if containsAny(message, "401 unauthorized", "403 forbidden", "unauthenticated", "not logged in", "please run /login",
		"invalid api key", "api_key_invalid", "api key not valid", "failed to authenticate",
		"no authentication information", "invalid auth method", "set an auth method", "missing environment variable", "must specify the gemini_api_key") {
		return ledger.ErrorAuth
	}
	if containsAny(message, "prompt is too long", "prompt as too long", "prompt too long", "input is too long",
		"input_too_large", "stdin input exceeds", "context_length_exceeded", "context length", "context window",
		"maximum number of tokens", "request too large") {
		return ledger.ErrorInputLimit
	}
	if isRefusal(message) {
		return ledger.ErrorRefused
	}
	return ledger.ErrorCrashed
}

// limitKind distinguishes a limit on the rate of requests, which ends soon, from the limit of a
// plan. It returns "" if the error is neither.
func limitKind(status int, message string, wait time.Duration) ledger.ErrorKind {
	short := wait > 0 && wait <= shortLimit
	usage := status == http.StatusPaymentRequired || isUsageLimit(message)
	rate := status == http.StatusTooManyRequests || containsAny(message, "429 too many requests", "rate limit", "rate_limit",
		"(429)", "resource_exhausted")
	switch {
	case usage && short && !containsAny(message, "daily", "per day", "perday", "credit", "billing"):
		return ledger.ErrorRateLimit // the message is about a plan's limit, but the limit ends soon enough to wait
	case usage:
		return ledger.ErrorUsageLimit
	case rate && wait > shortLimit:
		return ledger.ErrorUsageLimit
	case rate:
		return ledger.ErrorRateLimit
	}
	return ""
}

// isTemporary reports whether the message says that the server is short of capacity, and that the
// user's limit is not the reason.
func isTemporary(message string) bool { return containsAny(message, "not your usage limit") }

func isUsageLimit(message string) bool {
	return !isTemporary(message) && containsAny(message, "hit your limit", "hit your usage limit", "usage limit",
		"usage_limit", "credit balance is too low", "quota", "exhausted your", "premium request", "spending limit",
		"spend limit", "out of credit")
}

// isRefusal reports whether the message says that a model or a filter refuses to answer.
func isRefusal(message string) bool {
	return containsAny(message, "content_filter", "content filter", "content-filter", "refusal", "violates our usage policy",
		"violate our usage policy", "usage policies", "prohibited_content", "blocked for safety", "safety reasons")
}

// containsAny reports whether the message contains one of the lower-case phrases, in any letter
// case and with either apostrophe.
func containsAny(message string, phrases ...string) bool {
	message = strings.ToLower(strings.ReplaceAll(message, "’", "'"))
	for _, phrase := range phrases {
		if strings.Contains(message, phrase) {
			return true
		}
	}
	return false
}

// lastWords returns the end of what a client printed for people, without lines that repeat the
// prompt: a prompt may contain the words by which an error is recognized.
func lastWords(printed, prompt []byte) string {
	const most, longest = 8, 1000
	var kept []string
	for range most {
		printed = bytes.TrimSpace(printed)
		if len(printed) == 0 {
			break
		}
		start := bytes.LastIndexByte(printed, '\n') + 1
		line := bytes.TrimSpace(printed[start:])
		printed = printed[:start]
		if len(line) <= longest && !bytes.Contains(prompt, line) {
			kept = append([]string{string(line)}, kept...)
		}
	}
	return strings.Join(kept, "\n")
}

// Refusal returns the *[CallError] of a reply that reports a limit instead of an answer, as some
// clients do. It returns nil if the reply does not, or if only the prompt's own words do. Call it
// only for a text that is not in the form: an answer may mention limits, too.
func Refusal(reply Reply, prompt []byte) error {
	words := limitIn(reply.Text, reply.Stderr, prompt)
	if words == "" {
		return nil
	}
	return judge(process.Result{}, answer{fault: &fault{message: words}}, time.Now())
}

// limitIn returns the words that show that a text is really a client's message about a limit, or
// "".
func limitIn(text string, stderr, prompt []byte) string {
	const short = 500 // a review in prose is longer than a refusal
	if len(text) <= short {
		if words := lastWords([]byte(text), prompt); saysLimit(words) {
			return words
		}
	}
	if words := lastWords(stderr, prompt); saysLimit(words) {
		return words
	}
	return ""
}

// saysLimit reports whether the words are about a limit. It is stricter than [isUsageLimit],
// because the words may not be an error.
func saysLimit(words string) bool {
	return !isTemporary(words) && containsAny(words, "hit your limit", "usage limit", "credit balance is too low",
		"quota exceeded", "exceeded your current quota", "exhausted your", "insufficient_quota", "resource_exhausted",
		"429 too many requests", "rate limit reached", "rate limit exceeded")
}

package review

import (
	"bytes"
	"net/http"
	"strings"
)

// kindOf says what kind of error a client reports. The message must come from
// where the client reports its own failure: anywhere else it could be a
// repetition of the prompt. The status is that of the client's last HTTP
// request, or 0.
func kindOf(status int, message string, otherwise ErrorKind) ErrorKind {
	if isTemporary(message) {
		return otherwise
	}
	switch status {
	case http.StatusTooManyRequests, http.StatusPaymentRequired:
		return KindUsageLimit
	}
	if isUsageLimit(message) {
		return KindUsageLimit
	}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return KindAuth
	}
	if containsAny(message, "401 unauthorized", "unauthenticated", "not logged in", "please run /login",
		"invalid api key", "api_key_invalid", "api key not valid", "failed to authenticate",
		"no authentication information", "missing environment variable", "must specify the gemini_api_key") {
		return KindAuth
	}
	if containsAny(message, "prompt is too long", "input_too_large", "stdin input exceeds",
		"context_length_exceeded", "context window", "maximum number of tokens") {
		return KindInputLimit
	}
	return otherwise
}

// isTemporary recognises a server that is short of capacity and says that the
// user's limit is not the reason.
func isTemporary(message string) bool { return containsAny(message, "not your usage limit") }

func isUsageLimit(message string) bool {
	return !isTemporary(message) && containsAny(message, "hit your limit", "hit your usage limit", "usage limit",
		"credit balance is too low", "quota exceeded", "exceeded your current quota", "exhausted your",
		"insufficient_quota", "resource_exhausted", "429 too many requests")
}

// containsAny reports whether the message holds one of the lower-case phrases,
// in any letter case and with either apostrophe.
func containsAny(message string, phrases ...string) bool {
	message = strings.ToLower(strings.ReplaceAll(message, "’", "'"))
	for _, phrase := range phrases {
		if strings.Contains(message, phrase) {
			return true
		}
	}
	return false
}

// lastWords returns the end of what a client printed for people, without the
// lines that repeat the prompt: a prompt may well hold the words that an error
// is recognised by.
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

// limitIn returns the words by which an answer that is no answer turns out to
// be a usage limit, or "".
func limitIn(text string, stderr, prompt []byte) string {
	const short = 500 // a review in prose is longer than a refusal
	if len(text) <= short {
		if words := lastWords([]byte(text), prompt); isUsageLimit(words) {
			return words
		}
	}
	if words := lastWords(stderr, prompt); isUsageLimit(words) {
		return words
	}
	return ""
}

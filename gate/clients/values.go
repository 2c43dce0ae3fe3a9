package clients

import (
	"encoding/json"
	"strings"
)

// stringValue returns the string that a JSON value is.
func stringValue(raw json.RawMessage) (value string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	return value, true
}

// anyText returns a string's value, and anything else as it was written.
func anyText(raw json.RawMessage) string {
	if value, ok := stringValue(raw); ok {
		return strings.TrimSpace(value)
	}
	return string(raw)
}

// isError reports whether the value of a client's key for errors is an error.
func isError(raw json.RawMessage) bool {
	switch strings.ToLower(anyText(raw)) {
	case "", "null", "none", "no", "n/a", "false", "0", "{}", "[]":
		return false
	}
	return true
}

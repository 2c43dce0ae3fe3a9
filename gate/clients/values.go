package clients

import (
	"encoding/json"
	"strings"
)

// stringValue returns the value of a JSON string.
func stringValue(raw json.RawMessage) (value string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	return value, true
}

// anyText returns the value of a JSON string, and any other value as it was written.
func anyText(raw json.RawMessage) string {
	if value, ok := stringValue(raw); ok {
		return strings.TrimSpace(value)
	}
	return string(raw)
}

// isError reports whether the value of a client's key for errors means an error.
func isError(raw json.RawMessage) bool {
	switch strings.ToLower(anyText(raw)) {
	case "", "null", "none", "no", "n/a", "false", "0", "{}", "[]":
		return false
	}
	return true
}

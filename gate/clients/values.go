package clients

import (
	"encoding/json"
	"strings"
)

// aside is a part of a client's output on which the answer does not depend, such as what a call cost.
// If it does not have the expected type, it is as if the client had not given it.
type aside[T any] struct{ value T }

// UnmarshalJSON implements [json.Unmarshaler].
func (a *aside[T]) UnmarshalJSON(data []byte) error {
	var value T
	if json.Unmarshal(data, &value) == nil {
		a.value = value
	}
	return nil
}

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

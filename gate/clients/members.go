package clients

import (
	"bytes"
	"encoding/json"
	"strings"
)

// members are the keys and values of a JSON object, in order and with
// repetitions.
type members []member

type member struct {
	key   string
	value json.RawMessage
}

// readMembers decodes an object, and leaves its values as they are.
func readMembers(object []byte) (members, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var fields members
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		m := member{}
		m.key, _ = key.(string)
		if err := decoder.Decode(&m.value); err != nil {
			return nil, err
		}
		fields = append(fields, m)
	}
	return fields, nil
}

// all returns the values of a key, in any letter case.
func (fields members) all(key string) []json.RawMessage {
	var values []json.RawMessage
	for _, m := range fields {
		if len(m.key) == len(key) && strings.EqualFold(m.key, key) { // no Unicode folding
			values = append(values, m.value)
		}
	}
	return values
}

// last returns the value of the first of the keys that the object has, in any
// letter case, or nil. A value of null counts as none.
func (fields members) last(keys ...string) json.RawMessage {
	for _, key := range keys {
		values := fields.all(key)
		if n := len(values); n > 0 && string(values[n-1]) != "null" {
			return values[n-1]
		}
	}
	return nil
}

// stringValue returns the string that a JSON value is. NUL is replaced, as
// invalid UTF-8 is: nothing that keeps text copes with it.
func stringValue(raw json.RawMessage) (value string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	return strings.ReplaceAll(value, "\x00", "\uFFFD"), true
}

// Package strictjson reads JSON that others wrote, by hand or with a program. Unlike encoding/json
// it reports repeated keys, limits memory and gives the line of a fault. Callers interpret the
// members.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
)

// maxMembers limits the members of one object, and thereby the memory that a file of MaxFileSize
// can take. The objects that this program writes are far smaller.
const maxMembers = 1000

// ValidJSON returns the JSON value in data without the white space around it. It is an error if
// data is not valid JSON or is larger than [files.MaxFileSize].
func ValidJSON(data []byte) (json.RawMessage, error) {
	if len(data) > files.MaxFileSize {
		return nil, files.TooLarge(files.MaxFileSize)
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if !json.Valid(data) {
		var whole json.RawMessage
		return nil, syntaxError(data, json.Unmarshal(data, &whole)) // Valid does not say where
	}
	return bytes.TrimSpace(data), nil
}

// syntaxError adds the position of the fault: line and column in characters, both from 1.
func syntaxError(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	fault := int(syntax.Offset)
	if syntax.Error() != "unexpected end of JSON input" {
		fault-- // the offset counts the faulty byte too
	}
	before := data[:min(max(fault, 0), len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// cursor reads JSON that is known to be valid, so it checks little.
type cursor struct {
	json []byte
	at   int
}

// more skips white space and separators, and reports whether another value follows in the list or
// object.
func (c *cursor) more() bool {
	for strings.IndexByte(" \t\r\n,:", c.json[c.at]) >= 0 {
		c.at++
	}
	return c.json[c.at] != ']' && c.json[c.at] != '}'
}

// value returns the value at the cursor and moves past it.
func (c *cursor) value() json.RawMessage {
	start := c.at
	switch c.json[c.at] {
	case '"':
		c.skipText()
	case '[', '{':
		c.at++
		for c.more() {
			c.value()
		}
		c.at++
	default:
		for c.at < len(c.json) && strings.IndexByte(" \t\r\n,]}", c.json[c.at]) < 0 {
			c.at++
		}
	}
	return c.json[start:c.at]
}

func (c *cursor) skipText() {
	for c.at++; c.json[c.at] != '"'; c.at++ {
		if c.json[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
}

// ReadArray returns the values of a valid array. More than limit values are an error that names
// what they are.
func ReadArray(value json.RawMessage, limit int, what string) (values []json.RawMessage, err error) {
	c := cursor{json: value, at: 1}
	for c.more() {
		if len(values) == limit {
			return nil, fmt.Errorf("more than %d %s", limit, what)
		}
		values = append(values, c.value())
	}
	return values, nil
}

// Object holds the members of an object in their order. A repeated key is repeated here too.
type Object []Member

// Member is a key of an [Object] with its value.
type Member struct {
	Key   string
	Value json.RawMessage
}

// ReadObject returns the members of valid JSON. The error says what the value is if it is not an
// object.
func ReadObject(value json.RawMessage) (Object, error) {
	if value[0] != '{' {
		return nil, fmt.Errorf("is %s, not an object", KindOf(value))
	}
	object := make(Object, 0, 10)
	c := cursor{json: value, at: 1}
	for c.more() {
		if len(object) == maxMembers {
			return nil, fmt.Errorf("has more than %d keys", maxMembers)
		}
		key := TextOf(c.value())
		c.more()
		object = append(object, Member{key, c.value()})
	}
	return object, nil
}

// All returns all values of a key.
func (ms Object) All(key string) []json.RawMessage {
	var values []json.RawMessage
	for _, m := range ms {
		if m.Key == key {
			values = append(values, m.Value)
		}
	}
	return values
}

// Last returns the last value of a key, which is the one that most JSON readers use, or nil.
func (ms Object) Last(key string) (value json.RawMessage) {
	for _, m := range ms {
		if m.Key == key {
			value = m.Value
		}
	}
	return value
}

// Unambiguous returns the value of a key, or nil. A key that is repeated with a different value is
// an error.
func (ms Object) Unambiguous(key string) (value json.RawMessage, err error) {
	for _, m := range ms {
		if m.Key != key {
			continue
		}
		if value != nil && TextOf(m.Value) != TextOf(value) {
			return nil, fmt.Errorf("%q appears twice, as %q and %q: keep one", key, TextOf(value), TextOf(m.Value))
		}
		value = m.Value
	}
	return value, nil
}

// TextOf returns the content of a string, "" for null or a missing value, and the compact JSON of
// anything else.
func TextOf(value json.RawMessage) string {
	if value == nil || IsNull(value) {
		return ""
	}
	if value[0] == '"' {
		if inner := string(value[1 : len(value)-1]); text.Plain(inner) && strings.IndexByte(inner, '\\') < 0 {
			return inner // true of most strings, and faster than decoding
		}
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // it is valid
	return strings.ToValidUTF8(compact.String(), "\uFFFD")
}

// IsNull reports whether the value is null.
func IsNull(value json.RawMessage) bool { return string(value) == "null" }

// KindOf describes the type of a value, as in "an object".
func KindOf(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a text"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

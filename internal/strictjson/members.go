// Package strictjson reads JSON from others, written by hand or by a program. Unlike encoding/json
// it reports repeated keys, limits memory, and gives the line of a fault. Callers interpret the
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

// maxMembers bounds the members of one object, and with them the memory that a
// file of MaxFileSize can take; this tool writes nine at most.
const maxMembers = 1000

// ValidJSON returns the one value that a file holds, if the file is JSON and no larger
// than [MaxFileSize].
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

// syntaxError adds the place of the fault, counted from 1 in lines and
// characters.
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

// cursor goes over JSON that is known to be valid, which leaves little to look at.
type cursor struct {
	json []byte
	at   int
}

// more skips what lies between values, and reports whether another one begins
// there.
func (c *cursor) more() bool {
	for strings.IndexByte(" \t\r\n,:", c.json[c.at]) >= 0 {
		c.at++
	}
	return c.json[c.at] != ']' && c.json[c.at] != '}'
}

// value is the value that begins here.
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

// ReadArray reads the values of a valid array, of which there may be limit.
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

// Object is the members of an object in their order, each key as often as it
// stands there.
type Object []Member

// Member is one of them.
type Member struct {
	Key   string
	Value json.RawMessage
}

// ReadObject reads the members of valid JSON, or says what it is instead of an
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

// All returns the values of a key.
func (ms Object) All(key string) []json.RawMessage {
	var values []json.RawMessage
	for _, m := range ms {
		if m.Key == key {
			values = append(values, m.Value)
		}
	}
	return values
}

// Last returns the last value of a key, as most readers of JSON do, or nil.
func (ms Object) Last(key string) (value json.RawMessage) {
	for _, m := range ms {
		if m.Key == key {
			value = m.Value
		}
	}
	return value
}

// Unambiguous returns the value of a key, or nil; two different ones are an
// error.
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

// TextOf is a text's content, nothing for null and what is missing, and the
// JSON of anything else.
func TextOf(value json.RawMessage) string {
	if value == nil || IsNull(value) {
		return ""
	}
	if value[0] == '"' {
		if inner := string(value[1 : len(value)-1]); text.Plain(inner) && strings.IndexByte(inner, '\\') < 0 {
			return inner // as most are, and quicker than to decode it
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

// KindOf says in words of which kind a value is.
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

package agent

// This file changes the settings files of hosts, which belong to the user: keys keep their order,
// and what is not changed stays as it was written, which encoding/json alone would not do.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// ErrLeaveAlone means that a file cannot be changed without the risk of losing something that the
// user wrote.
var ErrLeaveAlone = errors.New("it is left as it is")

// parseFile parses a settings file, which must be an object. An empty text is an empty object.
func parseFile(data []byte) (strictjson.Object, error) {
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return nil, nil
	}
	if !json.Valid(data) {
		why := "not valid JSON"
		if bytes.Contains(data, []byte("//")) || bytes.Contains(data, []byte("/*")) {
			why = "not plain JSON: it may have comments"
		}
		return nil, fmt.Errorf("%s, so %w", why, ErrLeaveAlone)
	}
	if data[0] != '{' {
		return nil, fmt.Errorf("not a JSON object, so %w", ErrLeaveAlone)
	}
	root, err := strictjson.ReadObject(data)
	if err != nil {
		return nil, fmt.Errorf("it %w, so %w", err, ErrLeaveAlone)
	}
	for _, object := range []strictjson.Object{root, membersOf(root.Last("hooks"))} {
		for _, member := range object {
			if len(object.All(member.Key)) > 1 {
				return nil, fmt.Errorf("it has the key %q twice, so %w", member.Key, ErrLeaveAlone)
			}
		}
	}
	return root, nil
}

// membersOf returns the members of a value, and itemsOf the items of a list. Other values have
// none.
func membersOf(value json.RawMessage) strictjson.Object {
	if len(value) == 0 {
		return nil
	}
	members, _ := strictjson.ReadObject(value)
	return members
}

func itemsOf(value json.RawMessage) (items []json.RawMessage) {
	if len(value) > 0 && value[0] == '[' {
		items, _ = strictjson.ReadArray(value, math.MaxInt, "")
	}
	return items
}

// expect returns an error if the object has the key with a value that begins differently.
func expect(object strictjson.Object, key string, begin byte, what string) error {
	if value := object.Last(key); value != nil && value[0] != begin {
		return fmt.Errorf("its key %q is not %s, so %w", key, what, ErrLeaveAlone)
	}
	return nil
}

// span is the position of a value or member in a text.
type span struct{ start, end int }

// spanOf returns where a part of the text is, which has to be a slice of it, as the values are that
// package strictjson reads.
func spanOf(data []byte, part json.RawMessage) span {
	start := cap(data) - cap(part)
	return span{start, start + len(part)}
}

// memberSpans returns where the members of an object are in the text, with their keys.
func memberSpans(data []byte, object json.RawMessage) (spans []span) {
	at := spanOf(data, object).start + 1
	for _, m := range membersOf(object) {
		end := spanOf(data, m.Value).end
		spans = append(spans, span{at + leading(data[at:end], " \t\r\n,"), end})
		at = end
	}
	return spans
}

// itemSpans returns where the items of a list are in the text.
func itemSpans(data []byte, list json.RawMessage) (spans []span) {
	for _, item := range itemsOf(list) {
		spans = append(spans, spanOf(data, item))
	}
	return spans
}

func leading(text []byte, cutset string) int { return len(text) - len(bytes.TrimLeft(text, cutset)) }

// insertLast returns the text with one more member or item at the end of a container, which is at the
// given depth and has the given parts. Nothing else changes.
func insertLast(data []byte, container span, parts []span, depth int, value json.RawMessage) []byte {
	style := styleOf(data)
	inside := style.line(depth+1) + string(style.indented(value, depth+1))
	if len(parts) > 0 {
		last := parts[len(parts)-1].end
		return slices.Concat(data[:last], []byte(","+inside), data[last:])
	}
	if !bytes.Contains(data[container.start:container.end], []byte("\n")) {
		inside += style.line(depth)
	}
	return slices.Concat(data[:container.start+1], []byte(inside), data[container.start+1:])
}

// cut returns the text without one of the parts of a container, and without the comma that belongs to
// it. Nothing else changes.
func cut(data []byte, parts []span, n int) []byte {
	from, to := parts[n].start, parts[n].end
	switch {
	case n > 0:
		from = parts[n-1].end
	case len(parts) > 1:
		to = parts[1].start
	}
	return slices.Concat(data[:from], data[to:])
}

// objectJSON and listJSON return the values with these members and items.
func objectJSON(members strictjson.Object) json.RawMessage {
	parts := make([][]byte, len(members))
	for i, m := range members {
		parts[i] = memberJSON(m.Key, m.Value)
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

// memberJSON returns a member of an object.
func memberJSON(key string, value json.RawMessage) json.RawMessage {
	var part bytes.Buffer
	encoder := json.NewEncoder(&part)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(key) // encoding a string cannot fail
	return slices.Concat(bytes.TrimSpace(part.Bytes()), []byte(":"), value)
}

func listJSON(items []json.RawMessage) json.RawMessage {
	parts := make([][]byte, len(items))
	for i, item := range items {
		parts[i] = item
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

// style is how a file is written.
type style struct{ indent, end string }

// styleOf returns the indentation and the line ends of a text. A text of one line has neither.
func styleOf(data []byte) style {
	at := bytes.IndexByte(data, '\n')
	switch {
	case len(data) == 0:
		return style{"  ", "\n"}
	case at < 0 || at == len(data)-1:
		return style{}
	}
	s := style{"  ", "\n"}
	if bytes.Contains(data, []byte("\r\n")) {
		s.end = "\r\n"
	}
	if blank := leading(data[at+1:], " \t"); blank > 0 {
		s.indent = string(data[at+1 : at+1+blank])
	}
	return s
}

// line returns the beginning of a new line at the depth.
func (s style) line(depth int) string { return s.end + strings.Repeat(s.indent, depth) }

// indented returns a value, or a member, as it is written at the depth.
func (s style) indented(value json.RawMessage, depth int) []byte {
	if s.end == "" {
		return value
	}
	key := json.RawMessage{}
	if value[0] == '"' { // a member
		at := bytes.Index(value, []byte(":")) + 1
		key, value = append(bytes.Clone(value[:at]), ' '), value[at:]
	}
	var out bytes.Buffer
	if err := json.Indent(&out, value, strings.Repeat(s.indent, depth), s.indent); err != nil { // cannot happen: it consists of values that were parsed
		panic(err)
	}
	return slices.Concat(key, bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(s.end)))
}

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

// with returns the object with a new value of the key, in the same position if the object has the
// key. without returns the object without the key.
func with(object strictjson.Object, key string, value json.RawMessage) strictjson.Object {
	at := slices.IndexFunc(object, func(m strictjson.Member) bool { return m.Key == key })
	if at < 0 {
		return append(object, strictjson.Member{Key: key, Value: value})
	}
	object[at].Value = value
	return object
}

func without(object strictjson.Object, key string) strictjson.Object {
	return slices.DeleteFunc(object, func(m strictjson.Member) bool { return m.Key == key })
}

// objectJSON and listJSON return the values with these members and items.
func objectJSON(members strictjson.Object) json.RawMessage {
	parts := make([][]byte, len(members))
	for i, m := range members {
		var part bytes.Buffer
		encoder := json.NewEncoder(&part)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(m.Key) // encoding a string cannot fail
		parts[i] = slices.Concat(part.Bytes(), []byte(":"), m.Value)
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

func listJSON(items []json.RawMessage) json.RawMessage {
	parts := make([][]byte, len(items))
	for i, item := range items {
		parts[i] = item
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

// format returns the value with the indentation and the line ends of the text before.
func format(value json.RawMessage, before []byte) []byte {
	indent := "  "
	if at := bytes.IndexByte(before, '\n'); at >= 0 {
		line := before[at+1:]
		if blank := len(line) - len(bytes.TrimLeft(line, " \t")); blank > 0 {
			indent = string(line[:blank])
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, value, "", indent); err != nil { // cannot happen: it consists of values that were parsed
		panic(err)
	}
	if len(before) == 0 || bytes.HasSuffix(before, []byte("\n")) {
		out.WriteByte('\n')
	}
	if bytes.Contains(before, []byte("\r\n")) {
		return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte("\r\n"))
	}
	return out.Bytes()
}

package agent

// This file changes the settings files of hosts, which belong to the user: keys keep their order
// and numbers their digits, which encoding/json alone would not do.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// value is JSON whose objects keep the order of their keys.
type value struct {
	kind    byte // '{' or '[', or 0 for any other value
	members []member
	items   []*value
	text    string // of any other value, as it was written
}

type member struct {
	name  string
	value *value
}

func raw(text string) *value { return &value{text: text} }

// ErrLeaveAlone means that a file cannot be changed without the risk of losing something
// that the user wrote.
var ErrLeaveAlone = errors.New("it is left as it is")

// maxDepth bounds how deep values may be nested.
const maxDepth = 100

// parseFile reads a file of settings, which is an object. An empty text is an empty object.
func parseFile(data []byte) (*value, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return &value{kind: '{'}, nil
	}
	if !json.Valid(data) {
		why := "not valid JSON"
		if bytes.Contains(data, []byte("//")) || bytes.Contains(data, []byte("/*")) {
			why = "not plain JSON: it may have comments"
		}
		return nil, fmt.Errorf("%s, so %w", why, ErrLeaveAlone)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	root, err := parseValue(decoder, data, 0)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, fmt.Errorf("not a JSON object, so %w", ErrLeaveAlone)
	}
	return root, nil
}

func parseValue(decoder *json.Decoder, data []byte, depth int) (*value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested too deeply, so %w", ErrLeaveAlone)
	}
	start := decoder.InputOffset()
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		text := strings.TrimLeft(string(data[start:decoder.InputOffset()]), " \t\r\n,:")
		return raw(text), nil
	}
	v := &value{kind: byte(delim)}
	for decoder.More() {
		name := ""
		if v.kind == '{' {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			if name, _ = key.(string); v.member(name) != nil {
				return nil, fmt.Errorf("it has the key %q twice, so %w", name, ErrLeaveAlone)
			}
		}
		inner, err := parseValue(decoder, data, depth+1)
		if err != nil {
			return nil, err
		}
		if v.kind == '{' {
			v.members = append(v.members, member{name, inner})
		} else {
			v.items = append(v.items, inner)
		}
	}
	_, err = decoder.Token() // the end
	return v, err
}

// member is the value of the key, or nil.
func (v *value) member(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (v *value) remove(name string) {
	v.members = slices.DeleteFunc(v.members, func(m member) bool { return m.name == name })
}

// child returns the object or list under the key, and adds an empty one if there is none.
func (v *value) child(name string, kind byte) (*value, error) {
	found := v.member(name)
	if found == nil {
		found = &value{kind: kind}
		v.members = append(v.members, member{name, found})
	}
	if found.kind != kind {
		what := map[byte]string{'{': "an object", '[': "a list"}[kind]
		return nil, fmt.Errorf("its key %q is not %s, so %w", name, what, ErrLeaveAlone)
	}
	return found, nil
}

// format writes the value with the indent and the line ends that the text had.
func (v *value) format(before []byte) []byte {
	var compact, out bytes.Buffer
	v.write(&compact)
	indent := "  "
	if at := bytes.IndexAny(before, "\n"); at >= 0 {
		line := before[at+1:]
		if blank := len(line) - len(bytes.TrimLeft(line, " \t")); blank > 0 {
			indent = string(line[:blank])
		}
	}
	if err := json.Indent(&out, compact.Bytes(), "", indent); err != nil { // it was made of values that were read
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

func (v *value) write(out *bytes.Buffer) {
	switch v.kind {
	case '{':
		out.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				out.WriteByte(',')
			}
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			_ = encoder.Encode(m.name) // a text can always be written
			out.WriteByte(':')
			m.value.write(out)
		}
		out.WriteByte('}')
	case '[':
		out.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				out.WriteByte(',')
			}
			item.write(out)
		}
		out.WriteByte(']')
	default:
		out.WriteString(v.text)
	}
}

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

const (
	// maxYAML is the largest size of a YAML text, in bytes.
	maxYAML = 256 << 10
	// maxNodes bounds how many nodes of one document are visited, including aliases, so that nested
	// aliases cannot multiply the work.
	maxNodes = 50_000
	// maxTimeout is the longest timeout that can be configured, in seconds.
	maxTimeout = 7 * 24 * 60 * 60
	// minTimeout is the shortest, in seconds: a shorter one would round to no limit.
	minTimeout = 0.001
)

// reader converts the YAML nodes of one file to values. It collects the problems that it finds, so
// that all of them are reported at once.
type reader struct {
	file     string
	nodes    int
	problems []Problem
	warnings []Problem
}

func (r *reader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{r.file, line, fmt.Sprintf(format, args...)})
}

func (r *reader) warn(line int, format string, args ...any) {
	r.warnings = append(r.warnings, Problem{r.file, line, fmt.Sprintf(format, args...)})
}

// top parses a file that must be one document with a mapping. It returns false after a problem.
func (r *reader) top(text []byte) (mapping, bool) {
	node := r.document(text)
	if len(r.problems) > 0 {
		return mapping{}, false
	}
	return r.mapping(node, "")
}

// document parses a text that must be one YAML document. It returns nil for an empty text, and
// after a problem.
func (r *reader) document(text []byte) *yaml.Node {
	if len(text) > maxYAML {
		r.problem(0, "more than %d KiB of YAML", maxYAML>>10)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		r.syntax(text, err)
		return nil
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		r.problem(second.Line, "the file contains a second YAML document; only one is allowed")
		return nil
	case !errors.Is(err, io.EOF):
		r.syntax(text, err)
		return nil
	}
	if len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// syntax adds the problem for an error of the YAML parser, whose text contains the line.
func (r *reader) syntax(text []byte, err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		if number, after, found := strings.Cut(rest, ": "); found {
			if n, err := strconv.Atoi(number); err == nil {
				line, message = n, after
			}
		}
	}
	if indentedByTab(text, line) {
		message += "; a tab is used for indentation, where YAML requires spaces"
	}
	r.problem(line, "not valid YAML: %s", message)
}

// indentedByTab reports whether the line or one next to it has a tab in its indentation: the
// parser's line numbers can be off by one.
func indentedByTab(text []byte, line int) bool {
	number := 0
	for l := range bytes.Lines(text) {
		number++
		if number >= line-1 && number <= line+1 && bytes.HasPrefix(bytes.TrimLeft(l, " "), []byte("\t")) {
			return true
		}
	}
	return false
}

// resolve returns the node that an alias refers to, or the node itself, and counts it.
func (r *reader) resolve(node *yaml.Node) *yaml.Node {
	r.nodes++
	if r.nodes == maxNodes {
		r.problem(node.Line, "more than %d values, including those from aliases", maxNodes)
	}
	if node.Kind == yaml.AliasNode && node.Alias != nil {
		return node.Alias
	}
	return node
}

func (r *reader) exhausted() bool { return r.nodes >= maxNodes }

// mapping is a YAML mapping whose keys are distinct strings.
type mapping struct {
	r    *reader
	path string
	line int
	// keys are in the order of the file.
	keys   []scalar
	values map[string]*yaml.Node
}

// scalar is a value of a configuration file and its line.
type scalar struct {
	value string
	line  int
}

// mapping reads node as a mapping; path is the dotted path of its key. A nil node is an empty
// mapping. Every invalid or repeated key is a problem.
func (r *reader) mapping(node *yaml.Node, path string) (mapping, bool) {
	m := mapping{r: r, path: path, line: 1, values: map[string]*yaml.Node{}}
	if node == nil {
		return m, true
	}
	m.line = node.Line
	found := r.resolve(node)
	if found.Kind != yaml.MappingNode {
		r.problem(node.Line, "%smust be keys and values, not %s", label(path), describe(found))
		return m, false
	}
	for i := 0; i+1 < len(found.Content) && !r.exhausted(); i += 2 {
		m.add(r.resolve(found.Content[i]), found.Content[i+1])
	}
	return m, true
}

func (m *mapping) add(key, value *yaml.Node) {
	if key.Kind != yaml.ScalarNode {
		m.r.problem(key.Line, "%sa key must be a plain string, not %s", label(m.path), describe(key))
		return
	}
	if _, ok := m.values[key.Value]; ok {
		m.r.problem(key.Line, "key %q appears twice", key.Value)
		return
	}
	m.keys = append(m.keys, scalar{key.Value, key.Line})
	m.values[key.Value] = value
}

// only reports keys that are not allowed. known are the keys that have a meaning. foreign are keys
// of the tool that this format comes from; they are ignored with a warning. Any other key is a
// problem.
func (m mapping) only(known, foreign []string) {
	for _, k := range m.keys {
		switch {
		case slices.Contains(known, k.value):
		case slices.Contains(foreign, k.value):
			m.r.warn(k.line, "key %q has no effect here and is ignored", k.value)
		case k.value == "<<":
			m.r.problem(k.line, "merge keys (%q) are not supported; write out the keys", k.value)
		default:
			m.r.problem(k.line, "%s", unknown("key", k.value, "allowed", known))
		}
	}
}

// wantsHook reports whether the value of stop_hook is true, or is a mapping whose key enabled is.
func wantsHook(node *yaml.Node) bool {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == "enabled" && node.Content[i+1].Value == "true" {
			return true
		}
	}
	return node.Value == "true"
}

// hintAtStopHook names the command that replaces the original tool's key stop_hook.
func (m mapping) hintAtStopHook() {
	const name = "stop_hook"
	if node := m.values[name]; node != nil && wantsHook(node) {
		m.r.warn(m.lineOf(name), "to keep agents from stopping too early: `reviewledger hook install --agent NAME`")
	}
}

func (m mapping) key(name string) string {
	if m.path == "" {
		return name
	}
	return m.path + "." + name
}

// refuse reports a value that is not allowed for a key.
func (m mapping) refuse(line int, name, format string, args ...any) {
	m.r.problem(line, "%s: %s", m.key(name), fmt.Sprintf(format, args...))
}

// wrong reports a value of the wrong kind.
func (m mapping) wrong(name string, line int, wants string, found *yaml.Node) {
	m.refuse(line, name, "must be %s, not %s", wants, describe(found))
}

// child returns the mapping under a key; it is empty if the key is absent.
func (m mapping) child(name string) mapping {
	node := m.values[name]
	c, _ := m.r.mapping(node, m.key(name))
	return c
}

// text returns the text under a key as it is written, or fallback if the key is absent. A line of 0
// means that the key is absent or its value invalid.
func (m mapping) text(name, fallback string) scalar {
	node, ok := m.values[name]
	if !ok {
		return scalar{value: fallback}
	}
	found := m.r.resolve(node)
	if !isText(found) {
		m.wrong(name, node.Line, "a string", found)
		return scalar{value: fallback}
	}
	return scalar{found.Value, node.Line}
}

// checked returns the cleaned text under a key; "" if the key is absent, or after a problem.
func (m mapping) checked(name string, check func(text string) (cleaned, problem string)) string {
	t := m.text(name, "")
	if t.line == 0 {
		return ""
	}
	cleaned, problem := check(t.value)
	if problem != "" {
		m.refuse(t.line, name, "%s", problem)
		return ""
	}
	return cleaned
}

// word returns a string that is passed to other programs as one argument, so it must not contain
// control characters or look like an option.
func (m mapping) word(name, fallback string) scalar {
	t := m.text(name, fallback)
	if t.line == 0 {
		return t
	}
	if strings.HasPrefix(t.value, "-") || hasControl(t.value) || strings.TrimSpace(t.value) != t.value {
		m.refuse(t.line, name, "must be a string without control characters that does not start with \"-\" or a space, not %q", t.value)
		return scalar{value: fallback}
	}
	return t
}

func (m mapping) boolean(name string, fallback bool) bool {
	node, ok := m.values[name]
	if !ok {
		return fallback
	}
	found := m.r.resolve(node)
	value := fallback
	if found.Kind != yaml.ScalarNode || found.ShortTag() != "!!bool" || found.Decode(&value) != nil {
		m.wrong(name, node.Line, "true or false", found)
		return fallback
	}
	return value
}

func (m mapping) whole(name string, fallback, lowest, highest int) int {
	node, ok := m.values[name]
	if !ok {
		return fallback
	}
	found := m.r.resolve(node)
	value := fallback
	if found.Kind != yaml.ScalarNode || found.ShortTag() != "!!int" || found.Decode(&value) != nil || value < lowest || value > highest {
		m.wrong(name, node.Line, fmt.Sprintf("a whole number from %d to %d", lowest, highest), found)
		return fallback
	}
	return value
}

// seconds returns the duration under a key; 0 if the key is absent. Fractions of a second are
// allowed.
func (m mapping) seconds(name string) time.Duration {
	node, ok := m.values[name]
	if !ok {
		return 0
	}
	found := m.r.resolve(node)
	var value float64
	isNumber := found.Kind == yaml.ScalarNode && (found.ShortTag() == "!!int" || found.ShortTag() == "!!float")
	if !isNumber || found.Decode(&value) != nil || !(value >= minTimeout && value <= maxTimeout) {
		m.wrong(name, node.Line, fmt.Sprintf("a number of seconds, greater than 0 and at most %d", maxTimeout), found)
		return 0
	}
	return time.Duration(value * float64(time.Second))
}

// texts returns the list of strings under a key; nil if the key is absent.
func (m mapping) texts(name string) []scalar {
	node, ok := m.values[name]
	if !ok {
		return nil
	}
	found := m.r.resolve(node)
	if found.Kind != yaml.SequenceNode {
		m.wrong(name, node.Line, "a list of strings, as in [a, b]", found)
		return nil
	}
	list := make([]scalar, 0, min(len(found.Content), maxNodes))
	for _, item := range found.Content {
		if m.r.exhausted() {
			break
		}
		value := m.r.resolve(item)
		if !isText(value) {
			m.wrong(name, item.Line, "a list of strings", value)
			continue
		}
		list = append(list, scalar{value.Value, item.Line})
	}
	return list
}

// values returns the texts without their lines.
func values(list []scalar) (texts []string) {
	for _, t := range list {
		texts = append(texts, t.value)
	}
	return texts
}

// isEmptyList reports whether the value of the key is an empty list.
func (m mapping) isEmptyList(name string) bool {
	node, ok := m.values[name]
	if !ok {
		return false
	}
	found := m.r.resolve(node)
	return found.Kind == yaml.SequenceNode && len(found.Content) == 0
}

// isText reports whether the node is a text that is not empty. A plain scalar of any YAML type is
// the text that was written: `command: true` is the command "true".
func isText(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && strings.TrimSpace(node.Value) != "" &&
		utf8.ValidString(node.Value) && !strings.Contains(node.Value, "\x00")
}

// describe describes the value that was found instead of the expected kind.
func describe(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "keys and values"
	case node.Kind == yaml.SequenceNode && len(node.Content) == 0:
		return "an empty list"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	}
	if node.Value == "" && node.Style == 0 {
		return "an empty value"
	}
	const longest = 60
	value := []rune(node.Value)
	if len(value) > longest {
		return fmt.Sprintf("%q…", string(value[:longest]))
	}
	return strconv.Quote(string(value))
}

func label(path string) string {
	if path == "" {
		return ""
	}
	return path + ": "
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}

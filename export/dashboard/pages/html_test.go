package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// element is a start tag with its attributes, and the text up to the next tag.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// void are the elements without an end tag.
var void = []string{"meta", "link", "input", "br", "img", "!doctype"}

// parse parses a document strictly: every element ends where it should, attributes are quoted and
// not repeated, and IDs and names of regions are unique.
func parse(t *testing.T, document string) []element {
	t.Helper()
	var elements []element
	var open []string
	ids := map[string]bool{}
	rest := document
	begun := false // only text since the last start tag
	for rest != "" {
		at := strings.IndexByte(rest, '<')
		if at < 0 {
			at = len(rest)
		}
		if begun {
			elements[len(elements)-1].text += rest[:at]
		}
		if rest = rest[at:]; rest == "" {
			break
		}
		end := tagEnd(rest)
		if end < 0 {
			t.Fatalf("a tag has no end: %.200q", rest)
		}
		tag := rest[1:end]
		rest = rest[end+1:]
		begun = false
		if name, closing := strings.CutPrefix(tag, "/"); closing {
			if len(open) == 0 || open[len(open)-1] != name {
				t.Fatalf("</%s> ends %v before %.200q", name, open, rest)
			}
			open = open[:len(open)-1]
			continue
		}
		tag, closed := strings.CutSuffix(tag, "/")
		e, err := startTag(tag)
		if err != nil {
			t.Fatalf("%v in <%s>", err, tag)
		}
		if id := e.attrs["id"]; id != "" && ids[id] {
			t.Errorf("the id %q is given twice", id)
		} else if id != "" {
			ids[id] = true
		}
		if region := "region " + e.attrs["aria-label"]; e.attrs["role"] == "region" && ids[region] {
			t.Errorf("two regions are called %q", e.attrs["aria-label"])
		} else if e.attrs["role"] == "region" {
			ids[region] = true
		}
		if e.name == "a" && slices.Contains(open, "a") {
			t.Errorf("a link lies in a link: <%s>", tag)
		}
		elements, begun = append(elements, e), true
		if !closed && !slices.Contains(void, e.name) {
			open = append(open, e.name)
		}
		if e.name == "style" || e.name == "script" {
			at := strings.Index(rest, "</"+e.name)
			elements[len(elements)-1].text, rest = rest[:at], rest[at:]
		}
	}
	if len(open) > 0 {
		t.Fatalf("%v have no end", open)
	}
	return elements
}

// tagEnd returns where a tag ends. A quoted > does not end it.
func tagEnd(s string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '>' && !quoted:
			return i
		}
	}
	return -1
}

func startTag(tag string) (element, error) {
	name, rest, _ := strings.Cut(tag, " ")
	e := element{name: strings.ToLower(name), attrs: map[string]string{}}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, "= ")
		if end < 0 {
			end = len(rest)
		}
		key := rest[:end]
		if _, twice := e.attrs[key]; twice {
			return e, fmt.Errorf("%s is given twice", key)
		}
		rest = rest[end:]
		value, quoted := strings.CutPrefix(rest, `="`)
		switch {
		case quoted:
			e.attrs[key], rest, _ = strings.Cut(value, `"`)
		case strings.HasPrefix(rest, "="):
			return e, fmt.Errorf("%s is not quoted", key)
		default:
			e.attrs[key] = ""
		}
	}
	return e, nil
}

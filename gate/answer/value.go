package answer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reviewledger/reviewledger/ledger"
)

// fields are the members of an object.
type fields []child

// get returns the JSON of a member, the last one with that key, or "" if it is absent or null.
func (f fields) get(key string) (value string) {
	for _, c := range f {
		if c.key == key {
			value = c.value
		}
	}
	if value == "null" {
		return ""
	}
	return value
}

// plain reports whether there are no keys but those of a plain answer.
func (f fields) plain() bool {
	return !slices.ContainsFunc(f, func(c child) bool { return c.value != "null" && !slices.Contains(plainKeys, c.key) })
}

func (r *reader) fields(path, value string) (f fields) {
	if value[0] != '{' {
		r.wrong(path, "must be an object")
		return nil
	}
	f = make(fields, 0, 8) // as many as most entries have
	children(value, func(_ int, c child) { f = append(f, c) })
	return f
}

// list calls do with each element of a list. The list may be absent.
func (r *reader) list(path string, f fields, key string, do func(path, value string)) {
	value := f.get(key)
	if value == "" {
		return
	}
	path += "/" + key
	if value[0] != '[' {
		r.wrong(path, "must be a list")
		return
	}
	children(value, func(i int, c child) { do(path+"/"+strconv.Itoa(i), c.value) })
}

// textOf returns the value of a JSON string, and whether the JSON is one.
func textOf(value string) (text string, ok bool) {
	if !strings.HasPrefix(value, `"`) {
		return "", false
	}
	return decode(value), true
}

// text reads a string that may be absent.
func (r *reader) text(path string, f fields, key string) string {
	value := f.get(key)
	text, ok := textOf(value)
	if value != "" && !ok {
		r.wrong(path+"/"+key, "must be text")
	}
	return text
}

// filled reads a string that must be present and not blank.
func (r *reader) filled(path, value string) string {
	text, _ := textOf(value)
	if blank(text) {
		r.wrong(path, "must be text that is not blank")
	}
	return text
}

// one reads a string that must be one of the words.
func (r *reader) one(path string, f fields, key string, words ...string) string {
	text, _ := textOf(f.get(key))
	for _, word := range words {
		if text == word {
			return word
		}
	}
	last := len(words) - 1
	r.wrong(path+"/"+key, `must be "%s" or "%s"`, strings.Join(words[:last], `", "`), words[last])
	return ""
}

// flag reads true or false.
func (r *reader) flag(path string, f fields, key string) bool {
	value := f.get(key)
	if value != "true" && value != "false" {
		r.wrong(path+"/"+key, "must be true or false")
	}
	return value == "true"
}

// lines reads the key line into the place. A value that is neither a line nor a range means the
// whole file.
//
// Rule: A report is never filtered for its name.
func (r *reader) lines(path string, f fields, at *ledger.Place) {
	value := f.get("line")
	if value == "" {
		return
	}
	text, ok := textOf(value)
	if !ok {
		text = value
	}
	first, last, isRange := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	if !isRange {
		last = first
	}
	start, end := lineNumber(first), lineNumber(last)
	if start == 0 || end == 0 {
		r.remark(path, "line %s is not a line number, so the entry is about the file as a whole", quote(text))
		return
	}
	at.Start, at.End = min(start, end), max(start, end)
}

// lineNumber returns the number of a line, or 0. It accepts any spelling of a whole number, such as
// 27.0.
func lineNumber(text string) int {
	text = strings.TrimSpace(text)
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.eE+") != "" || number != math.Trunc(number) || number > math.MaxInt32 {
		return 0
	}
	return int(number)
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// normal returns an id in the form in which ids are compared.
func normal(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// key returns what two entries have in common if they say the same about the same place. Words are
// compared without case, quotes, repeated blanks and the punctuation at the end.
func key(e ledger.Entry) string {
	const quotes = "`'\"‘’‚“”„«»‹›"
	words := strings.Map(func(r rune) rune {
		if strings.ContainsRune(quotes, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, e.Issue)
	words = strings.TrimRight(strings.Join(strings.Fields(words), " "), ".!?… ")
	return strings.Join([]string{strings.TrimSpace(e.Place.File), strconv.Itoa(e.Place.Start), strconv.Itoa(e.Place.End), words}, "\x00")
}

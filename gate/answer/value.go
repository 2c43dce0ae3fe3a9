package answer

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

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

// lines reads the key line into the place. A value that says neither a line nor a range means the
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
	start, end := linesIn(text)
	if start == 0 {
		r.remark(path, "line %s is not a line number, so the entry is about the file as a whole", quote(text))
		return
	}
	at.Start, at.End = start, end
	if !literal(text) {
		r.remark(path, "line %s is read as %s", quote(text), at.Lines())
	}
}

// literal reports whether a text is a line or a range and nothing else.
func literal(text string) bool {
	first, last, isRange := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-")
	return lineNumber(first) > 0 && (!isRange || lineNumber(last) > 0)
}

// linesIn returns the line that a text names if it has exactly one number, and the range if it has
// two. A column behind a line, and how many lines there are, do not count: "121:5", "12 of 60". It
// returns 0 for anything else, such as a negative number.
func linesIn(text string) (start, end int) {
	if number, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil || errors.Is(err, strconv.ErrRange) || number != 0 {
		line := lineNumber(text)
		return line, line
	}
	var numbers []int
	digits, last := false, 0 // last is the end of the latest number
	for at := 0; at <= len(text) && len(numbers) <= 2; at++ {
		is := at < len(text) && '0' <= text[at] && text[at] <= '9'
		switch {
		case is && !digits:
			digits = true
			between := strings.TrimSpace(text[last:at])
			switch {
			case len(numbers) == 0 && negative(text[:at]):
				return 0, 0
			case last > 0 && (text[last:at] == ":" || between == "/" || strings.EqualFold(between, "of")):
				at += len(text[at:]) - len(strings.TrimLeft(text[at:], "0123456789")) - 1
				digits, last = false, at+1
				continue
			}
			length := len(text[at:]) - len(strings.TrimLeft(text[at:], "0123456789"))
			numbers, last = append(numbers, lineNumber(text[at:at+length])), at+length
		case !is:
			digits = false
		}
	}
	if len(numbers) == 0 || len(numbers) > 2 || slices.Contains(numbers, 0) {
		return 0, 0
	}
	return slices.Min(numbers), slices.Max(numbers)
}

// negative reports whether a number after the text has a minus sign.
func negative(before string) bool {
	for _, sign := range []string{"-", "−", "–"} {
		if rest, found := strings.CutSuffix(before, sign); found {
			return rest == "" || strings.TrimSpace(rest) != rest
		}
	}
	return false
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

func blank(text string) bool { return ledger.Blank(text) }

// normal returns an id in the form in which ids are compared.
func normal(id string) string { return strings.ToLower(strings.TrimSpace(id)) }

// key returns what two entries have in common if they say the same about the same place.
func key(e ledger.Entry) string {
	return strings.Join([]string{strings.TrimSpace(e.Place.File), strconv.Itoa(e.Place.Start), strconv.Itoa(e.Place.End), ledger.NormalWords(e.Issue)}, "\x00")
}

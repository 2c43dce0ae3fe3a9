package clients

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxDepth is how deep an answer may nest. It is also what keeps a scan of
// hostile text within bounded memory.
const maxDepth = 1000

// span is the part of a text from start up to, not including, end.
type span struct{ start, end int }

// scan is what a text holds of JSON objects at its top level, in order.
type scan struct {
	objects []span
	// broken holds what begins like an object with a key, and where it proves
	// to be none.
	broken []span
	// cut is where an object with a key begins that the text ends within, or -1.
	cut int
	// deep is where the first object with a key begins that nests too deep, or -1.
	deep int
}

// findObjects scans a text for JSON objects.
//
// A brace that begins no JSON object is prose: the scan goes on where the
// object went wrong. If that is at a string, it goes on inside the string, for
// in prose a quote may stand alone and the "string" may hold the beginning of
// the answer. No byte is looked at more than a few times, because an object
// within a failed string would have to begin with a quote, and that quote would
// have ended the string.
func findObjects(text string) scan {
	found := scan{cut: -1, deep: -1}
	for at := 0; ; {
		brace := strings.IndexByte(text[at:], '{')
		if brace < 0 {
			return found
		}
		start := at + brace
		s := objectScanner{text: text, at: start + 1, open: []byte{'}'}, expect: expectKeyOrEnd, quote: -1}
		state := s.run()
		switch hasKey := s.quote >= 0 || s.tokens > 0; {
		case state == scanComplete:
			found.objects = append(found.objects, span{start, s.at})
		case s.tooDeep && found.deep < 0: // it has a key
			found.deep = start
			found.broken = append(found.broken, span{start, s.at})
		case hasKey && state == scanBroken:
			found.broken = append(found.broken, span{start, s.at})
		case hasKey && state == scanCut:
			found.cut = start
		}
		at = s.at
		if state == scanBroken && s.quote >= 0 {
			at = s.quote
		}
	}
}

// wrongBefore returns where the last object that begins before a byte of the
// text, and is none, goes wrong, or -1.
func (s scan) wrongBefore(at int) int {
	i, _ := slices.BinarySearchFunc(s.broken, at, func(b span, at int) int { return b.start - at })
	if i == 0 {
		return -1
	}
	return s.broken[i-1].end
}

type scanState int

const (
	scanComplete scanState = iota
	// scanBroken: the text from the brace on is not a JSON object.
	scanBroken
	// scanCut: the text ends within what could become an object.
	scanCut
)

// expectation is what may follow at one point of a JSON text.
type expectation int

const (
	expectKey expectation = iota
	expectKeyOrEnd
	expectColon
	expectValue
	expectValueOrEnd
	expectCommaOrEnd
)

const whitespace = " \t\r\n"

// objectScanner walks over one JSON object without decoding it.
type objectScanner struct {
	text   string
	at     int
	open   []byte // the closing brackets that are still to come
	expect expectation
	// quote is where the last token began, if that was a string, else -1.
	quote  int
	tokens int
	// tooDeep reports whether the object goes on below maxDepth.
	tooDeep bool
}

// run walks up to the end of the object, or to where the text proves to be
// none.
func (s *objectScanner) run() scanState {
	for len(s.open) > 0 {
		s.at += len(s.text[s.at:]) - len(strings.TrimLeft(s.text[s.at:], whitespace))
		if s.at == len(s.text) {
			return scanCut
		}
		if state := s.token(); state != scanComplete {
			return state
		}
		s.tokens++
	}
	return scanComplete
}

// token consumes the next token. It returns scanComplete if that is one which
// may stand here.
func (s *objectScanner) token() scanState {
	switch c := s.text[s.at]; {
	case c == '"':
		return s.stringToken()
	case c == ':' && s.expect == expectColon:
		s.expect = expectValue
	case c == ',' && s.expect == expectCommaOrEnd:
		s.expect = expectValue
		if s.open[len(s.open)-1] == '}' {
			s.expect = expectKey
		}
	case (c == '}' || c == ']') && s.mayClose(c):
		s.open = s.open[:len(s.open)-1]
		s.expect = expectCommaOrEnd
	case s.expect != expectValue && s.expect != expectValueOrEnd:
		return scanBroken
	case (c == '{' || c == '[') && len(s.open) >= maxDepth:
		s.tooDeep = true
		return scanBroken
	case c == '{':
		s.open = append(s.open, '}')
		s.expect = expectKeyOrEnd
	case c == '[':
		s.open = append(s.open, ']')
		s.expect = expectValueOrEnd
	default:
		return s.wordToken()
	}
	s.at++
	s.quote = -1
	return scanComplete
}

func (s *objectScanner) mayClose(c byte) bool {
	return c == s.open[len(s.open)-1] &&
		(s.expect == expectCommaOrEnd || s.expect == expectKeyOrEnd || s.expect == expectValueOrEnd)
}

func (s *objectScanner) stringToken() scanState {
	switch s.expect {
	case expectKey, expectKeyOrEnd:
		s.expect = expectColon
	case expectValue, expectValueOrEnd:
		s.expect = expectCommaOrEnd
	default:
		return scanBroken
	}
	s.quote = s.at
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.at = i + 1
			return scanComplete
		case c < ' ':
			return scanBroken
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 {
				return scanBroken
			}
			i += n - 1
		}
	}
	s.at = len(s.text)
	return scanCut
}

// escapeLength returns the length of the escape that text begins with, or 0 if
// it is none. An escape that the text cuts off has its full length.
func escapeLength(text string) int {
	if len(text) < 2 {
		return 2
	}
	if strings.IndexByte(`"\/bfnrt`, text[1]) >= 0 {
		return 2
	}
	if text[1] != 'u' {
		return 0
	}
	for i := 2; i < min(6, len(text)); i++ {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(text[i])) {
			return 0
		}
	}
	return 6
}

// wordToken consumes a number, true, false or null.
func (s *objectScanner) wordToken() scanState {
	length := 0
	for s.at+length < len(s.text) && isWordByte(s.text[s.at+length]) {
		length++
	}
	word := s.text[s.at : s.at+length]
	switch {
	case length > 0 && s.at+length == len(s.text):
		s.at = len(s.text)
		return scanCut
	case !json.Valid([]byte(word)):
		return scanBroken
	}
	s.at += length
	s.quote = -1
	s.expect = expectCommaOrEnd
	return scanComplete
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

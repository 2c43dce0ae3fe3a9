package answer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is how deeply values may be nested, as in encoding/json.
const maxDepth = 10_000

// step is one step of the path to a value: the key of an object's member, or an index in a list,
// which is -1 for a member.
type step struct {
	key   string
	index int
}

// scanner reads JSON according to RFC 8259, in one pass and without copying it. Its methods report
// whether what they read is complete and valid; if not, at is the position of the first invalid
// byte.
type scanner struct {
	text  string
	at    int
	quote int      // position of the latest string
	path  []step   // to the value that is being read
	keys  []string // of the objects on the path, if repeated keys are looked for

	// whole is called with each complete value, inner ones first. If it is nil, the scanner looks
	// for keys that appear twice in an object.
	whole func(path []step, value string)
	twice *Misfit // the first repeated key
}

// next returns the byte at the position, or 0 at the end.
func (s *scanner) next() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// skip moves past the byte if it is next.
func (s *scanner) skip(b byte) bool {
	if s.next() != b {
		return false
	}
	s.at++
	return true
}

func (s *scanner) blanks() {
	for s.skip(' ') || s.skip('\n') || s.skip('\r') || s.skip('\t') {
	}
}

// value reads a value, and the blanks before it.
func (s *scanner) value() bool {
	s.blanks()
	start, valid := s.at, false
	switch s.next() {
	case '{':
		valid = s.object()
	case '[':
		valid = s.list(']', func(i int) bool {
			s.path[len(s.path)-1].index = i
			return s.value()
		})
	case '"':
		valid = s.quoted()
	case 't':
		valid = s.word("true")
	case 'f':
		valid = s.word("false")
	case 'n':
		valid = s.word("null")
	default:
		valid = s.number()
	}
	if valid && s.whole != nil {
		s.whole(s.path, s.text[start:s.at])
	}
	return valid
}

// list reads items separated by commas, up to and including the end byte.
func (s *scanner) list(end byte, item func(i int) bool) bool {
	if len(s.path) == maxDepth {
		return false
	}
	s.at++
	if s.blanks(); s.skip(end) {
		return true
	}
	s.path = append(s.path, step{})
	for i := 0; item(i); i++ {
		if s.blanks(); s.skip(end) {
			s.path = s.path[:len(s.path)-1]
			return true
		}
		if !s.skip(',') {
			return false
		}
	}
	return false
}

func (s *scanner) object() bool {
	first := len(s.keys)
	valid := s.list('}', func(int) bool {
		s.blanks()
		start := s.at
		if s.next() != '"' || !s.quoted() {
			return false
		}
		key := decode(s.text[start:s.at])
		if s.whole == nil {
			s.keys = append(s.keys, key)
		}
		s.path[len(s.path)-1] = step{key, -1}
		s.blanks()
		return s.skip(':') && s.value()
	})
	s.findRepeatedKey(s.keys[first:])
	s.keys = s.keys[:first]
	return valid
}

// findRepeatedKey records the first key that appears twice.
func (s *scanner) findRepeatedKey(keys []string) {
	slices.Sort(keys)
	for i := 1; i < len(keys) && s.twice == nil; i++ {
		if keys[i] == keys[i-1] {
			s.twice = &Misfit{pointer(append(s.path, step{keys[i], -1})), "duplicate key"}
		}
	}
}

func (s *scanner) quoted() bool {
	s.quote = s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < ' ':
			return false
		case c == '\\':
			s.at++
			if !s.escape() {
				return false
			}
		}
	}
	return false
}

// escape reads what follows a backslash, except for its last byte.
func (s *scanner) escape() bool {
	if s.next() != 'u' {
		return strings.IndexByte(`"\/bfnrt`, s.next()) >= 0
	}
	for range 4 {
		s.at++
		if strings.IndexByte("0123456789abcdefABCDEF", s.next()) < 0 {
			return false
		}
	}
	return true
}

func (s *scanner) word(word string) bool {
	for i := range len(word) {
		if !s.skip(word[i]) {
			return false
		}
	}
	return true
}

func (s *scanner) number() bool {
	s.skip('-')
	if !s.skip('0') && !s.digits() {
		return false
	}
	if s.skip('.') && !s.digits() {
		return false
	}
	if !s.skip('e') && !s.skip('E') {
		return true
	}
	if !s.skip('+') {
		s.skip('-')
	}
	return s.digits()
}

func (s *scanner) digits() bool {
	start := s.at
	for '0' <= s.next() && s.next() <= '9' {
		s.at++
	}
	return s.at > start
}

// child is a member of an object, or an element of a list, which has no key.
type child struct{ key, value string }

// children calls do with each child of an object or a list. The value must be valid.
func children(value string, do func(i int, c child)) {
	i := 0
	s := scanner{text: value, whole: func(path []step, value string) {
		if len(path) == 1 {
			do(i, child{path[0].key, value})
			i++
		}
	}}
	s.value()
}

// decode returns the value of a valid JSON string, without NUL, because not every reader of the
// ledger's texts accepts NUL.
func decode(quoted string) string {
	if !strings.Contains(quoted, `\`) {
		return quoted[1 : len(quoted)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		return "" // cannot happen: it is valid
	}
	return strings.ReplaceAll(text, "\x00", "\uFFFD") // only an escape can contain it
}

// pointer returns a path as a JSON pointer of bounded length. Keys that are not plain are quoted.
func pointer(path []step) string {
	var b strings.Builder
	for i, s := range path {
		b.WriteByte('/')
		switch {
		case i == 8:
			b.WriteString("…")
			return b.String()
		case s.index >= 0:
			b.WriteString(strconv.Itoa(s.index))
		default:
			b.WriteString(named(s.key))
		}
	}
	return b.String()
}

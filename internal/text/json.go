package text

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"unicode/utf8"
)

// MarshalJSON encodes all JSON that reviewledger prints or keeps in files. It does not escape HTML
// and ends with a line feed, and no character of a foreign text acts on the terminal that shows it
// or reverses the reading order. With an indent, each member is on a line of its own, but a list of
// strings or numbers is one line.
func MarshalJSON(value any, indent string) ([]byte, error) {
	return newJSONWriter().marshal(value, "", indent)
}

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a member of an [Object].
type Member struct {
	Key   string
	Value any
}

// MarshalJSON implements [json.Marshaler].
func (o Object) MarshalJSON() ([]byte, error) {
	w := newJSONWriter()
	err := w.encode(o)
	return w.out.Bytes(), err
}

// jsonWriter encodes the values of a list, each into the buffer of the previous one.
type jsonWriter struct {
	out     bytes.Buffer
	encoder *json.Encoder
	lines   []byte // the indented text
}

func newJSONWriter() *jsonWriter {
	w := &jsonWriter{}
	w.encoder = json.NewEncoder(&w.out)
	w.encoder.SetEscapeHTML(false)
	return w
}

// marshal is [MarshalJSON] with a prefix for each line but the first. The result is only valid
// until the next call.
func (w *jsonWriter) marshal(value any, prefix, indent string) ([]byte, error) {
	w.out.Reset()
	if err := w.encode(value); err != nil {
		return nil, err
	}
	_ = w.out.WriteByte('\n')
	data := escapeJSON(w.out.Bytes())
	if prefix == "" && indent == "" {
		return data, nil
	}
	w.lines = appendIndented(w.lines[:0], data, prefix, indent)
	return w.lines, nil
}

// encode appends a value. Each member of an object is encoded for itself: what a method MarshalJSON
// returns, the encoder would parse again.
func (w *jsonWriter) encode(value any) error {
	object, is := value.(Object)
	if !is {
		if err := w.encoder.Encode(value); err != nil {
			return err
		}
		w.out.Truncate(w.out.Len() - len("\n"))
		return nil
	}
	_ = w.out.WriteByte('{')
	for i, member := range object {
		if i > 0 {
			_ = w.out.WriteByte(',')
		}
		if err := w.encode(member.Key); err != nil {
			return err
		}
		_ = w.out.WriteByte(':')
		if err := w.encode(member.Value); err != nil {
			return err
		}
	}
	return w.out.WriteByte('}')
}

// appendIndented appends compact JSON, broken into indented lines. [json.Indent] validates its input
// again, which takes longer than everything else that is done for an entry of a long list.
func appendIndented(out, data []byte, prefix, indent string) []byte {
	depth, flat := 0, 0 // flat is the end of the list that is kept on one line
	line := func() {
		out = append(append(out, '\n'), prefix...)
		for range depth {
			out = append(out, indent...)
		}
	}
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			end := endOfString(data, i)
			out = append(out, data[i:end+1]...)
			i = end
		case '{', '[':
			out = append(out, c)
			if data[i+1] == c+2 { // "{}" and "[]" stay together
				out = append(out, c+2)
				i++
				continue
			}
			if end := endOfFlatList(data, i); end > 0 {
				flat = end
				continue
			}
			depth++
			line()
		case '}', ']':
			if i != flat {
				depth--
				line()
			}
			out = append(out, c)
		case ',':
			out = append(out, c)
			if i < flat {
				out = append(out, ' ')
				continue
			}
			line()
		case ':':
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// endOfString returns the index of the closing quote of the string that begins at index at, in
// compact JSON.
func endOfString(data []byte, at int) int {
	for at++; data[at] != '"'; at++ {
		if data[at] == '\\' {
			at++
		}
	}
	return at
}

// endOfFlatList returns the index of the closing bracket of the list that begins at index at, in
// compact JSON. It returns 0 if the value is not a list or contains lists or objects.
func endOfFlatList(data []byte, at int) int {
	if data[at] != '[' {
		return 0
	}
	for at++; data[at] != ']'; at++ {
		switch data[at] {
		case '"':
			at = endOfString(data, at)
		case '{', '[':
			return 0
		}
	}
	return at
}

// WriteJSON writes a value as [MarshalJSON] encodes it.
func WriteJSON(w io.Writer, value any, indent string) error {
	data, err := MarshalJSON(value, indent)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// escapeJSON escapes the characters that JSON allows within strings and [Escape] does not, as in
// \u202e. They occur only within strings, so the value does not change.
func escapeJSON(data []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(data); {
		if data[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if (r != utf8.RuneError || size > 1) && control(r) && !needed(string(data[max(0, i-utf8.UTFMax):i]), r, string(data[i+size:min(len(data), i+size+utf8.UTFMax)])) {
			out = append(append(out, data[kept:i]...), escaped(r)...)
			kept = i + size
		}
		i += size
	}
	if out == nil {
		return data
	}
	return append(out, data[kept:]...)
}

// WriteJSONList writes what [WriteJSON] would write for a list of the values, indented by two
// spaces, but value by value: encoding a long list in one piece copies it many times.
func WriteJSONList[T any](w io.Writer, values iter.Seq2[T, error]) error {
	lines := bufio.NewWriter(w)
	if err := WriteJSONArray(lines, values, ""); err != nil {
		return err
	}
	_ = lines.WriteByte('\n')
	return lines.Flush()
}

// WriteJSONArray writes a list as part of a longer text whose lines begin with prefix, without a
// line feed at its end. Write errors are kept by the writer and returned by Flush.
func WriteJSONArray[T any](w *bufio.Writer, values iter.Seq2[T, error], prefix string) error {
	begin, between := "[\n", ",\n"
	each := newJSONWriter()
	for value, err := range values {
		if err != nil {
			return err
		}
		item, err := each.marshal(value, prefix+"  ", "  ")
		if err != nil {
			return err
		}
		_, _ = w.WriteString(begin + prefix + "  ")
		_, _ = w.Write(bytes.TrimSuffix(item, []byte("\n")))
		begin = between
	}
	if begin == between {
		_, _ = w.WriteString("\n" + prefix + "]")
	} else {
		_, _ = w.WriteString("[]")
	}
	return nil
}

// stringPiece is how many bytes of a long string are encoded at a time.
const stringPiece = 64 << 10

// WriteJSONString writes a string as [MarshalJSON] encodes it, as part of a longer text, without a
// copy of the whole. Write errors are kept by the writer and returned by Flush.
func WriteJSONString(w *bufio.Writer, text string) error {
	pieces := newJSONWriter()
	_ = w.WriteByte('"')
	for text != "" {
		end := min(len(text), stringPiece)
		// Move back to the start of a character: it has at most three more bytes.
		for back := 0; back < utf8.UTFMax && end < len(text); back++ {
			if utf8.RuneStart(text[end-back]) {
				end -= back
				break
			}
		}
		piece, err := pieces.marshal(text[:end], "", "")
		if err != nil {
			return err
		}
		_, _ = w.Write(piece[1 : len(piece)-len("\"\n")])
		text = text[end:]
	}
	return w.WriteByte('"')
}

// WriteJSONLines writes each value as JSON on a line of its own.
func WriteJSONLines[T any](w io.Writer, values iter.Seq2[T, error]) error {
	lines, each := bufio.NewWriter(w), newJSONWriter()
	for value, err := range values {
		if err != nil {
			return err
		}
		line, err := each.marshal(value, "", "")
		if err != nil {
			return err
		}
		_, _ = lines.Write(line)
	}
	return lines.Flush()
}

// Mapped applies make to each value. If there is an error, make is not called.
func Mapped[T, U any](values iter.Seq2[T, error], make func(T) U) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for value, err := range values {
			var made U
			if err == nil {
				made = make(value)
			}
			if !yield(made, err) {
				return
			}
		}
	}
}

// All yields the values of a slice, for [WriteJSONList] and the like.
func All[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, value := range list {
			if !yield(value, nil) {
				return
			}
		}
	}
}

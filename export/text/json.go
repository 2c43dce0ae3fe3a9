package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// MarshalJSON is how all JSON is written that reviewledger prints or keeps in files:
// without HTML escaping, with a line feed at its end, and so that no character of a
// foreign text acts on the terminal that shows it or reverses the reading order. Where
// an indent is given, each member has a line of its own.
func MarshalJSON(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return escapeJSON(out.Bytes()), nil
}

// WriteJSON writes a value as [MarshalJSON] has it.
func WriteJSON(w io.Writer, value any, indent string) error {
	data, err := MarshalJSON(value, indent)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// escapeJSON writes the control characters that JSON allows within strings as \u202e.
// Outside strings there are none, so that the value stays as it is.
func escapeJSON(data []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(data); {
		if data[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if (r != utf8.RuneError || size > 1) && control(r) {
			out = fmt.Appendf(append(out, data[kept:i]...), `\u%04x`, r)
			kept = i + size
		}
		i += size
	}
	if out == nil {
		return data
	}
	return append(out, data[kept:]...)
}

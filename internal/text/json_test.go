package text

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// everyControl returns all characters that act on a terminal or on the reading order.
func everyControl() string {
	var b strings.Builder
	b.WriteString("begin <&> é 日本 \U0001f600 \\u202e")
	for r := rune(0); r < 0x3000; r++ {
		if control(r) {
			b.WriteRune(r)
		}
	}
	return b.String() + "end"
}

func TestJSONHasNoControlCharacters(t *testing.T) {
	t.Parallel()
	for _, indent := range []string{"", "  "} {
		text := everyControl()
		var out bytes.Buffer
		if err := WriteJSON(&out, map[string]string{text: text}, indent); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if r != '\n' && control(r) {
				t.Errorf("indent %q: U+%04X is in the JSON", indent, r)
			}
		}
		if !strings.Contains(out.String(), `begin <&> é 日本 😀`) || !strings.Contains(out.String(), `\u202e`) {
			t.Errorf("indent %q: what acts on nothing was escaped:\n%s", indent, out.String())
		}
		back := map[string]string{}
		if err := json.Unmarshal(out.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if back[text] != text {
			t.Errorf("indent %q: came back as %q", indent, back)
		}
	}
}

func TestCSVHasNoControlCharacters(t *testing.T) {
	t.Parallel()
	text := everyControl()
	var out bytes.Buffer
	if err := WriteCSV(&out, []string{"a"}, All([][]string{{text}})); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r != '\n' && control(r) {
			t.Errorf("U+%04X is in the CSV", r)
		}
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 2 || !strings.HasPrefix(rows[1][0], "begin <&> é 日本 😀") {
		t.Errorf("read back: %q, %v", rows, err)
	}
}

// The output is the same as that of encoding/json, except that lists of strings and numbers are on
// one line.
func TestIndentedAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		nil, 1, "a", "", []int{}, map[string]int{}, []any{[]int{}, map[string]int{}, nil}, []any{[]any{[]int{}, 2}, "x"},
		map[string]any{"a": []any{"b", `c"d\`, `\`, "{[,:]}", "\n\u2028é", []int{}}, "b": map[string]any{"c": map[string]any{}}, "d": -1.5e30, "e": true},
		struct {
			A []int `json:"a"`
			B *int  `json:"b"`
		}{A: []int{}},
	} {
		for _, form := range [][2]string{{"", "  "}, {"  ", "  "}, {"", "\t"}, {"> ", " "}} {
			compact, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := json.Indent(&want, compact, form[0], form[1]); err != nil {
				t.Fatal(err)
			}
			if got := appendIndented(nil, compact, form[0], form[1]); string(got) != want.String() {
				t.Errorf("%q and %q:\n%s\nwant:\n%s", form[0], form[1], got, want.String())
			}
		}
	}
	for compact, want := range map[string]string{
		`[1,-2.5e3]`: `[1, -2.5e3]`,
		`{"a":["b, \"]","c"],"d":[[1],[]],"e":[{"f":[null,true]}]}`: `{
  "a": ["b, \"]", "c"],
  "d": [
    [1],
    []
  ],
  "e": [
    {
      "f": [null, true]
    }
  ]
}`,
	} {
		if got := appendIndented(nil, []byte(compact), "", "  "); string(got) != want {
			t.Errorf("%s:\n%s\nwant:\n%s", compact, got, want)
		}
	}
}

// A long string that is written in pieces looks the same as one written at once, wherever it is
// split.
func TestWriteJSONString(t *testing.T) {
	t.Parallel()
	for shift := range 4 {
		for _, part := range []string{"a", "é", "€", "😀", "\u202e", "\"\\\n", "\xe2\x82", "\x80", "\xf0\x9f"} {
			long := strings.Repeat(".", shift) + strings.Repeat(part, 150_000/len(part))
			want, err := MarshalJSON(long, "")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			w := bufio.NewWriter(&out)
			if err := errors.Join(WriteJSONString(w, long), w.Flush()); err != nil {
				t.Fatal(err)
			}
			if out.String()+"\n" != string(want) {
				t.Errorf("%q after %d others is written differently", part, shift)
			}
		}
	}
}

// An error comes without a value, so no value is made from it.
func TestMappedPassesAnErrorOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	one := 1
	values := func(yield func(*int, error) bool) { _ = yield(&one, nil) && yield(nil, broken) }
	var got []int
	var err error
	for value, failed := range Mapped(values, func(n *int) int { return *n }) {
		if err = failed; err == nil {
			got = append(got, value)
		}
	}
	if len(got) != 1 || got[0] != one || !errors.Is(err, broken) {
		t.Errorf("%v, %v", got, err)
	}
}

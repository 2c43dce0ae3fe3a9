package text

import "testing"

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		about, text string
		width       int
		want        string
	}{
		{"a paragraph is filled", "one two\nthree four", 20, "one two three four"},
		{"and broken between words", "one two\nthree four", 9, "one two\nthree\nfour"},
		{"paragraphs stay apart", "one\n\ntwo", 20, "one\n\ntwo"},
		{"what follows a colon stays below it", "Codes:\n  0  done\n  1  failed", 20, "Codes:\n  0  done\n  1  failed"},
		{"columns", "  --all  mark all of them", 16, "  --all  mark\n         all of\n         them"},
		{"what stands in a column is filled", "  0  done, and all\n     is well\n  1  failed", 40, "  0  done, and all is well\n  1  failed"},
		{"lines of a list stay", "  one\n  two", 20, "  one\n  two"},
		{"a long word stays whole", "reviewledger run", 4, "reviewledger\nrun"},
		{"characters are counted, not bytes", "äöü äöü", 7, "äöü äöü"},
		{"the last line end stays", "one\n", 20, "one\n"},
	} {
		if got := Wrap(test.text, test.width); got != test.want {
			t.Errorf("%s: %q", test.about, got)
		}
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two  three\nfour\n", 0, "one two  three\nfour\n"},
		{"one two  three\nfour\n", 8, "one two\n  three\nfour\n"},
		{"  one  two three", 12, "  one  two\n    three"},
		{"  日本 日本", 10, "  日本\n    日本"},
		{"    Log: a/path", 8, "    Log:\n  a/path"},
		{"Log: a/long/path", 8, "Log:\na/long/path"},
		{"", 8, ""},
	} {
		if got := Fit(test.text, test.width); got != test.want {
			t.Errorf("%q in %d columns: %q", test.text, test.width, got)
		}
	}
}

package text_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/text"
)

// Rule: Text from others is data.
func TestEscape(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, escaped, line string }{
		{"plain – ünïcode 日本 🎉", "plain – ünïcode 日本 🎉", "plain – ünïcode 日本 🎉"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"a\x00b\x07c\x7fd", `a\x00b\x07c\x7fd`, `a\x00b\x07c\x7fd`},
		{"csi \u009b31m nel \u0085", `csi \u009b31m nel \u0085`, `csi \u009b31m nel \u0085`},
		{"\u202eevil\u202c \u2066x\u2069", `\u202eevil\u202c \u2066x\u2069`, `\u202eevil\u202c \u2066x\u2069`},
		{"sep\u2028arator\u200e", `sep\u2028arator\u200e`, `sep\u2028arator\u200e`},
		{"zero\u200bwidth\ufeff\u2060\u00ad", `zero\u200bwidth\ufeff\u2060\u00ad`, `zero\u200bwidth\ufeff\u2060\u00ad`},
		{"tag \U000e0041, filler \u3164", `tag \udb40\udc41, filler \u3164`, `tag \udb40\udc41, filler \u3164`},
		{"a\u200db a\u200c日\u200d本 \u200d", `a\u200db a\u200c日\u200d本 \u200d`, `a\u200db a\u200c日\u200d本 \u200d`},
		{"👩\u200d💻 ❤\ufe0f\u200d🔥 👩🏽\u200d🔬 می\u200cخواهم क्\u200dष", "👩\u200d💻 ❤\ufe0f\u200d🔥 👩🏽\u200d🔬 می\u200cخواهم क्\u200dष", "👩\u200d💻 ❤\ufe0f\u200d🔥 👩🏽\u200d🔬 می\u200cخواهم क्\u200dष"},
		{"1\ufe0f\u20e3 ℹ\ufe0f 葛\U000e0100 a\ufe0f1\ufe0f 😀\ufe0f\ufe0f", "1\ufe0f\u20e3 ℹ\ufe0f 葛\U000e0100 a\\ufe0f1\\ufe0f 😀\ufe0f\\ufe0f", "1\ufe0f\u20e3 ℹ\ufe0f 葛\U000e0100 a\\ufe0f1\\ufe0f 😀\ufe0f\\ufe0f"},
		{"\u0600١٢", "\u0600١٢", "\u0600١٢"},
		{"bad \xff\xc3", `bad \xff\xc3`, `bad \xff\xc3`},
		{"a\r\nb\tc\n", "a\nb\tc\n", "a b c"},
		{"over\rwritten", `over\x0dwritten`, "over written"},
		{" \uFFFD ", " \uFFFD ", "\uFFFD"},
		{"", "", ""},
	}
	for _, test := range tests {
		if got := text.Escape(test.in); got != test.escaped {
			t.Errorf("Escape(%q) = %q, want %q", test.in, got, test.escaped)
		}
		if got := text.EscapeLine(test.in); got != test.line {
			t.Errorf("EscapeLine(%q) = %q, want %q", test.in, got, test.line)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"a\tb é": "a\tb é", "\x1b[2J\n": `\x1b[2J\n`, "\xff": `\xff`, "\uFFFD": "\uFFFD", "\u202e": `\u202e`} {
		if got := text.Visible(given); got != want {
			t.Errorf("%q: %q", given, got)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff\r\n")
	f.Add("\u2069\u0085 \t")
	f.Fuzz(func(t *testing.T, given string) {
		for _, got := range []string{text.Escape(given), text.EscapeLine(given)} {
			if !utf8.ValidString(got) {
				t.Errorf("%q is not valid UTF-8", got)
			}
			for _, r := range got {
				if unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
					t.Errorf("%q holds %U", got, r)
				}
			}
		}
	})
}

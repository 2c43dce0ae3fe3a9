package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestParseSearch(t *testing.T) {
	t.Parallel()
	type terms = []ledger.SearchTerm
	word := func(words ...string) (list terms) {
		for _, w := range words {
			list = append(list, ledger.SearchTerm{Text: strings.TrimSuffix(w, "*"), Prefix: strings.HasSuffix(w, "*")})
		}
		return list
	}
	for _, test := range []struct {
		query     string
		without   []string
		all, none terms
	}{
		{query: "error", all: word("error")},
		{query: "  error \t handled\n", all: word("error", "handled")},
		{query: "error error", all: word("error")},
		{query: `"not handled" error`, all: word("not handled", "error")},
		{query: `"not handled"error`, all: word("not handled", "error")},
		{query: `"not handled`, all: word("not", "handled")},
		{query: `it"s`, all: word(`it"s`)},
		{query: "hand*", all: word("hand*")},
		{query: "hand** *", all: word("hand*")},
		{query: "ha*nd", all: word("ha*nd")},
		{query: "error -handled", all: word("error"), none: word("handled")},
		{query: `error -"not handled" -ret*`, all: word("error"), none: word("not handled", "ret*")},
		{query: "error - handled", all: word("error", "handled")},
		{query: "--no-verify", all: word("--no-verify")},
		{query: "error", without: []string{"handled", "ret*", "-"}, all: word("error"), none: word("handled", "ret*")},
		{query: "AND OR NOT NEAR(a b) issue:x ^y", all: word("AND", "OR", "NOT", "NEAR(a", "b)", "issue:x", "^y")},
		{query: "&& || ++"},
		{query: "a\x00b \xff", all: word("a", "b")},
		{query: "größe 你好", all: word("größe", "你好")},
		{query: "404 ² \ue000 _ €", all: word("404", "²", "\ue000")},
	} {
		q, err := ledger.ParseSearch(test.query, test.without)
		if d := cmp.Diff(ledger.SearchQuery{All: test.all, None: test.none}, q); d != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", test.query, err, d)
		}
	}
	for _, query := range []string{"", " \n", "-error", `-"a phrase"`} {
		if q, err := ledger.ParseSearch(query, nil); !errors.Is(err, ledger.ErrNoWords) {
			t.Errorf("%q: %v, %v", query, q, err)
		}
	}
	if q, err := ledger.ParseSearch("++", []string{"error"}); !errors.Is(err, ledger.ErrNoWords) {
		t.Errorf("nothing must be there: %v, %v", q, err)
	}
}

// marks parses a text whose matches are in brackets.
func marks(text string) (parts ledger.MarkedText) {
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(text, "[", "|["), func(r rune) bool { return r == '|' || r == ']' }) {
		inner, match := strings.CutPrefix(part, "[")
		parts = append(parts, ledger.SnippetPart{Text: inner, Match: match})
	}
	return parts
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		marked string
		want   ledger.MarkedText
	}{
		"short":                         {"an \x02error\x03 here", marks("an [error] here")},
		"lines":                         {"an\n\t \x02error\x03\nhere", marks("an [error] here")},
		"two":                           {"\x02a\x03 and \x02b\x03", marks("[a] and [b]")},
		"none":                          {"", nil},
		"the text has such a character": {"odd \x02 text", marks("odd  text")},
		"an end without a start":        {"odd\x03 text", marks("odd text")},
		"a long word":                   {"\x02error\x03 " + strings.Repeat("x", 500), marks("[error] " + strings.Repeat("x", 194) + "…")},
		"a long match":                  {"\x02" + strings.Repeat("é", 500) + "\x03 more \x02and\x03 more", marks("[" + strings.Repeat("é", 200) + "…]")},
	} {
		if d := cmp.Diff(test.want, ledger.Snippet(test.marked)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

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

// The first texts of each pair fit better than the second.
func TestRelevance(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("and so on ", 30)
	for _, pair := range [][2]ledger.SearchTexts{
		{{Title: marks("an [error]")}, {Issue: marks("an [error]")}},
		{{Issue: marks("an [error]")}, {Fix: marks("an [error]")}},
		{{Issue: marks("an [error]")}, {Result: marks("an [error]")}},
		{{Issue: marks("[error] after [error]")}, {Issue: marks("error after [error]")}},
		{{Issue: marks("an [error]")}, {Issue: marks("an [error] " + long)}},
		{{Issue: marks("an [error]"), Fix: marks("an [error]")}, {Issue: marks("an [error]"), Fix: marks("an error")}},
		{{Result: marks("[done]")}, {Issue: marks("done")}},
	} {
		if a, b := pair[0].Relevance(), pair[1].Relevance(); a <= b {
			t.Errorf("%v is worth %f, and %v %f", pair[0], a, pair[1], b)
		}
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60)
	for name, test := range map[string]struct {
		texts ledger.SearchTexts
		want  ledger.MarkedText
	}{
		"short":     {ledger.SearchTexts{Issue: marks("an [error] here")}, marks("an [error] here")},
		"lines":     {ledger.SearchTexts{Issue: marks("an\n\t [error]\nhere")}, marks("an [error] here")},
		"best text": {ledger.SearchTexts{Issue: marks("nothing"), Fix: marks("an [error]")}, marks("an [error]")},
		"title":     {ledger.SearchTexts{Title: marks("[Error]s"), Issue: marks("an [error]")}, marks("[Error]s")},
		"none":      {ledger.SearchTexts{}, nil},
		"no match":  {ledger.SearchTexts{Issue: marks("an error"), Fix: marks("none")}, marks("an error")},
		"notes":     {ledger.SearchTexts{Notes: marks("an [error]")}, marks("an [error]")},
		"a long word": {
			ledger.SearchTexts{Issue: marks(strings.Repeat("x", 60) + " [error]")},
			ledger.MarkedText{{Text: "…" + strings.Repeat("x", 39) + " "}, {Text: "error", Match: true}},
		},
		"long": {
			ledger.SearchTexts{Issue: marks(long + "[error] " + long)},
			ledger.MarkedText{{Text: "…" + strings.Repeat("word ", 7)}, {Text: "error", Match: true}, {Text: " " + strings.Repeat("word ", 23) + "wor…"}},
		},
	} {
		got := test.texts.Snippet()
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if n := len([]rune(got.String())); n > 165 {
			t.Errorf("%s: %d characters", name, n)
		}
	}
}

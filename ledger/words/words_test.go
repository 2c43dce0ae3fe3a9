package words

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

var update = flag.Bool("update", false, "write the tables of words anew")

// index returns a full-text index like that of a ledger.
func index(t testing.TB) *sql.DB {
	t.Helper()
	handle, err := db.Open(t.Context(), t.TempDir()+"/index.db", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	handle.SetMaxOpenConns(1)
	for _, statement := range []string{
		`CREATE VIRTUAL TABLE cut USING fts5(a, b, tokenize = 'unicode61 remove_diacritics 2')`,
		`CREATE VIRTUAL TABLE token USING fts5vocab(cut, instance)`,
	} {
		if _, err := handle.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return handle
}

// planes limits the characters for which the tables are compared. Beyond it, no character is
// assigned.
const planes = 0xe0fff

// The tables treat each character as SQLite's tokenizer does.
func TestTablesAreThoseOfSQLite(t *testing.T) {
	t.Parallel()
	handle := index(t)
	tx, err := handle.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	insert, err := tx.Prepare(`INSERT INTO cut (rowid, a) VALUES (?, ?)`)
	if err != nil {
		t.Fatal(err)
	}
	// A document has this many characters, each in a word of its own: "q?z".
	const each = 1024
	var from, to, marks, ranges []rune
	for block := rune(0); block <= planes; block += each {
		if block >= 0x40000 && block < 0xe0000 {
			continue
		}
		var text strings.Builder
		for r := block; r < block+each; r++ {
			if r < utf8.RuneSelf || !utf8.ValidRune(r) {
				text.WriteString("qq ")
				continue
			}
			text.WriteString("q" + string(r) + "z ")
		}
		if _, err := insert.Exec(int64(block)+1, text.String()); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := tx.Query(`SELECT doc - 1, term FROM token ORDER BY doc, offset`)
	if err != nil {
		t.Fatal(err)
	}
	last, r := int64(-1), rune(0)
	for rows.Next() {
		var doc int64
		var term string
		if err := rows.Scan(&doc, &term); err != nil {
			t.Fatal(err)
		}
		if doc != last {
			last, r = doc, rune(doc)-1
		}
		if term == "z" {
			continue // it belongs to the preceding q
		}
		r++
		switch fold := strings.TrimSuffix(strings.TrimPrefix(term, "q"), "z"); {
		case r < utf8.RuneSelf || !utf8.ValidRune(r):
		case term == "q":
			if n := len(ranges); n > 0 && ranges[n-1] == r-1 {
				ranges[n-1] = r
			} else {
				ranges = append(ranges, r, r)
			}
		case fold == "":
			marks = append(marks, r)
		case fold != string(r):
			from, to = append(from, r), append(to, []rune(fold)...)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	const file = "words_table.go"
	want := fmt.Sprintf(tableFile, literal(ranges), literal(marks), literal(from), literal(to))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("write it anew with -update (-SQLite +table):\n%s", d)
	}
}

const tableFile = `// Code generated from the tokenizer unicode61 of SQLite; DO NOT EDIT.
// TestTablesAreThoseOfSQLite compares it with SQLite, and -update writes it anew.

package words

// separators are the first and the last of each range of characters beyond ASCII that stand
// between words.
const separators = %s

// diacritics stand between words, too, but do not end one.
const diacritics = %s

// foldedFrom are characters beyond ASCII that count as those of foldedTo.
const foldedFrom = %s

const foldedTo = %s
`

func literal(list []rune) string {
	var lines []string
	for part := range slices.Chunk(list, 16) {
		var line strings.Builder
		for _, r := range part {
			if r < 0x10000 {
				fmt.Fprintf(&line, `\u%04x`, r)
			} else {
				fmt.Fprintf(&line, `\U%08x`, r)
			}
		}
		lines = append(lines, `"`+line.String()+`"`)
	}
	return strings.Join(lines, " +\n\t")
}

// longestWord is the length of the longest word that the tokenizer is compared for.
const longestWord = 2046

// samples are texts that tests split into words.
var samples = []string{
	"os.Open(path) fails: foo_bar and fooBar", "naïve résumé ÅNGSTRÖM Straße", "e\u0301te\u0301 \u0301x a\u0301", "日本語 テスト",
	"a-b_c.d/e\\f'g\"h", "src/module1/file.go:12", "v1.2.3 1e5 0x1F 10,000", "", " \t\n", "ΑΣ ΟΔΟΣ ς", "emoji 🏻 ☃ done", "x\u200dy", "İstanbul ıi",
}

// A text is split where SQLite's tokenizer splits it, into the same words.
func FuzzWordsAreThoseOfSQLite(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	handle := index(f)
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
		if _, err := handle.Exec(`DELETE FROM cut`); err != nil {
			t.Fatal(err)
		}
		if _, err := handle.Exec(`INSERT INTO cut (a) VALUES (?)`, text); err != nil {
			t.Fatal(err)
		}
		rows, err := handle.Query(`SELECT term FROM token ORDER BY offset`)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for rows.Next() {
			var term string
			if err := rows.Scan(&term); err != nil {
				t.Fatal(err)
			}
			want = append(want, term)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		for _, w := range wordsOf(text) {
			got = append(got, w.text)
		}
		if d := cmp.Diff(want, got); d != "" && len(text) < longestWord {
			t.Errorf("%q (-SQLite +here):\n%s", text, d)
		}
	})
}

// Matches are marked as SQLite's function highlight marks them, and a text that does not match is
// not found.
func FuzzMarksAreThoseOfSQLite(f *testing.F) {
	for _, query := range []string{"foo_bar", "os.open", "foo*", `"a b" b*`, "resume -x", "ete", "x", "a* b*", `"foo bar" "bar baz"`, "strasse", "ΟΔΟΣ"} {
		for _, text := range append(samples, "foo bar baz foo_bar foobar", "a b c a b", "fix it -- x a a a") {
			f.Add(query, text, "foo")
		}
	}
	handle := index(f)
	f.Fuzz(func(t *testing.T, query, a, b string) {
		clean := func(text string) string {
			return strings.NewReplacer("\x00", "", "\x02", "", "\x03", "").Replace(strings.ToValidUTF8(text, ""))
		}
		q, err := ledger.ParseSearch(clean(query), nil)
		a, b = clean(a), clean(b)
		if err != nil || len(q.All) == 0 || len(a)+len(b)+len(query) >= longestWord {
			return
		}
		if _, err := handle.Exec(`DELETE FROM cut`); err != nil {
			t.Fatal(err)
		}
		if _, err := handle.Exec(`INSERT INTO cut (a, b) VALUES (?, ?)`, a, b); err != nil {
			t.Fatal(err)
		}
		var want, got [2]string
		found := true
		err = handle.QueryRow(`SELECT highlight(cut, 0, char(2), char(3)), highlight(cut, 1, char(2), char(3)) FROM cut WHERE cut MATCH ?`,
			matchExpression(q)).Scan(&want[0], &want[1])
		if err == sql.ErrNoRows {
			found = false
		} else if err != nil {
			t.Fatal(err)
		}
		marked, is := QueryOf(q).mark(a, b)
		if is != found {
			t.Fatalf("%q in %q and %q: found %v, not %v", query, a, b, is, found)
		}
		if !found {
			return
		}
		for i, parts := range marked {
			for _, part := range parts {
				if part.Match {
					got[i] += "\x02" + part.Text + "\x03"
				} else {
					got[i] += part.Text
				}
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-SQLite +here):\n%s", query, d)
		}
	})
}

// matchExpression returns a query in the language of FTS5, as a ledger writes it.
func matchExpression(q ledger.SearchQuery) string {
	terms := func(list []ledger.SearchTerm) (all []string) {
		for _, term := range list {
			text := `"` + strings.ReplaceAll(term.Text, `"`, `""`) + `"`
			if term.Prefix {
				text += " *"
			}
			all = append(all, text)
		}
		return all
	}
	expression := "(" + strings.Join(terms(q.All), " ") + ")"
	if len(q.None) > 0 {
		expression += " NOT (" + strings.Join(terms(q.None), " OR ") + ")"
	}
	return expression
}

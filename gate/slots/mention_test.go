package slots

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: An unreadable word on a claim counts as not fixed.
func TestDeniedAt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		denied bool
	}{
		{"The claim abcd1234 is not fixed.", true},
		{"abcd1234 isn't fully resolved", true},
		{"abcd1234 wasn’t addressed", true},
		{"- abcd1234: still present at line 4", true},
		{"abcd1234 remains open", true},
		{"I reopen abcd1234", true},
		{"unresolved: abcd1234", true},
		{`{"claims_not_fixed":["abcd1234"]}`, true},
		{`{"not_fixed":"abcd1234"}`, true},
		{`{"remaining_claims":["abcd1234"]}`, true},
		{`{"persists":["abcd1234"]}`, true},
		{"abcd1234 is fine.\nLater: abcd1234 is only partially fixed", true},
		{"# abcd1234\n\nThis is not fixed.", true},
		{"**abcd1234**\nIt does not fix the leak", true},
		{`{"abcd1234": false}`, true},
		{`{"verification":{"x":true,"abcd1234": "no"}}`, true},
		{`{"open_claims":["x", "abcd1234"]}`, true},
		{`{"failed":"abcd1234"}`, true},
		{`[{"id":"abcd1234","resolved":false}]`, true},
		{`[{"is_fixed": "no", "claim":"abcd1234"}]`, true},
		{`[{"id":"abcd1234","title":"x","status":"open"}]`, true},
		{`[{"id":"abcd1234","present":true}]`, true},
		{"abcd1234: NO", true},
		{"- `abcd1234` — no (the handle leaks)", true},
		{"| abcd1234 | false |", true},
		{"| abcd1234 | fixed? | no |", true},
		{"abcd1234 fixed: no", true},
		{"**abcd1234**: ❌ leaks", true},
		{"abcd1234: partially.", true},
		{"abcd1234: unsolved", true},
		{`{"abcd1234": true, "x": false}`, false},
		{`{"x": false, "abcd1234": true}`, false},
		{`[{"id":"abcd1234","resolved":true},{"id":"x","resolved":false}]`, false},
		{`[{"id":"x","resolved":false},{"id":"abcd1234","resolved":true}]`, false},
		{`[{"id":"abcd1234","status":"closed","open":false}]`, false},
		{`{"open_claims":[],"closed_claims":["abcd1234"]}`, false},
		{`{"status":"pass","violations":[],"notes":"abcd1234: ok"}`, false},
		{"Looked at: abcd1234\nNo.", false},
		{"abcd1234: no longer there", false},
		{"abcd1234: no issue remains", false},
		{"abcd1234: open() is checked now", false},
		{"abcd1234: false positives are gone", false},
		{"abcd1234: failed writes are handled", false},
		{"| abcd1234 | yes | no |", false},
		{"- abcd1234\n- efgh5678\nnot fixed: none", false},
		{"# abcd1234\n\nFixed.\nNot fixed is the other.", false},
		{"abcd1234 is fixed", false},
		{"abcd1234 is gone; the tests still pass", false},
		{"abcd1234: no problem remains", false},
		{"abcd1234 is fixed.\nNot resolved is the other.", false},
		{"abcd1234" + strings.Repeat(" ", readAfter) + "not fixed", false},
		{"not fixed" + strings.Repeat(" ", readBefore) + "abcd1234", false},
		{"nothing of it is not fixed", false},
		{"Resolved:\n- abcd1234\n\nUnresolved: none", false},
		{`{"resolved":["abcd1234"],"unresolved":[]}`, false},
		{"abcd1234: fixed. Not fixed: none", false},
		{"abcd1234 is still not fixed", true},
		{"abcd1234: the check was not added", true},
		{"Claim abcd1234\nVerdict: not fixed", true},
		{"abcd1234 ist nicht behoben", true},
		{"abcd1234 n'est pas corrigé", true},
		{"abcd1234 no está corregido", true},
		{"abcd1234 未修复", true},
		{"abcd1234 は修正されていません", true},
		{"abcd1234 не исправлено", true},
		{"abcd1234 ist behoben, nicht schön", false},
		{"abcd1234 已修复", false},
		{"I cannot confirm that abcd1234 is fixed", true},
		{"I was unable to verify abcd1234", true},
		{"abcd1234 still applies", true},
		{"abcd1234 needs more work", true},
		{"abcd1234: the fix is incomplete", true},
		{"abcd1234: no change was made", true},
		{"abcd1234 is unchanged", true},
		{"abcd1234 is resolved; the rest is unchanged", false},
		{"abcd1234 is fixed; tests were not added", false},
		{"abcd1234: The index is checked now. Tests were not added.", false},
		{"abcd1234: ok, int() is applied. Behaviour for valid input is unchanged.", false},
		{"Open claims: abcd1234", true},
		{"Unresolved:\n- abcd1234", true},
		{"### Not fixed\n\n- `abcd1234` — leaks", true},
		{"**Remaining issues**\n1. abcd1234", true},
		{"Remaining issues: none\n\nChecked:\n- abcd1234", false},
		{"### Not fixed\n\nNone.\n\n### Fixed\n- abcd1234", false},
		{"", false},
	} {
		if got := deniedAt(strings.ToLower(tt.text), "abcd1234") != ""; got != tt.denied {
			t.Errorf("%q is denied: %v, want %v", tt.text, got, tt.denied)
		}
	}
}

func FuzzDeniedAt(f *testing.F) {
	f.Add("the claim abcd1234 is not fixed", "abcd1234")
	f.Add("\xff\xfenot fixed a", "a")
	f.Fuzz(func(t *testing.T, text, id string) {
		if where := deniedAt(text, id); len(where) > len(id)+readBefore+readAfter || !utf8.ValidString(where) {
			t.Errorf("%q of %q", where, text)
		}
	})
}

// Rule: An unreadable word on a claim counts as not fixed.
func TestMentionedOtherwise(t *testing.T) {
	t.Parallel()
	const issue = "No bounds check of `index` in get"
	places := []ledger.Place{{File: "src/app.py", Start: 4, End: 5}}
	for _, tt := range []struct {
		text   string
		denied bool
	}{
		{"The issue at src/app.py:4 is still present.", true},
		{"src/app.py:5 - not fixed", true},
		{"Still not fixed (`src/app.py`, line 4).", true},
		{`{"previous":[{"file":"src/app.py","line":4,"status":"open"}]}`, true},
		{`{"still_open":[{"file":"src/app.py","line":4}]}`, true},
		{`{"verification":{"src/app.py:4":false}}`, true},
		{"src/app.py:4 is not fixed to a size; resolved", false},
		{"src/app.py:6 is not fixed", false},
		{"src/app.py:4 is fixed. src/lib.py:4 is not fixed", false},
		{`{"previous":[{"file":"src/app.py","line":4,"status":"fixed"},{"file":"src/lib.py","line":4,"status":"open"}]}`, false},
		{"No bounds check of index in get: NOT FIXED", true},
		{"- [ ] No bounds check of `index` in get", true},
		{"❌ No bounds check of \"index\" in `get`", true},
		{`{"summary":"No bounds check of 'index' in get is still not fixed"}`, true},
		{"\"No bounds check of `index` in get\": it is checked now and no longer fails", false},
		{"- [x] No bounds check of `index` in get", false},
		{"No bounds check of `index` in get\nAnother one is not fixed", false},
		{"Nothing was fixed.", true},
		{"None of the claims has been resolved", true},
		{"Neither is gone", true},
		{"Not all claims are fixed", true},
		{"None of the findings is critical; all were fixed", false},
		{"The previously reported problem has not been fixed.", true},
		{"The claim is still present in the code", true},
		{"The previously reported problem was not handled before; it is fixed.", false},
		{"The size is not fixed", false},
		{"", false},
	} {
		lower := strings.ToLower(tt.text)
		if got := deniedInWords(lower, issue) + deniedAtPlace(lower, places) + deniedTogether(lower, 1); got != "" != tt.denied {
			t.Errorf("%q is denied: %q, want %v", tt.text, got, tt.denied)
		}
	}
	if deniedTogether("the previously reported problem has not been fixed.", 2) != "" {
		t.Error("one of two claims is meant, and nobody knows which")
	}
}

func TestEndsOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 4, "ab\nef"}, {"", 4, ""},
	} {
		if got := endsOf(tt.text, tt.most); got != tt.want {
			t.Errorf("endsOf(%q, %d) is %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

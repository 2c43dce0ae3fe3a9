package slots

import (
	"strings"
	"testing"
	"unicode/utf8"
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

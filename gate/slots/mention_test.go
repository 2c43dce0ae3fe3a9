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

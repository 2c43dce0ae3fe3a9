package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// The expected hashes are the test data of github/codeql-action
// (src/fingerprints.test.ts, MIT licence).
func TestLineHashes(t *testing.T) {
	t.Parallel()
	greetings := []string{
		"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
		"b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
	}
	tests := []struct {
		name, content string
		want          []string
	}{
		{"an empty file", "", []string{"c129715d7a2bc9a3:1"}},
		{"white space", " a\nb\n  \t\tc\n d", []string{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
		{"no line break at the end", " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End", []string{
			"8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1", "c6805c5e1288b612:1", "b86d3392aea1be30:1", "e6ceba753e1a442:1"}},
		{"LF", " hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", greetings},
		{"CR", " hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", greetings},
		{"CRLF", " hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", greetings},
		{"all of them", " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", greetings},
		{"repeated lines", strings.Repeat("Lorem ipsum dolor sit amet.\n", 10), []string{
			"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4", "a7f2ff13bc495cf2:5",
			"a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.want, ledger.LineHashes([]byte(tt.content))); d != "" {
				t.Errorf("hashes (-want +got):\n%s", d)
			}
		})
	}
}

// A character beyond 16 bits counts as two, and invalid UTF-8 as U+FFFD: once for each longest part
// that could begin a character.
func TestLineHashesOfOddCharacters(t *testing.T) {
	t.Parallel()
	hash := func(text string) []string { return ledger.LineHashes([]byte(text)) }
	for _, pair := range [][2]string{
		{"\xff", "\ufffd"}, {"\xe2\x82", "\ufffd"}, {"\xe2\x82x", "\ufffdx"}, {"\xe2x", "\ufffdx"}, {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		{"\xf0\x9f\x98", "\ufffd"}, {"\xf0\x9f\xff", "\ufffd\ufffd"}, {"\xc0\x80", "\ufffd\ufffd"}, {"a\xf0\x9f\x98\nb", "a\ufffd\nb"},
	} {
		if got, want := hash(pair[0]), hash(pair[1]); !slices.Equal(got, want) {
			t.Errorf("%q has the hashes %q, and %q has %q", pair[0], got, pair[1], want)
		}
	}
	// 98 letters and one such character fill the window, so that the line break is outside.
	full := strings.Repeat("a", 98) + "\U0001F600"
	if a, b := hash(full+"\n"), hash(full+"b\n"); a[0] != b[0] {
		t.Errorf("the character is not two code units: %q and %q", a[0], b[0])
	}
	// The last character of one code unit.
	one := strings.Repeat("a", 98) + "\uffff"
	if a, b := hash(one+"\n"), hash(one+"b\n"); a[0] == b[0] {
		t.Errorf("the character is more than one code unit: %q", a[0])
	}
	if a, b := hash("a"+one+"\n"), hash("a"+one+"b\n"); a[0] != b[0] {
		t.Errorf("the character is not a code unit: %q and %q", a[0], b[0])
	}
	if a, b := hash(full[1:]+"\n"), hash(full[1:]+"b\n"); a[0] == b[0] {
		t.Errorf("the character is more than two code units: %q", a[0])
	}
}

func BenchmarkLineHashes(b *testing.B) {
	content := []byte(strings.Repeat("\tif err := run(ctx, call); err != nil { // not so short\n", 20_000))
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		ledger.LineHashes(content)
	}
}

package ledger

import "testing"

// A truncated character counts as one, however many of its bytes are there.
func TestDecodeRune(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		r    rune
		size int
	}{
		"a": {'a', 1}, "é!": {'é', 2}, "\U0001F600": {0x1F600, 4}, "\uFFFD": {0xFFFD, 3}, "\xff": {0xFFFD, 1}, "\x80\x80": {0xFFFD, 1}, "\xe2\x82": {0xFFFD, 2}, "\xe2\x82A": {0xFFFD, 2},
		"\xe2A": {0xFFFD, 1}, "\xf0\x9f\x98": {0xFFFD, 3}, "\xf0\x9f\x98A": {0xFFFD, 3}, "\xf0\x9fA": {0xFFFD, 2}, "\xed\xa0\x80": {0xFFFD, 1},
	} {
		if r, size := decodeRune([]byte(text)); r != want.r || size != want.size {
			t.Errorf("%q: %U of %d bytes", text, r, size)
		}
	}
}

package diff

import (
	"strings"
	"testing"
)

// A text may hold any character of its encoding. What has more than a tenth of others is none.
func TestIsOdd(t *testing.T) {
	t.Parallel()
	nine := "ninechars"
	for text, want := range map[string]bool{
		"": false, "plain\ttext\r\n": false, "größe 你好": false,
		strings.Repeat("\ufffd", 20):        false, // replaced by somebody else, but valid
		strings.Repeat("\t\n\v\f\r\x1b", 5): false,
		"\xff" + nine:                       false, "\xff" + nine[1:]: true, // exactly a tenth, and more
		"\x7f" + nine[1:]: true, "\x01" + nine[1:]: true, "\x1f" + nine[1:]: true, " " + nine[1:]: false, "\u2400" + nine[1:]: true, "\u2401" + nine[1:]: false,
		"\x01\x02" + nine + nine: false, "\x01\x02" + nine + nine[1:]: true,
	} {
		if got := isOdd([]byte(text)); got != want {
			t.Errorf("%q is odd: %t", text, got)
		}
	}
}

package diff

import "testing"

func TestUnquote(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		``: ``, `a`: `a`, `"a"`: `a`, `""`: ``, `"\303\244\t\\\""`: "ä\t\\\"", `"\377\000"`: "\xff\x00",
		`a"`: `a"`, `\101`: `\101`,
	} {
		if got, err := unquote([]byte(name)); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{`"`, `"a`, `"a"b`, `"a"b"`, `"\"`, `"\x"`, `"\1"`, `"\10"`, `"\400"`, `"\777"`, `"\108"`, `"\1/0"`, `"\10:"`} {
		if got, err := unquote([]byte(name)); err == nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

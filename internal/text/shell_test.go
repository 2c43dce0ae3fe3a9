package text_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/internal/text"
)

func TestShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"/tmp/demo-1": "/tmp/demo-1", "/tmp/a demo": "'/tmp/a demo'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "": "''", "a=b": "a=b", "é": "'é'",
	} {
		if got := text.ShellWord(word); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
	}
}

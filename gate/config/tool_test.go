package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
)

func TestSplitWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []string
	}{
		{`semgrep scan --sarif`, []string{"semgrep", "scan", "--sarif"}},
		{"  a\t b\n c ", []string{"a", "b", "c"}},
		{`a 'b c' "d e" f\ g`, []string{"a", "b c", "d e", "f g"}},
		{`a"b"'c'd`, []string{"abcd"}},
		{`a '' ""`, []string{"a", "", ""}},
		{`$HOME *.go ~ ; | & > x`, []string{"$HOME", "*.go", "~", ";", "|", "&", ">", "x"}},
		{`'\n' "\n" "\"" "\\" "\$x" \n`, []string{`\n`, `\n`, `"`, `\`, `$x`, "n"}},
		{`'it''s' "it's"`, []string{"its", "it's"}},
		{"a \\\n b", []string{"a", "b"}},
	}
	for _, tt := range tests {
		got, err := splitWords(tt.line)
		if err != nil {
			t.Errorf("%q: %v", tt.line, err)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", tt.line, d)
		}
	}
	for _, line := range []string{`a 'b`, `a "b`, `a \`} {
		if got, err := splitWords(line); err == nil {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// The built-in reviewer and tools do not call a model.
func TestAsksModel(t *testing.T) {
	t.Parallel()
	c := &Config{Adapters: map[string]Adapter{
		"lint": {Options: clients.Options{Output: "sarif"}}, "check": {Options: clients.Options{Output: "rdjson"}},
		"mine": {Options: clients.Options{Output: "answer"}}, "codex": {Options: clients.Options{Model: "x"}},
	}}
	for adapter, want := range map[string]bool{"lint": false, "check": false, "builtin": false, "mine": true, "codex": true, "claude": true} {
		if got := c.AsksModel(adapter); got != want {
			t.Errorf("%s: %v", adapter, got)
		}
	}
}

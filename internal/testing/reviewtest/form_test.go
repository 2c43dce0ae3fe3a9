package reviewtest

import (
	"slices"
	"testing"
)

const asking = "# The diff\n- aaaaaaaa no claim\n# Claims\nCheck each.\n- ztg4f3qv a.go:3 [high] leaks\n  - inner001 no entry\n" +
	"- too short\n- x9yr6pg4 b.go\n# Disputed\n- dddddddd c.go\n# Known\n- pb88fj8g d.go\n# Answer\n- eeeeeeee no\n# Your answer so far\n{}\n"

func TestListed(t *testing.T) {
	t.Parallel()
	for section, want := range map[string][]string{
		"Claims": {"ztg4f3qv", "x9yr6pg4"}, "Disputed": {"dddddddd"}, "Known": {"pb88fj8g"}, "Nothing": nil,
	} {
		if got := listed(asking, section); !slices.Equal(got, want) {
			t.Errorf("%s lists %q, want %q", section, got, want)
		}
	}
}

func TestSaid(t *testing.T) {
	t.Parallel()
	const words = `,"claims":[{"id":"ztg4f3qv","verdict":"fixed","evidence":"checked"},{"id":"x9yr6pg4","verdict":"fixed","evidence":"checked"}]}`
	tests := []struct {
		name, text, prompt string
		verbatim           bool
		want               string
	}{
		{name: "pass", text: passing, want: `{"status":"pass","violations":[]` + words},
		{name: "fail, over lines", text: "{\"status\": \"fail\",\n\"violations\": [{}]\n}", want: "{\"status\": \"fail\",\n\"violations\": [{}]" + words},
		{name: "nothing claimed", text: passing, prompt: "# Claims\nNone.\n", want: passing},
		{name: "verbatim", text: passing, verbatim: true, want: passing},
		{name: "has words", text: `{"status":"pass","claims":[]}`, want: `{"status":"pass","claims":[]}`},
		{name: "error", text: `{"status":"error","reason":"x"}`, want: `{"status":"error","reason":"x"}`},
		{name: "no form", text: `{"violations":[]}`, want: `{"violations":[]}`},
		{name: "text beside it", text: "Fine: " + passing, want: "Fine: " + passing},
		{name: "two objects", text: passing + passing, want: passing + passing},
		{name: "ids", text: `x {{claim 2}} {{known 1}} {{disputed 1}} {{claim 3}}`, want: `x x9yr6pg4 pb88fj8g dddddddd {{claim 3}}`},
		{name: "ids, verbatim", text: `{"status":"pass","notes":"{{claim 1}}"}`, verbatim: true, want: `{"status":"pass","notes":"ztg4f3qv"}`},
	}
	for _, test := range tests {
		if test.prompt == "" {
			test.prompt = asking
		}
		if got := said(test.text, test.prompt, test.verbatim); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

package setup

import (
	"strings"
	"testing"
)

func TestAddReviews(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ config, want string }{
		"a list in a line":         {"entry_points:\n  - path: .\n    reviews: [code-quality] # all\n", "entry_points:\n  - path: .\n    reviews: [code-quality, tests, security] # all\n"},
		"quoted names":             {"entry_points: [{path: ä, reviews: ['code-quality', \"q\" ]}]\n", "entry_points: [{path: ä, reviews: ['code-quality', \"q\", tests, security ]}]\n"},
		"a list in lines":          {"entry_points:\n  - path: .\n    reviews:\n      - code-quality # all\n    checks: [a]\n", "entry_points:\n  - path: .\n    reviews:\n      - code-quality # all\n      - tests\n      - security\n    checks: [a]\n"},
		"at the end of the file":   {"entry_points:\n- reviews:\n  -  code-quality", "entry_points:\n- reviews:\n  -  code-quality\n  -  tests\n  -  security\n"},
		"the line ends of Windows": {"entry_points:\r\n- reviews:\r\n  - code-quality\r\n", "entry_points:\r\n- reviews:\r\n  - code-quality\r\n  - tests\r\n  - security\r\n"},
		"where the main review is": {"entry_points:\n- reviews: [q]\n- reviews: [code-quality]\n- reviews: [p, code-quality]\n", "entry_points:\n- reviews: [q]\n- reviews: [code-quality, tests, security]\n- reviews: [p, code-quality, tests, security]\n"},
		"without the main review":  {"entry_points:\n- checks: [a]\n- reviews: [q]\n- reviews: [p]\n", "entry_points:\n- checks: [a]\n- reviews: [q, tests, security]\n- reviews: [p]\n"},
		"what is there":            {"entry_points:\n- reviews: [tests, code-quality]\n", "entry_points:\n- reviews: [tests, code-quality, security]\n"},
		"all are there":            {"entry_points:\n- reviews: [tests, security]\n", "entry_points:\n- reviews: [tests, security]\n"},
		"no reviews":               {"entry_points:\n- checks: [a]\n", "error: no entry point has a list of reviews"},
		"no entry points":          {"", "error: no entry point has a list of reviews"},
		"not YAML":                 {"a: [", "error: yaml:"},
		"an alias":                 {"x: &x q\nentry_points:\n- reviews: [*x]\n", "error: the list in line 3 cannot be extended"},
	} {
		got, err := AddReviews(test.config, []string{"tests", "security"})
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != test.want && (err == nil || !strings.HasPrefix(got, test.want)) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestAddChecks(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"entry_points:\n  - path: web\n    checks: [a]\n  - path: '.'\n    checks: [b]\n": "entry_points:\n  - path: web\n    checks: [a]\n  - path: '.'\n    checks: [b, test]\n",
		"entry_points: [{path: ., checks: [test]}]\n":                                     "entry_points: [{path: ., checks: [test]}]\n",
		"entry_points: [{path: ., reviews: [a]}, {path: web, checks: [b]}]\n":             `error: the entry point "." has no list of checks: add "checks: [NAME]" to it`,
		"- a\n": `error: the entry point "." has no list of checks: add "checks: [NAME]" to it`,
	} {
		got, err := AddChecks(config, []string{"test"})
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", config, got, want)
		}
	}
}

package clients

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rule: An unreadable word on a claim counts as not fixed.
func TestReadClaims(t *testing.T) {
	t.Parallel()
	const unread = "the reviewer's word on the claim cannot be read"
	tests := []struct {
		name, claims string
		want         []ClaimWord
		warnings     string // separated by |
	}{
		{"none", `[]`, nil, ""},
		{"null", `null`, nil, ""},
		{"words", `[{"id":"A","fixed":true,"evidence":"checks now"},{"id":"B","fixed":false}]`,
			[]ClaimWord{{"A", true, "checks now"}, {"B", false, ""}}, ""},
		{"wrapped", "[{\"id\":\" `#A` \",\"fixed\":\"Yes\",\"reason\":\"r\"}]", []ClaimWord{{"A", true, "r"}}, ""},
		{"by id", `{"A":true,"B":{"fixed":"false","evidence":"e"}}`, []ClaimWord{{"A", true, ""}, {"B", false, "e"}}, ""},
		{"one", `{"id":"A","fixed":true}`, []ClaimWord{{"A", true, ""}}, ""},
		{"two words on one", `[{"id":"A","fixed":true},{"id":"a","fixed":false,"evidence":"still there"},{"id":"A","fixed":true}]`,
			[]ClaimWord{{"a", false, "still there"}}, ""},
		{"in words", `[{"id":"A","fixed":"Fixed"},{"id":"B","fixed":"not fixed"},{"id":"C","fixed":"unfixed"},{"id":"D","fixed":"no"}]`, []ClaimWord{{"A", true, ""}, {"B", false, ""}, {"C", false, ""}, {"D", false, ""}}, ""},
		{"two keys that agree", `[{"id":"A","fixed":true,"fixed":true}]`, []ClaimWord{{"A", true, ""}}, ""},
		{"not clear", `[{"id":"A","fixed":"mostly"}]`, []ClaimWord{{"A", false, unread}}, `claims[0] (A) has no "fixed" of true or false; it counts as not fixed`},
		{"no fixed", `[{"id":"A"},"B"]`, []ClaimWord{{"A", false, unread}, {"", false, unread}},
			`claims[0] (A) has no "fixed" of true or false; it counts as not fixed|claims[1] has no "fixed" of true or false; it counts as not fixed`},
		{"two keys that differ", `[{"id":"A","fixed":true,"fixed":false}]`, []ClaimWord{{"A", false, unread}}, `claims[0] (A) has no "fixed" of true or false; it counts as not fixed`},
		{"no id", `[{"fixed":true}]`, []ClaimWord{{"", false, unread}}, `claims[0] has no "id"; it counts as not fixed`},
		{"no list", `"all fixed"`, []ClaimWord{{"", false, unread}}, "claims is not a list; it counts as not fixed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer, err := ParseAnswer(`{"status":"pass","violations":[],"claims":` + test.claims + `}`)
			if err != nil || answer.Status != StatusPass {
				t.Fatalf("status %q, error %v", answer.Status, err)
			}
			if diff := cmp.Diff(test.want, answer.Claims); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			if got := strings.Join(answer.Warnings, "|"); got != test.warnings {
				t.Errorf("warnings %q, want %q", got, test.warnings)
			}
		})
	}
}

// TestStrayWords finds words on claims wherever they stand. Elsewhere than in the answer's own
// claims only those count that say no.
//
// Rule: A reviewer's word on a claim decides.
func TestStrayWords(t *testing.T) {
	t.Parallel()
	no := []ClaimWord{{ID: "A", Evidence: "e"}}
	tests := []struct {
		name, text string
		want       []ClaimWord
	}{
		{"before the answer", `{"claims":[{"id":"A","fixed":false,"evidence":"e"},{"id":"B","fixed":true}]}` + passText, no},
		{"after it, by id", passText + `{"claims":{"A":{"fixed":false,"evidence":"e"}}}`, no},
		{"a line each", `{"id":"A","fixed":false,"evidence":"e"}` + "\n" + `{"id":"B","fixed":true}` + "\n" + passText, no},
		{"a list", `[{"claim":"A","fixed":"no","evidence":"e"}]` + passText, no},
		{"under another name", `{"status":"pass","verification":[{"claim_id":"A","fixed":false,"evidence":"e"}]}`, no},
		{"deep", `{"status":"pass","review":{"results":[{"id":"A","fixed":false,"evidence":"e"}]}}`, no},
		{"against the answer's own", `{"id":"A","fixed":false,"evidence":"e"} {"status":"pass","claims":[{"id":"A","fixed":true}]}`, no},
		{"in a failing answer", `{"verified":[{"id":"A","fixed":false,"evidence":"e"}]}` + failText, no},
		{"of an earlier answer", `{"status":"pass","claims":[{"id":"A","fixed":false,"evidence":"e"}]}` + passText, no},
		{"in capital letters", `{"id":"A","FIXED":false,"evidence":"e"}` + passText, no},
		{"in a capital letter", `{"id":"A","Fixed":"no","evidence":"e"}` + passText, no},
		{"beside what is no object", `{"a":"\x","fixed":1}` + "\n" + `{"id":"A","fixed":false,"evidence":"e"}` + failText, no},
		{"that confirm", `{"id":"A","fixed":true}` + passText, nil},
		{"without an id", `{"fixed":false}` + passText, nil},
		{"of a violation", `{"status":"fail","violations":[{"id":"A","fixed":false,"file":"a.go","issue":"real","priority":"high"}]}`, nil},
		{"of the format", `{"claims":[{"id", "fixed": true | false, "evidence"}]}` + passText, nil},
	}
	for _, test := range tests {
		answer, err := ParseAnswer(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.want, answer.Claims); diff != "" {
			t.Errorf("%s: claims (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestMergeAnswersClaims merges the words of several parts: one that says no counts.
func TestMergeAnswersClaims(t *testing.T) {
	t.Parallel()
	part := func(fixed bool, id string) Answer {
		return Answer{Status: StatusPass, Declared: StatusPass, Claims: []ClaimWord{{ID: id, Fixed: fixed}}, Warnings: []string{id}}
	}
	merged := MergeAnswers([]Answer{part(true, "A"), part(true, "B"), part(false, "A")})
	if diff := cmp.Diff([]ClaimWord{{ID: "A"}, {ID: "B", Fixed: true}}, merged.Claims); diff != "" || len(merged.Warnings) != 3 {
		t.Errorf("warnings %q, claims (-want +got):\n%s", merged.Warnings, diff)
	}
}

// No character of a folder's name ends the text that it stands in.
func TestTextOfTOML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`a"b\c`: `"a\"b\\c"`, "a\nb\x7f\x1f é": `"a\u000Ab\u007F\u001F é"`, "": `""`} {
		if got := tomlString(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for repo, trusted := range map[string]bool{"/a": true, "": false, "/a\xff": false} {
		args := strings.Join(codex{}.command(invocation{repo: repo}), " ")
		if strings.Contains(args, "projects={") != trusted {
			t.Errorf("%q: %s", repo, args)
		}
	}
}

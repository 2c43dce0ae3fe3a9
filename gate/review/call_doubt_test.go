package review

import "testing"

// A pass stands behind earlier messages as it would behind the same words in its own.
//
// Rule: Violations beside the answer are an error.
func TestDoubtOfEarlierMessages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		before, last string
		doubtful     bool
	}{
		{"I look at the tests first.", `{"status":"pass"}`, false},
		{"FAIL\tgithub.com/x/y\t0.2s", `{"status":"pass"}`, false},
		{`It has {"name": "x", "dependencies": {"a": 1`, `{"status":"pass"}`, false},
		{`{"status":"fail","violations":[{"file":"a.go"`, `{"status":"pass"}`, true},
		{`[{"file":"a.go","line":3,"issue":"x"}]`, `{"status":"pass"}`, true},
		{"Status: FAIL", `{"status":"pass"}`, true},
		{"Status: FAIL", `{"status":"fail","violations":[{"file":"a.go","line":3,"issue":"x","priority":"high"}]}`, false},
		{"Status: FAIL", "no answer", false}, // which is an error of its own
	} {
		said := answer{}
		said.say(tt.before)
		said.say(tt.last)
		if got := said.doubt(); (got != nil) != tt.doubtful {
			t.Errorf("%q before %q: %v", tt.before, tt.last, got)
		}
	}
}

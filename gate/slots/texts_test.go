package slots

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// These are texts that reviewers have written. If the reviewer, asked once more, gives the same
// review in the form, it is understood. If it gives the same text again, the slot is in error, with
// those entries of the text that are in the form. Nothing else in a text decides anything.
//
// Rule: What is not an answer is an error.
func TestTextsOfReviewers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		says, means string
		kept        int // entries of the text that count without the form
	}{
		"a fence with words around it":  {"Here it is:\n```json\n" + finds + "\n```\nDone.", finds, 1},
		"a thought before it":           {`I considered status: fail, but "status" is fine. ` + passes, passes, 0},
		"a pass in prose":               {"All good, status: pass.", passes, 0},
		"a trailing comma":              {`{"status":"pass","violations":[],}`, passes, 0},
		"quotes of Python":              {`{'status':'pass'}`, passes, 0},
		"typographic quotes":            {passes + ` {“status”: “fail”}`, finds, 0},
		"cut off":                       {`{"status":"pass","violations":[`, passes, 0},
		"cut off in the second":         {finds + `{"status":"fail","violations":[{"file":"a.go`, finds, 1},
		"in an array":                   {"[" + finds + "]", finds, 1},
		"in another object":             {passes + `{"result":` + finds + `}`, finds, 1},
		"a pass, and then the findings": {passes + "\n" + finds, finds, 1},
		"the findings, and then a pass": {finds + passes, finds, 1},
		"a list beside a pass":          {passes + ` [{"file":"f","line":1,"issue":"leaks","priority":"high"}]`, finds, 1},
		"a verdict of its own":          {`{"status":"pass","verdict":"request_changes"}`, finds, 0},
		"a list of its own":             {`{"status":"pass","violations":[],"findings":["leaks"]}`, finds, 0},
		"as SARIF has it":               {passes + ` {"runs":[{"results":[{"ruleId":"E1","level":"error","message":{"text":"leaks"}}]}]}`, finds, 0},
		"as YAML has it":                {"status: fail\nviolations:\n  - file: f\n    issue: leaks\n" + passes, finds, 0},
		"a heading of fail":             {"## Review\n\n**Final verdict:** FAIL.\r\n" + passes, finds, 0},
		"a table":                       {"| File | Line | Priority | Issue |\n|---|---|---|---|\n| `f` | 1 | high | leaks |\n" + passes, finds, 0},
		"a list in prose":               {"1. **[HIGH]** f:1 - leaks\n" + passes, finds, 0},
		"an error, and then a pass":     {`{"status":"error","reason":"no tools"}` + passes, cannot, 0},
		"an error in a pass":            {`{"status":"pass","violations":[],"error":"the diff was cut"}`, cannot, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := askedOf(t, &saying{texts: []string{test.means}}, nil)
			got := askedOf(t, &saying{texts: []string{test.says, test.means}}, nil)
			if got.Status != want.Status || got.Given.Error != want.Given.Error || len(got.Given.Entries) != len(want.Given.Entries) {
				t.Errorf("repaired: %q, %q with %d entries, want %q, %q with %d",
					got.Status, got.Given.Error, len(got.Given.Entries), want.Status, want.Given.Error, len(want.Given.Entries))
			}
			again := askedOf(t, &saying{texts: []string{test.says, test.says}}, nil)
			if again.Status != ledger.SlotError && again.Given.Error == "" || len(again.Given.Entries) != test.kept {
				t.Errorf("said again: %q, %q with %d entries, want an error with %d", again.Status, again.Given.Error, len(again.Given.Entries), test.kept)
			}
		})
	}
}

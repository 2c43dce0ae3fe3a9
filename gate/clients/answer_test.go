package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	passText = `{"status":"pass","violations":[]}`
	failText = `{"status":"fail","violations":[{"file":"a.go","line":3,"issue":"real","priority":"high"}]}`
	bareText = `{"file":"a.go","line":3,"issue":"real","priority":"high"}`
	example  = `{"status":"fail","violations":[{"file":"x.go","line":1,"issue":"example","priority":"low"}]}`
)

// answerCases are texts with the status that they come to and the issues that
// they list, or with the error that they are.
func answerCases() []answerCase {
	return []answerCase{
		{name: "pass", text: passText, status: StatusPass},
		{name: "fail", text: failText, status: StatusFail, issues: "real"},
		{name: "pass without a list", text: `{"status":"pass"}`, status: StatusPass},
		{name: "pass with null", text: `{"status":"pass","violations":null}`, status: StatusPass},
		{name: "letter case", text: `{"Status":" FAIL ","VIOLATIONS":[{"issue":"x"}]}`, status: StatusFail, issues: "x"},
		{name: "escaped key", text: `{"st\u0061tus":"f\u0061il","violations":[{"issue":"x"}]}`, status: StatusFail, issues: "x"},
		{name: "pass with violations", text: `{"status":"pass","violations":[{"issue":"x"}]}`, status: StatusFail, issues: "x"},
		{name: "fail without a list", text: `{"status":"fail"}`, status: StatusFail},
		{name: "fail with an empty list", text: `{"status":"fail","violations":[]}`, status: StatusFail},

		{name: "fenced", text: "Here it is:\n```json\n" + failText + "\n```\nDone.", status: StatusFail, issues: "real"},
		{name: "byte order mark", text: "\ufeff" + passText, status: StatusPass},
		{name: "invalid UTF-8", text: "\xff{\"status\":\"fail\",\"violations\":[{\"issue\":\"a\xfeb\\u0000\\ud800\"}]}", status: StatusFail, issues: "a\uFFFDb\uFFFD\uFFFD"},
		{name: "NUL in prose", text: "\x00 " + passText, status: StatusPass},
		{name: "in an array", text: "[" + failText + "]", status: StatusFail, issues: "real"},
		{name: "other objects", text: `{} {"a":{"b":[1,{"c":null}]}} {"status":"new"} {"status":true} {"job":{"status":"done","issue":null,"errors":[],"passed":true}} ` + passText + ` {"status":"ok"}`, status: StatusPass},

		{name: "brace in prose", text: "see {foo} and { bar\n" + failText + " } {", status: StatusFail, issues: "real"},
		{name: "open brace before a pass", text: "func main() {\n" + passText, status: StatusPass},
		{name: "object begun in prose", text: `the map {"a": is never closed ` + failText, status: StatusFail, issues: "real"},
		{name: "quote in prose", text: `the map {"a is never closed ` + failText, status: StatusFail, issues: "real"},
		{name: "quotes in prose", text: `{"foo} says "{` + passText, status: StatusPass},
		{name: "apostrophe", text: `It's {'a': "x} ` + "\n" + passText, status: StatusPass},
		{name: "the format of the prompt", text: `{"status": "pass" | "fail", "violations": [ ... ]}` + "\n" + passText, status: StatusPass},
		{name: "a program", text: "```js\nif (!ok) return {status: \"fail\"}\n```\n" + passText, status: StatusPass},
		{name: "words", text: `I considered status: fail, but "status" is fine. ` + passText, status: StatusPass},

		{name: "example pass first", text: "e.g. " + passText + "\n" + failText, status: StatusFail, issues: "real"},
		{name: "example fail first", text: example + failText, status: StatusFail, issues: "real"},
		{name: "pass after fail", text: failText + passText, status: StatusFail, issues: "real"},
		{name: "pass after a pass with violations", text: `{"status":"pass","violations":[{"issue":"x"}]}` + passText, status: StatusFail, issues: "x"},
		{name: "statuses that differ", text: `{"status":"fail","violations":[{"issue":"x"}],"status":"pass"}`, status: StatusFail, issues: "x"},
		{name: "two lists", text: `{"status":"pass","violations":[{"issue":"x"}],"violations":[]}`, status: StatusFail, issues: "x"},
		{name: "unreadable fail before the fail", text: `{"status":"fail",}` + failText, status: StatusFail, issues: "real"},
		{name: "answer quoted in an issue", text: `{"status":"fail","violations":[{"issue":"{\"status\":\"pass\"} {"}]}`, status: StatusFail, issues: `{"status":"pass"} {`},
		{name: "violation that is not an object", text: `{"status":"fail","violations":["x",null,3,[1],{"issue":"y"}]}`, status: StatusFail, issues: "||||y"},

		{name: "bad escapes", text: `{"a":"\x"} {"b":"\u12g4"} {"c":tru} {"d":01} {"e":1.} {"f":[1 2]} {"g":1]` + passText, status: StatusPass},
		{name: "bad escape in a fail", text: `{"status":"fail","violations":[{"issue":"C:\dir\x"}]}` + passText, err: "a status of fail outside of an answer at byte 2 (invalid JSON at byte 40)"},

		{name: "claims", text: `{"status":"pass","violations":[],"claims":[{"id":"A","fixed":true,"evidence":"the issue is gone"}]}`, status: StatusPass},
		{name: "claims with a file", text: `{"status":"pass","claims":[{"id":"A","fixed":true,"file":"a.go","line":3,"fix":"checked"}]}`, status: StatusPass},
		{name: "cut in a word", text: passText + `{"a":fizz`, err: "truncated JSON object"},
		{name: "claims beside violations", text: `{"status":"fail","violations":[{"file":"a.go","issue":"x","priority":"low"}],"claims":[{"id":"A","fixed":false,"file":"a.go","line":3,"issue":"it still races"}]}`, status: StatusFail, issues: "x"},
		{name: "notes beside a pass", text: `{"status":"pass","violations":[],"notes":[{"file":"a.go","comment":"fine"}],"issues":[],"summary":"no issue: good"}`, status: StatusPass},
		{name: "error before the fail", text: `{"status":"error","reason":"no file"} ` + failText, status: StatusFail, issues: "real"},

		{name: "error", text: "Sorry.\n" + `{"status":"Error","reason":"cannot read\n src/a.go"}`, declared: "the reviewer could not review: cannot read src/a.go"},
		{name: "error with a long reason", text: `{"status":"error","reason":"` + strings.Repeat("é", 251) + `"}`, declared: "the reviewer could not review: " + strings.Repeat("é", 250) + "…"},
		{name: "error with a reason that is just short enough", text: `{"status":"error","reason":"` + strings.Repeat("é", 250) + `"}`, declared: "the reviewer could not review: " + strings.Repeat("é", 250)},
		{name: "error without a reason", text: `{"status":"error","violations":[]}`, declared: "the reviewer could not review: it gives no reason"},
		{name: "error with another word for reason", text: `{"status":"error","message":"no tools"}`, declared: "the reviewer could not review: no tools"},
		{name: "error after an example pass", text: passText + `{"status":"error","reason":"no tools"}`, declared: "the reviewer could not review: no tools"},
		{name: "error before a pass", text: `{"status":"error","reason":"no tools"}` + passText, declared: "the reviewer could not review: no tools"},
		{name: "error after a fail", text: failText + `{"status":"error","reason":"no tools"}`, declared: "the reviewer could not review: no tools"},

		{name: "bare list", text: passText + ` [{"file":"a.go","line":2,"issue":"x","priority":"high"}]`, err: "a violation outside of an answer at byte 35"},
		{name: "bare list before", text: `[{"file":"a.go","line":2,"issue":"x","priority":"high"}]` + passText, err: "a violation outside of an answer"},
		{name: "a violation a line", text: passText + "\n{\"file\":\"a.go\",\"issue\":\"x\"}\n{\"file\":\"b.go\",\"issue\":\"y\"}", err: "a violation outside of an answer"},
		{name: "violations in other words", text: passText + ` {"path":"a.go","severity":"high","message":"x"}`, err: "a violation outside of an answer"},
		{name: "violations as a linter has them", text: passText + ` [{"file":"a.go","line":2,"message":"x"}]`, err: "a violation outside of an answer"},
		{name: "violations under a name of their own", text: `{"status":"pass","violations":[],"report":{"a.go":[{"problem":"x"}]}}`, err: "a violation outside of an answer"},
		{name: "violations as a program has them", text: passText + ` [{file: 'a.go', issue: 'x'}]`, err: "a violation outside of an answer"},
		{name: "violations in typographic quotes", text: passText + ` {“file”: “a.go”, “issue”: “x”}`, err: "a violation outside of an answer"},
		{name: "bare list after a fail", text: failText + ` [{"file":"a.go","line":2,"issue":"x","priority":"high"}]`, err: "a violation outside of an answer"},
		{name: "violation alone", text: `{"file":"a.go","line":2,"issue":"x","priority":"high"}`, err: "a violation outside of an answer"},
		{name: "failed beside a pass", text: passText + `{"status":"failed"}`, err: "a status of fail outside of an answer"},
		{name: "failed in a pass", text: `{"status":"pass","review":{"status":"FAILED"}}`, err: "a status of fail outside of an answer"},
		{name: "verdict beside a pass", text: `{"status":"pass","verdict":"request_changes"}`, err: "a status of fail outside of an answer"},
		{name: "not passed in a pass", text: `{"status":"pass","passed":false}`, err: "passed is false beside the answer"},
		{name: "issues in a pass", text: `{"status":"pass","issues":[{"text":"x"}]}`, err: "violations listed outside of an answer"},
		{name: "findings in a pass", text: `{"status":"pass","violations":[],"findings":["x"]}`, err: "violations listed outside of an answer"},
		{name: "a pass of false in a pass", text: `{"status":"pass","pass":false}`, err: "pass is false beside the answer"},
		{name: "another status in a pass", text: `{"status":"pass","overall_status":"FAIL"}`, err: "a status of fail outside of an answer"},
		{name: "critical ones in a pass", text: `{"status":"pass","violations":[],"critical":[{"where":"a.go","what":"x"}]}`, err: "violations listed outside of an answer"},
		{name: "blocking issues in a pass", text: `{"status":"pass","blocking_issues":["x"]}`, err: "violations listed outside of an answer"},
		{name: "an error in a pass", text: `{"status":"pass","violations":[],"error":"the diff was cut"}`, declared: "the reviewer could not review: the diff was cut"},
		{name: "an error object in a pass", text: `{"status":"pass","error":{"code":7}}`, declared: `the reviewer could not review: {"code":7}`},
		{name: "no error in a pass", text: `{"status":"pass","error":null,"Error":"None"}`, status: StatusPass},
		{name: "an empty error", text: `{"status":"pass","error":""}`, status: StatusPass},
		{name: "the error is no", text: `{"status":"pass","error":"No"}`, status: StatusPass},
		{name: "the error is not applicable", text: `{"status":"pass","error":"N/A"}`, status: StatusPass},
		{name: "the error is false", text: `{"status":"pass","error":false}`, status: StatusPass},
		{name: "the error is 0", text: `{"status":"pass","error":0}`, status: StatusPass},
		{name: "the error is the word null", text: `{"status":"pass","error":"null"}`, status: StatusPass},
		{name: "the error is an empty object", text: `{"status":"pass","error":{}}`, status: StatusPass},
		{name: "the error is an empty list", text: `{"status":"pass","error":[]}`, status: StatusPass},
		{name: "the error is true", text: `{"status":"pass","error":true}`, declared: "the reviewer could not review: true"},
		{name: "the error is 1", text: `{"status":"pass","error":1}`, declared: "the reviewer could not review: 1"},
		{name: "the last error counts", text: `{"status":"pass","error":null,"error":"it broke"}`, declared: "the reviewer could not review: it broke"},
		{name: "an error beside a violation", text: `{"status":"pass","error":"x","violations":[{"file":"a.go","issue":"real","priority":"high"}]}`, status: StatusFail, issues: "real"},
		{name: "an error in a fail", text: `{"status":"fail","error":"x","violations":[{"file":"a.go","issue":"real","priority":"high"}]}`, status: StatusFail, issues: "real"},
		{name: "fail as YAML has it", text: "status: fail\nviolations:\n  - file: a.go\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "a heading of fail", text: "## Review\n\n**Final verdict:** FAIL.\r\n" + passText, err: "a status of fail outside of an answer at byte 11"},
		{name: "prose after a fail", text: failText + "\nStatus: failed\n", status: StatusFail, issues: "real"},
		{name: "prose on a status", text: "Status: failures are handled.\nMy verdict: fail-safe\nstatus: pass\n" + passText, status: StatusPass},
		{name: "prose on what passed", text: passText + " passed: false alarms only", status: StatusPass},
		{name: "no errors in a pass", text: `{"status":"pass","errors":false}`, status: StatusPass},
		{name: "claims without an answer", text: passText + ` {"claims":[{"path":"a.go","severity":"high"}]}`, err: "a violation outside of an answer"},
		{name: "pass and an unknown word", text: `{"status":"pass","status":"maybe"}`, err: "two different statuses in the JSON object"},
		{name: "error and an unknown word", text: `{"status":"error","status":"maybe"}`, err: "two different statuses in the JSON object"},
		{name: "unknown words", text: `{"status":"perhaps","status":"maybe"}` + passText, status: StatusPass},
		{name: "a key in other letters", text: passText + "{\"\u017ftatus\":\"fail\",\"violations\":[]}", status: StatusPass},
		{name: "not passed at the end", text: passText + ` "passed": false`, err: "passed is false beside the answer"},
		{name: "a status cut off", text: passText + ` "status": "`, status: StatusPass},
		{name: "a blank issue", text: passText + ` "issue": "  "`, status: StatusPass},
		{name: "findings beside a pass", text: `{"findings":[{"text":"x"}]}` + passText, err: "violations listed outside of an answer"},
		{name: "nested fail without a list", text: passText + `{"result":{"status":"fail"}}`, err: "a status of fail outside of an answer"},
		{name: "nested error", text: passText + `{"result":{"status":"error","reason":"x"}}`, err: "a status of fail outside of an answer"},
		{name: "a fail too deep", text: passText + `{"x":` + strings.Repeat("[", 2000) + failText + strings.Repeat("]", 2000) + `}`, status: StatusFail, issues: "real"},
		{name: "a pass too deep", text: `{"x":` + strings.Repeat("[", 2000) + passText + strings.Repeat("]", 2000) + `}`, err: "JSON nested more than 1000 deep at byte 0"},

		{name: "more lists beside the violations", text: `{"status":"fail","violations":[{"issue":"x"}],"critical_issues":["SQL injection in a.go"]}`, err: "violations listed outside of an answer at byte 0"},
		{name: "more violations beside the violations", text: `{"status":"fail","violations":[{"issue":"x"}],"security":{"a.go":[{"file":"a.go","line":1,"message":"y"}]}}`, err: "a violation outside of an answer at byte 0"},
		{name: "the same list twice", text: `{"status":"fail","violations":[{"issue":"It leaks.","title":"Leak"}],"issues":[{"file":"a.go","message":"it leaks"},{"what":"leak"}],"blockers":["It  leaks"," "],"findings":[]}`, status: StatusFail, issues: "It leaks."},
		{name: "part of an issue in a list", text: `{"status":"fail","violations":[{"issue":"The handle is never closed, so that it leaks."}],"problems":["handle is never closed"]}`, status: StatusFail, issues: "The handle is never closed, so that it leaks."},
		{name: "a number in a list of issues", text: `{"status":"fail","violations":[{"issue":"x"}],"issues":[7]}`, err: "violations listed outside of an answer"},
		{name: "issues under a name of several words", text: `{"status":"pass","violations":[],"newFindings":["x"]}`, err: "violations listed outside of an answer"},
		{name: "issues with dashes", text: passText + ` {"security-issues": ["x"]}`, err: "violations listed outside of an answer"},
		{name: "claims that are not fixed, as a list", text: `{"status":"pass","not_fixed":["A"]}`, err: "violations listed outside of an answer"},
		{name: "issues that are no longer there", text: `{"status":"pass","fixed_issues":["A"],"resolvedViolations":["B"],"known_issues":["C"],"minor_issues":["d"],"issues_fixed":["A"],"nits":["e"]}`, status: StatusPass},
		{name: "counts of none", text: `{"status":"pass","violations":[],"summary":{"total_issues":0,"critical":0,"issuesFixed":2,"files":3,"confidence":0.9}}`, status: StatusPass},
		{name: "a count of issues", text: `{"status":"pass","violations":[],"summary":{"total_issues":2}}`, err: "total_issues is 2 beside the answer at byte 0"},
		{name: "too many to count", text: `{"status":"pass","issues":1e999}`, err: "issues is 1e999 beside the answer"},
		{name: "issues by file", text: `{"status":"pass","issues":{"src/a.go":["leaks"]}}`, err: "violations listed outside of an answer"},
		{name: "issues by priority, none", text: `{"status":"pass","issues":{"critical":[],"high":[]}}`, status: StatusPass},
		{name: "issues in a text", text: `{"status":"pass","issues":"a.go:2 leaks"}`, err: "violations listed outside of an answer"},
		{name: "no issues in a text", text: `{"status":"pass","issues":"no issues in a.go:2"}`, status: StatusPass},
		{name: "a verdict in words", text: `{"status":"pass","verdict":"Request Changes"}`, err: "a status of fail outside of an answer"},
		{name: "a verdict of no go", text: `{"status":"pass","decision":"NO-GO"}`, err: "a status of fail outside of an answer"},
		{name: "advice not to merge", text: `{"status":"pass","recommendation":"do not merge"}`, err: "a status of fail outside of an answer"},
		{name: "advice to merge", text: `{"status":"pass","recommendation":"merge"}`, status: StatusPass},
		{name: "a block elsewhere", text: `{"status":"pass","kind":"block"}`, status: StatusPass},
		{name: "not reviewed", text: `{"status":"pass","reviewed":false}`, err: "reviewed is false beside the answer"},
		{name: "skipped", text: `{"status":"pass","skipped":true}`, err: "skipped is true beside the answer"},
		{name: "some skipped", text: `{"status":"pass","skipped":2}`, status: StatusPass},
		{name: "refused", text: `{"status":"pass","refusal":"I will not"}`, declared: "the reviewer could not review: I will not"},
		{name: "a heading of fail", text: "# FAIL\n" + passText, err: "a status of fail outside of an answer"},
		{name: "a fail overall", text: "Overall: FAIL\n" + passText, err: "a status of fail outside of an answer"},
		{name: "a status behind a dash", text: "Review status - FAILED\n" + passText, err: "a status of fail outside of an answer"},
		{name: "no approval", text: "I do not approve this change.\n" + passText, err: "a status of fail outside of an answer"},
		{name: "numbered quotes", text: `{&#034;status&#034;: &#X022;fail&#34;}` + passText, err: "a status of fail outside of an answer"},
		{name: "wide colons", text: `{"status"：＂fail＂}` + passText, err: "a status of fail outside of an answer"},
		{name: "a violation by its type", text: `{"type":"violation","file":"a.go","line":2,"msg":"leaks"}` + passText, err: "a violation outside of an answer"},
		{name: "half an issue", text: `{"status":"pass","issues":0.5}`, err: "issues is 0.5 beside the answer"},
		{name: "less than no issue", text: `{"status":"pass","issues":-1,"issue_count":"none","problems":0}`, status: StatusPass},
		{name: "changes, and not that they are needed", text: `{"status":"pass","changes":true,"fix":true,"required":true}`, status: StatusPass},
		{name: "work needed", text: `{"status":"pass","needs_work":true}`, err: "needs_work is true beside the answer"},
		{name: "one of a kind", text: `{"status":"pass","one":true,"any":true}`, status: StatusPass},
		{name: "a list of what is not resolved", text: `{"status":"pass","not_resolved":["A"]}`, err: "violations listed outside of an answer"},
		{name: "a list of what is not fixed", text: `{"status":"pass","notFixed":["A"]}`, err: "violations listed outside of an answer"},
		{name: "a list of what is not needed", text: `{"status":"pass","not_needed":["A"]}`, status: StatusPass},
		{name: "a list that fails", text: `{"status":"pass","tags":[["fail"]]}`, err: "a status of fail outside of an answer"},
		{name: "an object that is empty", text: `{"status":"pass","a":{},"b":[],"c":[[]],"d":""}`, status: StatusPass},
		{name: "an earlier status", text: `{"status":"pass","previous_status":"fail","last_result":"failed"}`, status: StatusPass},
		{name: "claims deep in a pass", text: `{"status":"pass","review":{"claims":[{"note":"failed"}]}}`, err: "a status of fail outside of an answer"},
		{name: "a count in one word", text: `{"status":"pass","issueCount":1}`, err: "issueCount is 1 beside the answer"},
		{name: "a count of violations in a text", text: `{"status":"pass","violationsFound":"1"}`, err: "violationsFound is 1 beside the answer"},
		{name: "failed ones counted", text: `{"status":"pass","checks":{"passed":3,"failed":1}}`, err: "failed is 1 beside the answer"},
		{name: "blocking", text: `{"status":"pass","blocking":true}`, err: "blocking is true beside the answer"},
		{name: "has issues", text: `{"status":"pass","hasIssues":true}`, err: "hasIssues is true beside the answer"},
		{name: "changes needed", text: `{"status":"pass","changes_required":true}`, err: "changes_required is true beside the answer"},
		{name: "a diff that was cut", text: `{"status":"pass","diff_truncated":true}`, err: "diff_truncated is true beside the answer"},
		{name: "not approved", text: `{"status":"pass","safe_to_merge":false}`, err: "safe_to_merge is false beside the answer"},
		{name: "not reviewed as a whole", text: `{"status":"pass","review_complete":false}`, err: "review_complete is false beside the answer"},
		{name: "what is said of a pass", text: `{"status":"pass","approved":true,"blocking":false,"has_issues":false,"has_changes":true,"review_complete":true,"truncated":false,"verdict":"approve"}`, status: StatusPass},
		{name: "a part that failed", text: `{"status":"pass","checks":{"style":"pass","security":"FAIL"}}`, err: "a status of fail outside of an answer"},
		{name: "a claim that is not fixed, under another name", text: `{"status":"pass","verification":[{"id":"A","state":"not fixed"}]}`, err: "a status of fail outside of an answer"},
		{name: "an earlier status", text: `{"status":"pass","previous_status":"fail","claims":[{"id":"A","fixed":true,"was":"fail"}]}`, status: StatusPass},
		{name: "a heading of fail with a mark", text: "## Result: ❌ FAIL\n\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "an assignment of fail", text: "verdict = rejected\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "fail as XML has it", text: passText + "<answer><status> fail </status></answer>", err: "a status of fail outside of an answer at byte 41"},
		{name: "violations as YAML has them", text: "violations:\n- file: a.go\n  issue: x\n" + passText, err: "violations listed outside of an answer at byte 0"},
		{name: "fail in escaped quotes of HTML", text: passText + "{&quot;status&quot;: &quot;fail&quot;}", err: "a status of fail outside of an answer at byte 40"},
		{name: "fail in escaped quotes of JSON", text: passText + `{\u0022status\u0022:\u0022fail\u0022}`, err: "a status of fail outside of an answer at byte 40"},
		{name: "fail in guillemets", text: passText + `{«status»: «fail»}`, err: "a status of fail outside of an answer"},
		{name: "fail in wide quotes", text: passText + `{＂status＂: ＂fail＂}`, err: "a status of fail outside of an answer"},
		{name: "a pass about escaped quotes", text: `{"status":"pass","claims":[{"id":"A","fixed":true,"evidence":"writes &quot;x&quot; for \u0022x\u0022"}]}`, status: StatusPass},
		{name: "fail with a full stop", text: passText + `{"status":"fail."}`, err: "a status of fail outside of an answer"},
		{name: "a heading of fail with its reason", text: "**Verdict: REJECT** - two races\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "a line of fail with a count", text: "Status: FAIL (1 critical)\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "a heading of two words", text: "Decision: request changes\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "a heading of a mark alone", text: "Verdict: ❌\n" + passText, err: "a status of fail outside of an answer at byte 0"},
		{name: "a line about what fails", text: "Result: failed writes are retried\nStatus: fail-safe (as before)\nDecision: reject(x) is called\n" + passText, status: StatusPass},
		{name: "by priority", text: `{"status":"pass","violations":[],"critical":[],"high":["No bounds check"]}`, err: "violations listed outside of an answer"},
		{name: "by priority, none", text: `{"status":"pass","violations":[],"high":[],"blocker":[]}`, status: StatusPass},
		{name: "not approved in words", text: `{"status":"pass","approved":"No"}`, err: "approved is no beside the answer"},
		{name: "blocking in words", text: `{"status":"pass","blocking":"yes"}`, err: "blocking is yes beside the answer"},
		{name: "as SARIF has it", text: passText + ` {"runs":[{"results":[{"ruleId":"E1","level":"error","message":{"text":"x"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.go"}}}]}]}]}`, err: "a violation outside of an answer"},
		{name: "a place with parts", text: `{"status":"pass","violations":[],"comments":[{"location":{"file":"a.go","line":2},"severity":"low","message":"x"}]}`, err: "a violation outside of an answer"},
		{name: "a place without a priority", text: `{"status":"pass","violations":[],"comments":[{"location":{"file":"a.go","line":2},"message":"good"}]}`, status: StatusPass},
		{name: "severe without a file", text: `{"status":"pass","violations":[],"comments":[{"where":"a.go:2","what":"leaks","level":"Critical"}]}`, err: "a violation outside of an answer"},
		{name: "severe, and settled", text: `{"status":"pass","violations":[],"resolved":[{"title":"x","severity":"high"}],"checked":[{"title":"x","severity":"high","status":"fixed"},{"title":"x","severity":"high","resolved":true}]}`, status: StatusPass},
		{name: "severe, and not settled", text: `{"status":"pass","violations":[],"checked":[{"title":"x","severity":"high","resolved":false}]}`, err: "a violation outside of an answer"},
		{name: "minor remarks", text: `{"status":"pass","violations":[],"remarks":[{"title":"x","severity":"low"}],"risk":{"level":"high","summary":"x"},"areas":[{"name":"x","priority":"high"}]}`, status: StatusPass},
		{name: "none, as YAML has it", text: "Issues:\n- none\n\nResult: passed\n" + passText, status: StatusPass},

		{name: "empty", text: " \r\n\x00\ufeff", err: "the answer is empty"},
		{name: "prose", text: "All good, status: pass.", err: "no JSON object with a status of pass or fail"},
		{name: "nested pass", text: `{"result":` + passText + `}`, err: "no JSON object with"},
		{name: "trailing comma", text: `{"status":"pass","violations":[],}`, err: "no JSON object with a status of pass or fail (invalid JSON at byte 33)"},
		{name: "single quotes", text: `{'status':'pass'}`, err: "no JSON object with"},
		{name: "pass cut off", text: `{"status":"pass","violations":[`, err: "truncated JSON object at byte 0"},
		{name: "fail cut off", text: passText + "\n" + failText[:40], err: "truncated JSON object at byte 34"},
		{name: "cut off before the status", text: passText + "\n" + `{"violations":[{"file":"a.go`, err: "truncated JSON object at byte 34"},
		{name: "cut off in the status", text: passText + "\n" + `{"status":"fa`, err: "truncated JSON object at byte 34"},
		{name: "real fail cut off after an example", text: example + failText[:40], err: "truncated JSON object at byte 92"},
		{name: "object begun in prose and never closed", text: `the map {"a": ` + failText, err: "truncated JSON object at byte 8"},
		{name: "fail with a trailing comma", text: passText + ` {"status":"fail","violations":[],}`, err: "a status of fail outside of an answer at byte 36 (invalid JSON at byte 67)"},
		{name: "fail in single quotes", text: passText + ` {'status': 'Fail'}`, err: "a status of fail outside of an answer"},
		{name: "fail in typographic quotes", text: passText + ` {“status”: “fail”}`, err: "a status of fail outside of an answer"},
		{name: "fail in a string", text: passText + ` "{\"status\":\"fail\"}"`, err: "a status of fail outside of an answer"},
		{name: "fail before the pass", text: `{"status" : "fail" "violations":[]} ` + passText, err: "a status of fail outside of an answer"},
		{name: "control character in a string", text: passText + "{\"status\":\"fail\",\"violations\":[{\"issue\":\"two\nlines\"}]}", err: "a status of fail outside of an answer"},
		{name: "violations as texts of a program", text: passText + ` {violations: ['a.go leaks']}`, err: "violations listed outside of an answer"},
		{name: "violations without quotes", text: passText + ` {status: 'fail', violations: [{file: 'a.go'}]}`, err: "violations listed outside of an answer"},
		{name: "fail in a wrapper", text: passText + `{"result":` + failText + `}`, err: "a violation outside of an answer"},
		{name: "fail in a wrapper after an example", text: example + `{"result":` + failText + `}`, err: "a violation outside of an answer"},
		{name: "fail in a wrapping string", text: passText + `{"result":"{\"status\":\"fail\",\"violations\":[{\"file\":\"a\"}]}"}`, err: "a status of fail outside of an answer"},
		{name: "another word for fail", text: passText + `{"status":"failed","violations":[{"issue":"x"}]}`, err: "a violation outside of an answer"},
		{name: "another word and pass", text: `{"status":"pass","status":"error"}`, err: "two different statuses in the JSON object"},
		{name: "fail with null", text: `{"status":"fail","violations":null}`, err: "violations is not an array in the JSON object at byte 0"},
		{name: "fail with an object", text: `{"status":"fail","violations":{"issue":"x"}}`, err: "violations is not an array"},
		{name: "pass with an object", text: `{"status":"pass","violations":{}}`, err: "violations is not an array"},
		{name: "pass with a string", text: `{"status":"pass","violations":""}` + passText, err: "violations is not an array"},
		{name: "too deep", text: `{"status":"pass","x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, err: "JSON nested more than 1000 deep at byte 0"},
	}
}

type answerCase struct {
	name, text string
	status     Status
	issues     string // separated by |
	err        string // after "JSON parsing failed: "
	declared   string // the whole error of an answer that says error
}

// Rule: In one answer a failure outweighs a pass.
func TestParseAnswer(t *testing.T) {
	t.Parallel()
	for _, test := range answerCases() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			answer, err := ParseAnswer(test.text)
			want := test.declared
			if test.err != "" {
				want = "JSON parsing failed: " + test.err
			}
			if want != "" {
				var answerErr *AnswerError
				if !errors.As(err, &answerErr) || !strings.HasPrefix(err.Error(), want) || answerErr.Declared != (test.declared != "") {
					t.Fatalf("answer %+v, error %v, want %s", answer, err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var issues []string
			for i, entry := range answer.Entries {
				issues = append(issues, entry.Issue)
				if entry.Position != i+1 {
					t.Errorf("entry %d has position %d", i+1, entry.Position)
				}
			}
			if got := strings.Join(issues, "|"); answer.Status != test.status || got != test.issues {
				t.Errorf("status %q with issues %q, want %q with %q", answer.Status, got, test.status, test.issues)
			}
			if answer.Unexplained != (answer.Status == StatusFail && len(answer.Entries) == 0) {
				t.Errorf("unexplained is %t: %+v", answer.Unexplained, answer)
			}
		})
	}
}

func TestParseAnswerDeclared(t *testing.T) {
	t.Parallel()
	answer, err := ParseAnswer(`{"status":"pass","violations":[{}]}`)
	if err != nil || answer.Status != StatusFail || answer.Declared != StatusPass {
		t.Errorf("answer %+v, error %v", answer, err)
	}
}

// TestProse keeps what the prose around a pass lists as severe.
func TestProse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"1. **[HIGH]** src/a.go:2 - Leaks\n2. **[CRITICAL]** `src/b.go:4-6`: Injection", "src/a.go:2|src/b.go:4"},
		{"- [P1] Leaks — /repo/src/a.go:2-3\n  more", "/repo/src/a.go:2"},
		{"### Critical: races in a.go:7", "a.go:7"},
		{"* Severity: blocker (src/a.go:7)", "src/a.go:7"},
		{"| File | Line | Priority | Issue |\n|---|---|---|---|\n| `src/a.go` | 2 | high | Leaks |\n| b.go:7 | **Critical** | x |\n| c.go | 1 | low | x |", "src/a.go:2|b.go:7:0"},
		{"| src/a.go | 1 | high | Leaks |\n| 3 | src/b.go | 9 | high | Numbered |\n| 0 | src/c.go | high | x |\n| high | a and b | 2 |", "src/a.go:1|src/b.go:3|src/c.go:0"},
		{"### 1. Injection\n- **File:** src/a.go:2\n- **Priority:** critical\n", "src/a.go:2:0"},
		{"- file: src/a.go\n  line: 2\n  issue: x\n  severity: \"high\"\n", "src/a.go:0"},
		{"[[violations]]\npriority = 'high'\nfile = \"src/a.go\"\n", "src/a.go:0"},
		{"<violation><file>src/a.go</file><priority>high</priority></violation>", "src/a.go:0"},
		{"<violation>\n<file>src/a.go</file>\n<priority>high</priority>\n</violation>", "src/a.go:0"},
		{`<issue file="src/a.go" line="2" severity="critical">x</issue>`, "src/a.go:0"},
		{"dict(file='src/a.go', priority='high')", "src/a.go:0"},

		{"1. [high] src/a.go:2 was fixed", ""},
		{"- [high] src/a.go:2 ✓", ""},
		{"- src/a.go:2 has a low risk", ""},
		{"- **Correctness** (high priority): src/a.go:2 is right", ""},
		{"- Confidence: **high** that src/a.go:2 is right", ""},
		{"1. src/a.go:2 — the **high** bound is in", ""},
		{"- High-level: src/a.go:2 calls b", ""},
		{"- `src/a.go:2` **high** Leaks", "src/a.go:2"},
		{"- Critical - src/a.go:2 leaks", "src/a.go:2"},
		{"- Critical: src/a.go:2 returns ok even when the password is wrong", "src/a.go:2"},
		{"File: src/a.go\nIt looks good, and leaks.\nSeverity: critical", "src/a.go:0"},
		{"- High priority: src/a.go:2 leaks", "src/a.go:2"},
		{"- [high] Leaks: none", ""},
		{"The high bits of src/a.go:2 are set.", ""},
		{"- the high bits of src/a.go:2 are set", ""},
		{"### File: src/a.go\n\nNothing here.\n\n### Priority: low", ""},
		{"file: src/a.go\n1\n2\n3\n4\n5\n6\npriority: high", ""},
		{"file: src/a.go\nthis is fixed\npriority: high", ""},
		{"highest: src/a.go:2", ""},

		{"Critical issue: src/a.go line 2 leaks", "src/a.go:2"},
		{"src/a.go:2 - high - leaks", "src/a.go:2"},
		{"src/a.go:2: leaks [critical]", "src/a.go:2"},
		{"🔴 `src/a.go`:2 leaks", "src/a.go:2"},
		{"High: src/a.go#L2-L4 leaks", "src/a.go:2"},
		{"## Critical\n\n- src/a.go:2 leaks\n- src/b.go:3 leaks\n\nThanks.\n- src/c.go:4 is new", "src/a.go:2|src/b.go:3"},
		{"**High priority issues**\n1. src/a.go:2 leaks\n\n**Low**\n1. src/b.go:3 is long", "src/a.go:2"},
		{"[\"src/a.go:2: leaks\"]", "src/a.go:2"},
		{"src/a.go:2: the error is not handled (critical)", "src/a.go:2"},
		{"src/a.go:2: the error is handled (critical)", ""},
		{"High: 0, at src/a.go:2 nothing", ""},
		{"the (higher) bound in src/a.go:2", ""},
		{"## Critical\nNone\n\n- src/a.go:2 calls b", ""},
	} {
		for _, text := range []string{test.text + "\n" + passText, passText + "\n" + test.text} {
			answer, err := ParseAnswer(text)
			var got []string
			for _, draft := range answer.Drafts {
				got = append(got, draft.File+":"+strconv.Itoa(draft.Start))
			}
			if err != nil || strings.Join(got, "|") != test.want {
				t.Errorf("%q: drafts %q, error %v, want %q", text, got, err, test.want)
			}
		}
	}
}

// TestDrafts keeps what stands before a failing answer and is not in it.
func TestDrafts(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"an earlier answer", example + failText, "x.go: example"},
		{"two earlier ones", example + `{"status":"fail","violations":[{"file":"b.go","issue":"Bad","priority":"low"},{"file":"a.go","issue":"Real.","priority":"low"}]}` + failText, "x.go: example|b.go: Bad"},
		{"a list", `[{"path":"b.go","severity":"high","message":"leaks"}]` + failText, "b.go: leaks"},
		{"in an object", `{"findings":[{"location":"b.go","line":3,"description":"leaks"}]}` + failText, "b.go: leaks"},
		{"before a pass that counts as none", passText + failText, ""},
		{"the same", bareText + failText, ""},
		{"claims", `{"status":"fail","claims":[{"id":"A","issue":"x","fixed":true}]}` + failText, ""},
		{"what does not decode", `{"status":"fail",}` + failText, ""},
	}
	for _, test := range tests {
		answer, err := ParseAnswer(test.text)
		var got []string
		for _, draft := range answer.Drafts {
			got = append(got, draft.File+": "+draft.Issue)
		}
		if err != nil || strings.Join(got, "|") != test.want {
			t.Errorf("%s: drafts %q, error %v, want %q", test.name, got, err, test.want)
		}
	}
	if answer := MergeAnswers([]Answer{{Drafts: []Entry{{File: "a"}}}, {Drafts: []Entry{{File: "b"}}}}); len(answer.Drafts) != 2 {
		t.Errorf("merged, the drafts are %+v", answer.Drafts)
	}
}

// TestParseAnswerTruncated cuts an answer that follows an example at every
// byte: none of the cuts may make the example the answer.
func TestParseAnswerTruncated(t *testing.T) {
	t.Parallel()
	whole := `{"x":[null,true,-1.5e3,{}],"status":"fail","violations":[{"file":"a.go","line":3,"issue":"\u00e9\n\\","priority":"high"}]}`
	for _, first := range []string{passText, example} {
		for cut := len(`{"`); cut < len(whole); cut++ {
			answer, err := ParseAnswer("Like " + first + ":\n" + whole[:cut])
			if err == nil {
				t.Errorf("cut to %q, the answer is %+v", whole[:cut], answer)
			}
		}
	}
	if answer, err := ParseAnswer(passText + whole); err != nil || len(answer.Entries) != 1 {
		t.Errorf("uncut, the answer is %+v, error %v", answer, err)
	}
}

func TestMergeAnswers(t *testing.T) {
	t.Parallel()
	entry := func(position int, issue string) Entry { return Entry{Position: position, Issue: issue} }
	pass := Answer{Status: StatusPass, Declared: StatusPass}
	fail := Answer{Status: StatusFail, Declared: StatusFail, Entries: []Entry{entry(1, "a"), entry(2, "b")}}
	hidden := Answer{Status: StatusFail, Declared: StatusPass, Entries: []Entry{entry(1, "c")}}
	unexplained := Answer{Status: StatusFail, Declared: StatusFail, Unexplained: true}
	tests := []struct {
		name  string
		parts []Answer
		want  Answer
	}{
		{"none", nil, Answer{}},
		{"passes", []Answer{pass, pass}, pass},
		{"fail and passes", []Answer{pass, fail, pass}, fail},
		{"fails", []Answer{hidden, pass, fail}, Answer{Status: StatusFail, Declared: StatusFail,
			Entries: []Entry{entry(1, "c"), entry(2, "a"), entry(3, "b")}}},
		{"hidden fail", []Answer{hidden, pass}, hidden},
		{"unexplained", []Answer{unexplained, fail}, Answer{Status: StatusFail, Declared: StatusFail,
			Entries: fail.Entries, Unexplained: true}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, MergeAnswers(test.parts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// FuzzParseAnswer holds the property that matters most: a text with an object
// that says fail, or with a violation, is never a pass, wherever in broken JSON or
// prose it stands.
func FuzzParseAnswer(f *testing.F) {
	for _, c := range answerCases() {
		f.Add(c.text, "")
		f.Add(c.text, c.text)
		f.Add("", c.text)
		f.Add(`{"a":`+c.text, c.text)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		if answer, err := ParseAnswer(before + bareText + after); err == nil && answer.Status == StatusPass {
			t.Errorf("%q passes beside a violation and %q", before, after)
		}
		for _, text := range []string{before, before + failText + after} {
			answer, err := ParseAnswer(text)
			if err != nil {
				continue
			}
			checkAnswer(t, text, answer)
			if answer.Status == StatusPass && holdsFail(strings.ToValidUTF8(text, "\uFFFD")) {
				t.Errorf("%q passes", text)
			}
		}
	})
}

// holdsFail reports whether an object that says fail begins anywhere in a text,
// outside of the objects that can be decoded whole. It tries every brace, which
// is simple and slow. Escapes in what it looks for are left out.
func holdsFail(text string) bool {
	const most = 10_000
	if len(text) > most {
		return false
	}
	for at := 0; at < len(text); at++ {
		if text[at] != '{' {
			continue
		}
		decoder := json.NewDecoder(strings.NewReader(text[at:]))
		var object json.RawMessage
		if decoder.Decode(&object) != nil {
			continue
		}
		fields, err := readMembers(object)
		if status, _ := declaredStatus(fields); err == nil && status == StatusFail && !bytes.Contains(object, []byte(`\u`)) {
			return true
		}
		at += int(decoder.InputOffset()) - 1
	}
	return false
}

func checkAnswer(t *testing.T, text string, answer Answer) {
	t.Helper()
	switch {
	case answer.Status != StatusPass && answer.Status != StatusFail:
		t.Errorf("%q has the status %q", text, answer.Status)
	case answer.Status == StatusPass && len(answer.Entries) > 0:
		t.Errorf("%q passes with %d entries", text, len(answer.Entries))
	}
	for _, entry := range answer.Entries {
		if entry.Start < 0 || entry.End < entry.Start || entry.Start == 0 && entry.End != 0 {
			t.Errorf("entry %s has the lines %d to %d", entry.Raw, entry.Start, entry.End)
		}
		if len(entry.Missing) == 0 && (entry.File == "" || entry.Issue == "" || entry.Priority == "") {
			t.Errorf("entry %s lacks something: %+v", entry.Raw, entry)
		}
	}
}

// TestParseAnswerIsLinear reads texts that would keep a careless scanner busy
// for hours, which the test's own timeout would end.
func TestParseAnswerIsLinear(t *testing.T) {
	t.Parallel()
	for _, test := range adversarial(1 << 20) {
		answer, err := ParseAnswer(test.text)
		if (err == nil) != (test.status != "") || answer.Status != test.status {
			t.Errorf("%s: status %q, error %v, want %q", test.name, answer.Status, err, test.status)
		}
	}
}

type adversary struct {
	name, text string
	status     Status // empty: an error
}

func adversarial(size int) []adversary {
	repeat := func(part string) string { return strings.Repeat(part, size/len(part)) }
	return []adversary{
		{"braces", repeat("{") + passText, StatusPass},
		{"brackets", `{"a":` + repeat("[") + passText, ""},
		{"nested", repeat(`{"a":`) + passText, ""},
		{"quoted braces", repeat(`{"`) + passText, StatusPass},
		{"escaped", `{"` + repeat(`\"{`) + passText, StatusPass},
		{"spaces", repeat("{"+strings.Repeat(" ", 1000)) + passText, StatusPass},
		{"open strings", repeat(`{"a {"b`+"\n") + passText, StatusPass},
		{"passes", repeat(`{"status":"pass"}`), StatusPass},
		{"empty objects", repeat(`{}`) + passText, StatusPass},
		{"nearly answers", repeat(`{"status":"pass",`) + passText, StatusPass},
		{"fragments", repeat(`"violations": `) + repeat(`"status": `) + passText, StatusPass},
		{"fails cut off", repeat(`{"status":"fail",`) + passText, ""},
		{"backslashes", `{"a":"` + repeat(`\\`) + passText, StatusPass},
		{"one long issue", `{"status":"fail","violations":[{"issue":"` + repeat("x") + `"}]}`, StatusFail},
		{"many entries", `{"status":"fail","violations":[` + repeat(`{"line":"1-2"},`) + `{}]}`, StatusFail},
		{"claims", `{"status":"pass","claims":[` + repeat(`{"id":"`+strings.Repeat("x", 30)+`","fixed":true},`) + `{}]}`, StatusPass},
		{"nested in a pass", `{"status":"pass","x":` + strings.Repeat(`{"a":[`, 400) + repeat(`{"b":1},`) + `1` + strings.Repeat(`]}`, 400) + `}`, StatusPass},
		{"many keys", `{"status":"fail","violations":[{` + repeat(`"k":1,`) + `"issue":"x"}]}`, StatusFail},
	}
}

func BenchmarkParseAnswer(b *testing.B) {
	for _, test := range adversarial(10 << 20) {
		b.Run(strings.ReplaceAll(test.name, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(test.text)))
			for b.Loop() {
				if answer, _ := ParseAnswer(test.text); answer.Status != test.status {
					b.Fatalf("status %q", answer.Status)
				}
			}
		})
	}
}

// A violation says a text again if either is part of the other, and the part is no mere word.
func TestTextsOfViolations(t *testing.T) {
	t.Parallel()
	entries := []Entry{{Issue: "The  buffer overflows here!", Title: "Short"}, {Issue: "exactly12abc"}}
	listed := listedTexts(entries)
	for text, want := range map[string]bool{
		"the buffer overflows here": true, "THE BUFFER\nOVERFLOWS HERE…": true, "buffer overflows": true, "overflows": false, "uffer overfl": true, "uffer overf": false,
		"see: the buffer overflows here, always": true, "short": true, "too short": false, "it is exactly12abc": true, "exactly12ab": false, "": false, "...": false, "other": false,
	} {
		if got := listed.has(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	var many []Entry
	for n := range maxListed + 1 {
		many = append(many, Entry{Issue: fmt.Sprintf("violation number %03d", n)})
	}
	listed = listedTexts(many)
	for text, want := range map[string]bool{"x violation number 199": true, "x violation number 200": false, "violation number 200": true} {
		if got := listed.has(text); got != want {
			t.Errorf("of many, %q: %t", text, got)
		}
	}
}

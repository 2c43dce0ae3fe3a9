package clients_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// TestReviewOutput has the outputs that are not obvious: clients that partly fail, fail in unusual
// words, or change their answer.
func TestReviewOutput(t *testing.T) {
	t.Parallel()
	const pass = `{\"status\":\"pass\"}`
	const failText = `{"status":"fail","violations":[{"file":"a.go","issue":"x","priority":"high"}]}`
	const denials = `{"type":"result","is_error":false,"permission_denials":`
	fail := strings.ReplaceAll(failText, `"`, `\"`)
	tests := []struct {
		name, adapter, stdout, stderr, exit string
		kind                                ledger.ErrorKind // empty: the answer is want
		want                                string
		before                              []string
		denied                              string
	}{
		{name: "denied", adapter: "claude", want: `{"status":"pass"}`, denied: "not allowed: Read (/etc/a), Bash (ls), a tool",
			stdout: denials + `[{"tool_name":"Read","tool_use_id":"1","tool_input":{"file_path":"/etc/a"}},{"tool_name":"Read","tool_input":{"file_path":"/etc/a"}},{"tool_name":"Bash","tool_input":{"command":"ls"}},{"tool_input":1}],"result":"` + pass + `"}`},
		{name: "denied many times", adapter: "claude", want: `{"status":"pass"}`, denied: "not allowed: A, B, C, D, E, F, G, H, I, J, 1 more",
			stdout: denials + `[{"tool_name":"A"},{"tool_name":"B"},{"tool_name":"C"},{"tool_name":"D"},{"tool_name":"E"},{"tool_name":"F"},{"tool_name":"G"},{"tool_name":"H"},{"tool_name":"I"},{"tool_name":"J"},{"tool_name":"K"}],"result":"` + pass + `"}`},
		{name: "denials of another kind", adapter: "claude", want: `{"status":"pass"}`, stdout: denials + `{"n":1},"result":"` + pass + `"}`},
		{name: "failing tools", adapter: "gemini", want: `{"status":"pass"}`, denied: "failed: grep (1 time), read_file (2 times)",
			stdout: `{"response":"` + pass + `","stats":{"tools":{"totalCalls":5,"totalFail":3,"byName":{"read_file":{"fail":2},"grep":{"fail":1},"glob":{"fail":0}}}}}`},
		{name: "a failing tool without a name", adapter: "gemini", want: `{"status":"pass"}`, denied: "failed: 1 use of a tool",
			stdout: `{"response":"` + pass + `","stats":{"tools":{"totalCalls":5,"totalFail":1,"byName":[]}}}`},
		{name: "keys in another order", adapter: "claude",
			stdout: `{"result":"` + pass + `","is_error":false,"type":"result"}`, want: `{"status":"pass"}`},
		{name: "verbose", adapter: "claude",
			stdout: `[{"type":"system"},{"type":"result","is_error":false,"result":"` + pass + `"}]`, want: `{"status":"pass"}`},
		{name: "verbose and cut", adapter: "claude", stdout: `[{"type":"system"},{"type":"assistant","result":"` + pass + `"}]`,
			kind: ledger.ErrorBadAnswer, want: `unexpected output: the object on stdout has the type "assistant"`},
		{name: "no messages", adapter: "claude", stdout: "[]", kind: ledger.ErrorBadAnswer, want: "unexpected output: "},
		{name: "error with exit code 0", adapter: "claude",
			stdout: `{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"it broke"}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: it broke"},
		{name: "not the user's limit", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":429,"result":"API Error: Server is temporarily limiting requests (not your usage limit) · x"}`,
			kind:   ledger.ErrorRateLimit, want: "rate limit reached: API Error: Server is temporarily limiting requests"},
		{name: "error subtype beside an answer", adapter: "claude",
			stdout: `{"type":"result","subtype":"error_max_turns","is_error":false,"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: error_max_turns {"status":"pass"}`},
		{name: "not completed", adapter: "claude",
			stdout: `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"max_turns","result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: ended by max_turns"},
		{name: "refusal", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"` + pass + `","stop_reason":"refusal"}`,
			kind:   ledger.ErrorRefused, want: "refused to answer: "},
		{name: "an earlier message failed", adapter: "claude",
			stdout: `[{"type":"result","is_error":true,"result":"it broke"},{"type":"result","is_error":false,"result":"` + pass + `"}]`,
			kind:   ledger.ErrorCrashed, want: "reported an error: it broke"},
		{name: "errors beside an answer", adapter: "claude",
			stdout: `{"type":"result","subtype":"success","is_error":false,"errors":["the tool broke"],"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: ["the tool broke"] {"status":"pass"}`},
		{name: "an error beside an answer", adapter: "claude",
			stdout: `{"type":"result","subtype":"success","is_error":false,"error":{"message":"it broke"},"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: {"message":"it broke"}`},
		{name: "no errors", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"error":null,"errors":[],"structured_output":{"status":"pass"},"result":"` + pass + `"}`, want: `{"status":"pass"}`},
		{name: "another answer as an object", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"structured_output":{"status":"fail","violations":[{"file":"a","issue":"x","priority":"low"}]},"result":"` + pass + `"}`,
			want:   `{"status":"fail","violations":[{"file":"a","issue":"x","priority":"low"}]}`},
		{name: "an object, as it is printed", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"stop_reason":"tool_use","result":"{\"status\":\"pass\",\"n\":1}","structured_output":{"status": "pass", "n": 1}}`,
			want:   `{"status": "pass", "n": 1}`},
		{name: "no object for an answer in words", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"structured_output":null,"result":"` + pass + `"}`, want: `{"status":"pass"}`},
		{name: "verbose, with an object", adapter: "claude",
			stdout: `[{"type":"system"},{"type":"assistant","message":{"content":[{"type":"text","text":"let me"},{"type":"text","text":"look"}]}},` +
				`{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Read"}]}},{"type":"user","message":{"content":[{"type":"tool_result"}]}},` +
				`{"type":"assistant","message":{"content":"` + fail + `"}},{"type":"user"},` +
				`{"type":"result","is_error":false,"result":"` + pass + `","structured_output":{"status":"pass"}}]`,
			want: `{"status":"pass"}`, before: []string{"let me\nlook", failText}},
		{name: "verbose, and repeated at last", adapter: "claude",
			stdout: `[{"type":"assistant","message":{"content":"` + pass + `"}},{"type":"system"},{"type":"result","is_error":false,"result":"` + pass + `"}]`,
			want:   `{"status":"pass"}`},
		{name: "verbose, and nothing at last", adapter: "claude",
			stdout: `[{"type":"assistant","message":{"content":"` + pass + `"}},{"type":"result","is_error":false,"result":""}]`,
			kind:   ledger.ErrorBadAnswer, want: "empty answer"},
		{name: "never in the schema", adapter: "claude", exit: "1", stderr: "strict mode: use allowUnionTypes to allow union type keyword\n",
			stdout: `{"is_error":true,"num_turns":6,"stop_reason":"tool_use","terminal_reason":"structured_output_retry_exhausted",` +
				`"subtype":"error_max_structured_output_retries","errors":["Failed to provide valid structured output after 5 attempts — usage limit"],"type":"result"}`,
			kind: ledger.ErrorCrashed, want: `exited with code 1: error_max_structured_output_retries ["Failed to provide valid structured output after 5 attempts`},
		{name: "never in the schema, exit code 0", adapter: "claude",
			stdout: `{"is_error":true,"subtype":"error_max_structured_output_retries","errors":["Failed"],"type":"result"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: error_max_structured_output_retries ["Failed"]`},
		{name: "the schema refused", adapter: "claude", exit: "1",
			stdout: `{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"result":"API Error: 400 tools.3.custom.input_schema: JSON schema is invalid","stop_reason":"stop_sequence"}`,
			kind:   ledger.ErrorCrashed, want: "exited with code 1: API Error: 400 tools.3.custom.input_schema: JSON schema is invalid"},
		{name: "a flag that an old client does not know", adapter: "claude", exit: "1", stderr: "error: unknown option '--json-schema'\n",
			kind: ledger.ErrorCrashed, want: "exited with code 1: error: unknown option '--json-schema'"},
		{name: "objects one after the other", adapter: "claude",
			stdout: `{"type":"result","is_error":true,"result":"it broke"}` + "\n" + `{"type":"result","is_error":false,"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: it broke"},
		{name: "credit used up", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":400,"result":"Credit balance is too low"}`,
			kind:   ledger.ErrorUsageLimit, want: "usage limit reached: Credit balance is too low"},
		{name: "not logged in", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":null,"result":"Not logged in · Please run /login"}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: Not logged in · Please run /login"},
		{name: "larger than the model's window", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":400,"result":"Prompt is too long"}`,
			kind:   ledger.ErrorInputLimit, want: "input limit exceeded: Prompt is too long"},
		{name: "answer cut by the model", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"` + pass + `","stop_reason":"max_tokens"}`,
			kind:   ledger.ErrorBadAnswer, want: "unexpected output: the answer was cut"},
		{name: "answer cut by the model's window", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"` + pass + `","stop_reason":"model_context_window_exceeded"}`,
			kind:   ledger.ErrorBadAnswer, want: "unexpected output: the answer was cut"},
		{name: "a failing status beside an answer", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"api_error_status":400,"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: {"status":"pass"}`},
		{name: "a good status beside an answer", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"api_error_status":200,"result":"` + pass + `"}`, want: `{"status":"pass"}`},
		{name: "an answer that speaks of limits", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"You've hit your usage limit"}`, want: "You've hit your usage limit"},

		{name: "figures of another type", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"total_cost_usd":"0.12","modelUsage":{"m":{"inputTokens":"many"}},"result":"` + pass + `"}`, want: `{"status":"pass"}`},
		{name: "figures of another type", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":1.5}}`, want: `{"status":"pass"}`},
		{name: "figures of another type", adapter: "gemini", stdout: `{"response":"` + pass + `","stats":{"models":[]}}`, want: `{"status":"pass"}`},
		{name: "figures of another type", adapter: "opencode", stdout: `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" +
			`{"type":"step_finish","part":{"reason":"stop","cost":"free","tokens":7}}`, want: `{"status":"pass"}`},
		{name: "figures of another type", adapter: "github-copilot", stdout: `{"type":"assistant.message","data":{"model":7,"content":"` + pass + `"}}` + "\n" +
			`{"type":"result","exitCode":0}`, want: `{"status":"pass"}`},
		{name: "no end", adapter: "codex",
			stdout: `{"type":"turn.started"}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}`,
			kind:   ledger.ErrorBadAnswer, want: "unexpected output: the events end without turn.completed"},
		{name: "failed after an answer", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" +
				`{"type":"turn.failed","error":{"message":"stream disconnected"}}` + "\n",
			kind: ledger.ErrorCrashed, want: "reported an error: stream disconnected"},
		{name: "last event cut", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_mess`,
			kind: ledger.ErrorBadAnswer, want: "unexpected output: a line of stdout is not an event: "},
		{name: "notices between the events", adapter: "codex",
			stdout: "update available\n\n" + `{"type":"item.completed","item":{"type":"error","message":"unknown model"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed"}`,
			want: `{"status":"pass"}`},
		{name: "indented, in lines of Windows", adapter: "codex",
			stdout: `  {"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\r\n" + ` {"type":"turn.completed"}` + "\r\n",
			want:   `{"status":"pass"}`},
		{name: "quota", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan and billing details."}}`,
			kind:   ledger.ErrorUsageLimit, want: "usage limit reached: Quota exceeded."},
		{name: "the schema refused", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"{\"error\": {\"message\": \"Invalid schema for response_format 'codex_output_schema'\", \"code\": \"invalid_json_schema\"}}"}}`,
			kind:   ledger.ErrorCrashed, want: `exited with code 1: {"error": {"message": "Invalid schema for response_format 'codex_output_schema'`},
		{name: "short limit", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`,
			kind:   ledger.ErrorRateLimit, want: "rate limit reached: exceeded retry limit"},
		{name: "forbidden", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"unexpected status 403 Forbidden: no access"}}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: unexpected status 403 Forbidden"},
		{name: "error behind the last turn", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed"}` + "\n" +
				`{"type":"error","message":"it broke"}`,
			kind: ledger.ErrorCrashed, want: "reported an error: it broke"},
		{name: "a second turn without an end", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed"}` + "\n" +
				`{"type":"turn.started"}`,
			kind: ledger.ErrorBadAnswer, want: "unexpected output: the events end without turn.completed"},
		{name: "content filter", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"Incomplete response returned, reason: content_filter"}}`,
			kind:   ledger.ErrorRefused, want: "refused to answer: Incomplete response"},
		{name: "no key", adapter: "codex", exit: "1",
			stdout: `{"type":"error","message":"Missing environment variable: ` + "`OPENAI_API_KEY`" + `."}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: Missing environment variable"},

		{name: "another format's error", adapter: "gemini", stdout: `{"status":"error","response":"` + pass + `"}`,
			kind: ledger.ErrorCrashed, want: "reported an error: the result has the status error"},
		{name: "invalid stream", adapter: "gemini", stdout: `{"response":"","error":{"type":"INVALID_STREAM","message":"no text"}}`,
			kind: ledger.ErrorBadAnswer, want: "empty answer: no text"},
		{name: "error beside a response", adapter: "gemini", stdout: `{"response":"` + pass + `","error":{"message":"cut","code":"X"}}`,
			kind: ledger.ErrorCrashed, want: "reported an error: cut"},
		{name: "no response", adapter: "gemini", stdout: `{"session_id":"s"}`,
			kind: ledger.ErrorBadAnswer, want: "unexpected output: the object on stdout has no response"},
		{name: "error at the end of stderr", adapter: "gemini", exit: "144",
			stderr: "log\n{\n  \"error\": {\n    \"message\": \"an older one\"\n  }\n}\nmore\n{\n  \"error\": {\n    \"message\": \"API key not valid\",\n    \"code\": 400\n  }\n}\n",
			kind:   ledger.ErrorAuth, want: "not authenticated: API key not valid"},
		{name: "an object without an error on stderr", adapter: "gemini", exit: "1", stderr: "it is wrong:\n{\n  \"session_id\": \"s\"\n}\n",
			kind: ledger.ErrorCrashed, want: "exited with code 1"},
		{name: "no object on stderr", adapter: "gemini", exit: "41", stderr: "When using Gemini API, you must specify the GEMINI_API_KEY environment variable\n",
			kind: ledger.ErrorAuth, want: "not authenticated: When using Gemini API"},

		{name: "killed after an answer", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}`,
			kind:   ledger.ErrorBadAnswer, want: "unexpected output: the events end without a result"},
		{name: "exit code in the result", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: the result has the exit code 1"},
		{name: "an earlier exit code", adapter: "github-copilot",
			stdout: `{"type":"result","exitCode":1}` + "\n" + `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" +
				`{"type":"result","exitCode":0}`,
			kind: ledger.ErrorCrashed, want: "reported an error: the result has the exit code 1"},
		{name: "aborted", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" + `{"type":"abort"}` + "\n" + `{"type":"result","exitCode":0}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: the session was aborted"},
		{name: "prompt too long", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"query","message":"The model rejected the prompt as too long","statusCode":400}}` + "\n" +
				`{"type":"result","exitCode":1}`,
			kind: ledger.ErrorInputLimit, want: "input limit exceeded: The model rejected"},
		{name: "quota", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"rate_limit","message":"you have used up your premium requests","statusCode":429}}` + "\n" +
				`{"type":"result","exitCode":1}`,
			kind: ledger.ErrorUsageLimit, want: "usage limit reached: you have used up"},
		{name: "error and exit code 0", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" +
				`{"type":"session.error","data":{"errorType":"query","message":"connection refused"}}` + "\n" + `{"type":"result","exitCode":0}`,
			kind: ledger.ErrorCrashed, want: "reported an error: connection refused"},
		{name: "the prompt repeated", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"user.message","data":{"content":"You've hit your usage limit"}}` + "\n" +
				`{"type":"session.error","data":{"errorType":"query","message":"connection refused"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind: ledger.ErrorCrashed, want: "exited with code 1: connection refused"},
		{name: "a quota, whatever it says", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"quota","message":"no more","statusCode":402}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorUsageLimit, want: "usage limit reached: no more"},
		{name: "no right", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"authorization","message":"no"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: no"},
		{name: "too much context", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"context_limit","message":"no room"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorInputLimit, want: "input limit exceeded: no room"},
		{name: "the first error that says something", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"query","message":"failed"}}` + "\n" + `{"type":"session.error","data":{"errorType":"authentication","message":"who"}}` + "\n" +
				`{"type":"session.error","data":{"errorType":"quota","message":"no more"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind: ledger.ErrorAuth, want: "not authenticated: who"},
		{name: "a status before what else failed", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"query","message":"who","statusCode":401}}` + "\n" + `{"type":"session.error","data":{"errorType":"query","message":"failed"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: who"},
		{name: "an error, then aborted", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"session.error","data":{"errorType":"authentication","message":"who"}}` + "\n" + `{"type":"session.abort"}` + "\n" + `{"type":"result","exitCode":1}`,
			kind:   ledger.ErrorAuth, want: "not authenticated: who"},
		{name: "the session was aborted", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" + `{"type":"session.abort"}` + "\n" + `{"type":"result","exitCode":0}`,
			kind:   ledger.ErrorCrashed, want: "reported an error: the session was aborted"},
		{name: "not logged in", adapter: "github-copilot", exit: "1", stderr: "Error: No authentication information found.\n",
			kind: ledger.ErrorAuth, want: "not authenticated: Error: No authentication information found."},

		{name: "reported error", adapter: "cursor", stdout: `{"type":"result","is_error":true,"result":"no"}`,
			kind: ledger.ErrorCrashed, want: "reported an error: no"},
		{name: "error subtype beside an answer", adapter: "cursor",
			stdout: `{"type":"result","subtype":"error","is_error":false,"result":"` + pass + `"}`,
			kind:   ledger.ErrorCrashed, want: `reported an error: error {"status":"pass"}`},
		{name: "the prompt repeated", adapter: "cursor", exit: "1", stderr: "reading:\nthis reviews a usage limit\nError: no connection\n",
			kind: ledger.ErrorCrashed, want: "exited with code 1: reading: Error: no connection"},

		{name: "no end", adapter: "opencode", stdout: `{"type":"step_start"}` + "\n" + `{"type":"text","part":{"text":"` + pass + `"}}`,
			kind: ledger.ErrorBadAnswer, want: "unexpected output: the events end before the last step_finish"},
		{name: "answer cut by the model", adapter: "opencode",
			stdout: `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"length"}}`,
			kind:   ledger.ErrorBadAnswer, want: "unexpected output: the answer was cut"},
		{name: "content filter", adapter: "opencode",
			stdout: `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"content-filter"}}`,
			kind:   ledger.ErrorRefused, want: "refused to answer: a step ended with content-filter"},
		{name: "an earlier step failed", adapter: "opencode",
			stdout: `{"type":"step_finish","part":{"reason":"error"}}` + "\n" + `{"type":"step_start"}` + "\n" +
				`{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"stop"}}`,
			kind: ledger.ErrorCrashed, want: "reported an error: a step ended with error"},
		{name: "the first step that failed", adapter: "opencode",
			stdout: `{"type":"step_finish","part":{"reason":"content-filter"}}` + "\n" + `{"type":"step_finish","part":{"reason":"error"}}` + "\n" + `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"stop"}}`,
			kind:   ledger.ErrorRefused, want: "refused to answer: a step ended with content-filter"},
		{name: "an error whose body says the same", adapter: "opencode", exit: "1",
			stdout: `{"type":"error","error":{"name":"APIError","data":{"message":"oh no","responseBody":"no"}}}`,
			kind:   ledger.ErrorCrashed, want: "exited with code 1: oh no"},
		{name: "an error without a body", adapter: "opencode", exit: "1",
			stdout: `{"type":"error","error":{"name":"UnknownError","data":{}}}`,
			kind:   ledger.ErrorCrashed, want: "exited with code 1: UnknownError"},
		{name: "no known end", adapter: "opencode",
			stdout: `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"unknown"}}`,
			kind:   ledger.ErrorBadAnswer, want: `unexpected output: the last step ended with "unknown"`},
		{name: "usage limit in the body", adapter: "opencode", exit: "1",
			stdout: `{"type":"error","error":{"name":"APIError","data":{"message":"Too Many Requests","statusCode":429,` +
				`"responseBody":"{\"error\":{\"type\":\"usage_limit_reached\",\"resets_in_seconds\":5400}}"}}}`,
			kind: ledger.ErrorUsageLimit, want: "usage limit reached: Too Many Requests"},
		{name: "retry header", adapter: "opencode", exit: "1",
			stdout: `{"type":"error","error":{"name":"APIError","data":{"message":"Too Many Requests","statusCode":429,"responseHeaders":{"Retry-After":"7200"}}}}`,
			kind:   ledger.ErrorUsageLimit, want: "usage limit reached: Too Many Requests"},
		{name: "a failing answer before the last", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + fail + `"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_message","text":"Looking at {\"status\":\"fail\"} again"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed"}`,
			want: `{"status":"pass"}`, before: []string{failText, `Looking at {"status":"fail"} again`}},
		{name: "a failing answer before the last", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + fail + `"}}` + "\n" + `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" +
				`{"type":"result","exitCode":0}`, want: `{"status":"pass"}`, before: []string{failText}},
		{name: "a failing answer before the last", adapter: "opencode",
			stdout: `{"type":"step_start"}` + "\n" + `{"type":"text","part":{"text":"` + fail + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"tool-calls"}}` + "\n" +
				`{"type":"step_start"}` + "\n" + `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"stop"}}`,
			want: `{"status":"pass"}`, before: []string{failText}},
		{name: "a failing answer, and nothing at last", adapter: "opencode",
			stdout: `{"type":"step_start"}` + "\n" + `{"type":"text","part":{"text":"` + fail + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"tool-calls"}}` + "\n" +
				`{"type":"step_start"}` + "\n" + `{"type":"step_finish","part":{"reason":"stop"}}`,
			kind: ledger.ErrorBadAnswer, want: "empty answer"},
		{name: "text in parts", adapter: "opencode",
			stdout: `{"type":"text","part":{"text":"{\"status\":"}}` + "\n" + `{"type":"text","part":{"text":"\"pass\"}"}}` + "\n" +
				`{"type":"step_finish","part":{"reason":"stop"}}`, want: `{"status":"pass"}`},
	}
	for _, test := range tests {
		t.Run(test.adapter+"/"+test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"any.raw": test.stdout, "any.stderr": test.stderr}
			if test.exit != "" {
				files["any.exit"] = test.exit
			}
			reply, err := newReviewer(t, test.adapter, clients.Options{}).Review(t.Context(), clients.Call{
				Dir: t.TempDir(), Prompt: []byte("this reviews a usage limit"), Timeout: 15 * time.Second, Env: newFakeDir(t, files).env()})
			if test.kind != "" {
				wantCallError(t, err, test.kind, test.want)
				return
			}
			if diff := cmp.Diff(test.before, reply.Before); err != nil || reply.Text != test.want || reply.Denied != test.denied || (reply.Denied != "") != (len(reply.Warnings) > 0) || diff != "" {
				t.Errorf("text %q, denied %q, error %v, want %q and %q; before it (-want +got):\n%s", reply.Text, reply.Denied, err, test.want, test.denied, diff)
			}
		})
	}
}

package review_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/gate/review"
)

// TestReviewOutput holds the shapes that need a second look: what the clients
// print when they half fail, fail in other words, or change their minds.
func TestReviewOutput(t *testing.T) {
	t.Parallel()
	const pass = `{\"status\":\"pass\"}`
	tests := []struct {
		name, adapter, stdout, stderr, exit string
		kind                                review.ErrorKind // empty: the answer is want
		want                                string
	}{
		{name: "keys in another order", adapter: "claude",
			stdout: `{"result":"` + pass + `","is_error":false,"type":"result"}`, want: `{"status":"pass"}`},
		{name: "verbose", adapter: "claude",
			stdout: `[{"type":"system"},{"type":"result","is_error":false,"result":"` + pass + `"}]`, want: `{"status":"pass"}`},
		{name: "verbose and cut", adapter: "claude", stdout: `[{"type":"system"},{"type":"assistant","result":"` + pass + `"}]`,
			kind: review.KindProtocol, want: `unexpected output: the object on stdout has the type "assistant"`},
		{name: "no messages", adapter: "claude", stdout: "[]", kind: review.KindProtocol, want: "unexpected output: "},
		{name: "error with exit code 0", adapter: "claude",
			stdout: `{"type":"result","subtype":"success","is_error":true,"api_error_status":null,"result":"it broke"}`,
			kind:   review.KindReported, want: "reported an error: it broke"},
		{name: "not the user's limit", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":429,"result":"API Error: Server is temporarily limiting requests (not your usage limit) · x"}`,
			kind:   review.KindExit, want: "exited with code 1: API Error: Server is temporarily limiting requests"},
		{name: "credit used up", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":400,"result":"Credit balance is too low"}`,
			kind:   review.KindUsageLimit, want: "usage limit reached: Credit balance is too low"},
		{name: "not logged in", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":null,"result":"Not logged in · Please run /login"}`,
			kind:   review.KindAuth, want: "not authenticated: Not logged in · Please run /login"},
		{name: "larger than the model's window", adapter: "claude", exit: "1",
			stdout: `{"type":"result","is_error":true,"api_error_status":400,"result":"Prompt is too long"}`,
			kind:   review.KindInputLimit, want: "input limit exceeded: Prompt is too long"},
		{name: "answer cut by the model", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"` + pass + `","stop_reason":"max_tokens"}`,
			kind:   review.KindProtocol, want: "unexpected output: the answer was cut"},
		{name: "an answer that speaks of limits", adapter: "claude",
			stdout: `{"type":"result","is_error":false,"result":"You've hit your usage limit"}`, want: "You've hit your usage limit"},

		{name: "no end", adapter: "codex",
			stdout: `{"type":"turn.started"}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}`,
			kind:   review.KindProtocol, want: "unexpected output: the events end without turn.completed"},
		{name: "failed after an answer", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" +
				`{"type":"turn.failed","error":{"message":"stream disconnected"}}` + "\n",
			kind: review.KindReported, want: "reported an error: stream disconnected"},
		{name: "last event cut", adapter: "codex",
			stdout: `{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_mess`,
			kind: review.KindProtocol, want: "unexpected output: a line of stdout is no event: "},
		{name: "notices between the events", adapter: "codex",
			stdout: "update available\n\n" + `{"type":"item.completed","item":{"type":"error","message":"unknown model"}}` + "\n" +
				`{"type":"item.completed","item":{"type":"agent_message","text":"` + pass + `"}}` + "\n" + `{"type":"turn.completed"}`,
			want: `{"status":"pass"}`},
		{name: "quota", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"Quota exceeded. Check your plan and billing details."}}`,
			kind:   review.KindUsageLimit, want: "usage limit reached: Quota exceeded."},
		{name: "short limit", adapter: "codex", exit: "1",
			stdout: `{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}`,
			kind:   review.KindUsageLimit, want: "usage limit reached: exceeded retry limit"},
		{name: "no key", adapter: "codex", exit: "1",
			stdout: `{"type":"error","message":"Missing environment variable: ` + "`OPENAI_API_KEY`" + `."}`,
			kind:   review.KindAuth, want: "not authenticated: Missing environment variable"},

		{name: "invalid stream", adapter: "gemini", stdout: `{"response":"","error":{"type":"INVALID_STREAM","message":"no text"}}`,
			kind: review.KindEmpty, want: "empty answer: no text"},
		{name: "error beside a response", adapter: "gemini", stdout: `{"response":"` + pass + `","error":{"message":"cut","code":"X"}}`,
			kind: review.KindReported, want: "reported an error: cut"},
		{name: "no response", adapter: "gemini", stdout: `{"session_id":"s"}`,
			kind: review.KindProtocol, want: "unexpected output: the object on stdout has no response"},
		{name: "error at the end of stderr", adapter: "gemini", exit: "144",
			stderr: "log\n{\n  \"error\": {\n    \"message\": \"an older one\"\n  }\n}\nmore\n{\n  \"error\": {\n    \"message\": \"API key not valid\",\n    \"code\": 400\n  }\n}\n",
			kind:   review.KindAuth, want: "not authenticated: API key not valid"},
		{name: "no object on stderr", adapter: "gemini", exit: "41", stderr: "When using Gemini API, you must specify the GEMINI_API_KEY environment variable\n",
			kind: review.KindAuth, want: "not authenticated: When using Gemini API"},

		{name: "killed after an answer", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}`,
			kind:   review.KindProtocol, want: "unexpected output: the events end without a result"},
		{name: "error and exit code 0", adapter: "github-copilot",
			stdout: `{"type":"assistant.message","data":{"content":"` + pass + `"}}` + "\n" +
				`{"type":"session.error","data":{"errorType":"query","message":"connection refused"}}` + "\n" + `{"type":"result","exitCode":0}`,
			kind: review.KindReported, want: "reported an error: connection refused"},
		{name: "the prompt repeated", adapter: "github-copilot", exit: "1",
			stdout: `{"type":"user.message","data":{"content":"You've hit your usage limit"}}` + "\n" +
				`{"type":"session.error","data":{"errorType":"query","message":"connection refused"}}` + "\n" + `{"type":"result","exitCode":1}`,
			kind: review.KindExit, want: "exited with code 1: connection refused"},
		{name: "not logged in", adapter: "github-copilot", exit: "1", stderr: "Error: No authentication information found.\n",
			kind: review.KindAuth, want: "not authenticated: Error: No authentication information found."},

		{name: "reported error", adapter: "cursor", stdout: `{"type":"result","is_error":true,"result":"no"}`,
			kind: review.KindReported, want: "reported an error: no"},
		{name: "the prompt repeated", adapter: "cursor", exit: "1", stderr: "reading:\nthis reviews a usage limit\nError: no connection\n",
			kind: review.KindExit, want: "exited with code 1: reading: Error: no connection"},

		{name: "no end", adapter: "opencode", stdout: `{"type":"step_start"}` + "\n" + `{"type":"text","part":{"text":"` + pass + `"}}`,
			kind: review.KindProtocol, want: "unexpected output: the events end before the last step_finish"},
		{name: "answer cut by the model", adapter: "opencode",
			stdout: `{"type":"text","part":{"text":"` + pass + `"}}` + "\n" + `{"type":"step_finish","part":{"reason":"length"}}`,
			kind:   review.KindProtocol, want: "unexpected output: the answer was cut"},
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
			reply, err := newReviewer(t, test.adapter, review.Options{}).Review(t.Context(), review.Call{
				Dir: t.TempDir(), Prompt: []byte("this reviews a usage limit"), Env: newFakeDir(t, files).env()})
			if test.kind != "" {
				wantCallError(t, err, test.kind, test.want)
			} else if err != nil || reply.Text != test.want {
				t.Errorf("text %q, error %v, want %q", reply.Text, err, test.want)
			}
		})
	}
}

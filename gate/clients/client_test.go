package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
)

// samples returns complete outputs of the clients. Each has an earlier message, so that a cut
// output could contain another answer.
func samples() map[string]string {
	const first, last = `"{\"status\":\"pass\"}"`, `"{\"status\":\"fail\",\"violations\":[]}"`
	lines := func(all ...string) string { return strings.Join(all, "\n") }
	return map[string]string{
		"claude": `{"type":"result","is_error":false,"result":` + last + `,"modelUsage":{}}`,
		"codex": lines(`{"type":"item.completed","item":{"type":"agent_message","text":`+first+`}}`,
			`{"type":"item.completed","item":{"type":"agent_message","text":`+last+`}}`, `{"type":"turn.completed","usage":{}}`),
		"cursor": `{"type":"result","is_error":false,"result":` + last + `}`,
		"gemini": "{\n  \"response\": " + last + ",\n  \"stats\": {}\n}",
		"github-copilot": lines(`{"type":"assistant.message","data":{"content":`+first+`}}`,
			`{"type":"assistant.message","data":{"content":`+last+`}}`, `{"type":"result","exitCode":0}`),
		"opencode": lines(`{"type":"step_start"}`, `{"type":"text","part":{"text":`+first+`}}`, `{"type":"step_finish","part":{"reason":"tool-calls"}}`,
			`{"type":"step_start"}`, `{"type":"text","part":{"text":`+last+`}}`, `{"type":"step_finish","part":{"reason":"stop"}}`),
	}
}

// TestReadCutOutput cuts the clients' outputs at every byte, as if a client was killed and
// nevertheless exited with 0.
func TestReadCutOutput(t *testing.T) {
	t.Parallel()
	const want = `{"status":"fail","violations":[]}`
	for _, r := range clients() {
		whole := samples()[r.name]
		if said := r.client.read(output{stdout: []byte(whole)}); said.text != want || judge(process.Result{}, said, time.Time{}) != nil {
			t.Errorf("%s: the whole output is %+v", r.name, said)
		}
		for cut := range len(whole) {
			said := r.client.read(output{stdout: []byte(whole[:cut])})
			if judge(process.Result{}, said, time.Time{}) == nil {
				t.Errorf("%s: %q is the answer %q", r.name, whole[:cut], said.text)
			}
		}
	}
}

// FuzzRead reads arbitrary text as the output of every client.
func FuzzRead(f *testing.F) {
	for _, sample := range samples() {
		f.Add(sample, "")
		f.Add("", "log\n{\n"+`"error": {"message": "m", "code": 429}}`)
	}
	single := []string{"claude", "cursor", "gemini"}
	f.Fuzz(func(t *testing.T, stdout, stderr string) {
		for _, r := range clients() {
			said := r.client.read(output{stdout: []byte(stdout), stderr: []byte(stderr)})
			err := judge(process.Result{}, said, time.Time{})
			if err == nil && (isBlank(said.text) || slices.Contains(single, r.name) && !json.Valid([]byte(stdout))) {
				t.Errorf("%s answers %q from %q", r.name, said.text, stdout)
			}
			if failed := judge(process.Result{ExitCode: 1}, said, time.Time{}); failed == nil || strings.ContainsAny(failed.Error(), "\r\n") {
				t.Errorf("%s with exit code 1: %v", r.name, failed)
			}
		}
	})
}

package clients

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
)

// fuzzEnvelope reads arbitrary text as one client's output, with exit code 0. It may be an answer
// only if no object in it, parsed here without the client's types, reports a failure.
func fuzzEnvelope(f *testing.F, name string, failed func(object map[string]any) bool, seeds ...string) {
	f.Add(samples()[name])
	for _, seed := range seeds {
		f.Add(seed)
	}
	var r reviewer
	for _, one := range clients() {
		if one.name == name {
			r = one
		}
	}
	f.Fuzz(func(t *testing.T, stdout string) {
		said := r.client.read(output{stdout: []byte(stdout)})
		err := judge(process.Result{}, said, time.Time{})
		if err != nil {
			return
		}
		for _, object := range objectsIn(stdout) {
			if failed(object) {
				t.Errorf("%s answers %q although it reports %v", name, said.text, object)
			}
		}
	})
}

// objectsIn returns the objects in a text: values in sequence, and the elements of arrays.
func objectsIn(text string) (objects []map[string]any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var value any
		err := decoder.Decode(&value)
		if err == io.EOF {
			return objects
		}
		if err != nil { // a notice between the lines
			_, rest, more := strings.Cut(text[decoder.InputOffset():], "\n")
			if !more {
				return objects
			}
			return append(objects, objectsIn(rest)...)
		}
		switch value := value.(type) {
		case map[string]any:
			objects = append(objects, value)
		case []any:
			for _, one := range value {
				if object, ok := one.(map[string]any); ok {
					objects = append(objects, object)
				}
			}
		}
	}
}

// at returns the value under a path of keys in an object, or nil.
func at(object map[string]any, path ...string) any {
	var value any = object
	for _, key := range path {
		inner, _ := value.(map[string]any)
		value = inner[key]
	}
	return value
}

func FuzzReadClaude(f *testing.F) {
	fuzzEnvelope(f, "claude", func(o map[string]any) bool {
		subtype, _ := o["subtype"].(string)
		return o["is_error"] == true || strings.HasPrefix(subtype, "error") || o["stop_reason"] == "refusal"
	},
		`{"type":"result","subtype":"error_max_turns","is_error":false,"result":"{\"status\":\"pass\"}"}`,
		`[{"type":"result","is_error":true},{"type":"result","is_error":false,"result":"x"}]`,
		`{"type":"result","is_error":true}{"type":"result","is_error":false,"result":"x"}`,
		`{"type":"result","is_error":false,"result":"x","stop_reason":"refusal"}`)
}

func FuzzReadCodex(f *testing.F) {
	fuzzEnvelope(f, "codex", func(o map[string]any) bool { return o["type"] == "turn.failed" },
		"{\"type\":\"turn.failed\",\"error\":{\"message\":\"m\"}}\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"x\"}}\n{\"type\":\"turn.completed\"}",
		"notice\n{\"type\":\"error\",\"message\":\"m\"}\n")
}

func FuzzReadCursor(f *testing.F) {
	fuzzEnvelope(f, "cursor", func(o map[string]any) bool { return o["is_error"] == true || o["subtype"] == "error" },
		`{"type":"result","is_error":true,"result":"x"}`, `{"type":"result","subtype":"error","result":"x"}`)
}

func FuzzReadGemini(f *testing.F) {
	fuzzEnvelope(f, "gemini", func(o map[string]any) bool { return at(o, "error", "message") != nil || o["status"] == "error" },
		`{"response":"x","error":{"message":"m","code":429}}`, `{"response":"x","status":"error"}`)
}

func FuzzReadCopilot(f *testing.F) {
	fuzzEnvelope(f, "github-copilot", func(o map[string]any) bool {
		code, isNumber := o["exitCode"].(float64)
		return o["type"] == "session.error" || o["type"] == "result" && isNumber && code != 0
	},
		"{\"type\":\"session.error\",\"data\":{}}\n{\"type\":\"assistant.message\",\"data\":{\"content\":\"x\"}}\n{\"type\":\"result\",\"exitCode\":0}",
		"{\"type\":\"assistant.message\",\"data\":{\"content\":\"x\"}}\n{\"type\":\"result\",\"exitCode\":1}")
}

func FuzzReadOpencode(f *testing.F) {
	fuzzEnvelope(f, "opencode", func(o map[string]any) bool {
		reason := at(o, "part", "reason")
		return o["type"] == "error" || o["type"] == "step_finish" && (reason == "error" || reason == "content-filter")
	},
		"{\"type\":\"error\",\"error\":{\"name\":\"E\"}}\n{\"type\":\"text\",\"part\":{\"text\":\"x\"}}\n{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}",
		"{\"type\":\"text\",\"part\":{\"text\":\"x\"}}\n{\"type\":\"step_finish\",\"part\":{\"reason\":\"content-filter\"}}")
}

func FuzzUserCommand(f *testing.F) {
	f.Add([]byte("{}"), []byte("You've hit your usage limit"), true)
	f.Fuzz(func(t *testing.T, stdout, stderr []byte, failed bool) {
		result := process.Result{}
		if failed {
			result.ExitCode = 1
		}
		said := userCommand{}.read(output{stdout: stdout, stderr: stderr, failed: failed})
		if err := judge(result, said, time.Time{}); err == nil && (failed || !bytes.Equal([]byte(said.text), stdout)) {
			t.Errorf("failed %t, answer %q from %q", failed, said.text, stdout)
		}
	})
}

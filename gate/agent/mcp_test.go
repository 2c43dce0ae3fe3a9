package agent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// fakeLedger answers with the arguments of the call, or with an error.
type fakeLedger struct {
	Ledger
	err  error
	log  string
	wait bool
}

func (f *fakeLedger) Status(ctx context.Context) (ledger.Progress, error) {
	if f.wait {
		<-ctx.Done()
		return ledger.Progress{}, ctx.Err()
	}
	return ledger.Progress{State: ledger.ProgressOpen, Next: "\u202e"}, f.err
}

func (f *fakeLedger) Violations(_ context.Context, text string, v ledger.ViolationFilter) ([]ledger.ListedViolation, string, error) {
	id := fmt.Sprintf("{Statuses:%v File:%s Gate:%s Run:%s Text:%s Limit:%d After:%s}", v.Statuses, v.File, v.Gate, v.Run, text, v.Limit, v.After)
	return []ledger.ListedViolation{{Violation: ledger.Violation{ShortID: id}}}, "next", f.err
}

func (f *fakeLedger) Violation(_ context.Context, id string) (ledger.History, ledger.Explanation, error) {
	return ledger.History{Violation: ledger.ListedViolation{Violation: ledger.Violation{ID: id}}}, ledger.Explanation{Kind: "violation"}, f.err
}

func (f *fakeLedger) Runs(_ context.Context, limit int, after string) ([]ledger.Run, string, error) {
	return []ledger.Run{{ID: fmt.Sprint(limit, after)}}, "", f.err
}

func (f *fakeLedger) Text(context.Context, string, ledger.TextKind) (string, error) {
	return f.log, f.err
}

func (f *fakeLedger) Mark(_ context.Context, m ledger.MarkRequest) (MarkedJSON, error) {
	ids := m.IDs
	if m.Group {
		ids = append(ids, "and its block")
	}
	return MarkedJSON{Changed: []MarkJSON{{ID: strings.Join(ids, ","), Status: string(m.Status), From: string(m.Actor)}}, Unchanged: []MarkJSON{}}, f.err
}

// connect returns a session between the SDK's client and a server.
func connect(t *testing.T, o ServerOptions) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.WithoutCancel(t.Context()), NewServer(o), toServer, fromServer) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return session
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	for _, readOnly := range []bool{false, true} {
		found, err := connect(t, ServerOptions{Ledger: &fakeLedger{}, ReadOnly: readOnly}).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(found.Tools)
		if err != nil || len(data) >= 6000 {
			t.Errorf("definitions of %d bytes, %v", len(data), err)
		}
		var names []string
		for _, tool := range found.Tools {
			names = append(names, tool.Name)
			a := tool.Annotations
			if a.ReadOnlyHint != (tool.Name != "mark") || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint || !a.IdempotentHint {
				t.Errorf("%s: hints %+v", tool.Name, a)
			}
			if tool.OutputSchema == nil || tool.Description == "" {
				t.Errorf("%s: no output schema or description", tool.Name)
			}
		}
		want := "get_violation list_runs list_violations mark read_log status"
		if readOnly {
			want = strings.Replace(want, "mark ", "", 1)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("tools %s", got)
		}
	}
}

// An answer has the keys that its schema announces.
func TestAnswersFitTheirSchemas(t *testing.T) {
	t.Parallel()
	arguments := map[string]string{
		"status": `{}`, "list_violations": `{}`, "list_runs": `{}`, "get_violation": `{"id":"a"}`, "read_log": `{"address":"a"}`, "mark": `{"ids":["a"],"status":"fixed"}`,
	}
	session := connect(t, ServerOptions{Ledger: &fakeLedger{}})
	for _, d := range definitions() {
		var schema struct {
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(d.Output, &schema); err != nil || len(schema.Properties) != len(schema.Required) {
			t.Errorf("%s: %v: %v", d.Name, err, schema)
		}
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: d.Name, Arguments: json.RawMessage(arguments[d.Name])})
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := got.StructuredContent.(map[string]any)
		for _, key := range schema.Required {
			if _, has := answer[key]; !has || schema.Properties[key] == nil {
				t.Errorf("%s: no %q in %v", d.Name, key, answer)
			}
		}
	}
}

func TestTools(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("line\n", 1000) + "end"
	tests := []struct {
		tool, arguments, want, code string // of an error, want is in the message
		err                         error
	}{
		{tool: "status", want: `"next":"\u202e"`},
		{tool: "status", arguments: `{"x":1}`, code: "invalid_argument"},
		{tool: "status", err: &CodedError{Unavailable, errors.New("no ledger")}, code: "unavailable"},
		{tool: "status", err: errors.New("who knows"), code: "internal"},
		{tool: "list_violations", arguments: `{"status":"new","file":"f","gate":"g","run":"last","text":"w","limit":100,"after":"a"}`, want: `{Statuses:[new] File:f Gate:g Run:last Text:w Limit:100 After:a}`},
		{tool: "list_violations", arguments: `{"status":["new","reopened"]}`, want: `{Statuses:[new reopened] File: Gate: Run: Text: Limit:20 After:}"`},
		{tool: "list_violations", arguments: `{"status":["open","fixed"]}`, want: `{Statuses:[new reopened disputed fixed] File: Gate: Run: Text: Limit:20 After:}"`},
		{tool: "list_violations", want: `"next":"next"`},
		{tool: "list_violations", arguments: `{"status":"newe"}`, code: "invalid_argument"},
		{tool: "list_violations", arguments: `{"status":7}`, code: "invalid_argument", want: `: "status" is not a text or an array of texts`},
		{tool: "list_violations", arguments: `{"limit":101}`, code: "invalid_argument"},
		{tool: "list_violations", arguments: `{"limit":0}`, code: "invalid_argument"},
		{tool: "list_violations", arguments: `{"status":"[\"new\",\"fixed\"]","limit":"7"}`, want: `{Statuses:[new fixed] File: Gate: Run: Text: Limit:7 After:}`},
		{tool: "list_violations", arguments: `{"limit":"two"}`, code: "invalid_argument", want: `: "limit" is not a whole number`},
		{tool: "list_violations", arguments: `{"limit":1.5}`, code: "invalid_argument", want: `: "limit" is not a whole number`},
		{tool: "list_violations", arguments: `{"limit":"1.5"}`, code: "invalid_argument", want: `: "limit" is not a whole number`},
		{tool: "list_violations", arguments: `{"limit":"-1"}`, code: "invalid_argument", want: `invalid limit -1`},
		{tool: "list_violations", arguments: `{"repo":"/etc"}`, code: "invalid_argument"},
		{tool: "list_violations", arguments: `{"text":"` + strings.Repeat("x", maxText+1) + `"}`, code: "invalid_argument"},
		{tool: "get_violation", arguments: `{"id":"abc"}`, want: `"why":{"kind":"violation"`},
		{tool: "get_violation", code: "invalid_argument"},
		{tool: "get_violation", arguments: `{"id":"abc"}`, err: &CodedError{NotFound, errors.New("no violation")}, code: "not_found"},
		{tool: "list_runs", arguments: `{"limit":3,"after":"x"}`, want: `"id":"3x"`},
		{tool: "list_runs", want: `"next":null`},
		{tool: "read_log", arguments: `{"address":"a"}`, want: `"total":1001,"next":400}`},
		{tool: "read_log", arguments: `{"address":"a","offset":999,"lines":1}`, want: `{"text":"line\n","total":1001,"next":1000}`},
		{tool: "read_log", arguments: `{"address":"a","offset":" 999 ","lines":"1"}`, want: `{"text":"line\n","total":1001,"next":1000}`},
		{tool: "read_log", arguments: `{"address":"a","offset":1000}`, want: `{"text":"end","total":1001,"next":null}`},
		{tool: "read_log", arguments: `{"address":"a","offset":5000}`, want: `{"text":"","total":1001,"next":null}`},
		{tool: "read_log", arguments: `{"address":"a","lines":401}`, code: "invalid_argument"},
		{tool: "read_log", arguments: `{"address":"a","offset":-1}`, code: "invalid_argument"},
		{tool: "read_log", arguments: `{"address":"a","kind":"x"}`, code: "invalid_argument"},
		{tool: "read_log", code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a","b"],"status":"fixed"}`, want: `{"changed":[{"id":"a,b","from":"agent","status":"fixed"}],"unchanged":[]}`},
		{tool: "mark", arguments: `{"ids":["a"],"status":"skipped","result":"taste","reason":"false_positive"}`, want: `"status":"skipped"`},
		{tool: "mark", arguments: `{"ids":["a"],"group":true,"status":"fixed"}`, want: `"id":"a,and its block"`},
		{tool: "mark", arguments: `{"ids":["a"],"group":true,"status":"duplicate","of":"b"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"skipped"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"skipped","result":" "}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"disputed","result":"it is checked"}`, want: `"status":"disputed"`},
		{tool: "mark", arguments: `{"ids":["a"],"status":"disputed","result":" "}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"duplicate","of":"b"}`, want: `"status":"duplicate"`},
		{tool: "mark", arguments: `{"ids":["a"],"status":"duplicate"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"duplicate","of":"b","result":"the same"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"fixed","of":"b"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"new","result":"again"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"verified"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"fixed","reason":"false_positive"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"fixed","actor":"human"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":"a","status":"fixed"}`, want: `"id":"a"`},
		{tool: "mark", arguments: `{"ids":"[\"a\", \"b\"]","status":"fixed"}`, want: `"id":"a,b"`},
		{tool: "mark", arguments: `{"ids":"[a","status":"fixed"}`, want: `"id":"[a"`},
		{tool: "mark", arguments: `{"ids":"","status":"fixed"}`, code: "invalid_argument", want: "an ID is empty"},
		{tool: "mark", arguments: `{"ids":7,"status":"fixed"}`, code: "invalid_argument", want: `: "ids" is not an array`},
		{tool: "mark", arguments: `{"ids":["a"],"status":"skipped","result":"\u200b"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":7}`, code: "invalid_argument", want: `: "status" is not a text`},
		{tool: "mark", arguments: `{"ids":[],"status":"fixed"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":[""],"status":"fixed"}`, code: "invalid_argument"},
		{tool: "mark", arguments: `{"ids":["a"],"status":"fixed"}`, err: &CodedError{Conflict, errors.New("verified")}, code: "conflict"},
	}
	for _, tt := range tests {
		t.Run(tt.tool+tt.code, func(t *testing.T) {
			t.Parallel()
			session := connect(t, ServerOptions{Ledger: &fakeLedger{err: tt.err, log: lines}})
			params := &mcp.CallToolParams{Name: tt.tool}
			if tt.arguments != "" {
				params.Arguments = json.RawMessage(tt.arguments)
			}
			got, err := session.CallTool(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			text := got.Content[0].(*mcp.TextContent).Text
			if tt.code != "" {
				var answer struct {
					Error struct{ Code, Message string }
				}
				if err := json.Unmarshal([]byte(text), &answer); err != nil || !got.IsError || answer.Error.Code != tt.code || answer.Error.Message == "" || !strings.Contains(answer.Error.Message, tt.want) {
					t.Errorf("%v %s", err, text)
				}
				return
			}
			if got.IsError || !strings.Contains(text, tt.want) || got.StructuredContent == nil {
				t.Errorf("%s does not have %s", text, tt.want)
			}
		})
	}
}

// Of long lines one call returns fewer than it was asked for, and says where the next one begins.
func TestCutLines(t *testing.T) {
	t.Parallel()
	long, huge := strings.Repeat("x", maxTextRead/3)+"\n", strings.Repeat("y", maxTextRead+1)
	whole := strings.Repeat(long, 4) + huge + "\n" + "end"
	for _, test := range []struct {
		offset, count, next int
		want                string
	}{
		{0, 400, 2, long + long}, // three have three bytes too many
		{2, 400, 4, long + long},
		{2, 1, 3, long},
		{4, 400, 5, huge[:maxTextRead] + "…"},
		{5, 400, 6, "end"},
		{6, 400, 6, ""},
		{9, 400, 9, ""},
	} {
		if part, total, next := cutLines(whole, test.offset, test.count); part != test.want || total != 6 || next != test.next {
			t.Errorf("%d lines from %d: %d bytes of %d lines, then %d", test.count, test.offset, len(part), total, next)
		}
	}
}

func TestSkillAndPrompt(t *testing.T) {
	t.Parallel()
	session := connect(t, ServerOptions{Ledger: &fakeLedger{}, Skill: "# The loop"})
	if got := session.InitializeResult().Instructions; !strings.Contains(got, "untrusted") {
		t.Errorf("instructions %q", got)
	}
	skill, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: skillURI})
	if err != nil || skill.Contents[0].Text != "# The loop" {
		t.Error(skill, err)
	}
	prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "fix-loop", Arguments: map[string]string{"trust": "low"}})
	if err != nil || !strings.Contains(prompt.Messages[0].Content.(*mcp.TextContent).Text, "trust level is low") {
		t.Error(prompt, err)
	}
	if _, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "fix-loop", Arguments: map[string]string{"trust": "\nall"}}); err == nil {
		t.Error("any trust is taken")
	}
}

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	callStatus  = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"status","arguments":{}}}`
)

// A client that sends nonsense gets an error, and the session continues.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ line, want string }{
		"bad JSON":       {`{"jsonrpc":`, "-32700"},
		"no object":      {`[1,2]`, "-32600"},
		"a batch":        {"[" + callStatus + "]", "-32600"},
		"a number":       {"7", "-32600"},
		"null":           {"null", "-32600"},
		"no JSON-RPC":    {`{"hello":1}`, "-32600"},
		"a huge line":    {`{"x":"` + strings.Repeat("x", 3*maxMessage) + `"}`, "longer than"},
		"two values":     {initialized + initialized, "-32700"},
		"not UTF-8":      {"\xff\xfe", "-32700"},
		"unknown tool":   {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rm"}}`, `"id":2`},
		"unknown method": {`{"jsonrpc":"2.0","id":2,"method":"rm"}`, `"id":2`},
		"no parameters":  {`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`, `"id":2`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			served := make(chan error, 1)
			go func() {
				served <- Serve(context.WithoutCancel(t.Context()), NewServer(ServerOptions{Ledger: &fakeLedger{}}), in, out)
			}()
			answers := bufio.NewReader(fromServer)
			ask := func(lines ...string) string {
				go func() { _, _ = io.WriteString(toServer, strings.Join(lines, "\n")+"\n") }()
				answer, err := answers.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
			ask(initialize)
			if got := ask(initialized, tt.line); !strings.Contains(got, tt.want) || !strings.Contains(got, `"error"`) {
				t.Errorf("answered %s", got)
			}
			if got := ask("", callStatus); !strings.Contains(got, `"id":9`) || !strings.Contains(got, `"state"`) {
				t.Errorf("then answered %s", got)
			}
			_ = toServer.Close()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

// A closed stdin ends the server, even in the middle of a line, and so does the context.
func TestServeEnds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n", initialize, initialize + "\n" + `{"jsonrpc":`} {
		if err := Serve(t.Context(), NewServer(ServerOptions{Ledger: &fakeLedger{}}), strings.NewReader(text), io.Discard); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe()
	if err := Serve(ctx, NewServer(ServerOptions{Ledger: &fakeLedger{}}), in, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A client that sends everything at once and closes stdin gets every answer.
func TestAnswersAfterTheEnd(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	text := initialize + "\n" + initialized + "\n" + callStatus + "\n" + strings.Replace(callStatus, `"id":9`, `"id":"x"`, 1)
	if err := Serve(t.Context(), NewServer(ServerOptions{Ledger: &fakeLedger{}}), strings.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{`"id":1,`, `"id":9,`, `"id":"x",`} {
		if !strings.Contains(out.String(), id) {
			t.Errorf("no answer with %s in %s", id, out.String())
		}
	}
	// The server does not wait for a call that was canceled.
	text = initialize + "\n" + initialized + "\n" + callStatus + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`
	if err := Serve(t.Context(), NewServer(ServerOptions{Ledger: &fakeLedger{wait: true}}), strings.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
}

// Calls that are sent without waiting for answers are answered in order, one after another.
func TestAnswersInOrder(t *testing.T) {
	t.Parallel()
	text := []string{initialize, initialized}
	var want []string
	for n := 2; n < 60; n++ {
		id := fmt.Sprintf(`"id":%d,`, n)
		text, want = append(text, strings.Replace(callStatus, `"id":9,`, id, 1)), append(want, id)
	}
	var out strings.Builder
	if err := Serve(t.Context(), NewServer(ServerOptions{Ledger: &fakeLedger{}}), strings.NewReader(strings.Join(text, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	if got := regexp.MustCompile(`"id":\d+,`).FindAllString(out.String(), -1)[1:]; !slices.Equal(got, want) {
		t.Errorf("answered in the order %s", got)
	}
}

// Canceling a call ends its work.
func TestCanceledCall(t *testing.T) {
	t.Parallel()
	session := connect(t, ServerOptions{Ledger: &fakeLedger{wait: true}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "status"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// briefed returns the status as a model reads it, and some of it.
func briefed(t *testing.T, p ledger.Progress) (data string, short struct {
	Open, Filtered []struct {
		ID, File, Issue, Result, Reason string
		Line                            int
		EndLine                         int `json:"end_line"`
		Duplicates                      []struct{ ID, Issue string }
	}
	MoreFiltered []string `json:"more_filtered"`
	Failing      []struct{ Excerpt string }
	Files        []string
	MoreFiles    int `json:"more_files"`
	Warnings     []string
}) {
	t.Helper()
	out, err := json.Marshal(briefStatus(p))
	if err == nil {
		err = json.Unmarshal(out, &short)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), short
}

// A model reads the status after every step: with 17 findings of 300 characters each it has at most
// 6 kB.
func TestBriefStatus(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä wörd ", 45)
	var whole ledger.Progress
	for range 17 {
		whole.Open = append(whole.Open, ledger.ListedViolation{Gate: "quality", Violation: ledger.Violation{
			ID: "01KB3X5Y6Z0000000000000000", ShortID: "8c31gnxt", Slot: 1, Adapter: "claude", Status: ledger.StatusNew, Result: "so",
			Place: ledger.Place{File: "src/constraint.go", Start: 472, End: 480}, Issue: long, Fix: long, Priority: ledger.High,
		}})
	}
	whole.Open[0].Duplicates = []ledger.ListedViolation{{Violation: ledger.Violation{ShortID: "q7m2c0de", Slot: 2, Issue: long}}}
	for range 20 {
		whole.Filtered = append(whole.Filtered, ledger.Report{ID: "x9yr6pg4", Place: ledger.Place{File: "src/constraint.go", Start: 7, End: 9},
			Issue: long, Fix: long, Priority: ledger.High, Disposition: ledger.OutOfDiff})
	}
	data, short := briefed(t, whole)
	if len(data) > 6000 || strings.Contains(data, `"fix"`) || !strings.Contains(data, `"unverified":[]`) {
		t.Errorf("%d bytes: %s", len(data), data)
	}
	if d := short.Open[0].Duplicates; len(d) != 1 || d[0].ID != "q7m2c0de" || !strings.HasSuffix(d[0].Issue, "…") || whole.Open[0].Duplicates[0].Issue != long {
		t.Errorf("what is closed with a finding: %+v", d)
	}
	if v := short.Open[0]; v.ID != "8c31gnxt" || v.Line != 472 || v.EndLine != 480 || v.Result != "so" || !strings.HasPrefix(long, strings.TrimSuffix(v.Issue, "…")) || !strings.HasSuffix(v.Issue, "…") {
		t.Errorf("%+v", v)
	}
	if f := short.Filtered; len(f) != maxFiltered || f[0].ID != "x9yr6pg4" || f[0].EndLine != 9 || f[0].Reason != "out_of_diff" || len(short.MoreFiltered) != 20-maxFiltered {
		t.Errorf("filtered: %+v, more: %q", f, short.MoreFiltered)
	}
	for i := range whole.Open {
		whole.Open[i].Related = slices.Repeat([]string{"q7m2c0de"}, 16)
	}
	if data, _ := briefed(t, ledger.Progress{Open: whole.Open}); len(data) > 6000 || !strings.Contains(data, `"related":["q7m2c0de"],"group":"8c31gnxt"`) {
		t.Errorf("each related to all: %d bytes: %s", len(data), data)
	}
	for i := range whole.Open {
		whole.Open[i].Evidence, whole.Open[i].Status, whole.Open[i].Result = long, ledger.StatusReopened, ""
	}
	if data, _ := briefed(t, ledger.Progress{Open: whole.Open}); len(data) > 6000 || !strings.Contains(data, `"reopened":true,"said":"ä wörd`) {
		t.Errorf("each reopened, and related to all: %d bytes: %s", len(data), data)
	}
	whole.Warnings = slices.Repeat([]string{long}, 9)
	if _, short := briefed(t, whole); len(short.Warnings) != maxWarnings || !strings.HasSuffix(short.Warnings[0], "…") {
		t.Errorf("warnings: %q", short.Warnings)
	}
	if _, short := briefed(t, ledger.Progress{Open: whole.Open[1:2]}); len([]rune(short.Open[0].Issue)) != longestText+1 {
		t.Errorf("of one finding: %q", short.Open[0].Issue)
	}
}

// What fails is shown with its output, and what no gate looks at by name, as far as there is room.
func TestBriefStatusOfFailures(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä wörd ", 45)
	var many ledger.Progress
	for range 30 {
		many.Failing = append(many.Failing, ledger.Unresolved{Job: "check:src:go-test", Excerpt: strings.Repeat(long+"\n", 8)})
	}
	many.Files = slices.Repeat([]string{"docs/a.md"}, 3000)
	if _, one := briefed(t, ledger.Progress{Failing: many.Failing[:1], Files: many.Files[:maxFiles]}); len([]rune(one.Failing[0].Excerpt)) < 2000 || len(one.Files) != maxFiles || one.MoreFiles != 0 {
		t.Errorf("one check: %d characters; %d files and %d more", len(one.Failing[0].Excerpt), len(one.Files), one.MoreFiles)
	}
	if data, all := briefed(t, many); len(data) > 9000 || !strings.HasSuffix(all.Failing[29].Excerpt, "…") || all.MoreFiles != 3000-maxFiles {
		t.Errorf("30 checks, and 3000 files: %d bytes, %d more files", len(data), all.MoreFiles)
	}
}

// A text of any size is cut where the answer says what has the rest.
func TestCutTexts(t *testing.T) {
	t.Parallel()
	fix := "éé" + strings.Repeat("f", 8)
	type row struct {
		Issue string
		Fix   *string
		More  []string
		Line  int
		Any   any
	}
	rows := []row{{Issue: strings.Repeat("i", 11), Fix: &fix, More: []string{strings.Repeat("m", 12), ""}, Line: 1 << 40, Any: text.Object{{Key: "k", Value: strings.Repeat("v", 11)}, {Key: "n"}}}}
	cutTexts(reflect.ValueOf(rows), 10, "see there")
	same := "éé" + strings.Repeat("f", 8)
	want := []row{{Issue: "iiiiiiiiii… [cut: see there]", Fix: &same, More: []string{"mmmmmmmmmm… [cut: see there]", ""}, Line: 1 << 40, Any: text.Object{{Key: "k", Value: "vvvvvvvvvv… [cut: see there]"}, {Key: "n"}}}}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

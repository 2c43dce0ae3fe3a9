//go:build unix

package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reviewledger/reviewledger/gate/agent"
)

// The client of the SDK uses every tool on a repository, validates the results against their
// schemas, and pages through lists.
func TestMCPOnARepository(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("reviewledger") // this test binary, see TestMain
	if err != nil {
		t.Fatal(err)
	}
	w := benchOf(t, program)
	w.change(1)
	w.run(w.binary, "run")
	server := w.command("mcp")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(tool string, arguments map[string]any, into any) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(result.StructuredContent)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil || result.IsError {
			t.Fatalf("%s: %v %+v", tool, err, result.Content[0])
		}
	}
	type named struct{ ID string }
	var status struct {
		State, Next string
		Open        []named
	}
	call("status", nil, &status)
	if status.State != "open" || len(status.Open) != 1 || status.Next != "reviewledger run" {
		t.Errorf("status %+v", status)
	}
	id := status.Open[0].ID
	var list struct {
		Violations []named
		Next       *string
	}
	listed, arguments := map[string]bool{}, map[string]any{"limit": 1}
	for range 5 {
		call("list_violations", arguments, &list)
		for _, v := range list.Violations {
			listed[v.ID] = true
		}
		if list.Next == nil {
			break
		}
		arguments["after"] = *list.Next
	}
	if len(listed) != 2 || !listed[id] || list.Next != nil {
		t.Errorf("listed %v, next %v", listed, list.Next)
	}
	var shown struct {
		Violation       named
		Events, Reports []any
		Why             struct{ Sentences []string }
	}
	call("get_violation", map[string]any{"id": id}, &shown)
	if shown.Violation.ID != id || len(shown.Events) == 0 || len(shown.Reports) != 1 || len(shown.Why.Sentences) == 0 {
		t.Errorf("shown %+v", shown)
	}
	var text struct {
		Text  string
		Total int
	}
	call("read_log", map[string]any{"address": "review:src:quality@1", "kind": "prompt", "lines": 2}, &text)
	if text.Total < 10 || strings.Count(text.Text, "\n") != 2 {
		t.Errorf("log %+v", text)
	}
	var marked agent.MarkedJSON
	for _, want := range []struct{ changed, unchanged int }{{1, 0}, {0, 1}} {
		call("mark", map[string]any{"ids": []string{id}, "status": "skipped", "result": "taste", "reason": "false_positive"}, &marked)
		if len(marked.Changed) != want.changed || len(marked.Unchanged) != want.unchanged {
			t.Errorf("marked %+v, want %+v", marked, want)
		}
	}
	w.run(w.binary, "clean")
	w.change(2)
	w.run(w.binary, "run")
	var runs struct {
		Runs []named
		Next *string
	}
	seen := map[string]bool{}
	arguments = map[string]any{"limit": 1}
	for range 5 {
		call("list_runs", arguments, &runs)
		for _, run := range runs.Runs {
			seen[run.ID] = true
		}
		if runs.Next == nil {
			break
		}
		arguments["after"] = *runs.Next
	}
	if len(seen) != 2 || runs.Next != nil {
		t.Errorf("runs %v, next %v", seen, runs.Next)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

// BenchmarkAgent measures each tool of the MCP server, in one session, and the stop hook, in one
// process per call, with a ledger of 1,000,000 violations.
func BenchmarkAgent(b *testing.B) {
	w := newBench(b)
	path := filepath.Join(w.dir, ".git", "reviewledger", "ledger.db")
	if err := storetest.Generate(b.Context(), path, storetest.Million(), time.Now()); err != nil {
		b.Fatal(err)
	}
	w.change(1)
	w.run(w.binary, "run")
	w.change(2)
	found, err := w.command("violations", "--limit", "1", "--format", "ndjson").Output()
	if err != nil {
		b.Fatal(err)
	}
	id := string(found[len(`{"id":"`):][:8])
	ask := w.session()
	for _, call := range []string{
		`"status"`, `"list_violations"`, `"list_violations","arguments":{"status":"new","limit":100}`, `"list_violations","arguments":{"file":"src/**","limit":100}`, `"list_violations","arguments":{"status":"new","file":"src","limit":100}`,
		`"list_violations","arguments":{"text":"lock file"}`, `"get_violation","arguments":{"id":"` + id + `"}`,
		`"list_runs","arguments":{"limit":100}`, `"read_log","arguments":{"address":"` + id + `"}`,
		`"mark","arguments":{"ids":["` + id + `"],"status":"fixed","result":"N"}`,
	} {
		b.Run(strings.NewReplacer(id, "ID", `"`, "", "/", "_").Replace(call), func(b *testing.B) {
			n := 0
			median(b, func() {
				n++
				if answer := ask(strings.Replace(call, `"N"`, fmt.Sprintf(`"%d"`, n), 1)); strings.Contains(answer, `"isError":true`) {
					b.Fatal(answer)
				}
			})
		})
	}
	b.Run("hook stop", func(b *testing.B) {
		n := 0
		median(b, func() {
			n++
			hook := w.command("hook", "stop", "--agent", "claude")
			hook.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"%d"}`, n))
			if out, err := hook.Output(); err != nil || !strings.Contains(string(out), "block") {
				b.Fatalf("%v %s", err, out)
			}
		})
	})
}

// median reports the median duration of the loops.
func median(b *testing.B, do func()) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		do()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
}

func (w *bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command(w.binary, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// session starts a server and returns a function that calls one of its tools.
func (w *bench) session() (call func(string) string) {
	server := exec.CommandContext(context.WithoutCancel(w.Context()), w.binary, "mcp")
	server.Dir, server.Env = w.dir, w.env
	in, err := server.StdinPipe()
	if err != nil {
		w.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := server.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		_ = in.Close()
		if err := server.Wait(); err != nil {
			w.Error(err)
		}
	})
	answers := bufio.NewReader(out)
	send := func(line string) string {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			w.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			w.Fatal(err)
		}
		return answer
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	return func(tool string) string {
		return send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":` + tool + `}}`)
	}
}

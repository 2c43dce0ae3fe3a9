package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/lists"
	"github.com/reviewledger/reviewledger/ledger/store"
)

func newMCPCommand(global *globalOptions) *cobra.Command {
	var repo string
	var readOnly bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the ledger to an MCP client",
		Long: `Serve the Model Context Protocol on stdin and stdout, for one client. Its tools
show the state of the loop (status), list and explain violations and runs
(list_violations, get_violation, list_runs), read logs (read_log), and mark
violations as an agent (mark). No tool runs gates: an agent has a shell for
that. The ledger is opened for each call.

"reviewledger init --agents" registers the server with each agent.

Exit codes: 0 the client ended the session, 2 error.`,
		Example: `  reviewledger mcp
  reviewledger mcp --read-only --repo ..`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runMCP(cmd.Context(), global, repo, readOnly)
		},
	}
	cmd.Flags().Var(filters.Text(&repo), "repo", "folder in the repository to serve (default: the current one)")
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "do not offer the tool that marks violations")
	return cmd
}

func runMCP(ctx context.Context, global *globalOptions, repo string, readOnly bool) error {
	quiet := *global
	quiet.stdout, quiet.stderr = io.Discard, io.Discard // stdout is only for the client
	if repo != "" {
		quiet.dir = repo
	}
	dir, err := filepath.Abs(quiet.dir)
	if err != nil {
		return fmt.Errorf("find the folder %q: %w", quiet.dir, err)
	}
	if _, err := diff.CommonDir(ctx, dir); err != nil {
		return err
	}
	quiet.dir = dir
	server := agent.NewServer(agent.ServerOptions{
		Ledger: &mcpLedger{global: &quiet}, Version: moduleVersion(), Skill: skillText, ReadOnly: readOnly,
	})
	return agent.Serve(ctx, server, global.stdin, global.stdout)
}

// mcpLedger answers the tools of the MCP server as the commands do. Calls come one at a time: two
// at a time would find each other's lock.
type mcpLedger struct{ global *globalOptions }

// Status implements [agent.Ledger], as do the methods below.
func (m *mcpLedger) Status(ctx context.Context) (ledger.Progress, error) {
	p, err := findProgress(ctx, m.global)
	return p, coded(err)
}

func (m *mcpLedger) Violations(ctx context.Context, text string, f ledger.ViolationFilter) (found []ledger.ListedViolation, next string, err error) {
	limit, asked := f.Limit, filters.Violations{Scope: filters.Scope{Run: f.Run, Gate: f.Gate}, Filter: f}
	asked.Filter.Limit++
	err = withLedgerIfAny(ctx, m.global, func(l *store.Store) error {
		if err := knownFilters(ctx, m.global, l, &asked); err != nil {
			return err
		}
		f, err := asked.Resolve(ctx, l)
		if err != nil {
			return err
		}
		if text != "" {
			found, next, err = searchViolations(ctx, l, text, f)
		} else if found, err = l.Violations(ctx, f); len(found) > limit {
			next = lists.Cursor(f.Sort, found[limit-1])
		}
		found = found[:min(len(found), limit)]
		return err
	})
	return found, next, coded(err)
}

// searchViolations finds violations by their words. It searches for one hit more than a page has,
// to find out whether there are more; next is then the cursor.
func searchViolations(ctx context.Context, l *store.Store, words string, f ledger.ViolationFilter) (found []ledger.ListedViolation, next string, err error) {
	query, err := ledger.ParseSearch(words, nil)
	if err != nil {
		return nil, "", usageError("%v", err)
	}
	if len(f.Statuses) == 0 { // excludes discarded reports
		f.Statuses = ledger.ShownStatuses()
	}
	hits, err := l.Search(ctx, query, f)
	for _, hit := range hits {
		if hit.Violation != nil {
			found = append(found, *hit.Violation)
		}
	}
	if len(hits) == f.Limit {
		next = hits[f.Limit-2].Cursor
	}
	return found, next, err
}

func (m *mcpLedger) Violation(ctx context.Context, id string) (history ledger.History, why ledger.Explanation, err error) {
	err = withLedger(ctx, m.global, func(l *store.Store) error {
		history, err = l.History(ctx, id)
		if errors.Is(err, ledger.ErrNotFound) {
			if r, run, unknown := findReport(ctx, l, id); unknown == nil {
				history, why = ledger.History{Reports: []ledger.Report{r}}, ledger.ExplainReport(r, run)
				return nil
			}
		}
		if err != nil {
			return err
		}
		why = ledger.ExplainViolation(history)
		return nil
	})
	return history, why, coded(err)
}

func (m *mcpLedger) Runs(ctx context.Context, limit int, after string) (found []ledger.Run, next string, err error) {
	err = withLedgerIfAny(ctx, m.global, func(l *store.Store) error {
		var err error
		if found, err = l.Runs(ctx, ledger.RunFilter{Limit: limit + 1, Before: after}); len(found) > limit {
			next = found[limit-1].ID
		}
		found = found[:min(len(found), limit)]
		return err
	})
	return found, next, coded(err)
}

func (m *mcpLedger) Text(ctx context.Context, address string, kind ledger.TextKind) (content string, err error) {
	o := logOptions{prompt: kind == ledger.TextPrompt, answer: kind == ledger.TextAnswer, stderr: kind == ledger.TextStderr}
	err = withLedger(ctx, m.global, func(l *store.Store) error {
		run, a, err := logAddress(ctx, l, address)
		if err != nil {
			return err
		}
		text, err := logText(ctx, l, run, a, o)
		content = text.forPeople()
		return err
	})
	return content, coded(err)
}

func (m *mcpLedger) Mark(ctx context.Context, request ledger.MarkRequest) (done agent.MarkedJSON, err error) {
	done = agent.MarkedJSON{Changed: []agent.MarkJSON{}, Unchanged: []agent.MarkJSON{}}
	err = withWorkspace(ctx, m.global, openWorkspace, (*workspace).openToMark, func(w *workspace) error {
		earlier := len(w.console.Warnings()) // those about the configuration
		do, err := w.marker(ctx, markOptions{ids: request.IDs})
		if err != nil {
			return err
		}
		marked, err := do(ctx, request)
		for _, r := range marked.TakenUp {
			done.Changed = append(done.Changed, agent.MarkJSON{ID: r.ID, From: string(r.Disposition), Status: string(request.Status)})
		}
		for _, v := range marked.Violations {
			done.Changed = append(done.Changed, agent.MarkJSON{ID: v.ShortID, From: string(v.Status), Status: string(request.Status), InsteadOf: marked.Instead[v.ID]})
		}
		for _, v := range marked.Unchanged {
			done.Unchanged = append(done.Unchanged, agent.MarkJSON{ID: v.ShortID, From: string(v.Status), Status: string(v.Status)})
		}
		done.Warnings = w.console.Warnings()[earlier:]
		return err
	})
	return done, coded(err)
}

// coded gives an error the code that clients of the MCP server see.
func coded(err error) error {
	if err == nil || errors.As(err, new(*agent.CodedError)) {
		return err
	}
	code := agent.Internal
	switch {
	case errors.As(err, new(*ledger.MarkError)), errors.Is(err, errRunning):
		code = agent.Conflict
	case errors.As(err, new(*worktree.UsageError)), errors.As(err, new(*filters.Error)), errors.Is(err, ledger.ErrCursor), errors.Is(err, ledger.ErrAmbiguous):
		code = agent.InvalidArgument
	case errors.Is(err, ledger.ErrNotFound), errors.Is(err, filters.ErrNoRuns):
		code = agent.NotFound
	case errors.Is(err, store.ErrMissing), errors.Is(err, config.ErrNoConfig), errors.Is(err, diff.ErrNotRepository),
		errors.As(err, new(*store.OpenError)), errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrUnusable), errors.Is(err, store.ErrUnfinished),
		errors.As(err, new(*config.Error)):
		code = agent.Unavailable
	}
	return &agent.CodedError{Code: code, Err: err}
}

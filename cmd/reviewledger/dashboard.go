package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

type dashboardOptions struct {
	addr, host    string
	open, noToken bool
	marks         bool
}

func newDashboardCommand(global *globalOptions) *cobra.Command {
	var o dashboardOptions
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Show the history of reviews in a browser",
		Long: `Serve pages over the ledger to a browser on this machine: what is open and what
to do next, runs, violations, reviewers, files, skips, checks and verdicts. The
URL is printed when the pages can be opened; Ctrl-C ends the command. The pages
only read, follow the ledger as it changes, and need no network. With
?format=json, each page is JSON.

With --marks, the page of a violation has buttons that mark it as fixed, skipped,
disputed or open again, as "mark" with --as human does in the current worktree.

The URL has a token, because other users of this machine can reach the port.
Traffic is not encrypted: if other machines can reach the address, put a proxy
with TLS in front.

Exit codes: 0 ended by Ctrl-C, 2 error.`,
		Example: `  reviewledger dashboard
  reviewledger dashboard --open
  reviewledger dashboard --marks
  reviewledger dashboard --addr 127.0.0.1:8080 --no-token
  reviewledger dashboard --team`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDashboard(cmd.Context(), global, o)
		},
	}
	o.addr = "127.0.0.1:0"
	flags := cmd.Flags()
	flags.Var(filters.Text(&o.addr), "addr", "address to listen on; port 0 is a free one")
	flags.Var(filters.Text(&o.host), "host", "host name that browsers use, if it is neither localhost nor that of --addr")
	flags.BoolVar(&o.open, "open", false, "open the pages in a browser")
	flags.BoolVar(&o.marks, "marks", false, "let who has the token mark violations on their pages, as a person; loopback addresses only")
	addTeam(global, cmd)
	flags.BoolVar(&o.noToken, "no-token", false, "let everybody who can reach the port read the pages; loopback addresses only")
	return cmd
}

// shown is what a dashboard shows: a ledger, or the replica of a team store.
type shown struct {
	dashboard.Ledger
	name    string
	expired func() func(ledger.Skip) bool
	close   func() error
	// pulled returns when it was pulled from a team store; it is nil if it was not.
	pulled func() time.Time
}

// ledgerShown returns the ledger of the current repository.
func ledgerShown(ctx context.Context, global *globalOptions) (shown, error) {
	path, err := ledgerPath(ctx, global)
	if err != nil {
		return shown{}, err
	}
	watched := store.Watch(path, ledgerOptions(global, path))
	return shown{Ledger: watchedLedger{watched}, name: ledgerName(path), expired: expired(ctx, global), close: watched.Close}, nil
}

func runDashboard(ctx context.Context, global *globalOptions, o dashboardOptions) (err error) {
	var marks *dashboard.Marks
	if o.marks {
		if global.team != "" {
			return usageError("--marks and --team cannot be used together: what is pulled from a team store is only read; mark in the repository of the run")
		}
		if marks, err = marksHere(ctx, global); err != nil {
			return err
		}
	}
	find := ledgerShown
	if global.team != "" {
		find = teamShown
	}
	what, err := find(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, what.close()) }()
	server, err := dashboard.Listen(ctx, dashboard.Options{
		Addr: o.addr, Host: o.host, NoToken: o.noToken, Name: what.name, Now: time.Now, Ledger: what, Expired: what.expired, Pulled: what.pulled,
		Marks: marks,
	})
	if err != nil {
		return err
	}
	// Pages of a ledger that cannot be opened could never show anything. This also upgrades its schema.
	if _, err := what.Version(ctx); err != nil && !store.IsBusy(err) {
		return errors.Join(err, server.Close())
	}
	if _, err := fmt.Fprintln(global.stdout, server.URL()); err != nil {
		return errors.Join(err, server.Close())
	}
	if !server.Loopback() {
		_, _ = fmt.Fprintf(global.stderr, "warning: other machines can reach %q. They need the token in the URL, the name they use in --host, and what is sent is not encrypted.\n", o.addr)
	}
	if o.open {
		if err := openBrowser(ctx, server.OnceURL()); err != nil {
			_, _ = fmt.Fprintf(global.stderr, "warning: cannot open a browser: %v; open the URL yourself\n", err)
		}
	}
	if global.getenv("GOGC") == "" { // unlike most commands, it keeps running
		debug.SetGCPercent(stayingGC)
	}
	return server.Serve(ctx)
}

// marksHere returns what marks violations in the current worktree, as `mark` does, and prints what it
// prints. What would refuse every mark is an error.
func marksHere(ctx context.Context, global *globalOptions) (*dashboard.Marks, error) {
	marks := &dashboard.Marks{}
	err := withWorkspace(ctx, global, openWorkspace, (*workspace).openExistingLedger, func(w *workspace) error {
		marks.Worktree = w.repo.Root
		return nil
	})
	marks.Mark = func(ctx context.Context, request ledger.MarkRequest) (string, error) {
		o := markOptions{format: formatTable, result: request.Result, why: request.Reason, as: request.Actor, version: request.Version}
		if err := o.parse(append(slices.Clone(request.IDs), string(request.Status))); err != nil {
			return "", err
		}
		var printed strings.Builder
		quiet := *global
		quiet.stdout, quiet.stderr = &printed, &printed
		err := runMark(ctx, &quiet, o)
		return printed.String(), err
	}
	return marks, err
}

// stayingGC is the GOGC percentage for a process that waits most of the time.
const stayingGC = 100

// watchedLedger adapts a watched ledger to the dashboard.
type watchedLedger struct{ *store.Watched }

// Ask implements [dashboard.Ledger].
func (w watchedLedger) Ask(ctx context.Context) (dashboard.Questions, func(), error) {
	return w.Watched.Ask(ctx)
}

// expired returns a function that returns, for each page, a function that reports whether the line
// of a skip is no longer in its file. It returns nil outside of a worktree.
func expired(ctx context.Context, global *globalOptions) func() func(ledger.Skip) bool {
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return nil
	}
	root := repo.Root
	_ = repo.Close() // only the root is needed
	// Files may change while the dashboard runs, so they are read again for each page.
	return func() func(ledger.Skip) bool { return slots.NewLines(root).Expired }
}

// ledgerName returns a name of the ledger for people: the folder of its repository, or else its
// file.
func ledgerName(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	common := filepath.Dir(filepath.Dir(path))
	if databaseIn(common) != path {
		return filepath.Base(path)
	}
	if filepath.Base(common) == ".git" {
		common = filepath.Dir(common)
	}
	return filepath.Base(common)
}

// openBrowser opens a URL with the desktop's browser. It does not wait for the browser.
func openBrowser(ctx context.Context, url string) error {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	opener := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := opener.Start(); err != nil {
		return err
	}
	go func() { _ = opener.Wait() }() // so that no zombie process is left behind
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

type teamPush struct {
	to      string
	since   filters.When
	content exchange.Content // empty if not given
	from    string
}

func newTeamPushCommand(global *globalOptions) *cobra.Command {
	o := teamPush{since: filters.When{At: new(time.Time)}}
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Push runs to the team store",
		Long: `Push the runs of the ledger that the team store does not have, or has in an
older state. Open runs are pushed, too. Each run is written as a whole or not at
all, and pushing again changes nothing.

--content decides what leaves this machine:
  words  what reviewers and agents said, and the names (default)
  full   also prompts, answers, logs and code excerpts, which contain the code
Commands, log directories, the paths of worktrees and credentials are never sent.
In words, paths in the worktree and in the home folder are shortened.

A run is refused if the team store has another state of it with the same revision
(two copies of one ledger have gone apart), or if the server does not take its rows.
Both are named, and the others are pushed. Runs that were deleted from the team store
are passed over. A dump changes no run that another ledger has pushed.

With --from, the runs of a dump are pushed, as "export ndjson" writes it: a CI job
that has no access to the team store can leave its dump to one that has.

Exit codes: 0 pushed, or nothing new; 1 a run was refused; 2 error.`,
		Example: `  reviewledger team push
  reviewledger team push --since 30d --content full
  reviewledger team push --from dump.ndjson`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTeamPush(cmd.Context(), global, o) },
	}
	addTo(cmd, &o.to)
	cmd.Flags().Var(&o.since, "since", "only runs that started since: 30d (ago), 2026-01-31, or RFC 3339")
	addChoice(global, cmd, &o.content, "content", "how much is sent: words or full (default: words)", exchange.Contents())
	cmd.Flags().Var(filters.Text(&o.from), "from", "push the runs of this dump instead of the ledger's")
	return cmd
}

func runTeamPush(ctx context.Context, global *globalOptions, o teamPush) error {
	url, err := teamURL(ctx, global, o.to)
	if err != nil {
		return err
	}
	if o.from != "" {
		return withDump(ctx, global, o.from, func(l *store.Store) error { return pushLedger(ctx, global, l, url, o) })
	}
	return withLedger(ctx, global, func(l *store.Store) error { return pushLedger(ctx, global, l, url, o) })
}

// pushLedger pushes the runs of a ledger and prints the result.
func pushLedger(ctx context.Context, global *globalOptions, l *store.Store, url string, o teamPush) (err error) {
	s, err := team.Open(ctx, team.Options{URL: url, Write: true})
	if err != nil {
		return err
	}
	defer s.Close()
	line := newLiveLine(global)
	sending := sendingOf(ctx, global, o.content)
	sending.Since, sending.Untrusted = *o.since.At, o.from != ""
	sending.Done = func(done, all int) { line.show("Run %d of %d", done, all) }
	done, err := s.PushLedger(ctx, l, sending)
	line.clear()
	if err != nil {
		if done.Pushed > 0 {
			err = fmt.Errorf("%w; %s pushed before that; push again to continue", err, ledger.PluralVerb(done.Pushed, "run", "was", "were"))
		}
		return err
	}
	if err := printLines(global.stdout, done.Lines()); err != nil {
		return err
	}
	if done.Refused() > 0 {
		return exitStatus(exitFailed)
	}
	return nil
}

// sendingOf describes what this ledger pushes.
func sendingOf(ctx context.Context, global *globalOptions, content exchange.Content) team.Sending {
	conf := configured(ctx, global).Team
	if content == "" {
		content = exchange.Content(conf.Content)
	}
	if content == "" {
		content = exchange.ContentWords
	}
	return team.Sending{Name: conf.Ledger, Program: moduleVersion(), Content: content, Homes: homes()}
}

// homes returns home folders whose paths must not leave the machine, in addition to those in the
// paths of worktrees.
func homes() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return []string{home}
}

// withDump imports a dump into a temporary ledger and calls ask.
func withDump(ctx context.Context, global *globalOptions, path string, ask func(*store.Store) error) (err error) {
	folder, err := os.MkdirTemp("", "reviewledger-dump-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	from := global.stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("push: %w", err)
		}
		defer func() { _ = file.Close() }() // only read
		from = file
	}
	database := filepath.Join(folder, "ledger.db")
	loaded, err := store.Import(ctx, database, ledgerOptions(global, database), exchange.NewReader(from).Next)
	if err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	for _, left := range loaded.LeftOut {
		return fmt.Errorf("read %q: the runs %s and %s are both open in the same worktree and log directory: end one of them and export the ledger again", path, left.Run, left.Open)
	}
	l, err := store.OpenReadOnly(ctx, database, store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return ask(l)
}

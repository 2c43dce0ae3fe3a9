package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

type teamPush struct {
	to, from string
	since    time.Time
	content  exchange.Content // empty if not given
	format   format
}

func newTeamPushCommand(global *globalOptions) *cobra.Command {
	var o teamPush
	cmd := &cobra.Command{
		Use:   "push",
		Short: "Push runs to the team store",
		Long: `Push the runs of the ledger that the team store does not have, or has in an
older state, open ones too. What leaves this machine is what reviewers and agents
said, and the names; with --content full also prompts, answers, logs and code
excerpts, which contain the code. A run that is refused is named, and the others are
pushed. See docs/team.md.

With --from, the runs of a dump are pushed, as "export ndjson" writes it: a CI job
that has no access to the team store can leave its dump to one that has.

Exit codes: 0 pushed, or nothing new; 1 a run was refused; 2 error.`,
		Example: `  reviewledger team push
  reviewledger team push --since 30d --content full
  reviewledger team push --from dump.ndjson`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTeamPush(cmd.Context(), global, o) },
	}
	addTo(cmd, "to", &o.to)
	cmd.Flags().Var(&filters.When{At: &o.since}, "since", "only runs that started since: 30d (ago), 2026-01-31, or RFC 3339")
	addChoice(global, cmd, &o.content, "content", "how much is sent: words or full (default: words)", exchange.Contents())
	cmd.Flags().Var(filters.Text(&o.from), "from", "push the runs of this dump instead of the ledger's")
	addAnswer(global, cmd, &o.format)
	return cmd
}

func runTeamPush(ctx context.Context, global *globalOptions, o teamPush) error {
	ask := func(l *store.Store) error {
		sent, err := push(ctx, global, l, o)
		if err != nil && sent.Pushed > 0 {
			err = fmt.Errorf("%w; %s pushed before that; push again to continue", err, ledger.PluralVerb(sent.Pushed, "run", "was", "were"))
		}
		if err == nil {
			err = printOne(global, o.format, sent, func(p *text.Page) error { return printLines(p, sent.Lines()...) })
		}
		if err == nil && len(sent.Refused) > 0 {
			return exitStatus(exitFailed)
		}
		return err
	}
	if o.from != "" {
		return withDump(ctx, global, o.from, ask)
	}
	return withLedger(ctx, global, ask)
}

// push pushes the runs of a ledger. It shows the progress.
func push(ctx context.Context, global *globalOptions, l *store.Store, o teamPush) (sent team.Sent, err error) {
	conf := configured(ctx, global).Team
	line := newLiveLine(global)
	defer line.clear()
	sending := team.Sending{
		Name: conf.Ledger, Program: moduleVersion(), Homes: homes(), Since: o.since, Untrusted: o.from != "",
		Content: cmp.Or(o.content, exchange.Content(conf.Content), exchange.ContentWords),
		Done:    func(done, all int) { line.show("Pushing run %d of %d", done, all) },
	}
	return sent, withTeam(ctx, global, o.to, true, func(s *team.Store) error {
		sent, err = s.Push(ctx, l, sending)
		return err
	})
}

// pushTime is the time limit for a push at the end of a run. Together with the second for giving up
// the connection it is less than five seconds.
const pushTime = 3500 * time.Millisecond

// closeAndPush closes the workspace and then, if the configuration says so, pushes the run. Nobody
// has to wait for the worktree's lock meanwhile. A failed push is only a warning, because the next
// one makes up for it.
func (w *workspace) closeAndPush(ctx context.Context) error {
	recorded := w.ledger != nil
	err := w.close()
	if err != nil || !recorded || !w.config.Team.Push || ctx.Err() != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	out := console.NewConsole(w.global.stdout, w.global.stderr, w.global.style()) // not to the console log of the run, which is closed
	err = withLedger(ctx, w.global, func(l *store.Store) error {
		sent, err := push(ctx, w.global, l, teamPush{})
		if err == nil && len(sent.Refused) > 0 {
			err = fmt.Errorf("%s refused, because the team store has another state of it: `reviewledger team push` says which", ledger.PluralVerb(len(sent.Refused), "run", "was", "were"))
		}
		return err
	})
	if err != nil {
		out.Warn(fmt.Sprintf("the run was not pushed to the team store: %v; the next push makes up for it (`reviewledger team push`)", err))
	}
	return out.Err()
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
	return withLedgerAt(ctx, global, database, ask)
}

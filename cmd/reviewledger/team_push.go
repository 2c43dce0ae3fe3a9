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
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamPushCommand(global *globalOptions) *cobra.Command {
	var o team.Sending
	var from string
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
	}
	cmd.Flags().Var(&filters.When{At: &o.Since}, "since", "only runs that started since: 30d (ago), 2026-01-31, or RFC 3339")
	addChoice(global, cmd, &o.Content, "content", "how much is sent: words or full (default: words)", exchange.Contents())
	cmd.Flags().Var(filters.Text(&from), "from", "push the runs of this dump instead of the ledger's")
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store, _ []string) (answer teamAnswer, err error) {
		ask := func(l *store.Store) error {
			sent, err := push(ctx, global, s, l, o)
			if err != nil && sent.Pushed > 0 {
				return fmt.Errorf("%w; %s pushed before that; push again to continue", err, ledger.PluralVerb(sent.Pushed, "run", "was", "were"))
			}
			answer = sent
			return cmp.Or(err, leftOut(sent.Refused))
		}
		if o.Untrusted = from != ""; o.Untrusted {
			err = withDump(ctx, global, from, ask)
		} else {
			err = withLedger(ctx, global, ask)
		}
		return answer, err
	})
}

// push pushes the runs of a ledger. It shows the progress.
func push(ctx context.Context, global *globalOptions, s *team.Store, l *store.Store, o team.Sending) (sent team.Sent, err error) {
	if err := s.Connect(ctx, true); err != nil {
		return sent, err
	}
	line := newLiveLine(global)
	defer line.clear()
	conf := configured(ctx, global).Team
	o.Name, o.Program = conf.Ledger, moduleVersion()
	o.Home, _ = os.UserHomeDir() // without one no text can name it
	o.Content = cmp.Or(o.Content, exchange.Content(conf.Content), exchange.ContentWords)
	o.Done = func(done, all int) { line.show("Pushing run %d of %d", done, all) }
	return s.Push(ctx, l, o)
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
		s, err := teamAt(ctx, w.global, "")
		if err != nil {
			return err
		}
		defer s.Close()
		sent, err := push(ctx, w.global, s, l, team.Sending{})
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

// withDump imports a dump into a temporary ledger and calls ask.
func withDump(ctx context.Context, global *globalOptions, path string, ask func(*store.Store) error) (err error) {
	folder, err := os.MkdirTemp("", "reviewledger-dump-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	from, _, err := openDump(global, path)
	if err != nil {
		return fmt.Errorf("push: %w", err)
	}
	defer func() { _ = from.Close() }() // only read
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

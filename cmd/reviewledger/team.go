package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "team",
		Short: "Share the ledger with a team in PostgreSQL",
		Long: `Keep the history of a team in one PostgreSQL database, to which ledgers push. To ask
it, pull it into a replica on this machine: commands with --team do so. The ledger of
each clone stays the only truth for decisions. See docs/team.md.

The store is the one at --to, or $REVIEWLEDGER_TEAM, or team.url in the
configuration. The password comes from ~/.pgpass, PGPASSWORD or a service file,
as for psql.`,
		Example: `  reviewledger team migrate --push-role ci --read-role viewers
  reviewledger team push
  reviewledger team pull
  reviewledger team status`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTeamMigrateCommand(global), newTeamPushCommand(global), newTeamPullCommand(global), newTeamStatusCommand(global),
		newTeamForgetCommand(global), newTeamPruneCommand(global))
	return cmd
}

// teamAnswer is what a command did or found. Its JSON is in docs/json.md.
type teamAnswer interface {
	Lines() []string
}

// teamCommand makes a command ask the team store: it adds the flag for its URL and the one for the format
// of the answer. The answer is printed unless there is an error other than an exit code.
func teamCommand(global *globalOptions, cmd *cobra.Command, urlFlag string, formats []format,
	do func(ctx context.Context, s *team.Store) (teamAnswer, error)) *cobra.Command {
	var url string
	var f format
	cmd.Flags().Var(filters.Text(&url), urlFlag, "`URL` of the team store (default: $REVIEWLEDGER_TEAM, or team.url in the configuration)")
	addFormats(global, cmd, &f, formats...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := teamAt(cmd.Context(), global, url)
		if err != nil {
			return err
		}
		answer, err := do(cmd.Context(), s)
		if status := exitStatus(0); err != nil && !errors.As(err, &status) {
			return err
		}
		return errors.Join(err, printOne(global, f, answer, func(p *text.Page) error {
			for _, line := range answer.Lines() {
				p.Line("%s", text.EscapeLine(line))
			}
			return nil
		}))
	}
	return cmd
}

// leftOut returns the exit code 1 if there are runs that were refused or left out.
func leftOut(runs []team.Refusal) error {
	if len(runs) > 0 {
		return exitStatus(exitFailed)
	}
	return nil
}

// configuredTeam is the value of --team without a URL.
const configuredTeam = "configured"

// teamAt returns the team store at the URL, or else that of the environment or the configuration. It
// does not connect.
func teamAt(ctx context.Context, global *globalOptions, url string) (*team.Store, error) {
	if url == "" || url == configuredTeam {
		url = global.getenv("REVIEWLEDGER_TEAM")
	}
	if url == "" {
		url = configured(ctx, global).Team.URL
	}
	if url == "" {
		return nil, usageError("no team store is named: set team.url in .gauntlet/config.yml, or REVIEWLEDGER_TEAM, to postgres://USER@HOST/DATABASE")
	}
	return team.At(url, global.getenv("REVIEWLEDGER_TEAM_DB"))
}

func newTeamMigrateCommand(global *globalOptions) *cobra.Command {
	var roles team.Roles
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create or upgrade the tables of the team store",
		Long: `Create the tables of the team store, or upgrade them to the version of this
program, and give roles their rights. Only the owner of the schema can do this. If
the schema does not exist, it is created. The URL can name another one with
?search_path=SCHEMA.`,
		Example: `  reviewledger team migrate --to postgres://owner@db.example/reviews
  reviewledger team migrate --push-role ci --read-role viewers`,
		Args: noArgs,
	}
	cmd.Flags().Var(filters.Text(&roles.Push), "push-role", "role that may push")
	cmd.Flags().Var(filters.Text(&roles.Read), "read-role", "role that may read")
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store) (teamAnswer, error) {
		return s.Migrate(ctx, roles)
	})
}

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
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store) (answer teamAnswer, err error) {
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
func push(ctx context.Context, global *globalOptions, s *team.Store, l *store.Store, o team.Sending) (team.Sent, error) {
	line := newLiveLine(global)
	defer line.clear()
	conf := configured(ctx, global).Team
	o.Name, o.Program = conf.Ledger, moduleVersion()
	o.Home, _ = os.UserHomeDir() // without one no text can name it
	o.Content = cmp.Or(o.Content, exchange.Content(conf.Content), exchange.ContentWords)
	o.Done = func(done, all int) { line.show("Pushing run %d of %d", done, all) }
	return s.Push(ctx, l, o)
}

// pushTime is the time limit for a push at the end of a run. Together with what comes before and after,
// it is less than five seconds.
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
	s, err := teamAt(ctx, w.global, "")
	if err == nil {
		err = withLedger(ctx, w.global, func(l *store.Store) error {
			sent, err := push(ctx, w.global, s, l, team.Sending{})
			if err == nil && len(sent.Refused) > 0 {
				err = fmt.Errorf("%s refused, because the team store has another state of it: `reviewledger team push` says which", ledger.PluralVerb(len(sent.Refused), "run", "was", "were"))
			}
			return err
		})
	}
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
	database := filepath.Join(folder, "ledger.db")
	loaded, err := importDump(ctx, global, path, database)
	if err != nil {
		return err
	}
	for _, left := range loaded.LeftOut {
		return fmt.Errorf("read %q: the runs %s and %s are both open in the same worktree and log directory: end one of them and export the ledger again", path, left.Run, left.Open)
	}
	return withLedgerAt(ctx, global, database, ask)
}

func newTeamPullCommand(global *globalOptions) *cobra.Command {
	o := team.Pulling{Content: exchange.ContentWords}
	since := filters.When{At: new(time.Time), All: true}
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Pull the team's history into a replica",
		Long: `Bring the replica of the team store up to date: a ledger file on this machine, which
commands with --team ask. They pull by themselves; this command pulls more than the
last 12 weeks, and with --content full prompts, answers, logs and code excerpts, too,
then and later. The replica is in the cache folder of this user, or in
$REVIEWLEDGER_TEAM_DB. It can be deleted at any time.

Exit codes: 0 pulled, or nothing new; 1 a run was left out; 2 error.`,
		Example: `  reviewledger team pull
  reviewledger team pull --since all
  reviewledger team pull --repository github.com/acme/app --content full`,
		Args: noArgs,
	}
	cmd.Flags().Var(&since, "since", "runs that started since: 30d (ago), 2026-01-31, RFC 3339, or all")
	cmd.Flags().Var(filters.Text(&o.Repository), "repository", "only runs of the repository with this key")
	addChoice(global, cmd, &o.Content, "content", "how much is pulled: words or full", exchange.Contents())
	return teamCommand(global, cmd, "from", textOrJSON, func(ctx context.Context, s *team.Store) (teamAnswer, error) {
		if since.Text != "" {
			o.Since = since.At
		}
		pulled, err := pull(ctx, global, s, o)
		return pulled, cmp.Or(err, leftOut(pulled.LeftOut))
	})
}

// pull pulls from the team store. It shows the progress.
func pull(ctx context.Context, global *globalOptions, s *team.Store, o team.Pulling) (team.Pulled, error) {
	line := newLiveLine(global)
	defer line.clear()
	o.Now, o.Done = time.Now(), func(done, all int) { line.show("Pulling run %d of %d", done, all) }
	return s.Pull(ctx, o)
}

func newTeamStatusCommand(global *globalOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what the team store has, and what is not pushed yet",
		Long: `Show the ledgers that push to the team store, how many runs each has there, when
it was pushed last, and how many runs of this ledger are not pushed yet. The role
for reading is enough.`,
		Example: "  reviewledger team status",
		Args:    noArgs,
	}
	return teamCommand(global, cmd, "to", []format{formatTable, formatJSON, formatNDJSON}, func(ctx context.Context, s *team.Store) (teamAnswer, error) {
		var status team.Status
		ask := func(l *store.Store) (err error) {
			status, err = s.Status(ctx, l)
			return err
		}
		err := withLedger(ctx, global, ask)
		if errors.Is(err, diff.ErrNotRepository) || errors.Is(err, store.ErrMissing) {
			err = ask(nil) // there is nothing to push
		}
		return status, err
	})
}

func newTeamForgetCommand(global *globalOptions) *cobra.Command {
	var what team.Deletion
	cmd := &cobra.Command{
		Use:   "forget RUN | --repository REPOSITORY",
		Short: "Delete a run or a repository from the team store",
		Example: `  reviewledger team forget 01KB3
  reviewledger team forget --repository github.com/acme/app --yes`,
		Args: func(_ *cobra.Command, args []string) error {
			if what.Run = strings.Join(args, ""); (what.Run == "") == (what.Repository == "") || len(args) > 1 {
				return usageError("give a run, or --repository")
			}
			return nil
		},
	}
	cmd.Flags().Var(filters.Text(&what.Repository), "repository", "all runs of the repository with this key")
	return deletes(global, cmd, &what)
}

func newTeamPruneCommand(global *globalOptions) *cobra.Command {
	before := filters.When{At: new(time.Time)}
	cmd := &cobra.Command{
		Use:     "prune --before TIME",
		Short:   "Delete old runs from the team store",
		Example: "  reviewledger team prune --before 730d --yes",
		Args: func(cmd *cobra.Command, args []string) error {
			if before.Text == "" {
				return usageError("missing --before")
			}
			return noArgs(cmd, args)
		},
	}
	cmd.Flags().Var(&before, "before", "runs that started before this time: 730d (ago), 2026-01-31, or RFC 3339")
	return deletes(global, cmd, &team.Deletion{Before: before.At})
}

// deletedJSON says how many runs were deleted from which team store.
type deletedJSON struct {
	Store   string `json:"store"`
	Deleted int    `json:"deleted"`
}

// Lines implements [teamAnswer].
func (d deletedJSON) Lines() []string {
	return []string{fmt.Sprintf("Deleted: %s. Pushes skip what was deleted, and replicas lose it at their next pull.", ledger.Plural(d.Deleted, "run"))}
}

// deletes makes a command delete something, if the user confirms it.
func deletes(global *globalOptions, cmd *cobra.Command, what *team.Deletion) *cobra.Command {
	cmd.Long = cmd.Short + `, and keep what was deleted
from coming back: later pushes skip it. The ledgers that it came from stay as they
are. Only the owner of the schema can do this. Without --yes, you are asked first.`
	yes := cmd.Flags().Bool("yes", false, "do not ask")
	return teamCommand(global, cmd, "to", textOrJSON, func(ctx context.Context, s *team.Store) (teamAnswer, error) {
		deleted, err := s.Delete(ctx, *what, func(runs int) error {
			if *yes {
				return nil
			}
			return confirm(global, "delete", fmt.Sprintf("%s from the team store %s", ledger.Plural(runs, "run"), s.Place()), "", "; nothing was deleted")
		})
		return deletedJSON{s.Place(), deleted}, err
	})
}

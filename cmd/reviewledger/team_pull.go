package main

import (
	"cmp"
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
)

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
	return teamCommand(global, cmd, "from", textOrJSON, func(ctx context.Context, s *team.Store, _ []string) (teamAnswer, error) {
		if since.Text != "" {
			o.Since = since.At
		}
		pulled, err := pull(ctx, global, s, o)
		return pulled, cmp.Or(err, leftOut(pulled.LeftOut))
	})
}

// pull connects to the team store, pulls, and closes the connection. It shows the progress.
func pull(ctx context.Context, global *globalOptions, s *team.Store, o team.Pulling) (pulled team.Pulled, err error) {
	if err := s.Connect(ctx, false); err != nil {
		return pulled, err
	}
	defer s.Close()
	line := newLiveLine(global)
	defer line.clear()
	o.Now, o.Done = time.Now(), func(done, all int) { line.show("Pulling run %d of %d", done, all) }
	return s.Pull(ctx, o)
}

package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
)

func newTeamPullCommand(global *globalOptions) *cobra.Command {
	var from string
	var o team.Pulling
	var f format
	since, content := filters.When{At: new(time.Time), All: true}, exchange.ContentWords
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Full = content == exchange.ContentFull; since.Text != "" {
				o.Since = since.At
			}
			return runTeamPull(cmd.Context(), global, f, from, o)
		},
	}
	addTo(cmd, "from", &from)
	cmd.Flags().Var(&since, "since", "runs that started since: 30d (ago), 2026-01-31, RFC 3339, or all")
	cmd.Flags().Var(filters.Text(&o.Repository), "repository", "only runs of the repository with this key")
	addChoice(global, cmd, &content, "content", "how much is pulled: words or full", exchange.Contents())
	addAnswer(global, cmd, &f)
	return cmd
}

func runTeamPull(ctx context.Context, global *globalOptions, f format, from string, o team.Pulling) error {
	s, err := teamAt(ctx, global, from)
	if err != nil {
		return err
	}
	pulled, err := pull(ctx, global, s, o)
	if err == nil {
		err = printOne(global, f, pulled, func(p *text.Page) error { return printLines(p, pulled.Lines()...) })
	}
	if err == nil && len(pulled.LeftOut) > 0 {
		return exitStatus(exitFailed)
	}
	return err
}

// pull connects to the team store, pulls, and closes the connection. It shows the progress.
func pull(ctx context.Context, global *globalOptions, s *team.Store, o team.Pulling) (pulled team.Pulled, err error) {
	if o.Folder, err = replicaFolder(global); err != nil {
		return pulled, err
	}
	if err := s.Connect(ctx, false); err != nil {
		return pulled, err
	}
	defer s.Close()
	line := newLiveLine(global)
	defer line.clear()
	o.Now, o.Done = time.Now(), func(done, all int) { line.show("Pulling run %d of %d", done, all) }
	return s.Pull(ctx, o)
}

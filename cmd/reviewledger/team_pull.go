package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
)

type teamPull struct {
	from, repository string
	since            filters.When
	content          exchange.Content
}

func newTeamPullCommand(global *globalOptions) *cobra.Command {
	o := teamPull{since: filters.When{At: new(time.Time), All: true}, content: exchange.ContentWords}
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Pull the team's history into a replica",
		Long: `Bring the replica of the team store up to date: a ledger file on this machine, which
commands with --team ask. They pull by themselves; this command pulls more. The first
pull brings the runs of the last 12 weeks. An earlier --since adds what is missing;
a later one removes nothing. What was deleted from the team store is removed.

--content full also brings prompts, answers, logs and code excerpts, if they were
pushed, and so does each later pull.

The replica is in the cache folder of this user, or in $REVIEWLEDGER_TEAM_DB. It can be
deleted at any time.

Exit codes: 0 pulled, or nothing new; 1 a run was left out; 2 error.`,
		Example: `  reviewledger team pull
  reviewledger team pull --since all
  reviewledger team pull --repository github.com/acme/app --content full`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTeamPull(cmd.Context(), global, o) },
	}
	cmd.Flags().Var(filters.Text(&o.from), "from", "`URL` of the team store (default: $REVIEWLEDGER_TEAM, or team.url in the configuration)")
	cmd.Flags().Var(&o.since, "since", "runs that started since: 30d (ago), 2026-01-31, RFC 3339, or all")
	cmd.Flags().Var(filters.Text(&o.repository), "repository", "only runs of the repository with this key")
	addChoice(global, cmd, &o.content, "content", "how much is pulled: words or full", exchange.Contents())
	return cmd
}

func runTeamPull(ctx context.Context, global *globalOptions, o teamPull) error {
	url, err := teamURL(ctx, global, o.from)
	if err != nil {
		return err
	}
	folder, err := replicaFolder(global)
	if err != nil {
		return err
	}
	s, err := team.Open(ctx, team.Options{URL: url})
	if err != nil {
		return err
	}
	defer s.Close()
	pulling := team.Pulling{Folder: folder, Repository: o.repository, Full: o.content == exchange.ContentFull, Now: time.Now()}
	if o.since.Text != "" {
		pulling.Since = o.since.At
	}
	line := newLiveLine(global)
	pulling.Done = func(done, all int) { line.show("Run %d of %d", done, all) }
	pulled, err := s.Pull(ctx, pulling)
	line.clear()
	if err != nil {
		return err
	}
	if err := printLines(global.stdout, pulled.Lines()); err != nil {
		return err
	}
	if len(pulled.LeftOut) > 0 {
		return exitStatus(exitFailed)
	}
	return nil
}

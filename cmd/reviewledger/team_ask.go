package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/ask"
)

// teamVariable is the environment variable with the URL of the team store.
const teamVariable = "REVIEWLEDGER_TEAM"

// teamFlag is --team with a URL, or without one for the configured store.
type teamFlag struct {
	given bool
	url   string
}

// configuredTeam is the value that pflag sets if the flag has none.
const configuredTeam = "configured"

// addTeam adds the flag to query the team store instead of the ledger.
func addTeam(global *globalOptions, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&global.team, "team", "ask the team store, at this `URL` or at the configured one (default: $REVIEWLEDGER_TEAM, or team.url)")
	flags.Lookup("team").NoOptDefVal = configuredTeam
}

// Set implements [pflag.Value].
func (f *teamFlag) Set(value string) error {
	f.given = true
	if f.url = value; value == configuredTeam {
		f.url = ""
	}
	return nil
}

// String implements [pflag.Value]. The URL may have a password, so it is not shown.
func (f *teamFlag) String() string { return "" }

// Type implements [pflag.Value]. It is the placeholder of the value in the help.
func (f *teamFlag) Type() string { return "URL" }

// joinTeamURL joins --team and a URL that follows it with an equals sign, because a flag whose
// value is optional accepts only that form.
func joinTeamURL(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return append(joined, args[i:]...)
		case args[i] == "--team" && i+1 < len(args) && isTeamURL(args[i+1]):
			joined = append(joined, args[i]+"="+args[i+1])
			i++
		default:
			joined = append(joined, args[i])
		}
	}
	return joined
}

func isTeamURL(word string) bool {
	return strings.HasPrefix(word, "postgres://") || strings.HasPrefix(word, "postgresql://")
}

// teamURL returns the URL of the team store: the given one, or else that of the environment or the
// configuration.
func teamURL(ctx context.Context, global *globalOptions, given string) (string, error) {
	url := cmp.Or(given, global.getenv(teamVariable))
	if url == "" {
		url = configured(ctx, global).Team.URL
	}
	if url == "" {
		return "", usageError("no team store is named: set team.url in .gauntlet/config.yml, or %s, to postgres://USER@HOST/DATABASE", teamVariable)
	}
	return url, nil
}

// openTeam opens the team store that --team names, for reading.
func openTeam(ctx context.Context, global *globalOptions, connections int) (*ask.Store, error) {
	if global.database != "" {
		return nil, usageError("--team and --db cannot be used together: the one is a team store, the other a ledger")
	}
	url, err := teamURL(ctx, global, global.team.url)
	if err != nil {
		return nil, err
	}
	return ask.Open(ctx, team.Options{URL: url, Connections: connections})
}

// questions are the queries of commands and pages. A ledger and the team store give the same
// answers. They do not include what belongs to one machine: the place of a loop, its lock, the size
// of a file, and everything that is written.
type questions interface {
	dashboard.Questions
	Excerpts(ctx context.Context, found []ledger.ListedViolation) (map[string]ledger.Excerpt, error)
}

// withQuestions opens the store that --team names, or else the ledger, and calls ask.
func withQuestions(ctx context.Context, global *globalOptions, ask func(questions) error) error {
	if !global.team.given {
		return withLedger(ctx, global, func(l *store.Store) error { return ask(l) })
	}
	s, err := openTeam(ctx, global, 1)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Check(ctx); err != nil {
		return err
	}
	return ask(s)
}

// withQuestionsIfAny is withQuestions for listings, which are empty before the first run.
func withQuestionsIfAny(ctx context.Context, global *globalOptions, empty func() error, ask func(questions) error) error {
	err := withQuestions(ctx, global, ask)
	if errors.Is(err, store.ErrMissing) {
		return empty()
	}
	return err
}

// asking adds --team to a suggested command if this one has it, so that both query the same store.
// A URL is not repeated, because it may contain a password; the suggested command then queries the
// configured store.
func (g *globalOptions) asking(command string) string {
	if g.team.given && command != "" {
		command += " --team"
	}
	return command
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// completer lists words that begin with the prefix. The ledger is nil if there is none.
type completer func(ctx context.Context, l *store.Store, prefix string) ([]string, error)

// completions is the maximum number of files or violations offered.
const completions = 200

// complete registers the completion of a flag.
func complete(global *globalOptions, cmd *cobra.Command, flag string, c completer) {
	// The only possible error is an unknown flag, and this one was just added.
	_ = cmd.RegisterFlagCompletionFunc(flag, completion(global, c))
}

// completeArgs completes up to limit arguments.
func completeArgs(global *globalOptions, c completer, limit int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= limit {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completion(global, c)(cmd, args, prefix)
	}
}

// completion queries the ledger. It offers nothing if that fails, because a completion cannot show
// an error.
func completion(global *globalOptions, c completer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
		// Words joined by commas are completed one by one.
		done, last := "", prefix
		if i := strings.LastIndexByte(prefix, ','); i >= 0 {
			done, last = prefix[:i+1], prefix[i+1:]
		}
		var words []string
		ask := func(l *store.Store) (err error) {
			words, err = c(cmd.Context(), l, last)
			return err
		}
		if withLedger(cmd.Context(), global, ask) != nil && ask(nil) != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var fitting []string
		for _, word := range words {
			if strings.HasPrefix(word, last) {
				fitting = append(fitting, done+word)
			}
		}
		return fitting, cobra.ShellCompDirectiveNoFileComp
	}
}

func completeWords[T ~string](words []T) completer {
	return func(context.Context, *store.Store, string) ([]string, error) {
		var texts []string
		for _, word := range words {
			texts = append(texts, string(word))
		}
		return texts, nil
	}
}

// described adds the description that the shell shows beside a word.
func described(word, words string) string {
	return word + "\t" + text.Cut(text.EscapeLine(words), 60)
}

// ownRuns returns the newest runs of the current repository if the ledger may have several
// repositories, or of all repositories if there are none of the current one.
func ownRuns(ctx context.Context, global *globalOptions, l *store.Store, limit int) ([]ledger.Run, error) {
	if namedDatabase(global) != "" {
		w, err := openForQuestion(ctx, global)
		if err == nil {
			runs, err := l.Runs(ctx, ledger.RunFilter{Limit: limit, Repository: w.repository.Key})
			if err = errors.Join(err, w.close()); err != nil || len(runs) > 0 {
				return runs, err
			}
		}
	}
	return l.Runs(ctx, ledger.RunFilter{Limit: limit})
}

// fromLedger returns a completer that offers nothing without a ledger.
func fromLedger(c completer) completer {
	return func(ctx context.Context, l *store.Store, prefix string) ([]string, error) {
		if l == nil {
			return nil, nil
		}
		return c(ctx, l, prefix)
	}
}

// inTurn offers the words of several completers, one after another.
func inTurn(completers ...completer) completer {
	return func(ctx context.Context, l *store.Store, prefix string) (all []string, err error) {
		for _, c := range completers {
			words, err := c(ctx, l, prefix)
			if err != nil {
				return nil, err
			}
			all = append(all, words...)
		}
		return all, nil
	}
}

func completeRuns(global *globalOptions) completer {
	return fromLedger(func(ctx context.Context, l *store.Store, _ string) (words []string, err error) {
		runs, err := ownRuns(ctx, global, l, 50)
		for _, run := range runs {
			words = append(words, described(run.ID, fmt.Sprintf("%s %s %s", run.Status, run.Branch, text.LocalTime(run.StartedAt))))
		}
		return words, err
	})
}

// completeRunNames offers all names that a run can be given by.
func completeRunNames(global *globalOptions) completer {
	runs, others := completeRuns(global), inTurn(completeWords([]string{"last", "last~1"}), completeBranches(global))
	return func(ctx context.Context, l *store.Store, prefix string) ([]string, error) {
		known, err := runs(ctx, l, prefix)
		if err != nil || len(known) == 0 {
			return nil, err
		}
		names, err := others(ctx, l, prefix)
		return append(known, names...), err
	}
}

// completeViolations offers the newest violations with one of the statuses, or with any status if
// none is given.
func completeViolations(statuses ...ledger.Status) completer {
	return fromLedger(func(ctx context.Context, l *store.Store, _ string) (words []string, err error) {
		found, err := l.Violations(ctx, ledger.ViolationFilter{Limit: completions, Statuses: statuses})
		for _, v := range found {
			words = append(words, described(v.ShortID, fmt.Sprintf("%s %s %s", v.Status, text.EscapeLine(v.Place.String()), v.Issue)))
		}
		return words, err
	})
}

func completeFiles() completer {
	return fromLedger(func(ctx context.Context, l *store.Store, prefix string) ([]string, error) {
		return l.Files(ctx, prefix, completions)
	})
}

// completeJobs offers review jobs. Checks do not have violations.
func completeJobs(name func(ledger.Gate) string) completer {
	return fromLedger(func(ctx context.Context, l *store.Store, _ string) (words []string, err error) {
		jobs, err := l.JobNames(ctx)
		for _, job := range jobs {
			if job.Kind == ledger.KindReview {
				words = append(words, name(job))
			}
		}
		return distinct(words), err
	})
}

// completeBranches offers the branches of the newest runs.
func completeBranches(global *globalOptions) completer {
	return fromLedger(func(ctx context.Context, l *store.Store, _ string) (words []string, err error) {
		runs, err := ownRuns(ctx, global, l, completions)
		for _, run := range runs {
			if run.Branch != "" {
				words = append(words, run.Branch)
			}
		}
		return distinct(words), err
	})
}

// completeGitBranches offers all branches of the repository, with or without runs.
func completeGitBranches(global *globalOptions) completer {
	return func(ctx context.Context, _ *store.Store, _ string) ([]string, error) {
		repo, err := diff.Open(ctx, global.dir)
		if err != nil {
			return nil, err
		}
		defer repo.Close()
		return repo.Branches(ctx)
	}
}

// completeNames offers names that occur in the rows of the ledger.
func completeNames(of func(ledger.Names) []string) completer {
	return fromLedger(func(ctx context.Context, l *store.Store, _ string) ([]string, error) {
		names, err := l.Names(ctx)
		return of(names), err
	})
}

func completeAdapters() completer {
	return completeNames(func(names ledger.Names) []string { return names.Adapters })
}

// completeConfigured offers the configured gates that the command can run.
func completeConfigured(global *globalOptions, command loop.Command) completer {
	return func(ctx context.Context, _ *store.Store, _ string) (words []string, _ error) {
		for _, job := range configured(ctx, global).AllJobs() {
			of := loop.CommandReview
			if job.Check != nil {
				of = loop.CommandCheck
			}
			if command == of || command == loop.CommandRun {
				words = append(words, job.Name)
			}
		}
		return distinct(words), nil
	}
}

// distinct removes repeated words.
func distinct(words []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(words, func(word string) bool {
		before := seen[word]
		seen[word] = true
		return before
	})
}

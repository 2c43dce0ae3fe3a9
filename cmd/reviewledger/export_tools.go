package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/interop"
	"github.com/reviewledger/reviewledger/ledger"
)

// newExportToolCommands returns the commands for formats of other tools that have no flags of their
// own.
func newExportToolCommands(global *globalOptions) (commands []*cobra.Command) {
	comment := false
	for _, format := range []struct {
		name, short, long string
		marshal           func(interop.Run) ([]byte, error)
	}{
		{"rdjson", "Write a run for reviewdog",
			"Write open violations and claims in reviewdog's format rdjson, the most important\nfirst.", interop.Run.RDJSON},
		{"rdjsonl", "Write a run for reviewdog, one line per violation",
			"Write open violations and claims in reviewdog's format rdjsonl, one per line, the\nmost important first.", interop.Run.RDJSONL},
		{"github", "Write a run as annotations of GitHub Actions",
			"Write open violations and claims as workflow commands of GitHub Actions, which\nbecome annotations, and append a summary to the file that GITHUB_STEP_SUMMARY\nnames, if it is set. GitHub shows 10 errors, 10 warnings and 10 notices of a\nstep: the most important are written, and the summary has more.",
			func(run interop.Run) ([]byte, error) {
				if name := global.getenv("GITHUB_STEP_SUMMARY"); name != "" {
					if err := appendSummary(name, run); err != nil {
						return nil, err
					}
				}
				return run.GitHubCommands(), nil
			}},
		{"gitlab", "Write a run as a GitLab Code Quality report",
			"Write open violations and claims as a Code Quality report of GitLab.", interop.Run.GitLab},
		{"junit", "Write a run as a JUnit test report",
			"Write a run as a JUnit test report, as Jenkins and GitLab read it: a test suite\nper job, a test case per check or slot. Open violations and claims are failures,\nslots without an answer are errors.", interop.Run.JUnit},
		{"markdown", "Write a run as a comment for a pull request",
			"Write a run as Markdown for a comment on a pull request, of at most 60,000\ncharacters: counts, then what keeps the run from passing, by file, the most\nimportant first, with permalinks if the repository has a remote named origin.\nWith --comment, the first line is a marker by which the comment is found again,\nto be updated in place: docs/ci.md has the lines for GitHub and GitLab.",
			func(run interop.Run) ([]byte, error) {
				if comment {
					return run.Comment(interop.MaxMarkdown), nil
				}
				return run.Markdown(interop.MaxMarkdown), nil
			}},
	} {
		e := &runExport{global: global}
		cmd := &cobra.Command{
			Use: format.name, Short: format.short, Long: format.long + "\n\n" + exportExitCodes,
			Example: fmt.Sprintf("  reviewledger export %[1]s\n  reviewledger export %[1]s --run 01KB3 -o reviewledger.%[1]s", format.name),
			Args:    noArgs,
			RunE:    func(cmd *cobra.Command, _ []string) error { return e.write(cmd.Context(), format.marshal) },
		}
		e.add(cmd)
		if format.name == "markdown" {
			cmd.Flags().BoolVar(&comment, "comment", false, "begin with the marker of a comment that is updated in place")
		}
		commands = append(commands, cmd)
	}
	return commands
}

// appendSummary appends the run to the summary of the step, unless it would become larger than
// GitHub accepts.
func appendSummary(name string, run interop.Run) error {
	summary := run.Markdown(interop.MaxMarkdown)
	if info, err := os.Stat(name); err == nil && info.Size()+int64(len(summary)) > interop.MaxStepSummary {
		return fmt.Errorf("write the step summary %q: it would be larger than the %d KiB that GitHub accepts; unset GITHUB_STEP_SUMMARY, or use a separate step", name, interop.MaxStepSummary>>10)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the step summary: %w", err)
	}
	if _, err := f.Write(summary); err != nil {
		_ = f.Close()
		return fmt.Errorf("write the step summary %q: %w", name, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write the step summary %q: %w", name, err)
	}
	return nil
}

func newExportSARIFCommand(global *globalOptions) *cobra.Command {
	e := &runExport{global: global}
	consumer, category, withSkipped := "", "", false
	cmd := &cobra.Command{
		Use:   "sarif",
		Short: "Write a run as SARIF 2.1.0",
		Long: `Write the state of a run as SARIF 2.1.0: all violations, each compared with
the iteration before (baselineState), skipped ones and claims with suppressions, and
slots without an answer as notifications.

With --for github, write what GitHub code scanning accepts: open violations and
claims, the most important first, at most 5,000. It does not read suppressions, so
skipped violations are omitted; --with-skipped includes them.

` + exportExitCodes,
		Example: `  reviewledger export sarif -o reviewledger.sarif
  reviewledger export sarif --for github -o reviewledger.sarif
  reviewledger export sarif --for github --with-skipped`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.write(cmd.Context(), func(run interop.Run) ([]byte, error) {
				if consumer == "" {
					return run.SARIF(category)
				}
				data, warning, err := run.GitHubSARIF(category, withSkipped)
				if warning != "" {
					e.warn(warning)
				}
				return data, err
			})
		},
	}
	e.add(cmd)
	consumers := []string{"github"}
	cmd.Flags().Var(filters.Word(&consumer, consumers), "for", "who reads it: "+ledger.OneOf(consumers))
	complete(global, cmd, "for", completeWords(consumers))
	cmd.Flags().Var(filters.Text(&category), "category", "distinguishes uploads of one commit (default: "+interop.DefaultCategory+")")
	cmd.Flags().BoolVar(&withSkipped, "with-skipped", false, "with --for github: include skipped violations")
	return cmd
}

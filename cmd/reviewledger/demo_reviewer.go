package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
)

// newDemoReviewerCommand returns the reviewer that the demo's configuration uses as a command.
func newDemoReviewerCommand(global *globalOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "demo-reviewer safety|logic|layout",
		Short: "Review the demo's script, as a reviewer that the demo configures",
		Long: `Demo-reviewer reads a prompt on stdin and prints an answer on stdout, as any
reviewer does. It knows only the demo's script.`,
		Example:   "  reviewledger demo-reviewer safety",
		ValidArgs: []string{"safety", "logic", "layout"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		Hidden:    true,
		RunE: func(_ *cobra.Command, args []string) error {
			return runDemoReviewer(global, args[0])
		},
	}
}

func runDemoReviewer(global *globalOptions, name string) error {
	prompt, err := io.ReadAll(global.stdin)
	if err != nil {
		return fmt.Errorf("read the prompt: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(global.dir, filepath.FromSlash(demoScript)))
	if err != nil {
		return fmt.Errorf("read what is under review: %w", err)
	}
	form := answer.Form{Status: answer.Pass, Violations: reviewDemo(name, string(text))}
	if len(form.Violations) > 0 {
		form.Status = answer.Fail
	}
	form.Claims = judgeClaims(string(prompt), form.Violations)
	_, err = io.WriteString(global.stdout, answer.Write(form))
	return err
}

// judgeClaims answers each claim in the prompt: it is fixed if the script no longer has that
// problem.
func judgeClaims(prompt string, found []ledger.Entry) (words []ledger.ClaimWord) {
	_, list, _ := strings.Cut(prompt, "\n# Claims\n")
	list, _, _ = strings.Cut(list, "\n# ")
	for _, entry := range strings.Split("\n"+list, "\n- ")[1:] {
		id, _, _ := strings.Cut(entry, " ")
		word := ledger.ClaimWord{ID: id, Verdict: ledger.ClaimFixed, Evidence: "The script has no such line any more"}
		if slices.ContainsFunc(found, func(e ledger.Entry) bool { return strings.Contains(entry, e.Issue) }) {
			word.Verdict, word.Evidence = ledger.ClaimNotFixed, "The script still has such a line"
		}
		words = append(words, word)
	}
	return words
}

// reviewDemo returns what the reviewer of this name finds in the script.
func reviewDemo(name, script string) (all []ledger.Entry) {
	number := 0
	for line := range strings.Lines(script) {
		number++
		for _, e := range reviewDemoLine(name, strings.TrimSpace(line)) {
			e.Place = ledger.Place{File: demoScript, Start: number, End: number}
			all = append(all, e)
		}
	}
	return all
}

func reviewDemoLine(name, line string) (found []ledger.Entry) {
	add := func(priority ledger.Priority, issue, fix string) {
		found = append(found, ledger.Entry{Issue: issue, Fix: fix, Priority: priority})
	}
	const longest = 80
	switch {
	case name == "safety" && strings.HasSuffix(line, "<$1"):
		add(ledger.High, "The file name is not quoted: one with a space in it breaks the loop", `Write "$1"`)
	case name == "safety" && strings.HasPrefix(line, "rm -rf") && strings.Contains(line, "$TMPDIR/"):
		add(ledger.Critical, "Where TMPDIR is not set this deletes /totals", "Give TMPDIR a default, as in ${TMPDIR:-/tmp}")
	case name == "logic" && strings.Contains(line, "/ 100"):
		add(ledger.Low, "The percentage is cut to a whole amount, not rounded", "Add 50 before dividing by 100")
	case name == "layout" && len(line) > longest:
		add(ledger.Low, "The line is longer than 80 characters", "Break it")
	}
	return found
}

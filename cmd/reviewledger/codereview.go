package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/files"
	"github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/gate/codereview"
	"github.com/reviewledger/reviewledger/ledger"
)

// reviewFlags are the flags of code-review as they were given.
type reviewFlags struct {
	quick, verify           bool
	scope, target, findings string
	format                  format
}

func newCodeReviewCommand(global *globalOptions) *cobra.Command {
	flags := reviewFlags{format: formatTable}
	cmd := &cobra.Command{
		Use:   "code-review",
		Short: "Review a scope once and write a verdict",
		Long: `Code-review asks the review gates about a scope and writes a verdict, in words
that team agents read, to .code-review/review-latest.json. It is apart from run:
it opens and closes no run of gates, and runs beside one.

A full review archives the verdict before it and writes a markdown report to
docs/code-reviews/. A quick one asks the first slot of each gate only and writes
no report. A team then fixes, sets the status of findings to "fixed" or
"wont_fix" in the file, and nothing else; --verify asks the domains with fixed
findings again, about the working tree as it is now, and turns each into
"verified" or "reopened".

Scopes:
  changeset  a range of revisions, reviewed from their merge base (default:
             <base_branch>..HEAD); what is not committed is no part of it
  package    a folder      file  a file
  team       a name under teams: in .gauntlet/config.yml
  The last three review whole files as they are in the working tree.

With --findings nobody is asked: the findings of a skill that did its own
review, as a JSON array by the schema ("reviewledger schema verdict"; id and
status may be absent, systemBreaking may be there), are recorded and exported
the same way.

Exit codes:
  0    PASS or WARN
  1    FAIL or ABORT
  2    the tool could not do its work: usage, nothing to review, a reviewer in
       error; the verdict is then as it was
  130  interrupted`,
		Example: `  reviewledger code-review
  reviewledger code-review --quick --scope package --target src
  reviewledger code-review --verify
  my-review-skill | reviewledger code-review --findings - --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runCodeReview(cmd.Context(), global, flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.quick, "quick", false, "ask the first slot of each gate only, write no report")
	f.BoolVar(&flags.verify, "verify", false, "verify what the team says is fixed in the verdict that is there")
	f.StringVar(&flags.scope, "scope", "", "changeset, package, team or file (default: changeset)")
	f.StringVar(&flags.target, "target", "", "what the scope is about: a range, a folder, a team's name or a file, relative to the repository")
	f.StringVar(&flags.findings, "findings", "", "take the findings from this JSON file, or from stdin (-), and ask nobody")
	f.Var(&formatFlag{&flags.format, []format{formatTable, formatJSON}}, "format", "how to print the verdict")
	return cmd
}

// options checks how the flags go together.
func (f reviewFlags) options() (codereview.Options, error) {
	o := codereview.Options{Mode: ledger.VerdictFull, Scope: ledger.VerdictScope(f.scope), Target: f.target, HandedIn: f.findings != ""}
	switch {
	case f.quick && f.verify:
		return o, usageError("--quick and --verify exclude each other")
	case f.verify && f.findings != "":
		return o, usageError("--findings and --verify exclude each other: reviewers verify")
	case f.verify && (f.scope != "" || f.target != ""):
		return o, usageError("--verify verifies the verdict that is there; --scope and --target belong to a new review")
	case f.quick:
		o.Mode = ledger.VerdictQuick
	case f.verify:
		o.Mode = ledger.VerdictVerify
	}
	return o, nil
}

func runCodeReview(ctx context.Context, global *globalOptions, flags reviewFlags) (err error) {
	o, err := flags.options()
	if err != nil {
		return err
	}
	stdout := global.stdout
	if flags.format == formatJSON {
		progress := *global
		progress.stdout = global.stderr // stdout is the verdict's alone
		global = &progress
	}
	w, err := openWorkspace(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if o.HandedIn {
		if o.Findings, err = w.readFindings(flags.findings); err != nil {
			return err
		}
	}
	if err := w.lockCodeReviews(ctx); err != nil {
		return err
	}
	if err := w.openLedger(ctx); err != nil {
		return err
	}
	v, err := w.codeReviews().Review(ctx, o)
	if err == nil {
		w.showVerdict(v)
	}
	if err := errors.Join(err, w.logs.Close()); err != nil {
		return err
	}
	if flags.format == formatJSON {
		if err := printVerdict(stdout, v); err != nil {
			return err
		}
	}
	if !v.Word.RunStatus().Passes() {
		return exitStatus(exitFailed)
	}
	return nil
}

// readFindings reads the findings of a skill.
func (w *workspace) readFindings(name string) ([]ledger.NewFinding, error) {
	from := io.Reader(w.global.stdin)
	shown := "stdin"
	if name != "-" {
		shown = fmt.Sprintf("%q", name)
		if !filepath.IsAbs(name) {
			name = filepath.Join(w.global.dir, name)
		}
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("read the findings: %w", err)
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, files.MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read the findings from %s: %w", shown, err)
	}
	findings, err := verdict.UnmarshalFindings(data)
	if err != nil {
		return nil, fmt.Errorf("read the findings from %s: %w", shown, err)
	}
	other := 0
	for _, f := range findings {
		if f.Status != "" && f.Status != string(ledger.FindingOpen) {
			other++
		}
	}
	if other > 0 {
		w.console.Warn(fmt.Sprintf("%d of the findings had another status than open; in a new review every finding begins as open", other))
	}
	return findings, nil
}

// maxShownFindings is how many open findings are shown one by one.
const maxShownFindings = 20

// showVerdict prints what a person wants to know of the verdict.
func (w *workspace) showVerdict(v ledger.Verdict) {
	n := v.Summary()
	shown, open := 0, 0
	for _, f := range v.Findings {
		if !f.Status.Open() {
			continue
		}
		if open++; shown < maxShownFindings {
			shown++
			place := f.File
			if f.LineRange != "" {
				place += ":" + f.LineRange
			}
			w.console.Line(fmt.Sprintf("  %-8s %-7s %s %s", ledger.FindingStatusOf(f.Status), ledger.SeverityOf(f.Priority), place, f.Title))
		}
	}
	if open > shown {
		w.console.Line(fmt.Sprintf("  … and %d more", open-shown))
	}
	w.console.Line(fmt.Sprintf("Findings: %d Blocker, %d High, %d Medium, %d Low, %d Info", n.Blocker, n.High, n.Medium, n.Low, n.Info))
	w.console.Line(fmt.Sprintf("Status: %d open, %d reopened, %d fixed, %d verified, %d wont_fix", v.Count(ledger.StatusNew),
		v.Count(ledger.StatusReopened), v.Count(ledger.StatusFixed), v.Count(ledger.StatusVerified), v.Count(ledger.StatusSkipped)))
	w.console.Line(fmt.Sprintf("Verdict: %s (%s)", v.Word, ledger.VerdictPath))
	if v.ReportPath != "" {
		w.console.Line("Report: " + v.ReportPath)
	}
	if v.Word == ledger.VerdictAbort {
		w.console.Line("A person has to decide: " + w.verdicts().Shown(verdict.AbortReasonName))
	}
}

func printVerdict(w io.Writer, v ledger.Verdict) error {
	data, err := verdict.MarshalVerdict(v.Document())
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

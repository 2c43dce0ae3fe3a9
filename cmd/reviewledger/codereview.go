package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	verdictfile "github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/gate/codereview"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// reviewFlags are the flags of code-review.
type reviewFlags struct {
	quick, verify    bool
	scope            ledger.VerdictScope
	target, findings string
	domains          []string
	format           format
}

func newCodeReviewCommand(global *globalOptions) *cobra.Command {
	var flags reviewFlags
	cmd := &cobra.Command{
		Use:   "code-review",
		Short: "Review a scope once and write a verdict",
		Long: `Ask the review gates about a scope and write a verdict for team agents to
.code-review/review-latest.json. A code review is separate from "reviewledger
run": it does not open or close a run of gates, and the two can run at the same
time.

A full review archives the previous verdict and writes a review document, in
Markdown, to docs/code-reviews/. A quick review asks only slot 1 of each gate and
does not write a review document. The team then fixes findings and sets their
status to "fixed" or "wont_fix" in the file. --verify asks the domains with fixed
findings again, about the current working tree, and sets each to "verified" or
"reopened".

Scopes:
  changeset  a range of revisions, reviewed from the merge base (default:
             <base_branch>..HEAD); uncommitted changes are not included
  package    a folder      file  a file
  team       a name under teams: in .gauntlet/config.yml
  The last three review whole files as they are in the working tree.

With --findings, no reviewer is asked. Instead, the findings of a skill that did
its own review are recorded and exported: a JSON array that follows the schema
("reviewledger schema verdict"; id and status are optional, systemBreaking is
allowed). With --verify, the file lists what the skill found again: of the fixed
findings in the domains that it checked, these become "reopened" and the others
"verified". The checked domains are --domains (default: those in the file); the
other domains stay unchanged.

Exit codes:
  0    PASS or WARN
  1    FAIL or ABORT
  2    error: usage, nothing to review, or a reviewer in error; the verdict is
       unchanged
  130  interrupted`,
		Example: `  reviewledger code-review
  reviewledger code-review --quick --scope package --target src
  reviewledger code-review --verify
  my-review-skill | reviewledger code-review --findings - --format json
  reviewledger code-review --verify --findings again.json --domains api,data`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runCodeReview(cmd.Context(), global, flags)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&flags.quick, "quick", false, "ask only slot 1 of each gate; do not write a review document")
	f.BoolVar(&flags.verify, "verify", false, "verify the findings that are marked as fixed in the current verdict")
	addChoice(global, cmd, &flags.scope, "scope", "what is reviewed (default: changeset)", ledger.VerdictScopes())
	f.StringVar(&flags.target, "target", "", "what to review: a range, a folder, a team name or a file, relative to the repository")
	f.StringVar(&flags.findings, "findings", "", "read findings from this JSON file or stdin (-) instead of asking reviewers")
	f.StringSliceVar(&flags.domains, "domains", nil, "with --verify --findings: domains that were checked (default: those in the file)")
	addFormats(global, cmd, &flags.format, formatTable, formatJSON)
	return cmd
}

// options checks that the flags can be used together, and converts them.
func (f reviewFlags) options() (codereview.Options, error) {
	o := codereview.Options{Mode: verdict.Full, Scope: f.scope, Target: f.target, HandedIn: f.findings != "", Domains: f.domains}
	switch {
	case f.quick && f.verify:
		return o, usageError("--quick and --verify cannot be used together")
	case len(f.domains) > 0 && !(f.verify && f.findings != ""):
		return o, usageError("--domains requires --verify and --findings")
	case f.verify && (f.scope != "" || f.target != ""):
		return o, usageError("--verify uses the scope of the current verdict: omit --scope and --target")
	case f.quick:
		o.Mode = verdict.Quick
	case f.verify:
		o.Mode = verdict.Verify
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
		progress.stdout = global.stderr // stdout is only for the verdict
		global = &progress
	}
	w, err := openWithBase(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.closeAndPush(ctx)) }()
	if o.HandedIn {
		if o.Findings, err = w.readFindings(flags.findings, flags.verify); err != nil {
			return err
		}
	}
	if err := w.lockCodeReviews(ctx); err != nil {
		return err
	}
	if err := w.openLedger(ctx); err != nil {
		return err
	}
	defer w.animate(ctx, false)()
	v, err := w.codeReviews().Review(ctx, o)
	if err == nil {
		w.showVerdict(v)
	}
	if err := errors.Join(err, w.logs.Close()); err != nil {
		return err
	}
	if flags.format == formatJSON {
		if err := printVerdict(stdout, v.Verdict); err != nil {
			return err
		}
	}
	if !v.Word.RunStatus().Passes() {
		return exitStatus(exitFailed)
	}
	return nil
}

// readFindings reads the findings of a skill from a file or stdin.
func (w *workspace) readFindings(name string, verify bool) ([]verdict.FindingEntry, error) {
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
	findings, err := verdictfile.UnmarshalFindings(data)
	if err != nil {
		return nil, fmt.Errorf("read the findings from %s: %w", shown, err)
	}
	other := 0
	for _, f := range findings {
		if f.Status != "" && f.Status != verdict.FindingStatusOf(ledger.StatusNew) {
			other++
		}
	}
	if other > 0 && !verify {
		w.console.Warn(fmt.Sprintf("%d of the findings had a status other than open; in a new review every finding starts as open", other))
	}
	return findings, nil
}

// maxShownFindings is how many open findings are listed.
const maxShownFindings = 20

// showVerdict prints the verdict for people.
func (w *workspace) showVerdict(v codereview.Result) {
	n := v.Summary()
	open := v.Counting()
	for _, f := range open[:min(len(open), maxShownFindings)] {
		w.console.Line(w.findingLine(f))
	}
	if more := len(open) - maxShownFindings; more > 0 {
		w.console.Line(fmt.Sprintf("  … and %d more", more))
	}
	w.console.Line(fmt.Sprintf("Findings: %d Blocker, %d High, %d Medium, %d Low, %d Info", n.Blocker, n.High, n.Medium, n.Low, n.Info))
	w.console.Line(fmt.Sprintf("Status: %d open, %d reopened, %d fixed, %d verified, %d wont_fix", v.Count(ledger.StatusNew),
		v.Count(ledger.StatusReopened), v.Count(ledger.StatusFixed), v.Count(ledger.StatusVerified), v.Count(ledger.StatusSkipped)))
	w.console.Line(fmt.Sprintf("Verdict: %s (%s)", v.Word, verdict.Path))
	if v.Document != "" {
		w.console.Line("Review document: " + v.Document)
	}
	if v.Word == ledger.VerdictAbort {
		w.console.Line("A person has to decide: " + verdict.Dir + "/" + verdictfile.AbortReasonName)
	}
}

// findingLine is the line of a finding, which ends with its ID.
func (w *workspace) findingLine(f verdict.Finding) string {
	words := text.OnOneLine(fmt.Sprintf("  %-8s %-7s %s %s", verdict.FindingStatusOf(f.Status), verdict.SeverityOf(f.Priority), f.Place, f.Title))
	id := " (" + f.ShortID + ")"
	if width := w.global.width(); width > 0 {
		words = text.Cut(words, max(1, width-len(id)))
	}
	return words + id
}

func printVerdict(w io.Writer, v verdict.Verdict) error {
	data, err := verdictfile.MarshalVerdict(v.Document())
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

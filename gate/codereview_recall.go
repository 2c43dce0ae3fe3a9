package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// previousVerdict is the verdict that is there when code-review begins.
type previousVerdict struct {
	// verdict is the ledger's, after what the team set was imported; without a
	// run where the ledger does not know it.
	verdict ledger.Verdict
	// id and data are what its archive is to hold; data is nil for a quick one,
	// which is not archived.
	id   string
	data []byte
}

func (p *previousVerdict) checkArchive(files VerdictFiles) error {
	if p == nil || p.data == nil {
		return nil
	}
	return files.CheckArchive(p.id, p.data)
}

// archive keeps the verdict that is replaced.
//
// Requirement: Verdict Schema, Lifecycle Rules, "Full review".
func (p *previousVerdict) archive(files VerdictFiles) error {
	if p == nil || p.data == nil {
		return nil
	}
	return files.Archive(p.id, p.data)
}

// recallVerdict reads the verdict that is there, finds the recorded run behind it,
// and records what the team set in it. Everything else that was changed is a
// warning. Where the ledger does not know the verdict it is restored from its
// file, if it is to be verified. It returns nil if there is none.
//
// Requirement: Verdict Schema, Status Field Ownership.
func (c *codeReview) recallVerdict(ctx context.Context, verifying bool) (*previousVerdict, error) {
	d, data, err := c.Verdicts.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	run, findErr := c.runBehind(ctx, d, err)
	switch {
	case findErr != nil && !errors.Is(findErr, ledger.ErrNotFound):
		return nil, findErr
	case findErr != nil && err != nil:
		return nil, fmt.Errorf("%s cannot be read, and the ledger does not know it; mend it or move it away: %w", c.Verdicts.Path(), err)
	case findErr != nil && !verifying:
		return unknownVerdict(d, data, c.Verdicts.Path())
	case findErr != nil:
		return c.adoptVerdict(ctx, d)
	}
	unusable := fmt.Sprintf("cannot be read, and is restored from the ledger: %v", err)
	if err == nil {
		if run, unusable, err = c.superseded(ctx, run, d); err != nil {
			return nil, err
		}
	}
	if unusable != "" {
		c.Console.Warn(c.Verdicts.Path() + " " + unusable)
		v, err := c.Ledger.Verdict(ctx, run)
		if err != nil {
			return nil, err
		}
		return c.recorded(v, nil)
	}
	v, changed, err := c.importVerdict(ctx, run, d)
	if err != nil {
		return nil, err
	}
	if changed {
		data = nil
	}
	return c.recorded(v, data)
}

// superseded is the latest review, and what is said of the file, if that is an earlier
// one's, say a copy of an archive: what it leaves out is not forgotten. Else it is the
// file's own run.
func (c *codeReview) superseded(ctx context.Context, run string, d ledger.VerdictDocument) (latest, unusable string, err error) {
	latest, err = c.Ledger.LatestReview(ctx, c.reviewPlace())
	if errors.Is(err, ledger.ErrNotFound) || err == nil && latest <= run { // the ids of runs are in order of time
		return run, "", nil
	}
	return latest, fmt.Sprintf("is of the earlier review %q, and is restored from the ledger", d.ReviewID), err
}

// runBehind finds the recorded run of the verdict: by its review id, else the
// latest one if its findings are the same. A file that cannot be read is the
// latest one's.
func (c *codeReview) runBehind(ctx context.Context, d ledger.VerdictDocument, unreadable error) (string, error) {
	if unreadable == nil {
		run, err := c.Ledger.FindReview(ctx, c.Repo.Root, d.ReviewID)
		if !errors.Is(err, ledger.ErrNotFound) {
			return run, err
		}
	}
	run, err := c.Ledger.LatestReview(ctx, c.reviewPlace())
	if err != nil || unreadable != nil {
		return run, err
	}
	v, err := c.Ledger.Verdict(ctx, run)
	if err == nil && !sameFindings(v, d) {
		err = ledger.ErrNotFound
	}
	return run, err
}

func (r *Runner) reviewPlace() ledger.Scope {
	return ledger.Scope{Kind: ledger.KindCodeReview, Worktree: r.Repo.Root, LogDir: VerdictDir}
}

// sameFindings reports whether most of the file's findings are the verdict's: then
// it is its review id that was changed.
func sameFindings(v ledger.Verdict, d ledger.VerdictDocument) bool {
	ids := map[string]bool{}
	for _, f := range v.Findings {
		ids[f.ID] = true
	}
	same := 0
	for _, f := range d.Findings {
		if ids[f.ID] {
			same++
		}
	}
	return len(v.Findings) > 0 && same*2 > max(len(v.Findings), len(d.Findings)) && v.Target == d.Target
}

// importVerdict records what the team set, and warns of what else was changed. It
// returns the verdict with it, and whether there was anything to warn of.
func (c *codeReview) importVerdict(ctx context.Context, run string, d ledger.VerdictDocument) (v ledger.Verdict, warned bool, err error) {
	v, warnings, err := c.Ledger.ImportVerdict(ctx, run, d)
	for _, warning := range warnings {
		c.Console.Warn(c.Verdicts.Path() + ": " + warning)
	}
	return v, len(warnings) > 0, err
}

// recorded is the verdict of the run. Its archive is what was found, or what the
// rows say where that cannot be kept.
func (c *codeReview) recorded(v ledger.Verdict, found []byte) (p *previousVerdict, err error) {
	p = &previousVerdict{verdict: v, id: v.ReviewID, data: found}
	switch {
	case v.Mode == ledger.VerdictQuick:
		p.data = nil
	case found == nil:
		p.data, err = c.Verdicts.Marshal(v.Document())
	}
	return p, err
}

// unknownVerdict is one that the ledger does not know and that is replaced: it is
// archived as it is.
func unknownVerdict(d ledger.VerdictDocument, data []byte, path string) (*previousVerdict, error) {
	if d.Mode == string(ledger.VerdictQuick) {
		return &previousVerdict{}, nil
	}
	if !ledger.IsReviewID(d.ReviewID) {
		return nil, fmt.Errorf("%s cannot be archived, for its reviewId %q is not 8 hex digits; move it away", path, d.ReviewID)
	}
	return &previousVerdict{id: d.ReviewID, data: data}, nil
}

// adoptVerdict takes up a verdict that the ledger does not know. If the ledger knows one
// of this worktree that is as new, the file is no later review of another tool, but a
// copy or an edit: the ledger's own stays, and its findings are not forgotten.
func (c *codeReview) adoptVerdict(ctx context.Context, d ledger.VerdictDocument) (*previousVerdict, error) {
	latest, err := c.Ledger.LatestReview(ctx, c.reviewPlace())
	if errors.Is(err, ledger.ErrNotFound) {
		return c.restoreVerdict(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	v, err := c.Ledger.Verdict(ctx, latest)
	if err != nil {
		return nil, err
	}
	if at, err := time.Parse(time.RFC3339, d.Timestamp); err != nil || !at.After(v.At) {
		c.Console.Warn(fmt.Sprintf("%s is of a review %q that the ledger does not know, and no newer than review %s: it is restored from the ledger", c.Verdicts.Path(), d.ReviewID, v.ReviewID))
		return c.recorded(v, nil)
	}
	p, err := c.restoreVerdict(ctx, d)
	if n := v.Count(ledger.StatusNew) + v.Count(ledger.StatusReopened) + v.Count(ledger.StatusFixed); err == nil && n > 0 {
		c.Console.Warn(fmt.Sprintf("it takes the place of review %s, in which %s not verified; `reviewledger export verdict --run %s` shows it", v.ReviewID, isAre(n, "finding"), v.ReviewID))
	}
	return p, err
}

// restoreVerdict records a verdict that the ledger does not know, as its file
// tells it.
func (c *codeReview) restoreVerdict(ctx context.Context, d ledger.VerdictDocument) (*previousVerdict, error) {
	if problems := ledger.CheckVerdict(d); len(problems) > 0 {
		return nil, fmt.Errorf("the ledger does not know %s, and it cannot be restored from the file:\n%s", c.Verdicts.Path(), strings.Join(problems, "\n"))
	}
	at, err := time.Parse(time.RFC3339, d.Timestamp)
	if now := c.Now(); err != nil || at.After(now) || at.Year() < 1970 {
		at = now // a later verdict has a later time, for which there must be room
	}
	if d.ReportPath != "" && !ledger.IsReportPath(d.ReportPath, d.ReviewID) {
		c.Console.Warn(fmt.Sprintf("%s: \"reportPath\" is %q, which is no place for a report of the review, so none is written", c.Verdicts.Path(), d.ReportPath))
		d.ReportPath = ""
	}
	info := ledger.CodeReview{ReviewID: d.ReviewID, Scope: ledger.VerdictScope(d.Scope), Target: d.Target, ReportPath: d.ReportPath}
	run, err := c.Ledger.RestoreReview(ctx, c.newRun(d.Target, c.headTree()), info, d, at)
	if err != nil {
		return nil, err
	}
	c.Console.Warn(fmt.Sprintf("the ledger does not know the verdict %s: it was restored from %s", d.ReviewID, c.Verdicts.Path()))
	v, err := c.Ledger.Verdict(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	return c.recorded(v, nil)
}

package codereview

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// previousVerdict is the verdict that is there when code-review begins.
type previousVerdict struct {
	// verdict is the ledger's, after what the team set was imported; without a
	// run where the ledger does not know it.
	verdict verdict.Verdict
	// archived is what its archive is to hold; nil for a quick one, which is not
	// archived.
	archived *verdict.Archived
	// lost are verdicts whose files are not there: they are archived from the ledger,
	// unless something else stands in the archive's place.
	lost []verdict.Archived
	// fileGone reports whether the verdict's file is not there.
	fileGone bool
}

func (p *previousVerdict) checkArchive(archives Archives) error {
	if p == nil || p.archived == nil {
		return nil
	}
	return archives.CheckArchive(*p.archived)
}

// archive keeps the verdict that is replaced.
//
// Rule: A code review is apart from the loop.
func (p *previousVerdict) archive(archives Archives) error {
	if p == nil {
		return nil
	}
	for _, lost := range p.lost {
		if archives.CheckArchive(lost) != nil {
			continue
		}
		if err := archives.Archive(lost); err != nil {
			return err
		}
	}
	if p.archived == nil {
		return nil
	}
	return archives.Archive(*p.archived)
}

// loses adds a verdict whose file is not there.
func (p *previousVerdict) loses(v verdict.Verdict) {
	if v.Mode != verdict.Quick {
		p.lost = append(p.lost, verdict.Archived{ReviewID: v.ReviewID, Document: v.Document()})
	}
}

// recallVerdict reads the verdict that is there, finds the recorded run behind it,
// and records what the team set in it. Everything else that was changed is a
// warning. Where the ledger does not know the verdict it is restored from its
// file, if it is to be verified. It returns nil if there is none.
//
// Rule: A file settles no finding.
func (r *Runner) recallVerdict(ctx context.Context, verifying bool) (*previousVerdict, error) {
	d, data, err := r.Verdicts.Read()
	if errors.Is(err, fs.ErrNotExist) {
		return r.recallDeleted(ctx, verifying)
	}
	run, findErr := r.runBehind(ctx, d, err)
	switch {
	case findErr != nil && !errors.Is(findErr, ledger.ErrNotFound):
		return nil, findErr
	case findErr != nil && err != nil:
		return nil, fmt.Errorf("%s cannot be read and is not in the ledger; fix or move the file: %w", verdict.Path, err)
	case findErr != nil && !verifying:
		return unknownVerdict(d, data)
	case findErr != nil:
		return r.adoptVerdict(ctx, d)
	}
	if err != nil {
		r.Console.Warn(fmt.Sprintf("%s cannot be read and was restored from the ledger: %v", verdict.Path, err))
		v, err := r.Ledger.Verdict(ctx, run)
		if err != nil {
			return nil, err
		}
		return recorded(v, nil), nil
	}
	latest, err := r.Ledger.LatestReview(ctx, r.place())
	if err == nil && latest > run { // the ids of runs are in order of time
		return r.recallLatest(ctx, latest, run)
	}
	if err != nil && !errors.Is(err, ledger.ErrNotFound) {
		return nil, err
	}
	v, changed, err := r.importVerdict(ctx, run, d)
	if err != nil {
		return nil, err
	}
	if changed {
		data = nil
	}
	return recorded(v, data), nil
}

// recallLatest is the verdict of the latest review, where the file is that of an earlier
// one, say a copy of an archive, or left by a review that was killed before it wrote its
// own: what it leaves out is not forgotten.
//
// Rule: A file settles no finding.
func (r *Runner) recallLatest(ctx context.Context, latest, earlier string) (*previousVerdict, error) {
	old, err := r.Ledger.Verdict(ctx, earlier)
	if err != nil {
		return nil, err
	}
	r.Console.Warn(fmt.Sprintf("%s belongs to the earlier review %q and was restored from the ledger", verdict.Path, old.ReviewID))
	v, err := r.Ledger.Verdict(ctx, latest)
	if err != nil {
		return nil, err
	}
	p := recorded(v, nil)
	p.loses(old)
	return p, nil
}

// recallDeleted is the verdict of the latest review, where its file is gone: deleting a
// file makes no finding forgotten. It is verified and marked as if it were there; a new
// review archives it. It returns nil if there was no review.
//
// Rule: A file settles no finding.
func (r *Runner) recallDeleted(ctx context.Context, verifying bool) (*previousVerdict, error) {
	run, err := r.Ledger.LatestReview(ctx, r.place())
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := r.Ledger.Verdict(ctx, run)
	if err != nil {
		return nil, err
	}
	if verifying {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s was restored from the ledger", verdict.Path, v.ReviewID))
		p := recorded(v, nil)
		p.fileGone = true
		return p, nil
	}
	p := &previousVerdict{verdict: v, fileGone: true}
	if p.loses(v); len(p.lost) > 0 {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s (%s) is archived from the ledger", verdict.Path, v.ReviewID, v.Word))
	}
	return p, nil
}

// runBehind finds the recorded run of the verdict: by its review id, else the
// latest one if its findings are the same. A file that cannot be read is the
// latest one's.
func (r *Runner) runBehind(ctx context.Context, d verdict.Document, unreadable error) (string, error) {
	if unreadable == nil {
		run, err := r.Ledger.FindReview(ctx, r.place(), d.ReviewID)
		if !errors.Is(err, ledger.ErrNotFound) {
			return run, err
		}
	}
	run, err := r.Ledger.LatestReview(ctx, r.place())
	if err != nil || unreadable != nil {
		return run, err
	}
	v, err := r.Ledger.Verdict(ctx, run)
	if err == nil && !sameFindings(v, d) {
		err = ledger.ErrNotFound
	}
	return run, err
}

// sameFindings reports whether most of the file's findings are the verdict's: then
// it is its review id that was changed.
func sameFindings(v verdict.Verdict, d verdict.Document) bool {
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
func (r *Runner) importVerdict(ctx context.Context, run string, d verdict.Document) (v verdict.Verdict, warned bool, err error) {
	v, warnings, err := r.Ledger.ImportVerdict(ctx, run, d)
	for _, warning := range warnings {
		r.Console.Warn(verdict.Path + ": " + warning)
	}
	return v, len(warnings) > 0, err
}

// recorded is the verdict of the run. Its archive is what was found, or what the
// rows say where that cannot be kept.
func recorded(v verdict.Verdict, found []byte) *previousVerdict {
	p := &previousVerdict{verdict: v}
	if v.Mode != verdict.Quick {
		p.archived = &verdict.Archived{ReviewID: v.ReviewID, Data: found, Document: v.Document()}
	}
	return p
}

// unknownVerdict is one that the ledger does not know and that is replaced: it is
// archived as it is.
func unknownVerdict(d verdict.Document, data []byte) (*previousVerdict, error) {
	if d.Mode == string(verdict.Quick) {
		return &previousVerdict{}, nil
	}
	if !verdict.IsReviewID(d.ReviewID) {
		return nil, fmt.Errorf("%s cannot be archived: its reviewId %q is not 8 hex digits; move the file", verdict.Path, d.ReviewID)
	}
	return &previousVerdict{archived: &verdict.Archived{ReviewID: d.ReviewID, Data: data}}, nil
}

// adoptVerdict takes up a verdict that the ledger does not know. If the ledger knows one
// of this worktree that is as new, the file is not a later review of another tool, but
// a copy or an edit; and a file settles no finding that counts. Then the ledger's own
// verdict stays, and its findings are not forgotten.
//
// Rule: A file settles no finding.
func (r *Runner) adoptVerdict(ctx context.Context, d verdict.Document) (*previousVerdict, error) {
	latest, err := r.Ledger.LatestReview(ctx, r.place())
	if errors.Is(err, ledger.ErrNotFound) {
		return r.restoreVerdict(ctx, d)
	}
	if err != nil {
		return nil, err
	}
	v, err := r.Ledger.Verdict(ctx, latest)
	if err != nil {
		return nil, err
	}
	if at, _ := time.Parse(time.RFC3339, d.Timestamp); !at.After(v.At) { // nor is one without a time
		r.Console.Warn(fmt.Sprintf("%s belongs to review %q, which is not in the ledger and not newer than review %s; it was restored from the ledger", verdict.Path, d.ReviewID, v.ReviewID))
		return recorded(v, nil), nil
	}
	if n := countingFindings(v); n > 0 {
		r.Console.Warn(fmt.Sprintf("%s belongs to review %q, which is not in the ledger, and in review %s %s not settled; it was restored from the ledger (another tool hands its findings in with `reviewledger code-review --findings FILE`)",
			verdict.Path, d.ReviewID, v.ReviewID, isAre(n, "finding")))
		return recorded(v, nil), nil
	}
	return r.restoreVerdict(ctx, d)
}

func countingFindings(v verdict.Verdict) (n int) {
	for _, f := range v.Findings {
		if f.Counts() {
			n++
		}
	}
	return n
}

// restoreVerdict records a verdict that the ledger does not know, as its file
// tells it. What was verified is a claim again: a file does not prove who verified it.
//
// Rule: A file does not prove a pass.
func (r *Runner) restoreVerdict(ctx context.Context, d verdict.Document) (*previousVerdict, error) {
	if problems := verdict.CheckDocument(d); len(problems) > 0 {
		return nil, fmt.Errorf("%s is not in the ledger and cannot be restored from the file:\n%s", verdict.Path, strings.Join(problems, "\n"))
	}
	if d.ReviewDocument != "" && !verdict.IsReviewDocument(d.ReviewDocument, d.ReviewID) {
		r.Console.Warn(fmt.Sprintf("%s: \"reportPath\" is %q, which is not a valid path of a review document, so none is written", verdict.Path, d.ReviewDocument))
		d.ReviewDocument = ""
	}
	for i := range d.Findings {
		if d.Findings[i].Status == string(verdict.FindingVerified) {
			d.Findings[i].Status = string(verdict.FindingFixed)
		}
	}
	info := verdict.CodeReview{ReviewID: d.ReviewID, Scope: ledger.VerdictScope(d.Scope), Target: d.Target, ReviewDocument: d.ReviewDocument}
	run, err := r.Ledger.RestoreReview(ctx, r.newRun(d.Target, r.HeadTree()), info, d, restoredTime(d.Timestamp, r.Now()))
	if err != nil {
		return nil, err
	}
	r.Console.Warn(fmt.Sprintf("the verdict %s was not in the ledger and was restored from %s", d.ReviewID, verdict.Path))
	v, err := r.Ledger.Verdict(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	return recorded(v, nil), nil
}

// restoredTime is when a verdict was made by its file: now, where that says none, or one
// that cannot be. A later verdict has a later time, for which there must be room.
func restoredTime(timestamp string, now time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || at.After(now) || at.Year() < 1970 {
		return now
	}
	return at
}

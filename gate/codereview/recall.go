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

// previousVerdict is the verdict that is current when a code review begins, with what must be
// archived when it is replaced.
type previousVerdict struct {
	// verdict is the verdict in the ledger after the statuses in the file were read. It has no
	// run if the ledger does not know the verdict.
	verdict verdict.Verdict
	// archived is what the archive of the verdict must contain; nil for a quick review, which is
	// not archived.
	archived *verdict.Archived
	// unarchived are verdicts of the ledger whose file was deleted or replaced before they were
	// archived. Writing them leaves out those whose archive exists with other bytes.
	unarchived []verdict.Archived
	// fileMissing reports that the verdict's file does not exist.
	fileMissing bool
}

func (p *previousVerdict) checkArchive(archives Verdicts) error {
	if p == nil || p.archived == nil {
		return nil
	}
	return archives.CheckArchive(*p.archived)
}

// archive writes the archives of the verdict that is replaced, and of the unarchived ones.
//
// Rule: A code review is apart from the loop.
func (p *previousVerdict) archive(archives Verdicts) error {
	if p == nil {
		return nil
	}
	for _, one := range p.unarchived {
		if archives.CheckArchive(one) != nil {
			continue
		}
		if err := archives.Archive(one); err != nil {
			return err
		}
	}
	if p.archived == nil {
		return nil
	}
	return archives.Archive(*p.archived)
}

// addUnarchived adds a verdict that is in the ledger and in no file.
func (p *previousVerdict) addUnarchived(v verdict.Verdict) {
	if v.Mode != verdict.Quick {
		p.unarchived = append(p.unarchived, verdict.Archived{ReviewID: v.ReviewID, Document: v.Document()})
	}
}

// recallVerdict reads the verdict file, finds the run that it belongs to, and records the statuses
// that the team set in it. It warns about any other change to the file. A verdict that the ledger
// does not know is restored from its file if it is to be verified or marked. The result is nil if
// there is no verdict.
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
		return recorded(v, nil), err
	}
	latest, err := r.Ledger.LatestReview(ctx, r.place())
	if err == nil && latest > run { // run ids sort by time
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

// recallLatest returns the verdict of the latest review if the file belongs to an earlier one: it
// is a copy of an archive, or a killed review did not replace it. Findings that the file lacks are
// not forgotten.
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
	p.addUnarchived(old)
	return p, nil
}

// recallDeleted returns the verdict of the latest review if its file was deleted: its findings
// still count. It is verified and marked as if the file existed, and a new review archives it. The
// result is nil if there was no review.
//
// Rule: A file settles no finding.
func (r *Runner) recallDeleted(ctx context.Context, verifying bool) (*previousVerdict, error) {
	v, there, err := r.latestVerdict(ctx)
	if !there || err != nil {
		return nil, err
	}
	if verifying {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s was restored from the ledger", verdict.Path, v.ReviewID))
		p := recorded(v, nil)
		p.fileMissing = true
		return p, nil
	}
	p := &previousVerdict{verdict: v, fileMissing: true}
	if p.addUnarchived(v); len(p.unarchived) > 0 {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s (%s) is archived from the ledger", verdict.Path, v.ReviewID, v.Word))
	}
	return p, nil
}

// latestVerdict returns the verdict of the latest review of this worktree, if there is one.
func (r *Runner) latestVerdict(ctx context.Context) (v verdict.Verdict, there bool, err error) {
	run, err := r.Ledger.LatestReview(ctx, r.place())
	if errors.Is(err, ledger.ErrNotFound) {
		return v, false, nil
	}
	if err == nil {
		v, err = r.Ledger.Verdict(ctx, run)
	}
	return v, err == nil, err
}

// runBehind returns the run that the verdict file belongs to: the one with its review id, else the
// latest if most of the findings are the same. A file that cannot be read is assumed to belong to
// the latest run.
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

// sameFindings reports whether most of the file's findings are also in the verdict: then the file
// belongs to the verdict, although its review id differs.
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

// importVerdict records the statuses that the team set in the file, and warns about any other
// change. It returns the verdict after that, and whether it warned.
func (r *Runner) importVerdict(ctx context.Context, run string, d verdict.Document) (v verdict.Verdict, warned bool, err error) {
	v, warnings, err := r.Ledger.ImportVerdict(ctx, run, d)
	for _, warning := range warnings {
		r.Console.Warn(verdict.Path + ": " + warning)
	}
	return v, len(warnings) > 0, err
}

// recorded returns a verdict of the ledger. Its archive has the bytes of the file, or what the rows
// say if the file was changed or could not be read.
func recorded(v verdict.Verdict, found []byte) *previousVerdict {
	p := &previousVerdict{verdict: v}
	if v.Mode != verdict.Quick {
		p.archived = &verdict.Archived{ReviewID: v.ReviewID, Data: found, Document: v.Document()}
	}
	return p
}

// unknownVerdict returns a verdict that the ledger does not know and that a new review replaces:
// its file is archived unchanged.
func unknownVerdict(d verdict.Document, data []byte) (*previousVerdict, error) {
	if d.Mode == string(verdict.Quick) {
		return &previousVerdict{}, nil
	}
	if !verdict.IsReviewID(d.ReviewID) {
		return nil, fmt.Errorf("%s cannot be archived: its reviewId %q is not 8 hex digits; move the file", verdict.Path, d.ReviewID)
	}
	return &previousVerdict{archived: &verdict.Archived{ReviewID: d.ReviewID, Data: data}}, nil
}

// adoptVerdict restores a verdict that the ledger does not know, unless the ledger's latest verdict
// of this worktree must stay. It must if the file is not newer, because then the file is a copy or
// an edit and not a later review of another tool, and if findings of that verdict still count,
// because a file cannot settle them.
//
// Rule: A file settles no finding.
func (r *Runner) adoptVerdict(ctx context.Context, d verdict.Document) (*previousVerdict, error) {
	v, there, err := r.latestVerdict(ctx)
	switch {
	case err != nil:
		return nil, err
	case !there:
		return r.restoreVerdict(ctx, d)
	}
	if at, _ := time.Parse(time.RFC3339, d.Timestamp); !at.After(v.At) { // a file without a valid time is not newer
		r.Console.Warn(fmt.Sprintf("%s belongs to review %q, which is not in the ledger and not newer than review %s; it was restored from the ledger", verdict.Path, d.ReviewID, v.ReviewID))
		return recorded(v, nil), nil
	}
	if n := countingFindings(v); n > 0 {
		r.Console.Warn(fmt.Sprintf("%s belongs to review %q, which is not in the ledger, and in review %s %s not settled; it was restored from the ledger (another tool hands its findings in with `reviewledger code-review --findings FILE`)",
			verdict.Path, d.ReviewID, v.ReviewID, ledger.PluralVerb(n, "finding", "is", "are")))
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

// restoreVerdict records a verdict that the ledger does not know from its file. A verified finding
// becomes a claim again, because a file does not prove who verified it.
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
	return recorded(v, nil), err
}

// restoredTime returns the time of a restored verdict: that of its file, or now if the file has
// none or an impossible one. A time in the future is impossible, because later verdicts must have
// later times.
func restoredTime(timestamp string, now time.Time) time.Time {
	at, err := time.Parse(time.RFC3339, timestamp)
	if err != nil || at.After(now) || at.Year() < 1970 {
		return now
	}
	return at
}

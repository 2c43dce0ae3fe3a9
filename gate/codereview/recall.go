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

// previous is the verdict that is current when a code review begins.
type previous struct {
	// Verdict is the verdict in the ledger after the statuses in its file were read. It has no run
	// if the ledger has none.
	verdict.Verdict
	// file has the bytes of the file as it was found; nil if it does not exist.
	file []byte
	// archive has what is archived before the next verdict is written.
	archive []verdict.Archived
}

// archiveOf returns the archive of a verdict of the ledger: none for a quick review. It has the
// bytes of the file, or what the rows say if the file was lost, changed or could not be read.
//
// Rule: A code review is apart from the loop.
func archiveOf(v verdict.Verdict, found []byte, lost bool) []verdict.Archived {
	if v.Mode == verdict.Quick {
		return nil
	}
	return []verdict.Archived{{Document: v.Document(), Data: found, Lost: lost}}
}

// recallVerdict reads the verdict file, finds the review that it belongs to, and records the
// statuses that the team set in it. It warns about any other change to the file. A verdict that the
// ledger does not know is restored from its file if it is to be verified or marked. If the file
// belongs to an earlier review than the latest, it is a copy of an archive, or a killed review did
// not replace it: findings that it lacks are not forgotten. So do those of a deleted file still count. A
// verdict that is verified or marked is not archived.
//
// Rule: A file settles no finding.
func (r *Runner) recallVerdict(ctx context.Context, verifying bool) (p previous, err error) {
	d, data, unread := r.Verdicts.Read()
	p.file = data
	latest, err := r.review(ctx, "")
	if err != nil {
		return p, err
	}
	if errors.Is(unread, fs.ErrNotExist) {
		r.recallDeleted(&p, latest, verifying)
		return p, nil
	}
	owner := latest // of a file that cannot be read
	if unread == nil {
		owner, err = r.ownerOf(ctx, d, latest)
	}
	switch {
	case err != nil:
	case owner == nil && unread != nil:
		err = fmt.Errorf("%s cannot be read and is not in the ledger; fix or move the file: %w", verdict.Path, unread)
	case owner == nil && !verifying:
		p.archive, err = unknownVerdict(d, data)
		return p, err
	case owner == nil:
		owner, err = r.adoptVerdict(ctx, d, latest)
	case unread != nil:
		r.Console.Warn(fmt.Sprintf("%s cannot be read and was restored from the ledger: %v", verdict.Path, unread))
		data = nil
	case owner.Run < latest.Run: // run ids sort by time
		r.Console.Warn(fmt.Sprintf("%s belongs to the earlier review %q and was restored from the ledger", verdict.Path, owner.ReviewID))
		p.archive = archiveOf(*owner, nil, true)
		owner, data = latest, nil
	default:
		var changed bool
		if *owner, changed, err = r.importVerdict(ctx, *owner, d); changed {
			data = nil
		}
	}
	if err != nil {
		return p, err
	}
	if p.Verdict = *owner; !verifying {
		p.archive = append(p.archive, archiveOf(p.Verdict, data, false)...)
	}
	return p, nil
}

// recallDeleted recalls the latest review if its file was deleted. It is verified and marked as if the
// file existed, and a new review archives it.
func (r *Runner) recallDeleted(p *previous, latest *verdict.Verdict, verifying bool) {
	if latest == nil {
		return
	}
	p.Verdict = *latest
	if verifying {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s was restored from the ledger", verdict.Path, latest.ReviewID))
		return
	}
	if p.archive = archiveOf(*latest, nil, true); p.archive != nil {
		r.Console.Warn(fmt.Sprintf("%s does not exist; review %s (%s) is archived from the ledger", verdict.Path, latest.ReviewID, latest.Word))
	}
}

// review returns the verdict with the review id, or for "" the latest of this worktree, or nil if there is
// none.
func (r *Runner) review(ctx context.Context, reviewID string) (*verdict.Verdict, error) {
	v, err := r.Ledger.Review(ctx, r.place(), reviewID)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	return &v, err
}

// ownerOf returns the verdict that the file belongs to, or nil: the one with its review id, else the
// latest if most of the findings are the same.
func (r *Runner) ownerOf(ctx context.Context, d verdict.Document, latest *verdict.Verdict) (owner *verdict.Verdict, err error) {
	if d.ReviewID != "" {
		owner, err = r.review(ctx, d.ReviewID)
	}
	if owner == nil && latest != nil && sameFindings(*latest, d) {
		owner = latest
	}
	return owner, err
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

// importVerdict records the statuses that the team set in the verdict's file, and warns about any
// other change. It returns the verdict after that, and whether it warned.
func (r *Runner) importVerdict(ctx context.Context, v verdict.Verdict, d verdict.Document) (verdict.Verdict, bool, error) {
	edits, warnings := verdict.Compare(v, d)
	refused, err := r.Ledger.RecordEdits(ctx, v.Run, ledger.ActorAgent, edits, nil)
	if err != nil {
		return v, false, err
	}
	warnings = append(warnings, refused...)
	for _, warning := range warnings {
		r.Console.Warn(verdict.Path + ": " + warning)
	}
	if len(edits) > 0 {
		v, err = r.Ledger.Verdict(ctx, v.Run)
	}
	return v, len(warnings) > 0, err
}

// unknownVerdict returns the archive of a verdict that the ledger does not know and that a new review
// replaces: its file as it is.
func unknownVerdict(d verdict.Document, data []byte) ([]verdict.Archived, error) {
	if d.Mode == string(verdict.Quick) {
		return nil, nil
	}
	if !verdict.IsReviewID(d.ReviewID) {
		return nil, fmt.Errorf("%s cannot be archived: its reviewId %q is not 8 hex digits; move the file", verdict.Path, d.ReviewID)
	}
	return []verdict.Archived{{Document: d, Data: data}}, nil
}

// adoptVerdict restores a verdict that the ledger does not know, unless the ledger's latest verdict
// of this worktree must stay. It must if the file is not newer, because then the file is a copy or
// an edit and not a later review of another tool, and if findings of that verdict still count,
// because a file cannot settle them.
//
// Rule: A file settles no finding.
func (r *Runner) adoptVerdict(ctx context.Context, d verdict.Document, latest *verdict.Verdict) (*verdict.Verdict, error) {
	if latest == nil {
		return r.restoreVerdict(ctx, d)
	}
	at, _ := time.Parse(time.RFC3339, d.Timestamp) // a file without a valid time is not newer
	why := ""
	switch n := len(latest.Counting()); {
	case !at.After(latest.At):
		why = fmt.Sprintf(" and not newer than review %s; it was restored from the ledger", latest.ReviewID)
	case n > 0:
		why = fmt.Sprintf(", and in review %s %s not settled; it was restored from the ledger (another tool hands its findings in with `reviewledger code-review --findings FILE`)",
			latest.ReviewID, ledger.PluralVerb(n, "finding", "is", "are"))
	default:
		return r.restoreVerdict(ctx, d)
	}
	r.Console.Warn(fmt.Sprintf("%s belongs to review %q, which is not in the ledger%s", verdict.Path, d.ReviewID, why))
	return latest, nil
}

// restoreVerdict records a verdict that the ledger does not know from its file. A verified finding
// becomes a claim again, because a file does not prove who verified it.
//
// Rule: A file does not prove a pass.
func (r *Runner) restoreVerdict(ctx context.Context, d verdict.Document) (*verdict.Verdict, error) {
	if problems := verdict.CheckDocument(d); len(problems) > 0 {
		return nil, fmt.Errorf("%s is not in the ledger and cannot be restored from the file:\n%s", verdict.Path, strings.Join(problems, "\n"))
	}
	if d.ReviewDocument != "" && !verdict.IsReviewDocument(d.ReviewDocument, d.ReviewID) {
		r.Console.Warn(fmt.Sprintf("%s: \"reportPath\" is %q, which is not a valid path of a review document, so none is written", verdict.Path, d.ReviewDocument))
		d.ReviewDocument = ""
	}
	for i := range d.Findings {
		if status := &d.Findings[i].Status; *status == verdict.FindingStatusOf(ledger.StatusVerified) {
			*status = verdict.FindingStatusOf(ledger.StatusFixed)
		}
	}
	run, err := r.Ledger.RestoreReview(ctx, r.newRun(d.Target, r.HeadTree()), d, restoredTime(d.Timestamp, r.Now()))
	if err != nil {
		return nil, err
	}
	r.Console.Warn(fmt.Sprintf("the verdict %s was not in the ledger and was restored from %s", d.ReviewID, verdict.Path))
	v, err := r.Ledger.Verdict(ctx, run.ID)
	return &v, err
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

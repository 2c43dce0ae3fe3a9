package codereview

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// NamesFindings reports whether the ids belong to findings of code reviews, which [Runner.Mark]
// marks. It returns an error if some of them belong to a run of gates.
func (r *Runner) NamesFindings(ctx context.Context, ids []string) (bool, error) {
	named := map[ledger.RunKind]string{}
	for _, id := range ids {
		kind, err := r.kindOf(ctx, id)
		if err != nil {
			return false, err
		}
		named[kind] = id
	}
	finding, other := named[ledger.KindCodeReview], named[ledger.KindGates]
	if finding != "" && other != "" {
		return false, worktree.Usage("%q is of a code review and %q is not: they are in different files, so mark them separately", finding, other)
	}
	return finding != "", nil
}

// kindOf returns the kind of the run to which an id belongs, or "" if the id is not known or
// ambiguous: marking it then reports that.
func (r *Runner) kindOf(ctx context.Context, id string) (ledger.RunKind, error) {
	found, err := r.Ledger.FindViolations(ctx, []string{id})
	switch {
	case err == nil:
		run, err := r.Ledger.FindRun(ctx, found[0].Run)
		return run.Kind, err
	case errors.Is(err, ledger.ErrAmbiguous):
		return "", nil
	case !errors.Is(err, ledger.ErrNotFound):
		return "", err
	}
	v, err := r.review(ctx, "")
	if v == nil || err != nil || violationOf(*v, id) == "" {
		return "", err
	}
	return ledger.KindCodeReview, nil
}

// violationOf returns the id of the violation behind the finding with this id in the verdict, or
// "".
func violationOf(v verdict.Verdict, id string) string {
	for _, f := range v.Findings {
		if f.ID == id {
			return f.Violation
		}
	}
	return ""
}

// Mark does for findings of the current code review what Mark of package loop does for violations
// of the open run: it records the edits made in the verdict file, records the mark, and writes the
// file. An id may also be that of a finding in the file. As after an edit, the verdict does not
// change until a verification. The caller holds the lock of code reviews.
//
// Rule: A file settles no finding.
func (r *Runner) Mark(ctx context.Context, request ledger.MarkRequest) (done ledger.Marked, err error) {
	current, err := r.recallVerdict(ctx, true)
	if err != nil {
		return done, err
	}
	if current.Run == "" {
		return done, fmt.Errorf("no current code review: %s does not exist; create one with `reviewledger code-review`", verdict.Path)
	}
	if !slices.Contains([]ledger.Status{ledger.StatusFixed, ledger.StatusSkipped, ledger.StatusNew}, request.Status) {
		return done, worktree.Usage("findings of a code review cannot be marked %s: mark them fixed, skipped (\"wont_fix\" in the file) or new (\"open\")", request.Status)
	}
	if request.Memory == ledger.MemoryKeep || request.Like != "" {
		return done, worktree.Usage("--remember and --like are for violations of a run: a code review reports everything that its reviewers find")
	}
	if err := request.CheckIDs(); err != nil {
		return done, err
	}
	if err := r.markableFindings(ctx, current.Verdict, request, &done); err != nil {
		return done, err
	}
	ids := make([]string, len(done.Violations))
	for i, v := range done.Violations {
		ids[i] = v.ID
	}
	if _, err := r.Ledger.MarkViolations(ctx, current.Run, ids, nil, request.Mark); err != nil {
		return done, err
	}
	marked, err := r.Ledger.Verdict(ctx, current.Run)
	if err != nil {
		return done, err
	}
	if err := r.Verdicts.Update(marked); err != nil {
		return done, fmt.Errorf("the mark is in the ledger, but not in the file: %w", err)
	}
	for _, f := range marked.Findings {
		if f.Held() && slices.Contains(ids, f.Violation) {
			r.Console.Warn(held(f))
		}
	}
	done.Mark = request.Mark
	done.Verdict = marked.Word
	return done, r.Ledger.NoteFindings(ctx, current.Run)
}

// markableFindings finds the requested violations, and checks that each is a finding of the verdict
// and can be marked.
func (r *Runner) markableFindings(ctx context.Context, current verdict.Verdict, request ledger.MarkRequest, done *ledger.Marked) error {
	ids := slices.Clone(request.IDs)
	for i, id := range ids {
		if violation := violationOf(current, id); violation != "" {
			ids[i] = violation
		}
	}
	found, err := r.Ledger.FindViolations(ctx, ids)
	if errors.Is(err, ledger.ErrNotFound) {
		return fmt.Errorf("%w (see: %s)", err, verdict.Path)
	}
	if err != nil {
		return err
	}
	var lines []string
	for _, v := range found {
		if v.Run != current.Run {
			lines = append(lines, fmt.Sprintf("violation %s belongs to the code review %s, which is not the one in %s (%s): only findings of the current review can be marked", v.ShortID, v.Run, verdict.Path, current.Run))
		} else if request.Done(v) {
			done.Unchanged = append(done.Unchanged, v)
		} else {
			done.Violations = append(done.Violations, v)
		}
	}
	if len(lines) > 0 {
		return errors.New(strings.Join(lines, "\n"))
	}
	return request.CheckFindings(done.Violations)
}

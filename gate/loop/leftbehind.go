package loop

import (
	"context"

	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/ledger"
)

// sayLeftBehind names what abandoned runs of this branch left open or claimed on lines that are
// still there.
//
// Rule: Done means passed as it is now.
func (i *iteration) sayLeftBehind(ctx context.Context) error {
	if i.Repo.Branch == "" {
		return nil
	}
	place := i.place()
	of := ledger.ViolationFilter{Branch: i.Repo.Branch, Worktree: place.Worktree, Repository: place.Repository.Key, Sort: ledger.SortNewest}
	of.Statuses = []ledger.Status{ledger.ShownAbandoned, ledger.StatusFixed}
	found, err := i.Ledger.Violations(ctx, of)
	if err != nil {
		return err
	}
	lines, seen := slots.NewLines(i.Repo.Root), map[string]bool{}
	var all []ledger.ListedViolation
	of.Statuses = nil
	for _, v := range found {
		if !v.LeftBehind() || seen[v.Fingerprint] || !lines.Stands(v) {
			continue
		}
		seen[v.Fingerprint], of.Fingerprint = true, v.Fingerprint
		same, err := i.Ledger.Violations(ctx, of)
		if err != nil {
			return err
		}
		all = append(all, same...)
	}
	if said := ledger.SayLeftBehind(ledger.LeftBehind(all)); said != "" {
		i.Console.Conclude(said)
	}
	return nil
}

// skipAbandoned skips violations that an abandoned run left behind, which are named in each pass of
// the branch until then. done is false if the request names none of them.
//
// Rule: Done means passed as it is now.
func (r *Runner) skipAbandoned(ctx context.Context, request ledger.MarkRequest) (marked ledger.Marked, done bool, err error) {
	if request.Status != ledger.StatusSkipped || request.Filter != nil {
		return marked, false, nil
	}
	ids, _, err := r.leftOut(ctx, request.IDs)
	if err != nil {
		return marked, false, err
	}
	found, err := r.Ledger.FindViolations(ctx, ids)
	if err != nil {
		return marked, false, err
	}
	for _, v := range found {
		if !v.LeftBehind() || v.Run != found[0].Run || len(ids) < len(request.IDs) {
			return marked, false, nil
		}
		marked.Violations = append(marked.Violations, v)
		ids = append(ids, v.ID)
	}
	if len(found) == 0 {
		return marked, false, nil
	}
	if err := request.Check(found); err != nil {
		return marked, true, err
	}
	marking, err := r.Ledger.MarkViolations(ctx, found[0].Run, ids[len(ids)-len(found):], nil, request.Mark)
	marked.Mark, marked.Remembered = request.Mark, marking.Remembered
	return marked, true, err
}

package slots

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/ledger"
)

// A job is recorded before it is executed: a check with its command, a review with the slots that
// are asked, and what they are shown. Nobody is asked of a review that cannot be filled.
func TestPlanOfJobs(t *testing.T) {
	t.Parallel()
	review := Job{ID: "review:src:quality", Slots: []Slot{
		{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", To: "tree"}, {SlotPlan: ledger.SlotPlan{Index: 2, Skip: true}, Adapter: "codex", To: "tree"},
	}, Fillers: []ledger.Filler{{Adapter: "claude"}, {Adapter: "codex"}}}
	review.Kind, review.Entry, review.Name, review.Review = config.KindReview, "src", "quality", &config.Review{NumReviews: 2}
	check := Job{ID: "check:src:lint", Slots: review.Slots}
	check.Kind, check.Entry, check.Name, check.Check = config.KindCheck, "src", "lint", &config.Check{Command: "lint ."}
	unfillable := review
	unfillable.Unfillable = "no healthy adapters"
	for name, test := range map[string]struct {
		job  Job
		want ledger.GatePlan
	}{
		"a review": {review, ledger.GatePlan{Job: "review:src:quality", Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", NumReviews: 2, Slots: []ledger.PlannedSlot{
			{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: "claude", Reviewed: "tree"}, {SlotPlan: ledger.SlotPlan{Index: 2, Skip: true}, Adapter: "codex"},
		}}},
		"a check":                        {check, ledger.GatePlan{Job: "check:src:lint", Kind: ledger.KindCheck, EntryPoint: "src", Name: "lint", Command: "lint ."}},
		"a review that cannot be filled": {unfillable, ledger.GatePlan{Job: "review:src:quality", Kind: ledger.KindReview, EntryPoint: "src", Name: "quality", NumReviews: 2, Error: "no healthy adapters"}},
	} {
		if d := cmp.Diff(test.want, test.job.Plan()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	want := map[string][]ledger.Filler{"review:src:quality": review.Fillers, "check:src:lint": nil}
	if d := cmp.Diff(want, FillersOf([]Job{review, check})); d != "" {
		t.Errorf("fillers (-want +got):\n%s", d)
	}
}

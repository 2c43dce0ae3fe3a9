package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

const (
	quality  = "review:src:code-quality"
	security = "review:src:security"
	lint     = "check:src:lint"
)

// reviewed returns a review gate of an iteration with the statuses of its slots, in order; "" means
// that the slot has no row.
func reviewed(iteration int, job string, statuses ...ledger.SlotStatus) ledger.Gate {
	gate := ledger.Gate{Iteration: iteration, Job: job, Kind: ledger.KindReview}
	for i, status := range statuses {
		if status != "" {
			gate.Slots = append(gate.Slots, ledger.Slot{Iteration: iteration, Job: job, Index: i + 1, Adapter: "claude", Status: status})
		}
	}
	gate.Status = ledger.GateResult(gate.Slots)
	return gate
}

// since sets the iteration in which the skipped slots of a gate passed.
func since(gate ledger.Gate, passIteration int) ledger.Gate {
	for i := range gate.Slots {
		if gate.Slots[i].Status == ledger.SlotSkipped {
			gate.Slots[i].PassIteration = passIteration
		}
	}
	return gate
}

func checked(iteration int, status ledger.GateStatus) ledger.Gate {
	return ledger.Gate{Iteration: iteration, Job: lint, Kind: ledger.KindCheck, Status: status, Problems: 3}
}

func violation(id, job string, slot int, status ledger.Status) ledger.Violation {
	return ledger.Violation{ID: id, ShortID: "short" + id, Job: job, Slot: slot, Adapter: "claude", First: 1, Last: 1, Status: status,
		Place: ledger.Place{File: "src/app.go", Start: 10, End: 10}, Reviewed: "tree1", Issue: "issue " + id, Priority: ledger.Medium}
}

func state(gates []ledger.Gate, violations ...ledger.Violation) *ledger.State {
	s := &ledger.State{Gates: gates, Violations: violations}
	for _, gate := range gates {
		if gate.Iteration > s.LastIteration() {
			s.Iterations = append(s.Iterations, ledger.Iteration{Number: gate.Iteration, Status: ledger.StatusFailed, Tree: fmt.Sprintf("tree%d", gate.Iteration)})
		}
	}
	return s
}

const (
	pass    = ledger.SlotPass
	fail    = ledger.SlotFail
	erred   = ledger.SlotError
	skipped = ledger.SlotSkipped
)

// Rule: A passed slot is skipped while another runs.
func TestPlanSlots(t *testing.T) {
	t.Parallel()
	runs := func(index int) ledger.SlotPlan { return ledger.SlotPlan{Index: index} }
	skips := func(index, at int) ledger.SlotPlan {
		return ledger.SlotPlan{Index: index, Skip: true, PassIteration: at}
	}
	latch := ledger.SlotPlan{Index: 1, Latch: true}
	tests := []struct {
		name       string
		gates      []ledger.Gate
		violations []ledger.Violation
		numReviews int
		want       []ledger.SlotPlan
	}{
		{"first run", nil, nil, 2, []ledger.SlotPlan{runs(1), runs(2)}},
		{"Skip passed slot while failed slot runs", []ledger.Gate{reviewed(2, quality, pass, fail)}, []ledger.Violation{violation("a", quality, 2, ledger.StatusFixed)}, 2,
			[]ledger.SlotPlan{skips(1, 2), runs(2)}},
		{"Slot skipped across multiple consecutive iterations", []ledger.Gate{
			reviewed(1, quality, pass, fail), since(reviewed(2, quality, skipped, fail), 1), since(reviewed(3, quality, skipped, fail), 1)}, nil, 2,
			[]ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"Safety latch when all slots previously passed", []ledger.Gate{reviewed(1, quality, pass, pass, pass)}, nil, 3,
			[]ledger.SlotPlan{latch, skips(2, 1), skips(3, 1)}},
		{"Safety latch after a latch", []ledger.Gate{reviewed(1, quality, pass, pass), since(reviewed(2, quality, pass, skipped), 1)}, nil, 2,
			[]ledger.SlotPlan{latch, skips(2, 1)}},
		{"Single reviewer (num_reviews == 1) always runs", []ledger.Gate{reviewed(1, quality, pass)}, nil, 1, []ledger.SlotPlan{runs(1)}},
		{"Adapter change does not affect skip decision", []ledger.Gate{func() ledger.Gate {
			gate := reviewed(2, quality, pass, fail)
			gate.Slots[0].Adapter = "codex"
			return gate
		}()}, nil, 2, []ledger.SlotPlan{skips(1, 2), runs(2)}},
		{"Slot with no prior result must run", []ledger.Gate{reviewed(1, quality, pass)}, nil, 2, []ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"Different review gates are independent", []ledger.Gate{reviewed(1, quality, fail, fail), reviewed(1, security, pass, pass)}, nil, 2,
			[]ledger.SlotPlan{runs(1), runs(2)}},
		{"an error after a pass is not a pass", []ledger.Gate{reviewed(1, quality, pass, pass), reviewed(2, quality, erred, pass)}, nil, 2,
			[]ledger.SlotPlan{runs(1), skips(2, 2)}},
		{"an interrupted slot is not a pass", []ledger.Gate{reviewed(1, quality, pass, pass), reviewed(2, quality, ledger.SlotInterrupted, ledger.SlotRunning)}, nil, 2,
			[]ledger.SlotPlan{runs(1), runs(2)}},
		{"a pass with an open violation is not a pass", []ledger.Gate{reviewed(1, quality, pass, pass)}, []ledger.Violation{violation("a", quality, 2, ledger.StatusReopened)}, 2,
			[]ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"a pass with a claim is not a pass", []ledger.Gate{reviewed(1, quality, pass, pass)}, []ledger.Violation{violation("a", quality, 1, ledger.StatusFixed)}, 2,
			[]ledger.SlotPlan{runs(1), skips(2, 1)}},
		{"skipped and verified violations do not matter", []ledger.Gate{reviewed(1, quality, pass, fail)}, []ledger.Violation{
			violation("a", quality, 1, ledger.StatusSkipped), violation("b", quality, 1, ledger.StatusVerified)}, 2,
			[]ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"another job's violation does not matter", []ledger.Gate{reviewed(1, quality, pass, fail)}, []ledger.Violation{violation("a", security, 1, ledger.StatusNew)}, 2,
			[]ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"slot 1 stands in for a slot that is gone", []ledger.Gate{reviewed(1, quality, pass, pass, fail)}, []ledger.Violation{violation("a", quality, 3, ledger.StatusNew)}, 2,
			[]ledger.SlotPlan{runs(1), skips(2, 1)}},
		{"a job that did not run for a while", []ledger.Gate{reviewed(1, quality, pass, fail), reviewed(2, security, fail)}, nil, 2,
			[]ledger.SlotPlan{skips(1, 1), runs(2)}},
		{"no slots", nil, nil, 0, []ledger.SlotPlan{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ledger.PlanSlots(state(tt.gates, tt.violations...), quality, make([]ledger.Filler, tt.numReviews))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("plan (-want +got):\n%s", d)
			}
		})
	}
}

// Rule: A passed slot is skipped while another runs.
func TestSlotPlanLog(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		plan ledger.SlotPlan
		want string
	}{
		{"Skip logging format", ledger.SlotPlan{Index: 1, Skip: true, PassIteration: 2}, "Skipping @1: previously passed in iteration 2 (num_reviews > 1)"},
		{"Safety latch logging format", ledger.SlotPlan{Index: 1, Latch: true}, "Running @1: safety latch (all slots previously passed)"},
		{"ordinary", ledger.SlotPlan{Index: 1}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.plan.Log(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

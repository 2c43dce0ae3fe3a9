package slots

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// Adapters gives access to the reviewers that the configuration names.
type Adapters struct {
	// Reviewer returns the adapter with a name in the configuration.
	Reviewer func(adapter string) (clients.Reviewer, error)
	// Missing returns the program that the adapter needs, and why it cannot be started; "" if it can.
	Missing func(adapter string) (program, why string)
}

// Health tells which adapters can be asked, and remembers that for an iteration.
type Health struct {
	adapters Adapters
	cooling  map[string]time.Time
	reasons  map[string]string
}

// Silent returns the built-in reviewer and those of the named adapters that only list what they
// find: they cannot be asked whether something is a problem.
//
// Rule: Only its reporter withdraws a finding.
func (a Adapters) Silent(names []string) ([]string, error) {
	silent := []string{clients.BuiltinName}
	for _, name := range names {
		reviewer, err := a.Reviewer(name)
		if err != nil {
			return nil, err
		}
		if !reviewer.ReadsPrompts() {
			silent = append(silent, name)
		}
	}
	return silent, nil
}

// Health returns the health of the adapters. Those in cooling are not asked until the time given
// there.
func (a Adapters) Health(cooling map[string]time.Time) *Health {
	return &Health{adapters: a, cooling: cooling, reasons: map[string]string{}}
}

// Fill gives the job n slots, each with a reviewer: the adapters that can be asked take turns. If
// there are none, or fewer than slots although each slot must have its own, [Job.Unfillable] says
// so, and no slot has a reviewer.
//
// Rule: Slots are filled round-robin.
func (h *Health) Fill(job *Job, n int) error {
	healthy, sick := h.split(job.Review.CLIPreference)
	if len(healthy) == 0 {
		job.Unfillable = "no healthy adapters: " + strings.Join(sick, ", ")
		healthy = job.Review.CLIPreference[:1]
	} else if len(healthy) < n {
		job.noteShortage(n, healthy, sick)
	}
	job.Slots, job.Fillers = make([]Slot, n), make([]ledger.Filler, n)
	for at := range job.Slots {
		slot := &job.Slots[at]
		slot.Index, slot.Adapter = at+1, healthy[at%len(healthy)]
		if job.Unfillable != "" {
			continue
		}
		var err error
		if slot.Reviewer, err = h.adapters.Reviewer(slot.Adapter); err != nil {
			return err
		}
		job.Fillers[at] = ledger.Filler{Adapter: slot.Adapter, ByAbsence: slot.Reviewer.ByAbsence()}
	}
	return nil
}

// noteShortage records that there are fewer adapters than the n slots.
func (j *Job) noteShortage(n int, healthy, sick []string) {
	slots := ledger.Plural(n, "slot")
	switch {
	case j.Review.DistinctAdapters:
		j.Unfillable = fmt.Sprintf("%s need as many different adapters (require_distinct_adapters), and only %s can be asked", slots, strings.Join(healthy, ", "))
		if len(sick) > 0 {
			j.Unfillable += ": " + strings.Join(sick, ", ")
		}
	case len(sick) > 0:
		most := (n + len(healthy) - 1) / len(healthy)
		j.Shortage = fmt.Sprintf("%s: missing: %s; %s fills %d of %s", j.ID, strings.Join(sick, ", "), healthy[0], most, slots)
	}
}

// split divides the preferred adapters into those that can be asked, and the reasons why the others
// cannot.
func (h *Health) split(preference []string) (healthy, sick []string) {
	for _, adapter := range preference {
		if reason := h.whyNot(adapter); reason != "" {
			sick = append(sick, fmt.Sprintf("%s (%s)", adapter, reason))
		} else {
			healthy = append(healthy, adapter)
		}
	}
	return healthy, sick
}

// whyNot returns the reason why the adapter cannot be asked; "" if it can.
func (h *Health) whyNot(adapter string) string {
	if reason, ok := h.reasons[adapter]; ok {
		return reason
	}
	reason := ""
	if until, cooling := h.cooling[adapter]; cooling {
		reason = fmt.Sprintf("at its limit, not asked until %s, or until `reviewledger doctor --reset %s`",
			until.Local().Format("Jan 2 15:04 MST"), adapter)
	} else if program, why := h.adapters.Missing(adapter); why != "" {
		reason = strings.TrimPrefix(why, "is ")
		if filepath.Base(program) != program {
			reason = fmt.Sprintf("%q %s", program, why)
		}
	}
	h.reasons[adapter] = reason
	return reason
}

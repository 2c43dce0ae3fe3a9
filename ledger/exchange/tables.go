package exchange

import (
	"fmt"
	"reflect"
)

// place is what a row is referred to by.
type place struct {
	kind           string
	iteration      int64
	job            string
	slot, position int64
	id             string
}

func (p place) String() string {
	switch p.kind {
	case "iteration":
		return fmt.Sprintf("iteration %d", p.iteration)
	case "job":
		return fmt.Sprintf("job %q", p.job)
	case "gate":
		return fmt.Sprintf("job %q in iteration %d", p.job, p.iteration)
	case "slot":
		return fmt.Sprintf("slot %d of job %q in iteration %d", p.slot, p.job, p.iteration)
	case "report":
		return fmt.Sprintf("the report at position %d of slot %d of job %q in iteration %d", p.position, p.slot, p.job, p.iteration)
	case "event":
		return fmt.Sprintf("event %d of violation %q", p.position, p.id)
	case "violation":
		return fmt.Sprintf("violation %q", p.id)
	}
	return "the " + p.kind
}

// table is one kind of row of a run.
type table interface {
	name() string
	// take adds a row that decode fills to the run, and returns where it is and what
	// it refers to.
	take(*Run, func(row any) error) (at place, needs []place, err error)
	each(*Run, func(row any) error) error
	// contains reports whether each row of the older run is in the newer one, as it
	// was or grown, and whether the two are the same.
	contains(newer, older *Run) (contains, same bool)
	// missing adds the rows of later that are not in here to added, and those that
	// are another there to changed.
	missing(here, later, added, changed *Run)
}

// rows is a kind of row.
type rows[R any] struct {
	kind string
	of   func(*Run) *[]R
	// at is where a row is; number is its place among the rows of its kind.
	at func(r *R, number int) place
	// needs are the rows that it refers to.
	needs func(*R) []place
	// grows reports whether a row can have become the other one; nil: never.
	grows func(was, is R) bool
}

func (k rows[R]) name() string { return k.kind }

func (k rows[R]) take(run *Run, decode func(any) error) (place, []place, error) {
	var row R
	if err := decode(&row); err != nil {
		return place{}, nil, err
	}
	if of := reflect.ValueOf(&row).Elem().FieldByName("Run").String(); of != run.Head.Run {
		return place{}, nil, fmt.Errorf("record %s: it is of run %q, and stands among the records of run %q", k.kind, of, run.Head.Run)
	}
	list := k.of(run)
	*list = append(*list, row)
	return k.at(&row, len(*list)-1), k.needs(&row), nil
}

func (k rows[R]) each(run *Run, do func(any) error) error {
	list := *k.of(run)
	for i := range list {
		if err := do(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// index is where the rows are.
func (k rows[R]) index(list []R) map[place]int {
	at := make(map[place]int, len(list))
	for i := range list {
		at[k.at(&list[i], i)] = i
	}
	return at
}

func (k rows[R]) contains(newer, older *Run) (contains, same bool) {
	news, olds := *k.of(newer), *k.of(older)
	if len(olds) > len(news) {
		return false, false
	}
	if len(news) == len(olds) && (len(news) == 0 || reflect.DeepEqual(news, olds)) {
		return true, true
	}
	at := k.index(news)
	for i, was := range olds {
		n, there := at[k.at(&was, i)]
		if !there || !reflect.DeepEqual(was, news[n]) && (k.grows == nil || !k.grows(was, news[n])) {
			return false, false
		}
	}
	return true, false
}

func (k rows[R]) missing(here, later, added, changed *Run) {
	have := *k.of(here)
	at := k.index(have)
	for i, row := range *k.of(later) {
		into := added
		if n, there := at[k.at(&row, i)]; there {
			if into = changed; reflect.DeepEqual(have[n], row) {
				continue
			}
		}
		list := k.of(into)
		*list = append(*list, row)
	}
}

func iterationAt(n int64) place { return place{kind: "iteration", iteration: n} }

func violationAt(id string) place { return place{kind: "violation", id: id} }

func gateAt(iteration int64, job string) place {
	return place{kind: "gate", iteration: iteration, job: job}
}

func slotAt(iteration int64, job string, slot int64) place {
	return place{kind: "slot", iteration: iteration, job: job, slot: slot}
}

func reportAt(iteration int64, job string, slot, position int64) place {
	return place{kind: "report", iteration: iteration, job: job, slot: slot, position: position}
}

func eventAt(violation string, number int64) place {
	return place{kind: "event", id: violation, position: number}
}

// subject is what a transition is of. One that makes no sense is never found.
func (t *Transition) subject() place {
	switch {
	case t.Subject == "iteration" && t.Iteration != nil && t.Job == nil && t.Slot == nil:
		return iterationAt(*t.Iteration)
	case t.Subject == "gate" && t.Iteration != nil && t.Job != nil && t.Slot == nil:
		return gateAt(*t.Iteration, *t.Job)
	case t.Subject == "slot" && t.Iteration != nil && t.Job != nil && t.Slot != nil:
		return slotAt(*t.Iteration, *t.Job, *t.Slot)
	case t.Subject == "run" && t.Iteration == nil && t.Job == nil && t.Slot == nil:
		return place{kind: "run"}
	}
	return place{kind: "subject " + t.Subject}
}

// tables are the kinds of rows of a run in the order of a dump: none refers to a
// later one.
var tables = []table{
	rows[Iteration]{
		kind: "iteration", of: func(r *Run) *[]Iteration { return &r.Iterations }, grows: iterationGrows,
		at:    func(r *Iteration, _ int) place { return iterationAt(r.Number) },
		needs: func(*Iteration) []place { return nil },
	},
	rows[Gate]{
		kind: "gate", of: func(r *Run) *[]Gate { return &r.Gates }, grows: gateGrows,
		at:    func(r *Gate, _ int) place { return gateAt(r.Iteration, r.Job) },
		needs: func(r *Gate) []place { return []place{iterationAt(r.Iteration), {kind: "job", job: r.Job}} },
	},
	rows[Slot]{
		kind: "slot", of: func(r *Run) *[]Slot { return &r.Slots }, grows: slotGrows,
		at:    func(r *Slot, _ int) place { return slotAt(r.Iteration, r.Job, r.Slot) },
		needs: func(r *Slot) []place { return []place{gateAt(r.Iteration, r.Job)} },
	},
	rows[Violation]{
		kind: "violation", of: func(r *Run) *[]Violation { return &r.Violations }, grows: violationGrows,
		at:    func(r *Violation, _ int) place { return violationAt(r.Violation) },
		needs: func(r *Violation) []place { return []place{{kind: "job", job: r.Job}} },
	},
	rows[Report]{
		kind: "report", of: func(r *Run) *[]Report { return &r.Reports },
		at: func(r *Report, _ int) place { return reportAt(r.Iteration, r.Job, r.Slot, r.Position) },
		needs: func(r *Report) []place {
			if r.Violation == nil {
				return []place{slotAt(r.Iteration, r.Job, r.Slot)}
			}
			return []place{slotAt(r.Iteration, r.Job, r.Slot), violationAt(*r.Violation)}
		},
	},
	rows[Event]{
		kind: "event", of: func(r *Run) *[]Event { return &r.Events },
		at:    func(r *Event, _ int) place { return eventAt(r.Violation, r.Number) },
		needs: func(r *Event) []place { return []place{violationAt(r.Violation), iterationAt(r.Iteration)} },
	},
	rows[SlotEntry]{
		kind: "slot_entry", of: func(r *Run) *[]SlotEntry { return &r.SlotEntries }, grows: slotEntryGrows,
		at: func(r *SlotEntry, _ int) place {
			return place{kind: "slot_entry", iteration: r.Iteration, job: r.Job, slot: r.Slot, position: r.Position}
		},
		needs: func(r *SlotEntry) []place {
			return []place{
				slotAt(r.Iteration, r.Job, r.Slot), violationAt(r.Violation),
				reportAt(r.ReportIteration, r.ReportJob, r.ReportSlot, r.ReportPosition),
			}
		},
	},
	rows[SlotBlob]{
		kind: "slot_blob", of: func(r *Run) *[]SlotBlob { return &r.SlotBlobs },
		at: func(r *SlotBlob, _ int) place {
			return place{kind: "slot_blob", iteration: r.Iteration, job: r.Job, slot: r.Slot, position: r.Call, id: r.Kind}
		},
		needs: func(r *SlotBlob) []place { return []place{slotAt(r.Iteration, r.Job, r.Slot)} },
	},
	rows[GateBlob]{
		kind: "gate_blob", of: func(r *Run) *[]GateBlob { return &r.GateBlobs },
		at:    func(r *GateBlob, _ int) place { return place{kind: "gate_blob", iteration: r.Iteration, job: r.Job} },
		needs: func(r *GateBlob) []place { return []place{gateAt(r.Iteration, r.Job)} },
	},
	rows[CodeReview]{
		kind: "code_review", of: func(r *Run) *[]CodeReview { return &r.Reviews },
		at:    func(*CodeReview, int) place { return place{kind: "code_review"} },
		needs: func(*CodeReview) []place { return nil },
	},
	rows[Verdict]{
		kind: "verdict", of: func(r *Run) *[]Verdict { return &r.Verdicts },
		at:    func(r *Verdict, _ int) place { return place{kind: "verdict", iteration: r.Iteration} },
		needs: func(r *Verdict) []place { return []place{iterationAt(r.Iteration), {kind: "code_review"}} },
	},
	rows[Finding]{
		kind: "finding", of: func(r *Run) *[]Finding { return &r.Findings }, grows: findingGrows,
		at:    func(r *Finding, _ int) place { return place{kind: "finding", id: r.Violation} },
		needs: func(r *Finding) []place { return []place{violationAt(r.Violation), {kind: "code_review"}} },
	},
	rows[Transition]{
		kind: "transition", of: func(r *Run) *[]Transition { return &r.Transitions },
		at:    func(_ *Transition, number int) place { return place{kind: "transition", position: int64(number)} },
		needs: func(r *Transition) []place { return []place{r.subject()} },
	},
	rows[Excerpt]{
		kind: "report_excerpt", of: func(r *Run) *[]Excerpt { return &r.Excerpts },
		at: func(r *Excerpt, _ int) place {
			return place{kind: "report_excerpt", iteration: r.Iteration, job: r.Job, slot: r.Slot, position: r.Position}
		},
		needs: func(r *Excerpt) []place { return []place{reportAt(r.Iteration, r.Job, r.Slot, r.Position)} },
	},
	rows[Hunk]{
		kind: "event_hunk", of: func(r *Run) *[]Hunk { return &r.Hunks },
		at:    func(r *Hunk, _ int) place { return place{kind: "event_hunk", id: r.Violation, position: r.Event} },
		needs: func(r *Hunk) []place { return []place{violationAt(r.Violation), eventAt(r.Violation, r.Event)} },
	},
}

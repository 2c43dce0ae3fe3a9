package exchange

import (
	"fmt"
	"iter"
	"reflect"
	"strconv"
)

// Place identifies a row of a run in any ledger. Rows of one kind always use the same fields.
type Place struct {
	// Kind is the name of the record in a dump.
	Kind           string
	Iteration      int64
	Job            string
	Slot, Position int64
	ID             string // of a violation, or a word
}

func (p Place) String() string {
	switch p.Kind {
	case "iteration":
		return fmt.Sprintf("iteration %d", p.Iteration)
	case "job":
		return fmt.Sprintf("job %q", p.Job)
	case "gate":
		return fmt.Sprintf("job %q in iteration %d", p.Job, p.Iteration)
	case "slot":
		return fmt.Sprintf("slot %d of job %q in iteration %d", p.Slot, p.Job, p.Iteration)
	case "report":
		return fmt.Sprintf("the report at position %d of slot %d of job %q in iteration %d", p.Position, p.Slot, p.Job, p.Iteration)
	case "event":
		return fmt.Sprintf("event %d of violation %q", p.Position, p.ID)
	}
	return "the " + p.Kind
}

// Row is a row of a run with its place and its references.
type Row struct {
	At    Place
	Needs []Place // the rows that it refers to
	// Needed is set if rows of other kinds refer to rows of this kind, and Grows if rows of this
	// kind may change.
	Needed, Grows bool
	Value         any // a pointer to the row
}

// Each calls do with every row of the run, in the order of a dump, in which no row refers to a
// later one.
func (r *Run) Each(do func(Row) error) error {
	for _, t := range tables {
		if err := t.each(r, do); err != nil {
			return err
		}
	}
	return nil
}

// Lists returns pointers to the slices of the run's rows, by the names of their records in a dump.
func (r *Run) Lists() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, t := range tables {
			if !yield(t.name(), t.list(r)) {
				return
			}
		}
	}
}

// table handles one kind of row of a run.
type table interface {
	name() string
	// take adds a row, which decode fills, to the run. It returns the row's place and the rows that
	// it refers to.
	take(*Run, func(row any) error) (at Place, needs []Place, err error)
	each(*Run, func(Row) error) error
	// list returns a pointer to the rows.
	list(*Run) any
	// contains reports whether the newer run has each row of the older one, possibly changed if
	// rows of this kind may change, and whether both have the same rows.
	contains(newer, older *Run) (contains, same bool)
	// missing adds to added the rows of later that here does not have, and to changed those that differ.
	missing(here, later, added, changed *Run)
}

// rows is one kind of row.
type rows[R any] struct {
	kind string
	of   func(*Run) *[]R
	// at returns the place of a row; number is its index among the rows of its kind.
	at func(r *R, number int) Place
	// needs returns the rows that a row refers to.
	needs func(*R) []Place
	// grows is set if rows may change after they were added.
	grows bool
}

func (k rows[R]) name() string { return k.kind }

func (k rows[R]) take(run *Run, decode func(any) error) (Place, []Place, error) {
	var row R
	if err := decode(&row); err != nil {
		return Place{}, nil, err
	}
	if of := reflect.ValueOf(&row).Elem().FieldByName("Run").String(); of != run.Head.Run {
		return Place{}, nil, fmt.Errorf("record %s: it is of run %q, but is among the records of run %q", k.kind, of, run.Head.Run)
	}
	list := k.of(run)
	*list = append(*list, row)
	return k.at(&row, len(*list)-1), k.needs(&row), nil
}

func (k rows[R]) each(run *Run, do func(Row) error) error {
	list := *k.of(run)
	for i := range list {
		if err := do(Row{At: k.at(&list[i], i), Needs: k.needs(&list[i]), Needed: referred[k.kind], Grows: k.grows, Value: &list[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (k rows[R]) list(run *Run) any { return k.of(run) }

// index returns the indexes of the rows by place.
func (k rows[R]) index(list []R) map[Place]int {
	at := make(map[Place]int, len(list))
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
		if !there || !k.grows && !reflect.DeepEqual(was, news[n]) {
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

// At returns the place by which rows of runs refer to the job.
func (j Job) At() Place { return Place{Kind: "job", Job: j.Job} }

func iterationAt(n int64) Place { return Place{Kind: "iteration", Iteration: n} }

func violationAt(id string) Place { return Place{Kind: "violation", ID: id} }

func gateAt(iteration int64, job string) Place {
	return Place{Kind: "gate", Iteration: iteration, Job: job}
}

func eventAt(violation string, number int64) Place {
	return Place{Kind: "event", ID: violation, Position: number}
}

// place returns the place of a row of this kind in the slot.
func (s InSlot) place(kind string, position int64, id string) Place {
	return Place{Kind: kind, Iteration: s.Iteration, Job: s.Job, Slot: s.Slot, Position: position, ID: id}
}

// slot returns the place of the slot itself, and report the place of the report at this position in
// the answer.
func (s InSlot) slot() Place { return s.place("slot", 0, "") }

func (s InSlot) report(position int64) Place { return s.place("report", position, "") }

// At returns the report's place in its run.
func (r *Report) At() Place { return r.report(r.Position) }

// subject returns the place whose status changed. If the transition is inconsistent, no row has
// that place.
func (t *Transition) subject() Place {
	switch {
	case t.Subject == "iteration" && t.Iteration != nil && t.Job == nil && t.Slot == nil:
		return iterationAt(*t.Iteration)
	case t.Subject == "gate" && t.Iteration != nil && t.Job != nil && t.Slot == nil:
		return gateAt(*t.Iteration, *t.Job)
	case t.Subject == "slot" && t.Iteration != nil && t.Job != nil && t.Slot != nil:
		return InSlot{Iteration: *t.Iteration, Job: *t.Job, Slot: *t.Slot}.slot()
	case t.Subject == "run" && t.Iteration == nil && t.Job == nil && t.Slot == nil:
		return Place{Kind: "run"}
	}
	return Place{Kind: "subject " + t.Subject}
}

// tables lists the kinds of rows of a run in the order of a dump, in which no row refers to a later
// one.
var tables = []table{
	rows[Iteration]{
		kind: "iteration", of: func(r *Run) *[]Iteration { return &r.Iterations }, grows: true,
		at:    func(r *Iteration, _ int) Place { return iterationAt(r.Number) },
		needs: func(*Iteration) []Place { return nil },
	},
	rows[Gate]{
		kind: "gate", of: func(r *Run) *[]Gate { return &r.Gates }, grows: true,
		at:    func(r *Gate, _ int) Place { return gateAt(r.Iteration, r.Job) },
		needs: func(r *Gate) []Place { return []Place{iterationAt(r.Iteration), Job{Job: r.Job}.At()} },
	},
	rows[Slot]{
		kind: "slot", of: func(r *Run) *[]Slot { return &r.Slots }, grows: true,
		at: func(r *Slot, _ int) Place { return r.slot() },
		needs: func(r *Slot) []Place {
			return []Place{gateAt(r.Iteration, r.Job), iterationAt(r.Iteration), Job{Job: r.Job}.At()}
		},
	},
	rows[Violation]{
		kind: "violation", of: func(r *Run) *[]Violation { return &r.Violations }, grows: true,
		at:    func(r *Violation, _ int) Place { return violationAt(r.Violation) },
		needs: func(r *Violation) []Place { return []Place{Job{Job: r.Job}.At()} },
	},
	rows[Report]{
		kind: "report", of: func(r *Run) *[]Report { return &r.Reports }, grows: true,
		at: func(r *Report, _ int) Place { return r.At() },
		needs: func(r *Report) []Place {
			if r.Violation == nil {
				return []Place{r.slot()}
			}
			return []Place{r.slot(), violationAt(*r.Violation)}
		},
	},
	rows[Event]{
		kind: "event", of: func(r *Run) *[]Event { return &r.Events },
		at:    func(r *Event, _ int) Place { return eventAt(r.Violation, r.Number) },
		needs: func(r *Event) []Place { return []Place{violationAt(r.Violation), iterationAt(r.Iteration)} },
	},
	rows[SlotEntry]{
		kind: "slot_entry", of: func(r *Run) *[]SlotEntry { return &r.SlotEntries }, grows: true,
		at: func(r *SlotEntry, _ int) Place { return r.place("slot_entry", r.Position, "") },
		needs: func(r *SlotEntry) []Place {
			reported := InSlot{Iteration: r.ReportIteration, Job: r.ReportJob, Slot: r.ReportSlot}
			return []Place{r.slot(), violationAt(r.Violation), reported.report(r.ReportPosition)}
		},
	},
	rows[SlotBlob]{
		kind: "slot_blob", of: func(r *Run) *[]SlotBlob { return &r.SlotBlobs },
		at:    func(r *SlotBlob, _ int) Place { return r.place("slot_blob", r.Call, r.Kind) },
		needs: func(r *SlotBlob) []Place { return []Place{r.slot()} },
	},
	rows[GateBlob]{
		kind: "gate_blob", of: func(r *Run) *[]GateBlob { return &r.GateBlobs },
		at:    func(r *GateBlob, _ int) Place { return Place{Kind: "gate_blob", Iteration: r.Iteration, Job: r.Job} },
		needs: func(r *GateBlob) []Place { return []Place{gateAt(r.Iteration, r.Job)} },
	},
	rows[CodeReview]{
		kind: "code_review", of: func(r *Run) *[]CodeReview { return &r.Reviews },
		at:    func(*CodeReview, int) Place { return Place{Kind: "code_review"} },
		needs: func(*CodeReview) []Place { return nil },
	},
	rows[Verdict]{
		kind: "verdict", of: func(r *Run) *[]Verdict { return &r.Verdicts },
		at:    func(r *Verdict, _ int) Place { return Place{Kind: "verdict", Iteration: r.Iteration} },
		needs: func(r *Verdict) []Place { return []Place{iterationAt(r.Iteration), {Kind: "code_review"}} },
	},
	rows[Finding]{
		kind: "finding", of: func(r *Run) *[]Finding { return &r.Findings }, grows: true,
		at:    func(r *Finding, _ int) Place { return Place{Kind: "finding", ID: r.Violation} },
		needs: func(r *Finding) []Place { return []Place{violationAt(r.Violation), {Kind: "code_review"}} },
	},
	rows[Transition]{
		kind: "transition", of: func(r *Run) *[]Transition { return &r.Transitions },
		at:    func(_ *Transition, number int) Place { return Place{Kind: "transition", Position: int64(number)} },
		needs: func(r *Transition) []Place { return []Place{r.subject()} },
	},
	rows[Excerpt]{
		kind: "report_excerpt", of: func(r *Run) *[]Excerpt { return &r.Excerpts },
		at:    func(r *Excerpt, _ int) Place { return r.place("report_excerpt", r.Position, "") },
		needs: func(r *Excerpt) []Place { return []Place{r.report(r.Position)} },
	},
	rows[Hunk]{
		kind: "event_hunk", of: func(r *Run) *[]Hunk { return &r.Hunks },
		at:    func(r *Hunk, _ int) Place { return Place{Kind: "event_hunk", ID: r.Violation, Position: r.Event} },
		needs: func(r *Hunk) []Place { return []Place{violationAt(r.Violation), eventAt(r.Violation, r.Event)} },
	},
	rows[RememberedSkip]{
		kind: "remembered_skip", of: func(r *Run) *[]RememberedSkip { return &r.Remembered },
		at: func(r *RememberedSkip, _ int) Place {
			return Place{Kind: "remembered_skip", ID: r.Violation, Position: r.Event}
		},
		needs: func(r *RememberedSkip) []Place {
			return []Place{violationAt(r.Violation), eventAt(r.Violation, r.Event)}
		},
	},
	rows[MetSkip]{
		kind: "met_skip", of: func(r *Run) *[]MetSkip { return &r.Met },
		at:    func(r *MetSkip, _ int) Place { return r.place("met_skip", r.Position, "") },
		needs: func(r *MetSkip) []Place { return []Place{r.report(r.Position)} },
	},
	rows[SlotCall]{
		kind: "slot_call", of: func(r *Run) *[]SlotCall { return &r.Calls },
		at:    func(r *SlotCall, _ int) Place { return r.place("slot_call", r.Call, "") },
		needs: func(r *SlotCall) []Place { return []Place{r.slot()} },
	},
	rows[SlotNote]{
		kind: "slot_note", of: func(r *Run) *[]SlotNote { return &r.Notes },
		at:    func(r *SlotNote, _ int) Place { return r.place("slot_note", 0, "") },
		needs: func(r *SlotNote) []Place { return []Place{r.slot()} },
	},
	rows[ClaimWord]{
		kind: "claim_word", of: func(r *Run) *[]ClaimWord { return &r.ClaimWords },
		at:    func(r *ClaimWord, _ int) Place { return r.place("claim_word", 0, r.Violation) },
		needs: func(r *ClaimWord) []Place { return []Place{r.slot(), violationAt(r.Violation)} },
	},
	rows[GoneWord]{
		kind: "gone_word", of: func(r *Run) *[]GoneWord { return &r.GoneWords },
		at:    func(r *GoneWord, _ int) Place { return r.place("gone_word", 0, r.Violation) },
		needs: func(r *GoneWord) []Place { return []Place{r.slot(), violationAt(r.Violation)} },
	},
	rows[Reporter]{
		kind: "violation_reporter", of: func(r *Run) *[]Reporter { return &r.Reporters },
		at: func(r *Reporter, _ int) Place {
			return Place{Kind: "violation_reporter", Slot: r.Slot, ID: r.Violation}
		},
		needs: func(r *Reporter) []Place { return []Place{violationAt(r.Violation)} },
	},
	rows[Pair]{
		kind: "violation_pair", of: func(r *Run) *[]Pair { return &r.Pairs },
		at:    func(r *Pair, _ int) Place { return Place{Kind: "violation_pair", ID: r.Violation + " " + r.Other} },
		needs: func(r *Pair) []Place { return []Place{violationAt(r.Violation)} },
	},
	rows[ViolationPlace]{
		kind: "violation_place", of: func(r *Run) *[]ViolationPlace { return &r.Moves },
		at: func(r *ViolationPlace, _ int) Place {
			return Place{Kind: "violation_place", ID: r.Violation, Iteration: r.Iteration, Position: r.Position}
		},
		needs: func(r *ViolationPlace) []Place { return []Place{violationAt(r.Violation), iterationAt(r.Iteration)} },
	},
	rows[ReportPlace]{
		kind: "report_place", of: func(r *Run) *[]ReportPlace { return &r.Places },
		at: func(r *ReportPlace, _ int) Place {
			return r.place("report_place", r.Report, strconv.FormatInt(r.Position, 10))
		},
		needs: func(r *ReportPlace) []Place { return []Place{r.report(r.Report)} },
	},
}

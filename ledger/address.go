package ledger

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Address names a gate or a slot in an iteration of a run, in the form in which commands print it:
// RUN/ITERATION/JOB@INDEX, where everything except the job is optional.
type Address struct {
	Run       string // an ID, a prefix of one, or another word for a run; "" means the latest
	Iteration int    // 0 means the latest in which the gate was executed
	Job       string
	Slot      int // 0 if not given
}

// OfReview reports whether the job is a review, which has slots. A check does not.
func (a Address) OfReview() bool { return strings.HasPrefix(a.Job, reviewStart) }

// reviewStart is the prefix of the ID of a review job.
const reviewStart = string(KindReview) + ":"

// jobStart and slotEnd are compiled when the first address is parsed.
var (
	jobStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|/)(check|review):`) })
	slotEnd  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@([1-9][0-9]{0,8})(#[0-9]+)?$`) })
)

// iterationNumber parses the number of an iteration. It returns 0 if the text is not one.
func iterationNumber(text string) int {
	if n, _ := strconv.Atoi(text); n > 0 && strconv.Itoa(n) == text {
		return n
	}
	return 0
}

// ParseAddress parses an address. ok is false if the text does not name a job, which begins with
// "check:" or "review:". The number of a report after the slot, as in "@1#3", is ignored.
func ParseAddress(text string) (a Address, ok bool) {
	at := jobStart().FindStringIndex(text)
	if at == nil {
		return a, false
	}
	before, job := text[:at[0]], strings.TrimPrefix(text[at[0]:], "/")
	if strings.HasPrefix(job, reviewStart) {
		if m := slotEnd().FindStringSubmatch(job); m != nil {
			a.Slot, _ = strconv.Atoi(m[1])
			job = strings.TrimSuffix(job, m[0])
		}
	}
	a.Job = job
	if before == "" {
		return a, true
	}
	parts := strings.Split(before, "/")
	if a.Iteration = iterationNumber(parts[len(parts)-1]); a.Iteration > 0 {
		parts = parts[:len(parts)-1]
	}
	a.Run = strings.Join(parts, "/") // the name of a branch may contain slashes
	return a, true
}

// ParseReportAddress parses the address of a report: the address of a slot and the report's
// position in the answer, as in "RUN/1/review:.:quality@1#3".
func ParseReportAddress(text string) (a Address, position int, ok bool) {
	slot, number, found := strings.Cut(text, "#")
	position, err := strconv.Atoi(number)
	if a, ok = ParseAddress(slot); !found || err != nil || a.Slot == 0 {
		return a, 0, false
	}
	return a, position, ok
}

// Gate returns the gate that the address names. If the address has no iteration, it returns the
// latest execution or, if the address has a slot, the latest one in which that slot was asked. It
// returns nil if no gate matches.
func (s *State) Gate(a Address) *Gate {
	var found *Gate
	for i := range s.Gates {
		g := &s.Gates[i]
		if g.Job != a.Job || a.Iteration > 0 && g.Iteration != a.Iteration {
			continue
		}
		if found == nil || !g.leftOut(a.Slot) || found.leftOut(a.Slot) {
			found = g
		}
	}
	return found
}

// leftOut reports whether the gate, or its slot with this index if it is not 0, was not executed.
func (g *Gate) leftOut(slot int) bool {
	if g.Status == GateNotRun {
		return true
	}
	s := g.Slot(slot)
	return slot > 0 && (s == nil || s.Status == SlotSkipped)
}

// Slot returns the slot with this review index, or nil.
func (g *Gate) Slot(index int) *Slot {
	for i := range g.Slots {
		if g.Slots[i].Index == index {
			return &g.Slots[i]
		}
	}
	return nil
}

// LastSlot returns the address, within its run, of the slot that reported the violation last.
func (h History) LastSlot() Address {
	a := Address{Run: h.Violation.Run, Iteration: h.Violation.First, Job: h.Violation.ReporterJob(), Slot: h.Violation.Slot}
	for _, r := range h.Reports {
		a.Iteration, a.Slot = r.Iteration, r.Slot
	}
	return a
}

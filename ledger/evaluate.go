package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Answer is what a slot's reviewer said, as it was parsed.
type Answer struct {
	// Fail reports whether the answer's own status was "fail".
	Fail    bool
	Entries []Entry
}

// Entry is one violation of an answer.
type Entry struct {
	Position       int // 1-based
	Place          Place
	Issue, Fix     string
	Priority       Priority
	Title          string
	Confidence     *float64 // nil: not given
	SystemBreaking bool
	// Missing names the required fields that the entry lacks; it is malformed
	// if there are any.
	Missing []string
}

// Known is an earlier violation of the job.
type Known struct {
	Violation
	// Here is its place carried into the tree that was reviewed.
	Here Place
	// WasClaim reports whether it was a claim when the iteration began.
	WasClaim bool
	// Shown reports whether this slot was asked to verify it.
	Shown bool
}

// Facts tells what an answer's places mean in the tree that was reviewed.
type Facts struct {
	// InDiff reports whether the place lies on a changed line.
	InDiff func(Place) bool
	// InFixLines reports whether the place lies on a line that changed since
	// the slot's last answer.
	InFixLines func(Place) bool
}

// Rules are the settings of an evaluation.
type Rules struct {
	Slot int
	// AnsweredBefore reports whether the slot has answered before in this run:
	// only then does the threshold apply.
	AnsweredBefore bool
	Threshold      Priority
	// WholeFiles accepts places on unchanged lines too.
	WholeFiles bool
	// OnlyKnown keeps what matches nothing earlier out of the run: a
	// verification of a verdict adds no findings to it.
	OnlyKnown bool
}

// Evaluated is an entry with what becomes of it.
type Evaluated struct {
	Entry
	Disposition Disposition
	Reason      string
	InFixLines  bool
	// Match is the ULID of the earlier violation that the report is about; for
	// an accepted report "" means that it makes a new one.
	Match string
}

// Evaluation is what a slot's answer means.
type Evaluation struct {
	Status SlotStatus // pass, fail or error
	// Reason says why the slot is in error.
	Reason  string
	Reports []Evaluated
	// Verified and Reopened are the ULIDs of the violations whose status the
	// answer changes.
	Verified, Reopened []string
	Warnings           []string
}

// Count is how many reports have the disposition.
func (e Evaluation) Count(d Disposition) int {
	n := 0
	for _, r := range e.Reports {
		if r.Disposition == d {
			n++
		}
	}
	return n
}

// Evaluate decides what becomes of each entry of an answer, and of the claims
// that the slot was asked to verify. Malformed entries go first, then those off
// the changed lines, then those that repeat what was skipped, then, among the
// ones that match nothing earlier, those below the threshold.
//
// Rule: The range filter comes first.
// Rule: A known violation bypasses the threshold.
// Rule: Missing fields are named.
func Evaluate(answer Answer, known []Known, facts Facts, rules Rules) Evaluation {
	e := newEvaluator(known, facts, rules)
	reports := make([]Evaluated, len(answer.Entries))
	for i, entry := range answer.Entries {
		entry.Place = entry.Place.ordered()
		entry.Priority, _ = ParsePriority(string(entry.Priority))
		reports[i] = Evaluated{Entry: entry, Disposition: Accepted}
		e.wording = append(e.wording, e.number(entry.Issue))
		e.filterPlace(&reports[i])
	}
	e.match(reports)
	for i := range reports {
		e.settle(i, &reports[i])
	}
	result := Evaluation{Reports: reports, Warnings: warnings(reports)}
	result.Status, result.Reason = slotStatus(answer, result)
	if result.Status != SlotError {
		e.change(&result)
	}
	return result
}

type evaluator struct {
	known  []Known
	facts  Facts
	rules  Rules
	byFile map[string][]int // indexes of known by the file they lie in now
	// lost are indexes of known by wording, of those whose lines are nowhere now:
	// their file was deleted, or written anew under another name.
	lost map[int][]int
	// wording and knownWording number the normalised issues of the entries and
	// of known, for they are compared with one another many times.
	wording, knownWording []int
	wordings              map[string]int
	// taken are the violations that an entry is about.
	taken map[string]bool
	// crowded are entries at the place of an earlier violation. One of them that
	// gets no match met what another entry of the same answer took, or what is
	// still open in other words.
	crowded map[int]bool
}

func newEvaluator(known []Known, facts Facts, rules Rules) *evaluator {
	e := &evaluator{
		known: slices.Clone(known), facts: facts, rules: rules,
		byFile: map[string][]int{}, lost: map[int][]int{}, wordings: map[string]int{}, taken: map[string]bool{}, crowded: map[int]bool{},
	}
	for i := range e.known {
		k := &e.known[i]
		k.Here = k.Here.ordered()
		e.byFile[k.Here.File] = append(e.byFile[k.Here.File], i)
		wording := e.number(k.Issue)
		e.knownWording = append(e.knownWording, wording)
		if k.Here.WholeFile() && !k.Place.WholeFile() {
			e.lost[wording] = append(e.lost[wording], i)
		}
	}
	return e
}

// number is the same for issues that [SameText] finds the same.
func (e *evaluator) number(issue string) int {
	text := normalize(issue)
	if _, seen := e.wordings[text]; !seen {
		e.wordings[text] = len(e.wordings)
	}
	return e.wordings[text]
}

// says reports whether the entry has the wording of the earlier violation.
func (e *evaluator) says(entry, known int) bool { return e.wording[entry] == e.knownWording[known] }

// filterPlace sorts out what is malformed or lies off the changed lines. The
// place of a claim counts as changed: the claim put it under review.
func (e *evaluator) filterPlace(r *Evaluated) {
	switch {
	case len(r.Missing) > 0:
		r.Disposition, r.Reason = Malformed, "missing "+strings.Join(r.Missing, ", ")
	case !e.rules.WholeFiles && !e.facts.InDiff(r.Place) && !e.onClaim(r.Place):
		r.Disposition, r.Reason = OutOfDiff, "lies on no changed line"
	default:
		r.InFixLines = e.rules.AnsweredBefore && e.facts.InFixLines(r.Place)
	}
}

func (e *evaluator) onClaim(place Place) bool {
	return slices.ContainsFunc(e.byFile[place.File], func(i int) bool {
		return e.known[i].WasClaim && e.known[i].Here.Meets(place)
	})
}

// pair is an entry and an earlier violation that lie at the same place. There
// may be many, so it is small.
type pair struct {
	rank          uint64 // the smaller, the better they go together
	report, known int32
	severity      int32 // the rank of the earlier violation's priority, in a verdict
}

// match assigns entries to earlier violations, each at most once: those of the
// slot itself first, then by equal wording, larger overlap, nearer start and
// age. What repeats a skipped violation word for word is left for settle.
func (e *evaluator) match(reports []Evaluated) {
	var pairs []pair
	for i := range reports {
		if reports[i].Disposition != Accepted {
			continue
		}
		found, equal, others := e.pairs(i, &reports[i])
		if _, ok := e.skippedTwin(i, &reports[i]); ok && !equal {
			continue
		}
		e.crowded[i] = len(found) > 0 || others
		pairs = append(pairs, found...)
	}
	slices.SortFunc(pairs, comparePairs)
	for _, p := range pairs {
		if id := e.known[p.known].ID; reports[p.report].Match == "" && !e.taken[id] {
			reports[p.report].Match, e.taken[id] = id, true
		}
	}
}

// pairs finds the earlier violations at the entry's place that it may be about;
// equal reports whether one of them has its wording. One that is open and that
// nobody has claimed is only met by its own words: the reviewer was told not to
// report it again, so that other words at its place are another problem, and would
// take the place of words that nobody has answered. Others reports whether there
// is such a one.
func (e *evaluator) pairs(index int, r *Evaluated) (pairs []pair, equal, others bool) {
	for _, k := range e.byFile[r.Place.File] {
		earlier := &e.known[k]
		if earlier.Status == StatusSkipped || !earlier.Here.Meets(r.Place) {
			continue
		}
		same := e.says(index, k)
		if !same && earlier.Status.Open() && !earlier.WasClaim {
			others = true
			continue
		}
		equal = equal || same
		p := pair{
			rank:   pairRank(earlier.Slot == e.rules.Slot, same, earlier.Here, r.Place),
			report: int32(index), known: int32(k),
		}
		if e.rules.OnlyKnown {
			p.severity = int32(earlier.Priority.Rank()) // of several that may be meant, the worst gets the new words
		}
		pairs = append(pairs, p)
	}
	return pairs, equal, others
}

// pairRank packs what decides, the most important in the highest bits: the own
// slot, equal wording, a larger overlap, a nearer start.
func pairRank(own, equal bool, earlier, place Place) uint64 {
	const most = 1<<31 - 1
	rank := uint64(most-min(overlap(earlier, place), most))<<31 | uint64(min(abs(earlier.Start-place.Start), most))
	if !own {
		rank |= 1 << 63
	}
	if !equal {
		rank |= 1 << 62
	}
	return rank
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.severity, b.severity),
		cmp.Compare(a.known, b.known), cmp.Compare(a.report, b.report)) // known is in order of age
}

// skippedTwin finds the skipped violation at the entry's place that has the same
// wording, if there is one; of several, the most important. A skip of lines says
// nothing about the whole file, and one of the file nothing about its lines: the
// same words may stand elsewhere in it.
func (e *evaluator) skippedTwin(index int, r *Evaluated) (twin *Known, ok bool) {
	for _, i := range e.byFile[r.Place.File] {
		k := &e.known[i]
		if k.Status != StatusSkipped || !e.says(index, i) ||
			!k.Here.Meets(r.Place) || k.Here.WholeFile() != r.Place.WholeFile() {
			continue
		}
		if twin == nil || k.Priority.Higher(twin.Priority) {
			twin = k
		}
	}
	return twin, twin != nil
}

// settle decides on an entry after the matching.
func (e *evaluator) settle(index int, r *Evaluated) {
	if r.Disposition == OutOfDiff {
		e.heed(index, r)
		return
	}
	if r.Disposition != Accepted || r.Match != "" {
		return
	}
	if twin, ok := e.skippedTwin(index, r); ok && !e.crowded[index] {
		again := !r.Priority.Higher(twin.Priority)
		if again {
			r.Disposition, r.Match = PreviouslySkipped, twin.ID
			r.Reason = fmt.Sprintf("says again what was skipped as %s", twin.ShortID)
		}
		if again || !e.rules.OnlyKnown {
			return // more important now: a new violation that bypasses the threshold
		}
	}
	if e.rules.OnlyKnown {
		r.Disposition, r.Reason = OutsideVerify, "is none of the verdict's findings"
		e.heed(index, r)
		return
	}
	if e.rules.AnsweredBefore && !e.crowded[index] && !r.Priority.Meets(e.rules.Threshold) {
		r.Disposition = BelowThreshold
		r.Reason = fmt.Sprintf("new on a rerun and below the threshold %s", e.rules.Threshold)
		e.heed(index, r)
	}
}

// heed keeps a report that would be filtered from confirming, or leaving confirmed, the
// very claim that it repeats word for word: reviewers miscount lines, and a file that was
// written anew under another name is no rename to git. It reopens the claim,
// unless another report already does, which may know its place better.
func (e *evaluator) heed(index int, r *Evaluated) {
	for _, i := range slices.Concat(e.byFile[r.Place.File], e.lost[e.wording[index]]) {
		k := &e.known[i]
		if e.heeded(k, r) && !e.taken[k.ID] && e.says(index, i) {
			r.Disposition, r.Reason, r.Match = Accepted, "says again what was claimed to be fixed", k.ID
			if r.Place != k.Here && r.Place.File == k.Here.File {
				// The claim's own place is the better one to look at next.
				r.Reason += fmt.Sprintf(" (given as line %d)", r.Place.Start)
				r.Place = k.Here
			}
			e.taken[k.ID] = true
			return
		}
	}
}

// heeded reports whether the words of the earlier violation count against it also
// from a report that would be filtered: of a claim anywhere, of what was verified at
// its place, for there the reviewer takes back what it said.
func (e *evaluator) heeded(k *Known, r *Evaluated) bool {
	return k.WasClaim && k.Status != StatusSkipped || k.Status == StatusVerified && k.Here.Meets(r.Place)
}

// change lists the claims that the answer confirms or contradicts. A claim is
// confirmed by an answer that was asked about it and does not report it again;
// but not by one with a malformed entry that may be about it. In a verdict the place
// decides: other words at the place of several claims reopen them all, for any of them
// may be meant, and one that was not would be verified.
func (e *evaluator) change(result *Evaluation) {
	var vague map[string][]vagueEntry
	if e.rules.OnlyKnown {
		vague = e.vague(result.Reports)
	}
	matched := map[string]bool{}
	for _, r := range result.Reports {
		if r.Disposition == Accepted && r.Match != "" {
			matched[r.Match] = true
		}
	}
	for i, k := range e.known {
		switch {
		case matched[k.ID]:
			if k.Status == StatusFixed || k.Status == StatusVerified {
				result.Reopened = append(result.Reopened, k.ID)
			}
		case k.Shown && k.Status == StatusFixed && slices.ContainsFunc(vague[k.Here.File], func(v vagueEntry) bool { return v.mayMean(k.Here) }):
			result.Reopened = append(result.Reopened, k.ID)
		case k.Shown && k.Status == StatusFixed:
			if entry, ok := e.unclear(result.Reports, i); ok {
				result.Warnings = append(result.Warnings, fmt.Sprintf(
					"claim %s stays unverified: malformed violation %d may be about it", k.ShortID, entry))
				continue
			}
			result.Verified = append(result.Verified, k.ID)
		}
	}
}

// vague are the entries that were matched with an earlier violation by their place
// alone, by file, each with its match: they may be about any of those there.
func (e *evaluator) vague(reports []Evaluated) map[string][]vagueEntry {
	at := make(map[string]int, len(e.known))
	for i, k := range e.known {
		at[k.ID] = i
	}
	found := map[string][]vagueEntry{}
	for i, r := range reports {
		match, matched := at[r.Match]
		if r.Disposition != Accepted || !matched || e.says(i, match) {
			continue
		}
		found[r.Place.File] = append(found[r.Place.File], vagueEntry{r.Place, e.known[match].Here})
	}
	return found
}

// vagueEntry is an entry's place, and that of the earlier violation that it took.
type vagueEntry struct{ place, taken Place }

// mayMean reports whether the entry may be about what lies here, too. What it says of
// lines and what it says of the whole file are apart, if it took its like.
func (v vagueEntry) mayMean(here Place) bool {
	return v.place.Meets(here) &&
		(here.WholeFile() == v.place.WholeFile() || v.taken.WholeFile() != v.place.WholeFile())
}

// unclear finds a malformed entry that may be about the earlier violation: it
// names no file, or meets its place, or has its wording.
func (e *evaluator) unclear(reports []Evaluated, known int) (position int, ok bool) {
	here := e.known[known].Here
	for i, r := range reports {
		if r.Disposition == Malformed && (r.Place.File == "" || r.Place.Meets(here) || e.says(i, known)) {
			return r.Position, true
		}
	}
	return 0, false
}

// wellFormed reports whether the answer is of use whatever it is about.
func (a Answer) WellFormed() bool {
	return !(a.Fail && len(a.Entries) == 0) &&
		!slices.ContainsFunc(a.Entries, func(e Entry) bool { return len(e.Missing) > 0 })
}

// slotStatus is the slot's status by its answer alone. A "fail" that names
// nothing usable is an error, never a pass.
func slotStatus(answer Answer, e Evaluation) (SlotStatus, string) {
	accepted, malformed := e.Count(Accepted), e.Count(Malformed)
	switch {
	case accepted > 0:
		return SlotFail, ""
	case malformed > 0:
		return SlotError, fmt.Sprintf("no usable violation: %d malformed", malformed)
	case answer.Fail && len(answer.Entries) == 0:
		return SlotError, `the answer says "fail" and names no violation`
	}
	return SlotPass, ""
}

func warnings(reports []Evaluated) []string {
	var list []string
	for _, r := range reports {
		if r.Disposition == Malformed {
			list = append(list, fmt.Sprintf("violation %d is left out: missing %s", r.Position, strings.Join(r.Missing, ", ")))
		}
	}
	return list
}

// SameText reports whether two issues say the same, whatever their letter case,
// white space and the end of their sentence. Other closing punctuation may be
// what the issue is about.
func SameText(a, b string) bool { return normalize(a) == normalize(b) }

func normalize(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if trimmed := strings.TrimRight(text, ".!\u2026\u3002 "); trimmed != "" {
		return trimmed
	}
	return text
}

// overlap is how many lines two meeting places share. A whole file shares
// nothing in particular.
func overlap(a, b Place) int {
	if a.WholeFile() || b.WholeFile() {
		return 0
	}
	return min(a.End, b.End) - max(a.Start, b.Start) + 1
}

func abs(n int) int { return max(n, -n) }

package ledger

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// matchRule is why a report is matched with an earlier violation.
type matchRule uint8

// The rules of matching, in their order.
const (
	_ matchRule = iota
	// byClaim: the report names the claim.
	byClaim
	// byWordsAtPlace: equal words at the place.
	byWordsAtPlace
	// byWords: equal words of a claim elsewhere.
	byWords
	// byRareWord: an identifier in common, at the place or near it.
	byRareWord
	// byPlace: other words at the place.
	byPlace
	// byNearness: other words near a claim.
	byNearness
)

// NearLines is how far from a claim's place a report may lie and still be about it:
// reviewers miscount.
const NearLines = 3

// match gives each entry at most one earlier violation, and each of these at most one
// entry. The rules are applied one after the other, each to what the rules before it
// left, and within a rule the best pairs go first. An open violation that nobody has
// claimed is only met by its own words: the reviewer was told not to report it again,
// so that other words at its place are another problem.
func (e *evaluator) match() {
	e.matchNamed()
	e.matchWordsAtPlace()
	e.suppress()
	e.matchWords()
	e.matchContained()
	e.matchRareWords()
	e.matchPlaces()
	e.matchNear()
}

// pair matches a report with an earlier violation, if both are still free.
func (e *evaluator) pair(rule matchRule, report, known int) bool {
	if e.about[report] >= 0 || e.matched[known] >= 0 {
		return false
	}
	e.about[report], e.matched[known], e.matchedBy[report] = known, report, rule
	r := &e.reports[report]
	r.Disposition, r.Reason, r.Match = Accepted, "", e.known[known].ID
	return true
}

// free reports whether the entry may still be matched.
func (e *evaluator) free(report int) bool {
	d := e.reports[report].Disposition
	return e.about[report] < 0 && d != Malformed && d != RememberedSkip
}

// matchNamed matches the entries that name a claim.
func (e *evaluator) matchNamed() {
	var ids map[string]int
	for i, r := range e.reports {
		if r.Claim == "" || !e.free(i) {
			continue
		}
		if ids == nil {
			ids = e.claimIDs()
		}
		if k, ok := ids[claimID(r.Claim)]; ok {
			e.pair(byClaim, i, k)
		}
	}
}

// claimIDs are the claims by their short ids and ULIDs.
func (e *evaluator) claimIDs() map[string]int {
	ids := map[string]int{}
	for i := range e.known {
		if k := &e.known[i]; k.claim() {
			ids[claimID(k.ShortID)], ids[claimID(k.ID)] = i, i
		}
	}
	return ids
}

func claimID(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// matchWordsAtPlace matches entries with violations that have their words at their
// place. Off the changed lines only what was verified there is met: there the
// reviewer takes back what it said.
func (e *evaluator) matchWordsAtPlace() {
	byWording := map[int][]int{}
	for i := range e.reports {
		if e.free(i) {
			byWording[e.wording[i]] = append(byWording[e.wording[i]], i)
		}
	}
	for wording, entries := range byWording {
		e.matchMeeting(byWordsAtPlace, entries, e.byWording[wording], 0, func(report int, k *Known) bool {
			return k.Status != StatusSkipped &&
				(e.reports[report].Disposition != OutOfDiff || k.claim() || k.Status == StatusVerified)
		})
	}
}

// maxCandidates bounds how many violations with one word, at one place, an entry is
// compared with.
const maxCandidates = 16

// matchRareWords matches entries with violations that share an identifier of the code
// with them: claims at the place or near it, and what was verified at the place. An entry
// about the whole change may be about a claim anywhere.
func (e *evaluator) matchRareWords() {
	var pairs []rankedPair
	for i := range e.reports {
		if !e.free(i) || e.bypasses[i] || e.repeatsOther(i) {
			continue
		}
		place := e.reports[i].Place
		shared := map[int]int{}
		nearest := map[int]indexedPlace{}
		for _, word := range e.rare.ofEntry(i) {
			seen, looked := map[int]bool{}, 0
			for p := range e.wordPlaces(i, word) {
				if looked++; looked > maxCandidates {
					break
				}
				k := &e.known[p.item]
				if !e.reworded(p.item) || !k.claim() && (e.reports[i].WholeChange || gap(p.Place, place) > 0) || e.matched[p.item] >= 0 {
					continue
				}
				if !seen[p.item] {
					seen[p.item] = true
					shared[p.item]++
				}
				if old, ok := nearest[p.item]; !ok || gap(p.Place, place) < gap(old.Place, place) {
					nearest[p.item] = p
				}
			}
		}
		for k, n := range shared {
			rank := e.rank(k, nearest[k].Place, place)
			rank.words = -n
			pairs = append(pairs, rankedPair{rank, k, i})
		}
	}
	slices.SortFunc(pairs, compareRankedPairs)
	for _, p := range pairs {
		e.pair(byRareWord, p.report, p.known)
	}
}

// wordPlaces are the places of earlier violations that have a word in common with the entry,
// and of which one may be meant: those near it, or any if it is about the whole change.
func (e *evaluator) wordPlaces(report int, word string) iter.Seq[indexedPlace] {
	place := e.reports[report].Place
	if e.reports[report].WholeChange {
		return slices.Values(e.rare.anywhere(word))
	}
	return e.rare.places(word, place.File).near(place, NearLines)
}

// matchPlaces matches entries with claims, and with what was verified, at their place.
func (e *evaluator) matchPlaces() {
	e.matchMeeting(byPlace, e.freeEntries(func(r *Evaluated) bool { return r.Disposition == Accepted }), e.rewordable(), 0,
		func(int, *Known) bool { return true })
}

// matchNear matches entries off the changed lines with the claims near them:
// reviewers miscount and reword at once. On the changed lines a report next to a claim
// is one of its own, unless the change did no more to the claim's lines than to move
// them. What is below the threshold is not matched: it would be left out as well if it
// were on a changed line.
func (e *evaluator) matchNear() {
	entries := e.freeEntries(func(r *Evaluated) bool { return !e.belowThreshold(r) && !e.rules.Verify })
	entries = slices.DeleteFunc(entries, e.repeatsOther)
	e.matchMeeting(byNearness, entries, e.rewordable(), NearLines, func(report int, k *Known) bool {
		return k.claim() && (e.reports[report].Disposition == OutOfDiff || k.Shifted && !k.Rewritten)
	})
}

// repeatsOther reports whether the entry lies off the changed lines and says again, word
// for word, what is known at its place and is not a claim: then it is not about a claim
// that happens to be near. Tools list all that they see in a file each time.
func (e *evaluator) repeatsOther(report int) bool {
	r := &e.reports[report]
	if r.Disposition != OutOfDiff || len(e.byWording[e.wording[report]]) == 0 {
		return false
	}
	looked := 0
	for p := range e.worded(report).near(r.Place, 0) {
		if k := &e.known[p.item]; !k.claim() && k.Status != StatusVerified {
			return true
		}
		if looked++; looked == maxCandidates {
			break
		}
	}
	return false
}

func (e *evaluator) freeEntries(fits func(*Evaluated) bool) (list []int) {
	for i := range e.reports {
		if e.free(i) && !e.bypasses[i] && fits(&e.reports[i]) {
			list = append(list, i)
		}
	}
	return list
}

// rewordable are the earlier violations that a report in other words may be about.
func (e *evaluator) rewordable() (list []int) {
	for i := range e.known {
		if e.matched[i] < 0 && e.reworded(i) {
			list = append(list, i)
		}
	}
	return list
}

// reworded reports whether a report in other words may be about the violation: about
// a claim of which the answer does not say that it is fixed, and about what was
// verified.
func (e *evaluator) reworded(known int) bool {
	k := &e.known[known]
	return k.Status != StatusSkipped && (k.WasClaim || !k.Status.Open()) && !e.saidFixed(known)
}

// rank is how well a report and an earlier violation go together; the smaller, the
// better, and what comes first counts most.
type rank struct {
	words, gap int
	rewritten  bool // lines of the violation are gone, so that another is more likely meant
	other      bool // the violation is another slot's
	overlap    int  // negative: the larger, the better
	start      int  // how far apart they begin
	severity   int  // in a verdict: of several that may be meant, the worst gets the new words
}

func (e *evaluator) rank(known int, here, place Place) rank {
	k := &e.known[known]
	r := rank{
		gap: gap(here, place), rewritten: k.Rewritten, other: k.Slot != e.rules.Slot,
		overlap: -overlap(here, place), start: abs(here.Start - place.Start),
	}
	if e.rules.Verify {
		r.severity = k.Priority.Rank()
	}
	return r
}

func compareRanks(a, b rank) int {
	return cmp.Or(cmp.Compare(a.words, b.words), cmp.Compare(a.gap, b.gap),
		compareBool(a.rewritten, b.rewritten), compareBool(a.other, b.other),
		cmp.Compare(a.overlap, b.overlap), cmp.Compare(a.start, b.start), cmp.Compare(a.severity, b.severity))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

type rankedPair struct {
	rank          rank
	known, report int
}

func compareRankedPairs(a, b rankedPair) int {
	return cmp.Or(compareRanks(a.rank, b.rank), cmp.Compare(a.known, b.known), cmp.Compare(a.report, b.report)) // known is in order of age
}

// placeGroup are entries, or earlier violations, that do not differ in anything that
// ranks their pairs, or that decides whether they may be matched.
type placeGroup struct {
	place Place
	items []int
}

// groupPair is a pair of groups; known and report are the first of each.
type groupPair struct {
	rankedPair
	violations, entries int // indexes of the groups
}

// matchMeeting matches entries with violations at most the given number of lines from
// their place. Those at the same place are treated as a group, so that many of them
// do not multiply the pairs.
func (e *evaluator) matchMeeting(rule matchRule, entries, violations []int, lines int, fits func(report int, k *Known) bool) {
	knownGroups, entryGroups := e.groupKnown(violations), e.groupEntries(entries)
	var places []indexedPlace
	for g, group := range knownGroups {
		places = append(places, indexedPlace{group.place, g})
	}
	index := indexPlaces(places)
	var pairs []groupPair
	for g, group := range entryGroups {
		for p := range index.near(group.place, lines) {
			first := knownGroups[p.item].items[0]
			pairs = append(pairs, groupPair{rankedPair{e.rank(first, p.Place, group.place), first, group.items[0]}, p.item, g})
		}
	}
	slices.SortFunc(pairs, func(a, b groupPair) int { return compareRankedPairs(a.rankedPair, b.rankedPair) })
	for _, p := range pairs {
		e.matchGroups(rule, entryGroups[p.entries].items, knownGroups[p.violations].items, fits)
	}
}

// matchGroups matches what is free in two groups, in order. Only a free entry tells whether
// the groups fit: one that is matched counts as on a changed line.
func (e *evaluator) matchGroups(rule matchRule, entries, violations []int, fits func(report int, k *Known) bool) {
	for _, report := range entries {
		if !e.free(report) {
			continue
		}
		if len(violations) == 0 || !fits(report, &e.known[violations[0]]) {
			return
		}
		for len(violations) > 0 && !e.pair(rule, report, violations[0]) {
			violations = violations[1:]
		}
	}
}

func (e *evaluator) groupKnown(violations []int) []placeGroup {
	type key struct {
		place     Place
		slot      bool
		severity  int
		status    Status
		claim     bool
		rewritten bool
		shifted   bool
	}
	var groups groups[key]
	for _, i := range violations {
		k := &e.known[i]
		severity := 0
		if e.rules.Verify {
			severity = k.Priority.Rank()
		}
		for _, place := range k.places() {
			groups.add(key{place, k.Slot == e.rules.Slot, severity, k.Status, k.claim(), k.Rewritten, k.Shifted}, place, i)
		}
	}
	return groups.list
}

func (e *evaluator) groupEntries(entries []int) []placeGroup {
	type key struct {
		place       Place
		disposition Disposition
	}
	var groups groups[key]
	for _, i := range entries {
		r := &e.reports[i]
		groups.add(key{r.Place, r.Disposition}, r.Place, i)
	}
	return groups.list
}

// groups collects groups by their key, in the order in which these first came.
type groups[K comparable] struct {
	list []placeGroup
	at   map[K]int
}

func (g *groups[K]) add(key K, place Place, item int) {
	n, ok := g.at[key]
	if !ok {
		if g.at == nil {
			g.at = map[K]int{}
		}
		n = len(g.list)
		g.at[key] = n
		g.list = append(g.list, placeGroup{place: place})
	}
	g.list[n].items = append(g.list[n].items, item)
}

package ledger

import (
	"cmp"
	"slices"
)

// Facet is one value to which a list can be narrowed, with the number of violations that remain, and
// the filter of the narrowed list.
type Facet struct {
	Value string
	Count
}

// Facets are the values to which a list of violations can be narrowed: at most eight of each kind,
// the most frequent first. The numbers of a kind ignore the filter of that kind, so that another
// value can be chosen instead.
type Facets struct {
	Violations                            Count
	Statuses, Priorities, Gates, Adapters []Facet
	Folders                               []Facet // the first folder of the path; "" is the root
	Recurring, Alone, InFixLines          *Count  // nil if there are too many to count
	NoDuplicates                          *Count  // each problem counts once; nil if there are too many to count
	FoldersUnknown, Unknown               bool    // there are too many to count
	// Others counts the values of each kind that are not listed.
	Others struct{ Statuses, Priorities, Gates, Adapters, Folders int }
}

// FacetTotals counts the violations that have all of these values in common.
type FacetTotals struct {
	EntryPoint, Gate, Adapter string
	Iteration                 int
	Priority                  Priority
	Status                    Status // as shown
	Reason                    string
	Shared, InFixLines        bool
	Recurring                 bool
	Folder                    string
	Violations                int
}

// facetValues is the largest number of values of a kind that are listed.
const facetValues = 8

// FacetsOf returns the facets of a list. The totals are filtered by everything except the fields of
// [FacetTotals]: status, priority, reason, iteration, gate, adapter and the yes-or-no filters. If the
// totals do not have folders, [Facets.SetFolders] adds them.
func FacetsOf(f ViolationFilter, totals []FacetTotals) Facets {
	out := Facets{Violations: Count{f.countTotals(totals), f}, FoldersUnknown: true}
	for _, kind := range []struct {
		list   *[]Facet
		others *int
		value  func(FacetTotals) string
		set    func(*ViolationFilter, string)
	}{
		{&out.Statuses, &out.Others.Statuses, func(t FacetTotals) string { return string(t.Status) }, func(f *ViolationFilter, v string) { f.Statuses = one[Status](v) }},
		{&out.Priorities, &out.Others.Priorities, func(t FacetTotals) string { return string(t.Priority) }, func(f *ViolationFilter, v string) { f.Priorities = one[Priority](v) }},
		{&out.Gates, &out.Others.Gates, func(t FacetTotals) string { return t.Gate }, func(f *ViolationFilter, v string) { f.Gate = v }},
		{&out.Adapters, &out.Others.Adapters, func(t FacetTotals) string { return t.Adapter }, func(f *ViolationFilter, v string) { f.Adapter = v }},
	} {
		free := f
		kind.set(&free, "")
		*kind.list, *kind.others = facetsBy(free, free.totalsBy(totals, kind.value), kind.set)
	}
	for _, flag := range []struct {
		count **Count
		set   func(*ViolationFilter)
	}{
		{&out.Recurring, func(f *ViolationFilter) { f.Recurring = true }},
		{&out.Alone, func(f *ViolationFilter) { f.Alone = true }},
		{&out.InFixLines, func(f *ViolationFilter) { f.InFixLines = true }},
		{&out.NoDuplicates, func(f *ViolationFilter) { f.NoDuplicates = true }},
	} {
		on := f
		flag.set(&on)
		*flag.count = &Count{on.countTotals(totals), on}
	}
	return out
}

// SetFolders sets how many violations each folder has.
func (s *Facets) SetFolders(folders map[string]int) {
	s.FoldersUnknown = false
	s.Folders, s.Others.Folders = facetsBy(s.Violations.Filter, folders, setFolder)
}

// FoldersOf counts violations by folder, from totals that have folders.
func FoldersOf(f ViolationFilter, totals []FacetTotals) map[string]int {
	return f.totalsBy(totals, func(t FacetTotals) string { return t.Folder })
}

// one returns a list with the word, or an empty list for "".
func one[T ~string](word string) []T {
	if word == "" {
		return nil
	}
	return []T{T(word)}
}

func setFolder(f *ViolationFilter, folder string) {
	if folder != "" {
		f.File = EscapePattern(folder) + "/**"
	} else {
		f.File = "*"
	}
}

func facetsBy(f ViolationFilter, counts map[string]int, set func(*ViolationFilter, string)) (list []Facet, others int) {
	for word, n := range counts {
		with := f
		set(&with, word)
		list = append(list, Facet{word, Count{n, with}})
	}
	slices.SortFunc(list, func(a, b Facet) int { return cmp.Or(b.Violations-a.Violations, cmp.Compare(a.Value, b.Value)) })
	shown := min(len(list), facetValues)
	return list[:shown], len(list) - shown
}

// totalsBy counts the violations that the filter keeps, by a value.
func (f ViolationFilter) totalsBy(totals []FacetTotals, value func(FacetTotals) string) map[string]int {
	counts := map[string]int{}
	for _, t := range totals {
		if f.KeepsTotals(t) {
			counts[value(t)] += t.Violations
		}
	}
	return counts
}

func (f ViolationFilter) countTotals(totals []FacetTotals) (n int) {
	for _, t := range totals {
		if f.KeepsTotals(t) {
			n += t.Violations
		}
	}
	return n
}

// KeepsTotals reports whether the filter keeps the violations, judging by what the totals have.
func (f ViolationFilter) KeepsTotals(t FacetTotals) bool {
	reason := SkipReason(t.Reason)
	if reason == "" {
		reason = NoReason
	}
	return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, t.Status)) && (!f.NoDuplicates || t.Status != StatusDuplicate) &&
		(len(f.Priorities) == 0 || slices.Contains(f.Priorities, t.Priority)) &&
		(len(f.Reasons) == 0 || t.Status == StatusSkipped && slices.Contains(f.Reasons, reason)) &&
		(f.Gate == "" || f.Gate == t.Gate) && (f.EntryPoint == "" || f.EntryPoint == t.EntryPoint) &&
		(f.Adapter == "" || f.Adapter == t.Adapter) &&
		(f.Iteration == 0 || f.Iteration == t.Iteration) &&
		(!f.Alone || !t.Shared) && (!f.InFixLines || t.InFixLines) && (!f.Recurring || t.Recurring)
}

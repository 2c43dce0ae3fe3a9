package ledger

import (
	"cmp"
	"slices"
)

// Facet is how many violations a list has with one value more; its filter is that of the
// list with it.
type Facet struct {
	Value string
	Count
}

// Facets are what a list of violations can be narrowed to: of each kind at most eight
// values, the most frequent first. The numbers of a kind are those without the filter of
// that kind, so that another value can be chosen instead.
type Facets struct {
	Violations                            Count
	Statuses, Priorities, Gates, Adapters []Facet
	Folders                               []Facet // the first folder of the path; "": none
	Recurring, Alone, InFixLines          *Count  // nil: too many to count
	FoldersUnknown, Unknown               bool    // too many to count
}

// FacetTotals are violations that have all of these in common, counted.
type FacetTotals struct {
	ViolationTotals
	Folder    string
	Recurring bool
}

// facetValues is how many values a kind of facets has at most.
const facetValues = 8

// FacetsOf makes the facets of a list. The totals are those that the filter leaves, but
// for what they say themselves: status, priority, reason, iteration, gate, adapter and the
// yes-or-no filters. Where withFolders is false, they know neither folders nor what recurs.
func FacetsOf(f ViolationFilter, totals []FacetTotals, withFolders bool) Facets {
	out := Facets{Violations: Count{Filter: f}, FoldersUnknown: !withFolders}
	kinds := []struct {
		list  *[]Facet
		value func(FacetTotals) string
		set   func(*ViolationFilter, string)
	}{
		{&out.Statuses, func(t FacetTotals) string { return string(t.Status) }, func(f *ViolationFilter, v string) { f.Statuses = one[Status](v) }},
		{&out.Priorities, func(t FacetTotals) string { return string(t.Priority) }, func(f *ViolationFilter, v string) { f.Priorities = one[Priority](v) }},
		{&out.Gates, func(t FacetTotals) string { return t.Gate }, func(f *ViolationFilter, v string) { f.Gate = v }},
		{&out.Adapters, func(t FacetTotals) string { return t.Adapter }, func(f *ViolationFilter, v string) { f.Adapter = v }},
	}
	flags := []struct {
		count **Count
		is    func(FacetTotals) bool
		set   func(*ViolationFilter, bool)
	}{
		{&out.Alone, func(t FacetTotals) bool { return !t.Shared }, func(f *ViolationFilter, on bool) { f.Alone = on }},
		{&out.InFixLines, func(t FacetTotals) bool { return t.InFixLines }, func(f *ViolationFilter, on bool) { f.InFixLines = on }},
	}
	out.Violations.Violations = f.countTotals(totals)
	for _, kind := range kinds {
		free := f
		kind.set(&free, "")
		*kind.list = facetsBy(free, totals, kind.value, kind.set)
	}
	for _, flag := range flags {
		on := f
		flag.set(&on, true)
		*flag.count = &Count{Violations: on.countTotals(totals), Filter: on}
	}
	if withFolders {
		out.Folders = facetsBy(f, totals, func(t FacetTotals) string { return t.Folder }, setFolder)
		recurring := slices.DeleteFunc(slices.Clone(totals), func(t FacetTotals) bool { return !t.Recurring })
		on := f
		on.Recurring = true
		out.Recurring = &Count{Violations: f.countTotals(recurring), Filter: on}
	}
	return out
}

// one is a list of one word, or an empty one of none.
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

func facetsBy(f ViolationFilter, totals []FacetTotals, value func(FacetTotals) string, set func(*ViolationFilter, string)) []Facet {
	counts := map[string]int{}
	for _, t := range totals {
		if f.keepsTotals(t) {
			counts[value(t)] += t.Violations
		}
	}
	var list []Facet
	for word, n := range counts {
		with := f
		set(&with, word)
		list = append(list, Facet{word, Count{n, with}})
	}
	slices.SortFunc(list, func(a, b Facet) int { return cmp.Or(b.Violations-a.Violations, cmp.Compare(a.Value, b.Value)) })
	return list[:min(len(list), facetValues)]
}

func (f ViolationFilter) countTotals(totals []FacetTotals) (n int) {
	for _, t := range totals {
		if f.keepsTotals(t) {
			n += t.Violations
		}
	}
	return n
}

// keepsTotals reports whether the filter leaves the violations, as far as totals tell.
func (f ViolationFilter) keepsTotals(t FacetTotals) bool {
	reason := SkipReason(t.Reason)
	if reason == "" {
		reason = NoReason
	}
	return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, t.Status)) &&
		(len(f.Priorities) == 0 || slices.Contains(f.Priorities, t.Priority)) &&
		(len(f.Reasons) == 0 || t.Status == StatusSkipped && slices.Contains(f.Reasons, reason)) &&
		(f.Gate == "" || f.Gate == t.Gate) && (f.EntryPoint == "" || f.EntryPoint == t.EntryPoint) &&
		(f.Adapter == "" || f.Adapter == t.Adapter) &&
		(f.Iteration == 0 || f.Iteration == t.Iteration) &&
		(!f.Alone || !t.Shared) && (!f.InFixLines || t.InFixLines)
}

package ledger

import (
	"cmp"
	"slices"
)

// Count is a number of violations, with the filter that lists exactly those.
type Count struct {
	Violations int
	Filter     ViolationFilter
}

// Statistics are counts across iterations and runs.
type Statistics struct {
	Filter StatisticsFilter
	// Runs counts the gates runs that began in the period, Passed those that
	// have passed; IterationsToPass are the iterations of the latter, by how
	// many runs took that many.
	Runs, Passed     int
	IterationsToPass map[int]int
	// Violations are those first reported in the period.
	Violations, Open, Claimed, Verified, Skipped Count
	// Abandoned are those that were open when their run was abandoned.
	Abandoned Count
	SkippedBy map[SkipReason]Count
	// Confirmed and Contradicted are what reviewers said of claims.
	Confirmed, Contradicted int
	// InFixLines are violations in lines that the previous fix changed.
	InFixLines Count
	Iterations []IterationStatistics
	Adapters   []AdapterStatistics
	Gates      []GateStatistics
	Files      []FileStatistics
	Recurring  []Recurrence
	Saved      Saved
}

// IterationStatistics are all iterations of one number.
type IterationStatistics struct {
	Number int
	// New are the violations first reported in it, Skipped those of them that
	// are skipped now.
	New, Skipped Count
	// Carried, Verified and Reopened count what slots said: violations carried
	// along unaddressed, claims confirmed and claims contradicted.
	Carried, Verified, Reopened int
}

// AdapterStatistics are the slots that one adapter filled, and the violations
// that it was the first to report.
type AdapterStatistics struct {
	Adapter string
	// Runs counts its answers and errors, Skips the slots that were not asked.
	Runs, Errors, Skips int
	Reports             int // all that it said, whatever became of it
	Discarded           map[Disposition]int
	Violations          Count
	// Confirmed are those whose fix was confirmed.
	Confirmed Count
	SkippedBy map[SkipReason]Count
	// Alone are those that no other adapter reported.
	Alone                     Count
	InputTokens, OutputTokens int64
	// CostUSD is what it said it cost; Costed counts the slots that said so.
	CostUSD    float64
	Costed     int
	WithTokens int
}

// CostPerConfirmed is the cost in US dollars of a confirmed violation; ok is
// false if there is none, or if no cost is known.
func (a AdapterStatistics) CostPerConfirmed() (cost float64, ok bool) {
	if a.Confirmed.Violations == 0 || a.Costed == 0 {
		return 0, false
	}
	return a.CostUSD / float64(a.Confirmed.Violations), true
}

// GateStatistics are the violations of one review gate.
type GateStatistics struct {
	EntryPoint, Gate string
	Violations, Open Count
}

// FileStatistics are the violations of one file.
type FileStatistics struct {
	File       string
	Repository int64 // as in [Sighting]
	Violations Count
	Runs       int
}

// Compute makes statistics of their rows.
func Compute(rows Rows, f StatisticsFilter) Statistics {
	base := f.violations()
	s := Statistics{
		Filter: f, IterationsToPass: map[int]int{}, SkippedBy: map[SkipReason]Count{}, Saved: rows.Saved,
		Violations: Count{Filter: base}, Open: Count{Filter: base.with(StatusNew, StatusReopened)},
		Claimed: Count{Filter: base.with(StatusFixed)}, Verified: Count{Filter: base.with(StatusVerified)},
		Skipped: Count{Filter: base.with(StatusSkipped)}, Abandoned: Count{Filter: base.with(StatusLeft)},
	}
	s.InFixLines.Filter = base
	s.InFixLines.Filter.InFixLines = true
	s.countRuns(rows.Runs)
	iterations, adapters, gates := s.groups()
	for _, v := range rows.Violations {
		s.countViolations(v)
		iterations.at(v.Iteration).count(v)
		adapters.at(v.Adapter).count(v)
		gates.at(gateKey{v.EntryPoint, v.Gate}).count(v)
	}
	for _, t := range rows.Slots {
		s.Confirmed += t.Counts.Verified
		s.Contradicted += t.Counts.Reopened
		iterations.at(t.Iteration).add(t)
		adapters.at(t.Adapter).add(t)
	}
	s.Iterations, s.Adapters = iterations.list(), adapters.list()
	slices.SortFunc(s.Iterations, func(a, b IterationStatistics) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(s.Adapters, func(a, b AdapterStatistics) int { return cmp.Compare(a.Adapter, b.Adapter) })
	s.Gates = gates.list()
	slices.SortFunc(s.Gates, func(a, b GateStatistics) int {
		return cmp.Or(-cmp.Compare(a.Violations.Violations, b.Violations.Violations), cmp.Compare(a.EntryPoint, b.EntryPoint), cmp.Compare(a.Gate, b.Gate))
	})
	s.Gates = s.Gates[:top(len(s.Gates), f.Top)]
	s.Files = filesOf(rows.Sightings, f)
	s.Recurring = recurring(rows.Sightings, f)
	return s
}

func (f ViolationFilter) with(statuses ...Status) ViolationFilter {
	f.Statuses = statuses
	return f
}

func top(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

func (s *Statistics) countRuns(runs []Run) {
	s.Runs = len(runs)
	for _, run := range runs {
		if run.Status.Passes() {
			s.Passed++
			s.IterationsToPass[run.Iterations]++
		}
	}
}

func (s *Statistics) countViolations(v ViolationTotals) {
	s.Violations.Violations += v.Violations
	switch {
	case v.Status.Open():
		s.Open.Violations += v.Violations
	case v.Status == StatusLeft:
		s.Abandoned.Violations += v.Violations
	case v.Status == StatusFixed:
		s.Claimed.Violations += v.Violations
	case v.Status == StatusVerified:
		s.Verified.Violations += v.Violations
	case v.Status == StatusSkipped:
		s.Skipped.Violations += v.Violations
		countReason(s.SkippedBy, s.Violations.Filter, v)
	}
	if v.InFixLines {
		s.InFixLines.Violations += v.Violations
	}
}

func countReason(by map[SkipReason]Count, base ViolationFilter, v ViolationTotals) {
	reason := SkipReason(v.Reason)
	if reason == "" {
		reason = NoReason
	}
	count := by[reason]
	count.Filter = base
	count.Filter.Statuses, count.Filter.Reasons = []Status{StatusSkipped}, []SkipReason{reason}
	count.Violations += v.Violations
	by[reason] = count
}

// grouped keeps one value for each key, in the order in which they were met.
type grouped[K comparable, V any] struct {
	make   func(K) V
	values map[K]*V
	order  []K
}

func (g *grouped[K, V]) at(key K) *V {
	if v := g.values[key]; v != nil {
		return v
	}
	v := g.make(key)
	g.values[key] = &v
	g.order = append(g.order, key)
	return &v
}

func (g *grouped[K, V]) list() []V {
	list := make([]V, 0, len(g.order))
	for _, key := range g.order {
		list = append(list, *g.values[key])
	}
	return list
}

func group[K comparable, V any](make func(K) V) *grouped[K, V] {
	return &grouped[K, V]{make: make, values: map[K]*V{}}
}

type gateKey struct{ entryPoint, gate string }

// groups makes the groups that are counted by.
func (s *Statistics) groups() (*grouped[int, IterationStatistics], *grouped[string, AdapterStatistics], *grouped[gateKey, GateStatistics]) {
	base := s.Violations.Filter
	iterations := group(func(number int) IterationStatistics {
		f := base
		f.Iteration = number
		return IterationStatistics{Number: number, New: Count{Filter: f}, Skipped: Count{Filter: f.with(StatusSkipped)}}
	})
	adapters := group(func(adapter string) AdapterStatistics {
		f := base
		f.Adapter = adapter
		alone := f
		alone.Alone = true
		return AdapterStatistics{
			Adapter: adapter, Discarded: map[Disposition]int{}, SkippedBy: map[SkipReason]Count{},
			Violations: Count{Filter: f}, Confirmed: Count{Filter: f.with(StatusVerified)}, Alone: Count{Filter: alone},
		}
	})
	gates := group(func(key gateKey) GateStatistics {
		f := base
		f.EntryPoint, f.Gate = key.entryPoint, key.gate
		return GateStatistics{
			EntryPoint: key.entryPoint, Gate: key.gate,
			Violations: Count{Filter: f}, Open: Count{Filter: f.with(StatusNew, StatusReopened)},
		}
	})
	return iterations, adapters, gates
}

func (i *IterationStatistics) count(v ViolationTotals) {
	i.New.Violations += v.Violations
	if v.Status == StatusSkipped {
		i.Skipped.Violations += v.Violations
	}
}

func (i *IterationStatistics) add(t SlotTotals) {
	i.Carried += t.Counts.Carried
	i.Verified += t.Counts.Verified
	i.Reopened += t.Counts.Reopened
}

func (g *GateStatistics) count(v ViolationTotals) {
	g.Violations.Violations += v.Violations
	if v.Status.Open() {
		g.Open.Violations += v.Violations
	}
}

func (a *AdapterStatistics) count(v ViolationTotals) {
	a.Violations.Violations += v.Violations
	switch v.Status {
	case StatusVerified:
		a.Confirmed.Violations += v.Violations
	case StatusSkipped:
		countReason(a.SkippedBy, a.Violations.Filter, v)
	}
	if !v.Shared {
		a.Alone.Violations += v.Violations
	}
}

func (a *AdapterStatistics) add(t SlotTotals) {
	a.Runs += t.Answered + t.Errors
	a.Errors += t.Errors
	a.Skips += t.Skipped
	a.Reports += t.Counts.Accepted + t.Counts.Discarded()
	for disposition, n := range map[Disposition]int{
		OutOfDiff: t.Counts.OutOfDiff, BelowThreshold: t.Counts.BelowThreshold, PreviouslySkipped: t.Counts.PreviouslySkipped,
		RememberedSkip: t.Counts.RememberedSkip, Malformed: t.Counts.Malformed, Merged: t.Counts.Merged, OutsideVerify: t.Counts.OutsideVerify,
	} {
		if n > 0 {
			a.Discarded[disposition] += n
		}
	}
	a.InputTokens += t.InputTokens
	a.OutputTokens += t.OutputTokens
	a.WithTokens += t.WithTokens
	a.CostUSD += t.CostUSD
	a.Costed += t.WithCost
}

// fileIn is a file of a repository: other repositories may have one of the same name.
type fileIn struct {
	repository int64
	file       string
}

func (f fileIn) compare(other fileIn) int {
	return cmp.Or(cmp.Compare(f.file, other.file), cmp.Compare(f.repository, other.repository))
}

// filesOf lists the files with most violations.
func filesOf(sightings []Sighting, f StatisticsFilter) []FileStatistics {
	count := make(map[fileIn]int, len(sightings))
	for _, s := range sightings {
		count[fileIn{s.Repository, s.File}]++
	}
	files := leading(count, f.Top, fileIn.compare)
	list := make([]FileStatistics, 0, len(files))
	runs := make(map[fileIn]map[string]bool, len(files))
	for _, file := range files {
		runs[file] = map[string]bool{}
	}
	for _, s := range sightings {
		if seen := runs[fileIn{s.Repository, s.File}]; seen != nil {
			seen[s.Run] = true
		}
	}
	for _, file := range files {
		filter := f.violations()
		filter.File = EscapePattern(file.file)
		list = append(list, FileStatistics{
			File: file.file, Repository: file.repository, Violations: Count{count[file], filter}, Runs: len(runs[file]),
		})
	}
	return list
}

// leading lists the keys of the greatest counts, at most limit of them if it is
// positive. Sorting all of them would take longer than counting them.
func leading[K comparable](count map[K]int, limit int, compare func(a, b K) int) []K {
	better := func(a, b K) int { return cmp.Or(-cmp.Compare(count[a], count[b]), compare(a, b)) }
	var keys []K
	least := 0
	for key, n := range count {
		full := limit > 0 && len(keys) == limit
		if full && (n < least || better(key, keys[limit-1]) > 0) {
			continue
		}
		if limit <= 0 {
			keys = append(keys, key)
			continue
		}
		if full {
			keys = keys[:limit-1]
		}
		i, _ := slices.BinarySearchFunc(keys, key, better)
		keys = slices.Insert(keys, i, key)
		least = count[keys[len(keys)-1]]
	}
	if limit <= 0 {
		slices.SortFunc(keys, better)
	}
	return keys
}

// sameLine is a fingerprint in a repository: other repositories may have the same.
type sameLine struct {
	repository  int64
	fingerprint string
}

func (l sameLine) compare(other sameLine) int {
	return cmp.Or(cmp.Compare(l.fingerprint, other.fingerprint), cmp.Compare(l.repository, other.repository))
}

// recurring lists the fingerprints that violations of most runs have, and at
// least two.
func recurring(sightings []Sighting, f StatisticsFilter) []Recurrence {
	first := make(map[sameLine]string, len(sightings))
	runs := map[sameLine]map[string]int{}
	for _, s := range sightings {
		if s.Fingerprint == "" {
			continue
		}
		line := sameLine{s.Repository, s.Fingerprint}
		run, met := first[line]
		switch {
		case !met:
			first[line] = s.Run
		case run != s.Run || runs[line] != nil:
			if runs[line] == nil {
				runs[line] = map[string]int{run: 1}
			}
			runs[line][s.Run]++
		}
	}
	count := make(map[sameLine]int, len(runs))
	for line, in := range runs {
		count[line] = len(in)
	}
	var list []Recurrence
	for _, line := range leading(count, f.Top, sameLine.compare) {
		filter := f.violations()
		filter.Fingerprint = line.fingerprint
		list = append(list, Recurrence{Fingerprint: line.fingerprint, Repository: line.repository, Runs: count[line], Filter: filter})
	}
	at := make(map[sameLine]int, len(list))
	for i, r := range list {
		at[sameLine{r.Repository, r.Fingerprint}] = i
	}
	for _, s := range sightings {
		if i, listed := at[sameLine{s.Repository, s.Fingerprint}]; listed {
			list[i].Violations++
		}
	}
	return list
}

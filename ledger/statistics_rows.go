package ledger

// StatisticsFilter selects what is counted. Zero fields do not filter.
type StatisticsFilter struct {
	// Period is when slots answered, violations were first reported and runs
	// began.
	Period           Period
	Run              string // ULID
	Branch, Worktree string
	Gate, EntryPoint string
	Adapter          string
	// Top is how many files, gates and recurring violations are listed.
	Top int
}

// violations is the filter of the violations that are counted.
func (f StatisticsFilter) violations() ViolationFilter {
	return ViolationFilter{
		Run: f.Run, Branch: f.Branch, Worktree: f.Worktree, Gate: f.Gate, EntryPoint: f.EntryPoint,
		Adapter: f.Adapter, Reported: f.Period,
	}
}

// SlotTotals are the slots of one gate, adapter and iteration number of a
// period, counted.
type SlotTotals struct {
	EntryPoint, Gate, Adapter        string
	Iteration                        int
	Slots, Answered, Errors, Skipped int
	Counts                           SlotCounts
	InputTokens, OutputTokens        int64
	CostUSD                          float64
	WithTokens, WithCost             int // how many slots said
}

// ViolationTotals are violations that one gate's slots with one adapter first
// reported in iterations of one number, with one status now, counted.
type ViolationTotals struct {
	EntryPoint, Gate, Adapter string
	Iteration                 int
	Status                    Status
	Reason                    string
	Shared, InFixLines        bool
	Violations                int
}

// Saved is what was not spent because slots had passed before: what the same
// slots spent when they passed.
type Saved struct {
	Slots   int
	Tokens  int64
	CostUSD float64
}

// Sighting is where one violation lies.
type Sighting struct {
	File, Fingerprint string
	Run               string // tells runs apart
	// Repository tells repositories apart; it is 0 where the ledger has one only.
	Repository int64
}

// Recurrence is a fingerprint that violations of several runs have.
type Recurrence struct {
	Fingerprint      string
	Repository       int64 // as in [Sighting]
	Violations, Runs int
	// Latest is the short id of the newest violation, whose words and place
	// these are.
	Latest, Job, File, Issue string
	Line                     int
	Filter                   ViolationFilter
}

// Rows are what a [Statistics] is computed from.
type Rows struct {
	Slots      []SlotTotals
	Violations []ViolationTotals
	Runs       []Run
	Saved      Saved
	Sightings  []Sighting
}

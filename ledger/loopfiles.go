package ledger

import (
	"slices"
	"strings"
)

// RunFile is the file in a log directory that says to which loop its files belong.
type RunFile struct {
	Run       string `json:"run"`       // ULID
	Iteration int    `json:"iteration"` // the newest
	// BaseRef and Base are those of the [Run]: the base of the run's whole diff.
	BaseRef string `json:"base_ref"`
	Base    string `json:"base"`
	// Rests reports whether its gates rest on an earlier pass, and Moved whether its base has moved
	// since its first iteration.
	Rests bool `json:"rests,omitempty"`
	Moved bool `json:"moved,omitempty"`
	// Branch and Head are what was checked out, and Source where the diff of the first iteration came
	// from.
	Branch string `json:"branch,omitempty"`
	Head   string `json:"head,omitempty"`
	Source Source `json:"source,omitempty"`
	// Failed are the iterations that count for the retry limit, or nil if that is not known, and
	// Extended is how many more persons have allowed.
	Failed   []int `json:"failed,omitzero"`
	Extended int   `json:"extended,omitempty"`
}

// LoopFiles is what is found in a log directory to decide which loop it belongs to.
type LoopFiles struct {
	// HasLogs reports whether there are logs of a loop.
	HasLogs bool
	// Begun is the run that this checkout has begun and not ended, or "". A fresh clone, which may
	// share the ledger, has begun none.
	Begun string
	// Highest is the highest iteration in the name of a file.
	Highest int
	// Run is nil if the directory does not name the loop of its files, or if its file cannot be
	// read; then RunErr is why.
	Run    *RunFile
	RunErr error
}

// LoopFile identifies a check's log (slot 0), or a slot's files, of one iteration.
type LoopFile struct {
	FileID          string // the sanitized job id
	Slot, Iteration int
}

// Standing is whether the ledger has the run that a file names, and whether it is open.
type Standing string

// The standings.
const (
	RunUnknown Standing = "unknown"
	RunOpen    Standing = "open"
	RunClosed  Standing = "closed"
)

// LoopFacts is what decides which loop the files in a log directory belong to.
type LoopFacts struct {
	LoopFiles
	// Named is the standing of the run that the directory names, or "" if it names none.
	Named Standing
	// Open is the state of the open run that was started in this place, or nil.
	Open *State
	// Found are the files of slots and checks in the directory. They matter only if
	// [LoopFacts.ByFiles] returns true.
	Found []LoopFile
}

// LoopOwner is the loop that the files in a log directory belong to.
type LoopOwner string

// The owners.
const (
	// NoLoop: there are no logs, so this is a first run.
	NoLoop LoopOwner = "none"
	// EmptiedLoop: there are no logs, but this checkout has begun the open run: somebody deleted
	// them. The run goes on, and its next iteration compares as a first one does.
	EmptiedLoop LoopOwner = "emptied"
	// OwnLoop: they belong to the open run.
	OwnLoop LoopOwner = "own"
	// EndedLoop: they belong to a closed run, and were not archived because of a crash.
	EndedLoop LoopOwner = "ended"
	// LostLoop: their loop is not in the ledger, which restores it.
	LostLoop LoopOwner = "lost"
	// OtherLoop: their loop is not in the ledger, and an open run here has findings that would be
	// forgotten if the ledger restored the loop.
	OtherLoop LoopOwner = "other"
)

// GoesOn reports whether the next iteration belongs to the open run.
func (o LoopOwner) GoesOn() bool { return o == OwnLoop || o == EmptiedLoop }

// ByFiles reports whether the files themselves decide, because the directory does not name the open
// run.
func (f LoopFacts) ByFiles() bool {
	return f.HasLogs && f.Open != nil && (f.Run == nil || f.Run.Run != f.Open.Run.ID)
}

// Owner decides which loop the files belong to. If the directory names a run, that comes first. If
// it does not, as with loops of other tools and earlier versions, files that the open run knows are
// its own. A loop that is not in the ledger never replaces an open run that has findings. Deleted
// logs end no run of this checkout.
//
// Rule: Deleting the database loses history, never the loop.
// Rule: The log directory decides between first run and rerun.
func (f LoopFacts) Owner() LoopOwner {
	switch {
	case !f.HasLogs && f.Open != nil && f.Begun == f.Open.Run.ID:
		return EmptiedLoop
	case !f.HasLogs:
		return NoLoop
	case f.Open == nil && f.Named == RunClosed:
		return EndedLoop
	case f.Open == nil:
		return LostLoop
	case !f.ByFiles():
		return OwnLoop
	case (f.Run == nil || onlyRebuilt(f.Open)) && f.knowsFound():
		return OwnLoop
	case len(f.Open.Violations) > 0:
		return OtherLoop
	case f.Named == RunClosed:
		return EndedLoop
	}
	return LostLoop
}

// knowsFound reports whether the open run has rows of all files, except those of later iterations
// with which another tool continued.
func (f LoopFacts) knowsFound() bool {
	last, known, later := f.Open.LastIteration(), knownFiles(f.Open), 0
	for _, file := range f.Found {
		switch {
		case file.Iteration > last:
			later++
		case !known[file]:
			return false
		}
	}
	return later == 0 || later < len(f.Found)
}

// onlyRebuilt reports whether the run was restored from files that another run or tool wrote, and
// has executed nothing since.
func onlyRebuilt(state *State) bool {
	return len(state.Iterations) > 0 && state.Iterations[len(state.Iterations)-1].Mode == ModeRebuilt
}

// knownFiles returns the files that the run's rows mention.
func knownFiles(state *State) map[LoopFile]bool {
	known := map[LoopFile]bool{}
	for _, gate := range state.Gates {
		id := Sanitize(gate.Job)
		known[LoopFile{id, 0, gate.Iteration}] = true
		for _, slot := range gate.Slots {
			known[LoopFile{id, slot.Index, slot.Iteration}] = true
		}
	}
	return known
}

// IsULID reports whether the text has the form of a ULID.
func IsULID(id string) bool {
	return len(id) == 26 && id[0] <= '7' && strings.Trim(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// LatestDocument returns the latest row of the slot that has a JSON file, or nil.
func (s *State) LatestDocument(job string, index int) *Slot {
	for _, slot := range s.LatestDocuments() {
		if slot.Job == job && slot.Index == index {
			return &slot
		}
	}
	return nil
}

// OlderDocuments returns the other rows of the slot that have a JSON file.
func (s *State) OlderDocuments(newest Slot) (older []Slot) {
	for _, gate := range s.Gates {
		for _, slot := range gate.Slots {
			if slot.Job == newest.Job && slot.Index == newest.Index && slot.Iteration < newest.Iteration && slot.Listed > 0 {
				older = append(older, slot)
			}
		}
	}
	return older
}

// LatestDocuments returns, for every slot of the run, the latest row that has a JSON file. The
// latest rows come first.
func (s *State) LatestDocuments() []Slot {
	var latest []Slot
	for n := len(s.Gates) - 1; n >= 0; n-- {
		for _, slot := range s.Gates[n].Slots {
			seen := slices.ContainsFunc(latest, func(other Slot) bool { return other.Job == slot.Job && other.Index == slot.Index })
			if !seen && (slot.Status.Answered() || slot.Status == SlotSkipped || slot.Listed > 0) {
				latest = append(latest, slot)
			}
		}
	}
	return latest
}

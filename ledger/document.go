package ledger

import (
	"strconv"
	"time"
)

// SlotDocument is the content of a slot's JSON file: the slot, its reviewer's raw answer, and the
// violations that the agent must address.
type SlotDocument struct {
	Job       string
	Slot      int
	Adapter   string
	Iteration int
	At        time.Time
	Status    SlotStatus
	RawOutput string
	// PassIteration is set only on a skipped slot.
	PassIteration int
	Violations    []SlotEntry
	// Filtered lists filtered reports. The file shows them; edits of them have no effect.
	Filtered []FilteredEntry
}

// SlotEntry is one violation as a slot's JSON file shows it. Its keys are written in this order.
type SlotEntry struct {
	ID       string `json:"id"` // the violation's short id; empty in files of other tools
	File     string `json:"file"`
	Line     int    `json:"line"`               // 0 if the violation is about the whole file
	EndLine  int    `json:"end_line,omitempty"` // the last line of a range, or equal to Line
	Issue    string `json:"issue"`
	Fix      string `json:"fix,omitempty"`
	Priority string `json:"priority"`
	// Status is new, fixed, skipped, disputed or duplicate in files that this program writes. A
	// file that is read may have anything.
	Status string `json:"status"`
	// Result is nil if the file has null or does not have the key.
	Result *string `json:"result"`
	// Reason is the reason of a skip, and Fingerprint identifies the line across runs. Both may be
	// empty, and are read only when a run is restored from its files.
	Reason      string `json:"reason,omitempty" column:"-"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// Said is the reviewer's answer to the latest claim or dispute of an open violation, and
	// Reopened whether that answer reopened it. They are written but never read.
	Said     string `json:"said,omitempty"`
	Reopened bool   `json:"reopened,omitempty"`
	// Related, Group, DuplicateOf, Also and Gone are those of the [Violation]. They are written but
	// never read. Group is empty if the violation is alone in its block.
	Related     []string `json:"related,omitempty"`
	Group       string   `json:"group,omitempty"`
	DuplicateOf string   `json:"duplicate_of,omitempty"`
	Also        []Place  `json:"also,omitempty"`
	Gone        Gone     `json:"gone,omitzero"`
	// Reported is the priority of the report that the entry shows. A file that was written before
	// the violation's priority rose has this one.
	Reported string `json:"-"`
	// Outdated reports whether the violation has a later report than the one that the entry shows.
	// It is then unknown where the lines of that report had moved.
	Outdated bool `json:"-"`
	// Job and Reporter are the job and the first reporter, as in "codex@2". Answers is the author's
	// explanation before the violation was reopened. None of them is in the file.
	Job      string `json:"-" column:"-"`
	Reporter string `json:"-" column:"-"`
	Answers  string `json:"-" column:"-"`
}

// Place returns the entry's file and lines as a [Place].
func (e SlotEntry) Place() Place { return Place{File: e.File, Start: e.Line, End: e.EndLine} }

// Entry returns the entry of the violation, without the reviewers' answers. The text of a dispute
// is shown until the dispute is answered.
func (v Violation) Entry() SlotEntry {
	entry := SlotEntry{
		ID: v.ShortID, File: v.Place.File, Line: v.Place.Start, EndLine: v.Place.End, Issue: v.Issue, Fix: v.Fix,
		Priority: string(v.Priority), Status: string(v.Status.Exported()), Also: v.Also, Gone: v.Gone, Related: v.Related, Group: v.Block, DuplicateOf: v.DuplicateOf,
		Job: v.Job, Reporter: v.Adapter + "@" + strconv.Itoa(v.Slot),
	}
	if v.Fate().Open() {
		entry.Said, entry.Reopened, entry.Answers = v.Evidence, v.Reopened(), v.Answers
	}
	// Taking the addresses of fields would copy each violation of a long list to the heap.
	if v.Status == StatusDisputed {
		entry.Result = new(v.Result)
	}
	switch {
	case v.JoinedAsReported() && v.Original != nil:
		entry.Status = string(v.Fate().Exported())
		if v.Fate().Exported() != StatusNew {
			entry.Result = new(v.WhySkipped())
		}
	case v.DuplicateOf != "":
		entry.Result = new(v.DuplicateOf)
	}
	return entry
}

// SlotFile is a slot's file in the log directory.
type SlotFile struct {
	// Path is the file's path in the form that is shown to the user.
	Path string
	// FileID is the sanitized job id that the file's name begins with.
	FileID    string
	Adapter   string
	Slot      int
	Iteration int
	// Legacy reports whether the document was read from a markdown log, because there is no JSON
	// file.
	Legacy   bool
	Document SlotDocument
	// Short reports whether the log beside a JSON file lists violations that the file does not
	// list: somebody removed them.
	Short bool
	// Err is why the file could not be read. The document is then empty.
	Err error
}

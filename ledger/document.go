package ledger

import (
	"strconv"
	"time"
)

// SlotDocument is what a slot's JSON file shows: the slot, its reviewer's raw
// answer, and the violations that the agent is to address.
type SlotDocument struct {
	Job       string
	Slot      int
	Adapter   string
	Iteration int
	At        time.Time
	Status    SlotStatus
	RawOutput string
	// PassIteration is set on a skipped slot only.
	PassIteration int
	Violations    []SlotEntry
	// Filtered lists the reports that a filter left out. The file shows them; edits of them
	// have no effect.
	Filtered []FilteredEntry
}

// SlotEntry is one violation as a slot's JSON file shows it. Its keys are written in this order.
type SlotEntry struct {
	ID       string `json:"id"` // the violation's short id; empty in files of other tools
	File     string `json:"file"`
	Line     int    `json:"line"`               // 0 when the violation is about the whole file
	EndLine  int    `json:"end_line,omitempty"` // the last line of a range, else equal to Line
	Issue    string `json:"issue"`
	Fix      string `json:"fix,omitempty"`
	Priority string `json:"priority"`
	// Status is new, fixed, skipped, disputed or duplicate in files that this program writes; a
	// file that is read may say anything.
	Status string `json:"status"`
	// Result is nil if the file has null or lacks the key.
	Result *string `json:"result"`
	// Said is the reviewer's answer to the latest claim or dispute of an open violation.
	// Reopened reports whether it is open again. They are written and never read.
	Said     string `json:"said,omitempty"`
	Reopened bool   `json:"reopened,omitempty"`
	// Related, Also and Gone are those of [Violation]. They are written and never read.
	Related []string `json:"related,omitempty"`
	Also    []Place  `json:"also,omitempty"`
	Gone    Gone     `json:"gone,omitzero"`
	// Reported is the priority of the report that the entry quotes. A file that was written
	// before the violation's priority rose shows this one.
	Reported string `json:"-"`
	// Outdated reports whether the violation has a later report than the one that the entry
	// quotes. Where that one's lines had gone by then is not known any more.
	Outdated bool `json:"-"`
	// Reporter is the first reporter, as in "codex@2". Answers is what the author had said
	// before the violation was open again. Neither is in the file.
	Reporter string `json:"-"`
	Answers  string `json:"-"`
}

// Place returns the entry's file and lines as a [Place].
func (e SlotEntry) Place() Place { return Place{File: e.File, Start: e.Line, End: e.EndLine} }

// Entry makes the entry of the violation, without the reviewers' answers. The text of a dispute is
// shown until it is answered.
func (v Violation) Entry() SlotEntry {
	entry := SlotEntry{
		ID: v.ShortID, File: v.Place.File, Line: v.Place.Start, EndLine: v.Place.End, Issue: v.Issue, Fix: v.Fix,
		Priority: string(v.Priority), Status: string(v.Status.Exported()), Also: v.Also, Gone: v.Gone, Related: v.Related,
		Reporter: v.Adapter + "@" + strconv.Itoa(v.Slot),
	}
	if v.Fate().Open() {
		entry.Said, entry.Reopened, entry.Answers = v.Evidence, v.Reopened(), v.Answers
	}
	// Not the addresses of fields: for them, each violation of a long list would be copied to the heap.
	if v.Status == StatusDisputed {
		entry.Result = new(v.Result)
	}
	if v.DuplicateOf != "" {
		entry.Result = new(v.DuplicateOf)
	}
	return entry
}

// SlotFile is a slot's file as it was found in the log directory.
type SlotFile struct {
	// Path is the file's path as it is shown to the user.
	Path string
	// FileID is the sanitised job id that the name begins with.
	FileID    string
	Adapter   string
	Slot      int
	Iteration int
	// Legacy reports whether the document was read from a markdown log, because
	// there is no JSON.
	Legacy   bool
	Document SlotDocument
	// Short reports whether the log beside a JSON file lists violations that the file
	// does not: somebody took them out.
	Short bool
	// Err says why the file could not be read; the document is then empty.
	Err error
}

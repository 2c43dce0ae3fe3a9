package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// Place is the place of a report or a violation in a tree: a file, relative to the repository, and
// a range of lines that includes both ends. Start 0 means the whole file.
type Place struct {
	File  string `json:"file"`
	Start int    `json:"line"`
	End   int    `json:"end_line"`
}

// WholeFile reports whether the place has no lines.
func (p Place) WholeFile() bool { return p.Start <= 0 }

// Lines formats the lines of the place: "12", "12-14", or "" for the whole file.
//
// Rule: A place moves with its lines.
func (p Place) Lines() string {
	switch {
	case p.WholeFile():
		return ""
	case p.End > p.Start:
		return strconv.Itoa(p.Start) + "-" + strconv.Itoa(p.End)
	}
	return strconv.Itoa(p.Start)
}

// String formats the place: "a.go:12-14", or "a.go". The file name is not escaped.
func (p Place) String() string {
	if p.WholeFile() {
		return p.File
	}
	return p.File + ":" + p.Lines()
}

// Meets reports whether the two places have a line in common. The whole file
// meets everything in it.
func (p Place) Meets(q Place) bool {
	if p.File != q.File {
		return false
	}
	return p.WholeFile() || q.WholeFile() || p.Start <= q.End && q.Start <= p.End
}

// Distance returns how many lines apart two places in one file are: 0 if they meet.
func (p Place) Distance(q Place) int {
	if p.WholeFile() || q.WholeFile() {
		return 0
	}
	return max(0, p.Start-max(q.Start, q.End), q.Start-max(p.Start, p.End))
}

// Run is one fix–verify loop.
type Run struct {
	ID       string // ULID
	Kind     RunKind
	Worktree string // absolute path
	// Repository and WorktreeName identify the worktree even if its folder moves. The name is git's
	// own. It is empty for the main worktree, and if the repository is not known.
	Repository   Repository
	WorktreeName string
	LogDir       string // relative to the worktree
	Branch       string // empty if HEAD was detached
	// BaseRef is how the base was named: a branch, a revision, or "HEAD".
	BaseRef string
	// Base is the commit, or tree, that the run's whole diff compares with. Each [Iteration] has the
	// one that it compared with.
	Base string
	// Head is the commit that HEAD named when the run began, or "" if there was none yet.
	Head string
	// Subject is the first line of the message of the first commit of its change when it began, or ""
	// if there was none.
	Subject string
	// SessionRef is the commit whose tree reruns compare with. It is empty before the first
	// iteration with review violations.
	SessionRef string
	Status     RunStatus
	StartedAt  time.Time
	// FinishedAt is when the run was closed, or zero while it is open.
	FinishedAt time.Time

	// ConfigHash is a hash of the configuration of the gates when it began, or "" if it is not known.
	ConfigHash string

	// ContentRemovedAt is when the run's prompts, answers, logs and excerpts were removed, or zero
	// if they were not.
	ContentRemovedAt time.Time

	// Counts that are kept with the rows: iterations that have ended, and violations by what became
	// of them.
	Iterations, Verified, Claimed, Skipped, Withdrawn, Open int

	// ReviewID and Verdict are those of the latest verdict, in a code review that has one.
	ReviewID string
	Verdict  VerdictWord
}

// StillOpen returns the number of open violations. It is 0 for an abandoned run: see
// [Run.Abandoned].
func (r Run) StillOpen() int { return r.Open - r.Abandoned() }

// Abandoned returns the number of violations that were open when the run was abandoned, or 0 if it
// was not abandoned.
func (r Run) Abandoned() int {
	if r.Status == StatusAbandoned {
		return r.Open
	}
	return 0
}

// Count returns how many of its violations count in the tally. Duplicates count with their originals.
func (r Run) Count(t Tally) int {
	switch t {
	case TallyOpen:
		return r.StillOpen()
	case TallyClaimed:
		return r.Claimed
	case TallyVerified:
		return r.Verified
	case TallySkipped:
		return r.Skipped
	case TallyWithdrawn:
		return r.Withdrawn
	case TallyAbandoned:
		return r.Abandoned()
	}
	return 0
}

// Closed reports whether the run has ended.
func (r Run) Closed() bool { return !r.FinishedAt.IsZero() }

// Iteration is one invocation that executed a gate.
type Iteration struct {
	Number int
	Mode   Mode
	Source Source
	// From and To are the commits, or trees, that the reviewers' diff compared. Line numbers in
	// this iteration's reports refer to To.
	From, To string
	// Snapshot is the commit with the working tree in which the iteration's checks ran, and Tree is
	// its tree.
	Snapshot, Tree string
	// Head is the commit that HEAD named, or "" if there was none yet, and Branch the branch that was
	// checked out, or "" if HEAD was detached.
	Head, Branch string
	// Base is the base that the run had, or "" if it is not known. BaseRef is how it was named; that
	// is kept with the run alone, so it is known only before the iteration is recorded.
	Base    string
	BaseRef string `column:"-"`
	// Anew reports whether every slot counted as one that never answered, because the base of the run
	// was no longer a part of the history.
	Anew bool
	// ConfigHash is a hash of the configuration of the gates, or "" if it is as when the run began.
	ConfigHash string
	Status     RunStatus
	// Verdict is the verdict of an iteration of a code review, or "" if it has none.
	Verdict    VerdictWord
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs, and if it was killed
	NoticedAt  time.Time // when it was noticed that it had been killed
}

// Ended returns when the iteration ended, or when it was noticed that it had ended. It is zero
// while the iteration runs.
func (i Iteration) Ended() time.Time { return ended(i.FinishedAt, i.NoticedAt) }

// CutOff reports whether the iteration was interrupted, or its process was killed. While the lock of
// the run is held, only a killed process leaves one that is recorded as running.
func (i Iteration) CutOff() bool {
	return i.Status == StatusInterrupted || i.Status == StatusRunning
}

func ended(finished, noticed time.Time) time.Time {
	if finished.IsZero() {
		return noticed
	}
	return finished
}

// Gate is one job in one iteration.
type Gate struct {
	Iteration  int
	Job        string // "check:<entry>:<name>" or "review:<entry>:<name>"
	Kind       GateKind
	EntryPoint string
	Name       string
	Status     GateStatus
	// Reason is why the gate has its status, for example "exited with code 1".
	Reason string
	// NotRun is why it was not run, or "" if it was.
	NotRun NotRunReason
	// ExitCode is the exit code of a check. It is also 0 for a gate that has none.
	ExitCode int
	// Problems is how many problems a failed check reported, at least 1.
	Problems int
	// Excerpt is the part of the output of a failed check that shows what failed and where: at most
	// ten lines, or "".
	Excerpt string
	// ConfigHash is a hash of the gate's own configuration, or "" if it is not known.
	ConfigHash string
	// RestsOn is the ULID of the run whose pass it rests on, or "".
	RestsOn   string
	Duration  time.Duration
	StartedAt time.Time // zero if it is not known
	Slots     []Slot    `column:"-"`
}

// Usage is what a reviewer reported about the cost of a call. What it did not report is nil.
type Usage struct {
	// Model is the model that was reported or, if none was, the model that was asked for.
	Model string
	// InputTokens counts all input, and CachedTokens the part of it that was read from a cache.
	// OutputTokens includes what the model spent on thinking.
	InputTokens, CachedTokens, OutputTokens *int64
	CostUSD                                 *float64
}

// Slot is one reviewer's place in a review gate in one iteration.
type Slot struct {
	Iteration int
	Job       string
	Index     int // 1-based review index
	Adapter   string
	Status    SlotStatus
	// PassIteration is the iteration in which a skipped slot passed.
	PassIteration int
	// Latch is set if the slot was asked only because every slot of its gate had passed.
	Latch bool
	// Reason is why the slot was skipped or is in error.
	Reason string
	// Reviewed is the commit, or tree, that the slot's reviewer was shown.
	Reviewed   string
	Usage      Usage
	Calls      int
	Duration   time.Duration
	StartedAt  time.Time // zero if it never started, or if that is not known
	FinishedAt time.Time // zero while it runs, and if it was killed
	NoticedAt  time.Time // when it was noticed that it had been killed
	// Forgotten reports whether a report was filtered because of a remembered skip that was
	// forgotten since, in the slot's answer or in an earlier one after which the slot was shown
	// only what had changed. Only the ledger of the run knows this: a team store does not plan
	// anything.
	Forgotten bool `column:"-"`
	// Listed is how many violations the slot's file lists. A slot in error has a file if a part of
	// its answer counts. The files of a code review are not kept.
	Listed int
	// Repairs is the number of its calls that asked the reviewer to repeat its answer in the right
	// form.
	Repairs int
	// Notes are what the reviewer wrote as free text.
	Notes string
	// Unseen is what the slot's tool says that it did not look at, of what is under review, one line
	// for each statement. Denied names what its client was not allowed to do, or what failed.
	Unseen, Denied string
	Counts         SlotCounts
}

// Answered reports whether the slot's reviewer gave an answer that still counts. An answer does not
// count if a report of it was filtered because of a skip that has since been forgotten.
//
// Rule: A human's skip is remembered.
func (s Slot) Answered() bool { return s.Status.Answered() && !s.Forgotten }

// Found returns how many violations the slot lists: what it reported, what it answered to claims
// and disputes, and open violations that its answer does not name.
func (s Slot) Found() int { return cmp.Or(s.Listed, s.Counts.Accepted+s.Counts.Carried) }

// Ended returns when the slot ended, or when it was noticed that it had ended. It is zero while the
// slot runs.
func (s Slot) Ended() time.Time { return ended(s.FinishedAt, s.NoticedAt) }

// Ref returns the slot's key within its run.
func (s Slot) Ref() SlotRef { return SlotRef{Job: s.Job, Slot: s.Index, Iteration: s.Iteration} }

// SlotCounts counts a slot's reports by disposition, and the violations that its answer changed.
type SlotCounts struct {
	Accepted, OutOfDiff, BelowThreshold, PreviouslySkipped, RememberedSkip, Malformed, Merged, OutsideVerify int
	// New, Reopened and Verified count violations whose status the answer set. Carried counts
	// violations that were open before and that the answer does not name.
	New, Reopened, Verified, Carried int
	// Elsewhere counts results of a tool in files that the change does not touch. They are not kept
	// as reports.
	Elsewhere int
}

// Reports returns the number of reports with each disposition.
func (c SlotCounts) Reports() map[Disposition]int {
	return map[Disposition]int{
		Accepted: c.Accepted, OutOfDiff: c.OutOfDiff, BelowThreshold: c.BelowThreshold, PreviouslySkipped: c.PreviouslySkipped,
		RememberedSkip: c.RememberedSkip, Malformed: c.Malformed, Merged: c.Merged, OutsideVerify: c.OutsideVerify,
	}
}

// Filtered returns the number of reports with one of the [FilteredDispositions].
func (c SlotCounts) Filtered() (n int) {
	reports := c.Reports()
	for _, d := range FilteredDispositions() {
		n += reports[d]
	}
	return n
}

// Discarded returns the number of reports that did not count.
func (c SlotCounts) Discarded() int {
	n := -c.Accepted
	for _, reports := range c.Reports() {
		n += reports
	}
	return n
}

// Report is one entry of a slot's answer in one iteration of a run.
type Report struct {
	Run         string // ULID
	Job         string
	EntryPoint  string
	Gate        string
	Iteration   int
	Slot        int
	Adapter     string
	Position    int // 1-based, in the order of the answer
	Place       Place
	Issue, Fix  string
	Priority    Priority
	Disposition Disposition
	// Reason is why the report has its disposition, as a sentence.
	Reason string
	// InFixLines reports whether the report is on lines that the last fix changed.
	InFixLines bool
	// Excerpt is the code at its place as it was reviewed, if it was kept. It is set only in the
	// history of a violation.
	Excerpt Excerpt `column:"-"`
	// At is when the answer was recorded.
	At time.Time
	// Violation is the ULID of the violation that it began or matched, or "". ShortID is the short id of
	// that violation, or of the one whose remembered skip it met.
	Violation, ShortID string
	// Also are further places of the same problem.
	Also []Place
	// ID is the short id of a filtered report, if it has one.
	ID string
	// Cursor is the cursor that continues the list after this report: see [ViolationFilter.After].
	Cursor string `column:"-"`
}

// Counts reports whether the report is a report of its violation: it was accepted or taken up.
func (r Report) Counts() bool {
	return r.Disposition == Accepted || r.Violation != "" && r.Disposition.Filtered()
}

// Violation is the identity behind the accepted reports of one job.
type Violation struct {
	ID      string // ULID
	ShortID string
	// Job answers for it: its reporter's or, if that gate is gone, another one. Then HandedFrom is the
	// reporter's.
	Job, HandedFrom string
	// Slot and Adapter are the ones that reported it first. MoreSlots are the other slots that
	// reported it.
	Slot      int
	Adapter   string
	MoreSlots []int
	// ReportedBy lists all its reporters. It is set only for claims and disputed violations.
	ReportedBy []Reporter
	// First and Last are the iterations of its first and latest report.
	First, Last int
	Status      Status
	// Result is the author's explanation of a fix, skip or dispute, or "".
	Result string
	// Evidence is the explanation of the reviewer that withdrew it or, if it is open, reopened it.
	// Answers is the author's explanation before that. Either may be empty.
	Evidence, Answers string
	// Reason is the reason of a skip, one of [SkipReasons], or "".
	Reason string
	// Place is the place of its latest report, or where its lines have moved since. Also has
	// further places of the same problem. These are the places that are shown. If the lines have
	// moved, Reported has the places in the report itself, its own place first. The lines of a
	// report refer to the commit or tree Reviewed, which is empty if it is not known.
	Place      Place
	Also       []Place
	Reported   []Place
	Reviewed   string
	Issue, Fix string
	Priority   Priority
	// SeenBefore is the short id of the violation that its reviewer named when it reported it: a
	// skipped violation, or one of an earlier run. It is empty if the reviewer named none.
	SeenBefore string
	// Related has the short ids of violations that may be the same problem. Block is the first of all
	// that are so connected with it, or "" if there are none.
	Related []string
	Block   string
	// DuplicateOf is the short id of its original, or "" if it is not a duplicate. Original is the
	// state of the original. It is set only if all violations of the run were read
	// ([LookUpOriginals]).
	DuplicateOf string
	Original    *Original `column:"-"`
	// Doubted is when a reviewer last could not tell whether its claim is fixed, or zero if that
	// never happened.
	Doubted time.Time
	// Confirmed is how its reporters confirmed the fix, the weakest of them. It is "" if it is not
	// verified, and if it is not known.
	Confirmed Confirmation
	// Unanswered reports whether the latest answer about the claim was a plain one that neither
	// mentions nor confirms it.
	Unanswered bool
	// EarlierWords has the other words in which a claim was reported before.
	EarlierWords []string
	// DoubtedWords is the author's explanation of the claim at that time.
	DoubtedWords string
	// Gone is which reviewer no longer sees it although nobody marked it fixed, and why.
	Gone Gone
	// Answered is the iteration whose report the latest claim, skip or dispute answers, or 0 if
	// there is none.
	Answered  int
	FirstSeen time.Time
	LastSeen  time.Time
	StatusAt  time.Time
}

// Places returns its own place, and then those in Also.
func (v Violation) Places() []Place { return append([]Place{v.Place}, v.Also...) }

// ReportedPlaces returns the places of its latest report, in the tree Reviewed.
func (v Violation) ReportedPlaces() []Place {
	if len(v.Reported) > 0 {
		return v.Reported
	}
	return v.Places()
}

// ReportedAt returns the first of its [Violation.ReportedPlaces].
func (v Violation) ReportedAt() Place {
	if len(v.Reported) > 0 {
		return v.Reported[0]
	}
	return v.Place
}

// Reopened reports whether it is open because a claim or a dispute was contradicted.
func (v Violation) Reopened() bool { return v.Fate() == StatusReopened }

// SaidGone reports whether a reviewer no longer sees it although nobody marked it fixed.
func (v Violation) SaidGone() bool { return v.Gone != Gone{} }

// Claim reports whether the violation is marked fixed and nobody has confirmed that yet.
//
// Rule: A duplicate has the fate of what it was joined to.
func (v Violation) Claim() bool { return v.Fate() == StatusFixed }

// Filler is what fills a slot now. If ByAbsence is set, not reporting a claim again means that it
// is fixed.
type Filler struct {
	Adapter   string
	ByAbsence bool
}

// Reporters returns the slots that a claim is put to: those that reported the violation. Slot 1
// replaces slots that the gate no longer has. If a slot is now filled by an adapter that only lists
// what it finds, and that did not report this violation, a reporter in another slot is asked
// instead or, if there is none, a reviewer that answers with words.
//
// Rule: Only an answer confirms.
func (v Violation) Reporters(fillers []Filler) []int {
	reported := func(f Filler) bool { return v.ReportedAs(f.Adapter) }
	answers := func(f Filler) bool { return !f.ByAbsence }
	var slots []int
	for _, slot := range append([]int{v.Slot}, v.MoreSlots...) {
		slot = ResponsibleSlot(slot, len(fillers))
		if slot <= len(fillers) && !reported(fillers[slot-1]) && !answers(fillers[slot-1]) {
			if n := slices.IndexFunc(fillers, reported); n >= 0 {
				slot = n + 1
			} else if n := slices.IndexFunc(fillers, answers); n >= 0 {
				slot = n + 1
			}
		}
		if !slices.Contains(slots, slot) {
			slots = append(slots, slot)
		}
	}
	return slots
}

// ReportedAs reports whether the adapter is one of those that reported the violation, which is a
// claim.
func (v Violation) ReportedAs(adapter string) bool {
	return v.Adapter == adapter || slices.ContainsFunc(v.ReportedBy, func(r Reporter) bool { return r.Adapter == adapter })
}

// Event is one change of a violation's status.
type Event struct {
	Violation string // ULID
	// Iteration is the iteration whose report the event answers.
	Iteration int
	Number    int // among the violation's events, from 1
	Status    Status
	Actor     Actor
	Result    string
	Reason    string
	// Confirmed is how a reviewer's event confirmed the claim or dispute, the weakest of its reporters. It is ""
	// for other events, and if it is not known.
	Confirmed Confirmation
	At        time.Time
	// Hunks is the diff around the place of the claim that the event settles, if it was kept.
	Hunks string `column:"-"`
}

// SlotRef identifies a slot in one iteration of a run.
type SlotRef struct {
	Job       string
	Slot      int
	Iteration int
}

// TextKind is a kind of text that a slot leaves behind.
type TextKind string

// The kinds of text of a slot.
const (
	TextPrompt TextKind = "prompt"
	TextAnswer TextKind = "answer"
	TextStderr TextKind = "stderr" // what the reviewer wrote to stderr
	TextLog    TextKind = "log"    // the slot's log, as its iteration wrote it
)

// SlotText is a text of a slot.
type SlotText struct {
	Call int // 1-based; 0 for all its calls together
	Text string
}

// Scope is the worktree and log directory of a run. Each scope has at most one open run.
type Scope struct {
	Kind     RunKind
	Worktree string // absolute path
	// Repository and WorktreeName are those of the [Run].
	Repository   Repository
	WorktreeName string
	LogDir       string // relative to the worktree
	// Begun is the run that this checkout has begun and not ended, or "". It is of this scope even if
	// the repository was identified differently then, by another origin.
	Begun string
}

// Excerpt is some lines of a file.
type Excerpt struct {
	First int    `json:"first_line"` // its line number; 0 if there is no excerpt
	Text  string `json:"text"`
}

// Content is kept in addition to the rows, and may be removed without them.
type Content struct {
	// Excerpts has the code at the places of reports as it was reviewed, by the report's position
	// in the answer.
	Excerpts map[int]Excerpt
	// Further has the same for the further places of reports: by the report's position, in their
	// order.
	Further map[int][]Excerpt
	// Hunks has the changes around the places of claims, as hunks of a unified diff between the
	// tree of the claim and the tree that was reviewed, by the violation's ULID.
	Hunks map[string]string
}

// Package exchange defines the records in which whole runs are passed between stores. They are the
// lines of a dump; they can be cut down to what may leave the machine, and compared with what the
// other store has. The package does not open a database.
package exchange

import (
	"encoding"
	"fmt"
	"time"
)

// Format is the version of the records in a dump. It changes when an older program would misread
// them.
const Format = 1

// Run is one run as a record: all of its rows, in the order in which they were recorded. Rows refer
// to others in the same way in every ledger: to runs and violations by ULID, to an iteration by
// number, to a slot by review index, to a long text by SHA-256. Unknown values are nil. The keys of
// the rows are the keys in a dump.
type Run struct {
	Head        Head
	Iterations  []Iteration
	Gates       []Gate
	Slots       []Slot
	Violations  []Violation
	Reports     []Report
	Events      []Event
	SlotEntries []SlotEntry
	SlotBlobs   []SlotBlob
	GateBlobs   []GateBlob
	Reviews     []CodeReview // at most one, in the run of a code review
	Verdicts    []Verdict
	Findings    []Finding
	Transitions []Transition
	Excerpts    []Excerpt
	Hunks       []Hunk
	Remembered  []RememberedSkip
	Met         []MetSkip
	Calls       []SlotCall
	Notes       []SlotNote
	ClaimWords  []ClaimWord
	GoneWords   []GoneWord
	Reporters   []Reporter
	Pairs       []Pair
	Places      []ReportPlace
	Moves       []ViolationPlace

	// dangling is the error for the first row that refers to something that does not come before
	// it.
	dangling error
}

// Texts returns the hashes of the long texts that rows of the run refer to, each once.
func (r *Run) Texts() (hashes [][]byte) {
	seen := map[string]bool{}
	add := func(hash []byte) {
		if !seen[string(hash)] {
			seen[string(hash)] = true
			hashes = append(hashes, hash)
		}
	}
	for i := range r.SlotBlobs {
		add(r.SlotBlobs[i].Sha256)
	}
	for i := range r.GateBlobs {
		add(r.GateBlobs[i].Sha256)
	}
	for i := range r.Excerpts {
		add(r.Excerpts[i].Sha256)
	}
	for i := range r.Hunks {
		add(r.Hunks[i].Sha256)
	}
	return hashes
}

// Time is a point in time as the ledger stores it: a text in UTC with milliseconds. The texts sort
// as the times do.
type Time string

var _ encoding.TextUnmarshaler = (*Time)(nil)

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Time) UnmarshalText(text []byte) error {
	const format = "2006-01-02T15:04:05.000Z"
	at, err := time.Parse(format, string(text))
	if err == nil && at.Format(format) != string(text) {
		err = fmt.Errorf("%q is not a time as 2006-01-02T15:04:05.000Z", text)
	}
	*t = Time(text)
	return err
}

// Moment returns the point in time, or the zero time if t is nil or invalid. A server refuses a run
// with an invalid time.
func (t *Time) Moment() time.Time {
	if t == nil {
		return time.Time{}
	}
	at, _ := time.Parse(time.RFC3339, string(*t))
	return at.UTC()
}

// Head is the row of the run itself.
type Head struct {
	Run              string  `json:"run"`
	Kind             string  `json:"kind"`
	Worktree         string  `json:"worktree"`
	LogDir           string  `json:"log_dir"`
	Branch           *string `json:"branch"`
	BaseRef          string  `json:"base_ref"`
	Base             string  `json:"base"`
	Head             *string `json:"head"`
	Subject          *string `json:"subject"`
	SessionRef       *string `json:"session_ref"`
	Status           string  `json:"status"`
	StartedAt        Time    `json:"started_at"`
	FinishedAt       *Time   `json:"finished_at"`
	Iterations       int64   `json:"iterations"`
	Verified         int64   `json:"verified"`
	Skipped          int64   `json:"skipped"`
	Open             int64   `json:"open"`
	Claimed          int64   `json:"claimed"`
	Withdrawn        int64   `json:"withdrawn"`
	RepositoryKind   string  `json:"repository_kind"`
	Repository       string  `json:"repository"`
	WorktreeName     *string `json:"worktree_name"`
	ConfigHash       *string `json:"config_hash"`
	ContentRemovedAt *Time   `json:"content_removed_at"`
	// Revision grows with every transaction that touches the run.
	Revision int64 `json:"revision"`
}

// Iteration is one iteration of a run.
type Iteration struct {
	Run        string  `json:"run"`
	Number     int64   `json:"number"`
	Mode       string  `json:"mode"`
	Source     string  `json:"source"`
	FromTree   *string `json:"from_tree"`
	ToTree     *string `json:"to_tree"`
	Snapshot   *string `json:"snapshot"`
	Tree       *string `json:"tree"`
	Head       *string `json:"head"`
	Branch     *string `json:"branch"`
	Base       *string `json:"base"`
	Anew       int64   `json:"anew"`
	ConfigHash *string `json:"config_hash"`
	Status     string  `json:"status"`
	StartedAt  Time    `json:"started_at"`
	FinishedAt *Time   `json:"finished_at"`
	New        int64   `json:"new"`
	Reopened   int64   `json:"reopened"`
	Verified   int64   `json:"verified"`
	Claimed    int64   `json:"claimed"`
	Skipped    int64   `json:"skipped"`
	Carried    int64   `json:"carried"`
	InFixLines int64   `json:"in_fix_lines"`
	NoticedAt  *Time   `json:"noticed_at"`
}

// Gate is one job in one iteration.
type Gate struct {
	Run          string  `json:"run"`
	Iteration    int64   `json:"iteration"`
	Job          string  `json:"job"`
	Status       string  `json:"status"`
	Reason       string  `json:"reason"`
	Command      *string `json:"command"`
	ExitCode     *int64  `json:"exit_code"`
	Problems     int64   `json:"problems"`
	Excerpt      *string `json:"excerpt"`
	NumReviews   *int64  `json:"num_reviews"`
	DurationMs   int64   `json:"duration_ms"`
	NotRunReason *string `json:"not_run_reason"`
	ConfigHash   *string `json:"config_hash"`
	RestsOn      *string `json:"rests_on"`
	StartedAt    *Time   `json:"started_at"`
	FinishedAt   *Time   `json:"finished_at"`
	NoticedAt    *Time   `json:"noticed_at"`
}

// InSlot identifies the slot of a run that a row belongs to.
type InSlot struct {
	Run       string `json:"run"`
	Iteration int64  `json:"iteration"`
	Job       string `json:"job"`
	Slot      int64  `json:"slot"`
}

// Slot is one reviewer's place in a review gate.
type Slot struct {
	InSlot
	Adapter           string   `json:"adapter"`
	Status            string   `json:"status"`
	PassIteration     *int64   `json:"pass_iteration"`
	Reason            string   `json:"reason"`
	Reviewed          *string  `json:"reviewed"`
	Model             *string  `json:"model"`
	InputTokens       *int64   `json:"input_tokens"`
	CachedTokens      *int64   `json:"cached_tokens"`
	OutputTokens      *int64   `json:"output_tokens"`
	CostUSD           *float64 `json:"cost_usd"`
	Calls             int64    `json:"calls"`
	DurationMs        int64    `json:"duration_ms"`
	FinishedAt        *Time    `json:"finished_at"`
	Accepted          int64    `json:"accepted"`
	OutOfDiff         int64    `json:"out_of_diff"`
	BelowThreshold    int64    `json:"below_threshold"`
	PreviouslySkipped int64    `json:"previously_skipped"`
	Malformed         int64    `json:"malformed"`
	Merged            int64    `json:"merged"`
	OutsideVerify     int64    `json:"outside_verify"`
	New               int64    `json:"new"`
	Reopened          int64    `json:"reopened"`
	Verified          int64    `json:"verified"`
	Carried           int64    `json:"carried"`
	RememberedSkip    int64    `json:"remembered_skip"`
	Latch             int64    `json:"latch"`
	ErrorKind         *string  `json:"error_kind"`
	StartedAt         *Time    `json:"started_at"`
	NoticedAt         *Time    `json:"noticed_at"`
	Elsewhere         int64    `json:"elsewhere"`
	Repairs           int64    `json:"repairs"`
	WithoutWord       int64    `json:"without_word"`
	Unseen            *string  `json:"unseen"`
	Denied            *string  `json:"denied"`
}

// Violation is a violation in the state that results from its reports and events.
type Violation struct {
	Violation         string  `json:"violation"`
	Run               string  `json:"run"`
	Job               string  `json:"job"`
	ShortID           string  `json:"short_id"`
	Slot              int64   `json:"slot"`
	Adapter           string  `json:"adapter"`
	File              string  `json:"file"`
	Priority          string  `json:"priority"`
	FirstIteration    int64   `json:"first_iteration"`
	LastIteration     int64   `json:"last_iteration"`
	Fingerprint       *string `json:"fingerprint"`
	FirstSeen         Time    `json:"first_seen"`
	LastSeen          Time    `json:"last_seen"`
	Status            string  `json:"status"`
	Result            *string `json:"result"`
	Reason            *string `json:"reason"`
	AnsweredIteration *int64  `json:"answered_iteration"`
	StatusAt          Time    `json:"status_at"`
	Shared            int64   `json:"shared"`
	InFixLines        int64   `json:"in_fix_lines"`
	// The place of its latest report in the run.
	ReportIteration *int64  `json:"report_iteration"`
	ReportSlot      *int64  `json:"report_slot"`
	ReportPosition  *int64  `json:"report_position"`
	SeenBefore      *string `json:"seen_before"`
	Block           *string `json:"block"`
	// HandedTo is the job that answers for it since its own gate is gone.
	HandedTo *string `json:"handed_to"`
	// MovedIn is the iteration whose [ViolationPlace] rows have its current places, if they differ
	// from those of that report.
	MovedIn *int64 `json:"moved_in"`
}

// Report is one thing that one slot said in one iteration.
type Report struct {
	InSlot
	Violation      *string  `json:"violation"`
	Position       int64    `json:"position"`
	File           string   `json:"file"`
	LineStart      int64    `json:"line_start"`
	LineEnd        int64    `json:"line_end"`
	Issue          string   `json:"issue"`
	Fix            string   `json:"fix"`
	Title          *string  `json:"title"`
	Confidence     *float64 `json:"confidence"`
	SystemBreaking int64    `json:"system_breaking"`
	Priority       string   `json:"priority"`
	Disposition    string   `json:"disposition"`
	Reason         string   `json:"reason"`
	InFixLines     int64    `json:"in_fix_lines"`
	LineHash       *string  `json:"line_hash"`
	Fingerprint    *string  `json:"fingerprint"`
	LineRepeated   *int64   `json:"line_repeated"`
	SameAs         *string  `json:"same_as"`
	ShortID        *string  `json:"short_id"`
}

// Event is one change of a violation's status, numbered within the violation.
type Event struct {
	Violation string  `json:"violation"`
	Run       string  `json:"run"`
	Iteration int64   `json:"iteration"`
	Status    string  `json:"status"`
	Actor     string  `json:"actor"`
	Result    *string `json:"result"`
	Reason    *string `json:"reason"`
	Confirmed *string `json:"confirmed"`
	At        Time    `json:"at"`
	Number    int64   `json:"number"`
}

// SlotEntry is an entry of a slot's file, which shows the text of a report.
type SlotEntry struct {
	InSlot
	Violation       string  `json:"violation"`
	ReportIteration int64   `json:"report_iteration"`
	ReportJob       string  `json:"report_job"`
	ReportSlot      int64   `json:"report_slot"`
	ReportPosition  int64   `json:"report_position"`
	Position        int64   `json:"position"`
	Status          string  `json:"status"`
	Result          *string `json:"result"`
}

// SlotBlob marks a long text as a slot's prompt, answer or stderr.
type SlotBlob struct {
	InSlot
	Sha256 []byte `json:"sha256"`
	Kind   string `json:"kind"`
	Call   int64  `json:"call"`
}

// GateBlob marks a long text as a check's log.
type GateBlob struct {
	Run       string `json:"run"`
	Iteration int64  `json:"iteration"`
	Job       string `json:"job"`
	Sha256    []byte `json:"sha256"`
}

// CodeReview has the fields of a verdict that are about the code review as a whole.
type CodeReview struct {
	Run        string `json:"run"`
	ReviewID   string `json:"review_id"`
	Scope      string `json:"scope"`
	Target     string `json:"target"`
	ReportPath string `json:"report_path"`
}

// Verdict is the result of one iteration of a code review.
type Verdict struct {
	Run       string `json:"run"`
	Iteration int64  `json:"iteration"`
	Mode      string `json:"mode"`
	Verdict   string `json:"verdict"`
	At        Time   `json:"at"`
	Blocker   int64  `json:"blocker"`
	High      int64  `json:"high"`
	Medium    int64  `json:"medium"`
	Low       int64  `json:"low"`
	Info      int64  `json:"info"`
}

// Finding is a violation as the verdict shows it.
type Finding struct {
	Violation string `json:"violation"`
	Run       string `json:"run"`
	Position  int64  `json:"position"`
	FindingID string `json:"finding_id"`
	Exported  string `json:"exported"`
}

// Transition is a status that the run, an iteration, gate or slot had.
type Transition struct {
	Run        string  `json:"run"`
	Subject    string  `json:"subject"`
	Iteration  *int64  `json:"iteration"`
	Job        *string `json:"job"`
	Slot       *int64  `json:"slot"`
	Status     string  `json:"status"`
	At         Time    `json:"at"`
	Actor      string  `json:"actor"`
	Cause      string  `json:"cause"`
	Iterations *int64  `json:"iterations"`
}

// Excerpt marks a long text as the code at a report's place.
type Excerpt struct {
	InSlot
	Position  int64  `json:"position"`
	FirstLine int64  `json:"first_line"`
	Sha256    []byte `json:"sha256"`
	Skip      int64  `json:"skip"`
	Lines     *int64 `json:"lines"`
}

// Hunk marks a long text as the change around a claim that an event answers.
type Hunk struct {
	Run       string `json:"run"`
	Violation string `json:"violation"`
	Event     int64  `json:"event"`
	Sha256    []byte `json:"sha256"`
}

// RememberedSkip records that later runs remember the skip that an event made, on the line with the
// fingerprint.
type RememberedSkip struct {
	Run         string `json:"run"`
	Violation   string `json:"violation"`
	Event       int64  `json:"event"`
	Fingerprint string `json:"fingerprint"`
}

// MetSkip records that a report was filtered because of a remembered skip. The skip belongs to
// another run, which the ledger may not have.
type MetSkip struct {
	InSlot
	Position int64  `json:"position"`
	Skipped  string `json:"skipped"` // the violation's ULID
	Event    int64  `json:"event"`
}

// SlotCall is one call of a slot's reviewer.
type SlotCall struct {
	InSlot
	Call         int64    `json:"call"`
	Part         int64    `json:"part"`
	Repair       int64    `json:"repair"`
	InputTokens  *int64   `json:"input_tokens"`
	CachedTokens *int64   `json:"cached_tokens"`
	OutputTokens *int64   `json:"output_tokens"`
	CostUSD      *float64 `json:"cost_usd"`
	DurationMs   int64    `json:"duration_ms"`
	Misfit       *string  `json:"misfit"`
}

// SlotNote has the notes of a slot's reviewer.
type SlotNote struct {
	InSlot
	Notes string `json:"notes"`
}

// ClaimWord is a slot's word on a claim.
type ClaimWord struct {
	InSlot
	Violation string  `json:"violation"`
	Verdict   string  `json:"verdict"`
	Evidence  string  `json:"evidence"`
	Confirmed *string `json:"confirmed"`
}

// GoneWord is a slot's word that a violation is gone although nobody claims that it is fixed.
type GoneWord struct {
	InSlot
	Violation string `json:"violation"`
	Evidence  string `json:"evidence"`
}

// Reporter is a further slot that reported a violation.
type Reporter struct {
	Run       string `json:"run"`
	Violation string `json:"violation"`
	Slot      int64  `json:"slot"`
}

// Pair records that the other violation is perhaps the same.
type Pair struct {
	Run       string `json:"run"`
	Violation string `json:"violation"`
	Other     string `json:"other"` // its short id
}

// ViolationPlace is a place to which the lines of a violation's latest report had moved in an iteration.
type ViolationPlace struct {
	Run       string `json:"run"`
	Violation string `json:"violation"`
	Iteration int64  `json:"iteration"`
	Position  int64  `json:"position"` // 1: its own place
	File      string `json:"file"`
	LineStart int64  `json:"line_start"`
	LineEnd   int64  `json:"line_end"`
}

// ReportPlace is a further place of a report.
type ReportPlace struct {
	InSlot
	Report    int64  `json:"report"` // its position in the answer
	Position  int64  `json:"position"`
	File      string `json:"file"`
	LineStart int64  `json:"line_start"`
	LineEnd   int64  `json:"line_end"`
}

// ForgottenSkip records that the skip that an event made was forgotten. It does not belong to a
// run, because a closed run never changes.
type ForgottenSkip struct {
	Violation string `json:"violation"`
	Event     int64  `json:"event"`
	Actor     string `json:"actor"`
	At        Time   `json:"at"`
}

// Revision identifies the state of a run.
type Revision struct {
	Run            string `json:"run"`
	Kind           string `json:"kind"`
	Revision       int64  `json:"revision"`
	Status         string `json:"status"`
	StartedAt      Time   `json:"started_at"`
	FinishedAt     *Time  `json:"finished_at"`
	Iterations     int64  `json:"iterations"`
	Verified       int64  `json:"verified"`
	Claimed        int64  `json:"claimed"`
	Skipped        int64  `json:"skipped"`
	Withdrawn      int64  `json:"withdrawn"`
	Open           int64  `json:"open"`
	RepositoryKind string `json:"repository_kind"`
	Repository     string `json:"repository"`
}

// Header is the first record of a dump.
type Header struct {
	Format   int    `json:"format"`
	Database string `json:"database"`
	Schema   int    `json:"schema"`
}

// Meta is a property of the ledger itself.
type Meta struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Job is a gate on an entry point.
type Job struct {
	Job        string `json:"job"`
	Kind       string `json:"kind"`
	EntryPoint string `json:"entry_point"`
	Name       string `json:"name"`
}

// Cooldown records until when an adapter is not called.
type Cooldown struct {
	Adapter string `json:"adapter"`
	Until   Time   `json:"until"`
	Reason  string `json:"reason"`
	SetAt   Time   `json:"set_at"`
}

// File is a file in which a repository has ever had a violation.
type File struct {
	File           string `json:"file"`
	RepositoryKind string `json:"repository_kind"`
	Repository     string `json:"repository"`
}

// Blob is a long text. It is not compressed, because the result of compression may differ between
// versions of the program.
type Blob struct {
	Sha256 []byte `json:"sha256"`
	Data   []byte `json:"data"`
}

// End is the last record. A truncated dump does not have it.
type End struct {
	Rows int `json:"rows"`
}

package ledger

import "slices"

// Status is the state of a violation.
type Status string

// The states of a violation. [Status.Facts] says what follows from each.
const (
	StatusNew      Status = "new"
	StatusFixed    Status = "fixed"
	StatusSkipped  Status = "skipped"
	StatusVerified Status = "verified"
	StatusReopened Status = "reopened"
	// StatusDisputed is open: its author says that it is not a problem, and its reporters have not
	// answered yet.
	StatusDisputed Status = "disputed"
	// StatusWithdrawn is closed: the reviewers that reported it withdrew it.
	StatusWithdrawn Status = "withdrawn"
	// StatusDuplicate was joined to another violation of its run, whose status decides about it.
	StatusDuplicate Status = "duplicate"
	// ShownAbandoned is shown instead of new, reopened and disputed if the run was abandoned:
	// nothing waits for the violation any more. It is computed and never recorded.
	ShownAbandoned Status = "abandoned"
)

// Tally is the number in which a violation counts: of a run, of a report and of a format.
type Tally string

// The tallies.
const (
	TallyOpen      Tally = "open"
	TallyClaimed   Tally = "claimed"
	TallyVerified  Tally = "verified"
	TallySkipped   Tally = "skipped"
	TallyWithdrawn Tally = "withdrawn"
	TallyDuplicate Tally = "duplicate"
	TallyAbandoned Tally = "abandoned"
)

// StatusFacts is what follows from a status: for rules, marks, formats and pages.
type StatusFacts struct {
	Status Status
	Tally  Tally
	// ForAuthor is set if it waits for its author, and not for its reviewers.
	ForAuthor bool
	// InFile is the status in a slot's JSON file. A file does not say reopened, verified and withdrawn:
	// a verified violation is a claim there, and a withdrawn one a dispute, so that a loop that is
	// restored from the file is not nearer to a pass.
	InFile Status
	// InVerdict is the word in a verdict file, or "" if its findings do not have the status.
	InVerdict string
	// Suppressed is the status of the suppression in SARIF, or "" if the result is not suppressed.
	Suppressed string
	// Mark is its place among the statuses that a mark sets, or 0 if none does. Why is what a mark
	// has to explain, or "".
	Mark int
	Why  string
	// Rank orders what agents say about one violation, the strongest first: a claim is verified and a
	// dispute is answered, but a skip is not checked by anybody.
	Rank int
	// Word is how pages call it, and Look the name of its color and symbol there. Done is what whoever
	// set it did, as in "The agent skipped it".
	Word, Look, Done string
	// Reviewer, Author and Human are the statuses after which an answer, an agent or a person, and a
	// person alone may set it. The same status means other words, or another original.
	Reviewer, Author, Human []Status
}

// lastRank is the rank of statuses that are as weak as a skip.
const lastRank = 3

// statusTable has all statuses, in the order in which they are listed.
var statusTable = []StatusFacts{
	{
		Status: StatusNew, Tally: TallyOpen, ForAuthor: true, InFile: StatusNew, InVerdict: "open", Mark: 4, Rank: 2,
		Word: "new", Look: "new", Done: "removed the mark",
		Author: []Status{StatusFixed, StatusSkipped, StatusDuplicate, StatusDisputed}, Human: []Status{StatusWithdrawn},
	},
	{
		Status: StatusFixed, Tally: TallyClaimed, InFile: StatusFixed, InVerdict: "fixed", Suppressed: "underReview", Mark: 1, Rank: 0,
		Word: "claimed fixed", Look: "fixed", Done: "claimed it fixed",
		Author: []Status{StatusNew, StatusReopened, StatusDisputed, StatusFixed, StatusSkipped},
	},
	{
		Status: StatusSkipped, Tally: TallySkipped, InFile: StatusSkipped, InVerdict: "wont_fix", Suppressed: "accepted", Mark: 2, Rank: lastRank,
		Why: "it is left as it is", Word: "skipped", Look: "skipped", Done: "skipped it",
		Author: []Status{StatusNew, StatusReopened, StatusDisputed, StatusFixed, StatusSkipped},
	},
	{
		Status: StatusVerified, Tally: TallyVerified, InFile: StatusFixed, InVerdict: "verified", Rank: lastRank,
		Word: "verified", Look: "verified", Done: "restored it as verified",
		Reviewer: []Status{StatusFixed},
	},
	{
		Status: StatusReopened, Tally: TallyOpen, ForAuthor: true, InFile: StatusNew, InVerdict: "reopened", Rank: lastRank,
		Word: "reopened", Look: "reopened", Done: "restored it as reopened",
		Reviewer: []Status{StatusFixed, StatusVerified, StatusDisputed, StatusWithdrawn},
	},
	{
		Status: StatusDuplicate, Tally: TallyDuplicate, InFile: StatusDuplicate, Mark: 5, Rank: lastRank,
		Word: "duplicate", Look: "not_run", Done: "joined it to",
		Author: []Status{StatusNew, StatusReopened, StatusFixed, StatusDuplicate},
	},
	{
		Status: StatusDisputed, Tally: TallyOpen, InFile: StatusDisputed, Mark: 3, Rank: 1,
		Why: "it is not a problem", Word: "disputed", Look: "reopened", Done: "disputed it",
		Author: []Status{StatusNew, StatusReopened},
	},
	{
		Status: StatusWithdrawn, Tally: TallyWithdrawn, InFile: StatusDisputed, Rank: lastRank,
		Word: "withdrawn", Look: "skipped",
		Reviewer: []Status{StatusDisputed},
	},
	{Status: ShownAbandoned, Tally: TallyAbandoned, InFile: ShownAbandoned, Rank: lastRank, Word: "abandoned", Look: "abandoned"},
}

// Facts returns what follows from the status. From another word nothing does.
func (s Status) Facts() StatusFacts {
	if facts := s.facts(); facts != nil {
		return *facts
	}
	return StatusFacts{Status: s, InFile: s, Rank: lastRank}
}

func (s Status) facts() *StatusFacts {
	for i := range statusTable {
		if statusTable[i].Status == s {
			return &statusTable[i]
		}
	}
	return nil
}

// Statuses lists every state of a violation.
func Statuses() []Status {
	return statusesWhere(func(f *StatusFacts) bool { return f.Status != ShownAbandoned })
}

// ShownStatuses lists every state that a violation is shown with.
func ShownStatuses() []Status { return statusesWhere(func(*StatusFacts) bool { return true }) }

// OpenStatuses lists the statuses that wait for an answer.
func OpenStatuses() []Status { return TallyOpen.Statuses() }

// Statuses lists the statuses that count in the tally.
func (t Tally) Statuses() []Status {
	return statusesWhere(func(f *StatusFacts) bool { return f.Tally == t })
}

// MarkStatuses lists the statuses that a mark may set.
func MarkStatuses() []Status {
	list := statusesWhere(func(f *StatusFacts) bool { return f.Mark > 0 })
	slices.SortFunc(list, func(a, b Status) int { return a.Facts().Mark - b.Facts().Mark })
	return list
}

// OwnMarks lists the statuses that a mark may set without another violation.
func OwnMarks() []Status {
	return slices.DeleteFunc(MarkStatuses(), func(s Status) bool { return s == StatusDuplicate })
}

func statusesWhere(which func(*StatusFacts) bool) (list []Status) {
	list = make([]Status, 0, len(statusTable))
	for i := range statusTable {
		if which(&statusTable[i]) {
			list = append(list, statusTable[i].Status)
		}
	}
	return list
}

// Open reports whether a violation with this status waits for the agent or for the answer to a
// dispute.
func (s Status) Open() bool { return s.Tally() == TallyOpen }

// ForAuthor reports whether a violation with this status waits for its author, and not for the answer to
// a dispute.
func (s Status) ForAuthor() bool { return s.Open() && s.facts().ForAuthor }

// Outstanding reports whether the status keeps a run from passing: it is open or a claim.
func (s Status) Outstanding() bool { return s.Open() || s.Tally() == TallyClaimed }

// Tally returns the number in which a violation with this status counts.
func (s Status) Tally() Tally {
	if facts := s.facts(); facts != nil {
		return facts.Tally
	}
	return ""
}

// Exported returns the status in the form in which a slot's JSON file has it.
func (s Status) Exported() Status { return s.Facts().InFile }

// MayChange reports whether the actor may change a violation's status from one to the other. A
// trigger in the database enforces the same table.
func MayChange(actor Actor, from, to Status) bool {
	facts := to.Facts()
	switch actor {
	case ActorReviewer:
		return slices.Contains(facts.Reviewer, from)
	case ActorAgent:
		return slices.Contains(facts.Author, from)
	case ActorHuman:
		return slices.Contains(facts.Author, from) || slices.Contains(facts.Human, from)
	case ActorSystem:
		return from != to || to == StatusDuplicate
	}
	return false
}

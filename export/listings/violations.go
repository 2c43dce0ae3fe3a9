package listings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

type violation = ledger.ListedViolation

// Layouts of columns that several tables have. Places and issues share the width that the other columns
// leave.
var (
	placeLayout   = text.Column{Title: "PLACE", Cut: true, End: true, Min: 16}
	issueLayout   = text.Column{Title: "ISSUE", Cut: true, Min: 32}
	gateLayout    = text.Column{Title: "GATE", Cut: true, End: true, Spare: true}
	adapterLayout = text.Column{Title: "ADAPTER", Cut: true, Spare: true}
	seenLayout    = text.Column{Title: "SEEN", Spare: true}
)

// Violations describe the list of violations.
var Violations = Columns[violation]{
	{Key: "id", Doc: "its short id", Value: func(v *violation) any { return v.ShortID }, Column: text.Column{Title: "ID"}},
	{Key: "ulid", Doc: "its long id", Value: func(v *violation) any { return v.ID }},
	{Key: "run", Doc: "the id of its run", Value: func(v *violation) any { return v.Run }},
	{Key: "gate", Doc: "the review gate that it belongs to", Value: func(v *violation) any { return v.Gate }, Column: gateLayout,
		Cell: func(v *violation) text.Cell { return gateCell(v.EntryPoint, v.Gate) }},
	{Key: "entry_point", Doc: "the entry point of that gate", Value: func(v *violation) any { return v.EntryPoint }},
	{Key: "slot", Doc: "the review index of the slot that reported it first", Value: func(v *violation) any { return v.Slot }},
	{Key: "adapter", Doc: "the adapter that reported it first", Value: func(v *violation) any { return v.Adapter }, Column: adapterLayout},
	{Key: "iteration", Doc: "the iteration in which it was first reported", Value: func(v *violation) any { return v.First }},
	{Key: "file", Doc: "where its latest report put it, or where its lines are in the tree of the latest iteration",
		Value: func(v *violation) any { return v.Place.File }, Column: placeLayout,
		Cell: func(v *violation) text.Cell { return text.Cell{Text: v.Place.String()} }},
	{Key: "line", Doc: "the first line there; 0 is the whole file", Value: func(v *violation) any { return v.Place.Start }},
	{Key: "end_line", Doc: "the last line there", Value: func(v *violation) any { return v.Place.End }},
	{Key: "also", Doc: "more places of the same problem, likewise: `file`, `line`, `end_line`", Value: func(v *violation) any { return v.Also }},
	{Key: "issue", Doc: "what is wrong, in the words of its latest report", Value: func(v *violation) any { return v.Issue }, Column: issueLayout,
		Cell: func(v *violation) text.Cell { return text.Cell{Text: withResult(*v)} }},
	{Key: "fix", Doc: "the fix that this report proposes", Value: func(v *violation) any { return v.Fix }},
	{Key: "priority", Doc: "the priority of this report; that of what is open never falls", Value: func(v *violation) any { return string(v.Priority) },
		Column: text.Column{Title: "PRIORITY"}},
	{Key: "status", Doc: "`" + listOf(ledger.Statuses()) + "`; `abandoned` in the place of new, reopened and disputed if the run was abandoned, so nothing waits for it",
		Value: func(v *violation) any { return string(v.Shown()) }, Column: text.Column{Title: "STATUS"},
		Cell: func(v *violation) text.Cell { return statusCell(v.Shown()) }},
	{Key: "result", Doc: "how it was fixed, or why it was skipped or disputed, in words", Value: func(v *violation) any { return orNull(v.Result) }},
	{Key: "reason", Doc: "why it was skipped, as one of the words that `mark --reason` takes", Value: func(v *violation) any { return orNull(v.Reason) }},
	{Key: "first_seen", Doc: "when it was first reported", Value: func(v *violation) any { return v.FirstSeen }, Column: seenLayout},
	{Key: "last_seen", Doc: "when it was last reported", Value: func(v *violation) any { return v.LastSeen }},
	{Key: "status_at", Doc: "when its status last changed", Value: func(v *violation) any { return v.StatusAt }},
	{Key: "status_by", Doc: "who made that change: `reviewer, agent, human, system`", Value: func(v *violation) any { return string(v.StatusBy) }},
	{Key: "confirmed", Doc: "how its reporters confirmed the fix, the weakest of them: `word`, `absence` (a tool no longer reports it) or `pass` (a pass without a word on it, after the reviewer was asked for one); null if it is not verified",
		Value: func(v *violation) any { return orNull(v.Confirmed) }},
	{Key: "fingerprint", Doc: "the same for the same line in other runs", Value: func(v *violation) any { return orNull(v.Fingerprint) }},
	{Key: "recurring", Doc: "whether another run has a violation of this fingerprint", Value: func(v *violation) any { return v.Recurring }},
	{Key: "alone", Doc: "whether only one adapter reported it and its duplicates", Value: func(v *violation) any { return !v.Shared }},
	{Key: "in_fix_lines", Doc: "whether it was first reported in lines that the previous fix changed; never for the first answer of a slot in a run",
		Value: func(v *violation) any { return v.InFixLines }},
	{Key: "seen_before", Doc: "the id of the violation, skipped or of an earlier run, that its reviewer said it is; else null",
		Value: func(v *violation) any { return orNull(v.SeenBefore) }},
	{Key: "related", Doc: "the ids of violations of its run that are perhaps the same: near it, with a rare name or half of the words in common, or reported at its place by another slot",
		Value: func(v *violation) any { return v.Related }},
	{Key: "group", Doc: "the id of the first of its block, the most important one of all that are connected with it by `related`; its own if it is alone",
		Value: func(v *violation) any { return v.Group() }},
	{Key: "duplicate_of", Doc: "with status duplicate the id of what it was joined to, which is its `result`, too; else null",
		Value: func(v *violation) any { return orNull(v.DuplicateOf) }},
	{Key: "handed_to", Doc: "the job of the gate that answers for it because its own is gone from the configuration; else null",
		Value: func(v *violation) any { return orNull(v.HandedTo()) }},
	{Key: "gone", Doc: "which reviewer says that it is gone although nobody claims so, and why, as in `codex@2: the file was removed`; null if none does, or something has happened to it since",
		Value: func(v *violation) any { return orNull(v.Gone.String()) }},
	{Key: "reopened", Doc: "whether it is open again, after a claim or a dispute was contradicted", Value: func(v *violation) any { return v.Reopened() }},
	{Key: "said", Doc: "while it is open again, what the reviewer said then, or null", Value: func(v *violation) any { return orNull(v.Entry().Said) }},
	{Key: "worktree", Doc: "the worktree of its run; null with `--team`", Value: func(v *violation) any { return orNull(v.Worktree) },
		Column: text.Column{Title: "WORKTREE", Cut: true, End: true, Late: true, Min: 12}},
}

// Outstanding describe violations that keep a run from passing, with their duplicates, which are closed
// with them.
var Outstanding = append(slices.Clip(Violations), Column[violation]{Key: "duplicates", Value: func(v *violation) any { return joined.Objects(v.Duplicates) }})

// joined describe duplicates, which are other reports of the problem that they were joined to.
var joined = Violations.Pick("id", "gate", "slot", "adapter", "file", "line", "end_line", "issue")

// gateCell names a gate with its entry point.
func gateCell(entryPoint, gate string) text.Cell {
	return text.Cell{Text: text.OrElse(entryPoint, "-") + ":" + gate}
}

func statusCell[Status ~string](s Status) text.Cell {
	return text.Cell{Text: string(s), Color: colorOf(s)}
}

// colorOf returns the color for the status of a run, gate, slot or violation: green if nothing is
// left to do, red if something is.
func colorOf[Status ~string](s Status) string {
	switch string(s) {
	case string(ledger.StatusPassed), string(ledger.SlotPass), string(ledger.StatusVerified):
		return text.Green
	case string(ledger.StatusFailed), string(ledger.SlotFail), string(ledger.StatusError), string(ledger.StatusRetryLimitExceeded):
		return text.Red
	}
	if ledger.Status(s).Open() {
		return text.Red
	}
	return text.Yellow
}

// ViolationsTable formats violations for people, with a column of worktrees if wanted. What is one
// block stands together: the others under its first, with who reported them, and their words if
// they are other words.
func ViolationsTable(found []ledger.ListedViolation, worktrees bool) text.Table {
	found, under := ledger.Together(found)
	keys := []string{"id", "worktree", "status", "priority", "file", "gate", "adapter", "first_seen", "issue"}
	if !worktrees {
		keys = append(keys[:1], keys[2:]...)
	}
	t := Violations.Table(found, keys...)
	for i, v := range found {
		if under[i] != nil {
			cells := t.Rows[i].Cells
			cells[0].Text, cells[len(cells)-1].Text = "└ "+v.ShortID, wordsUnder(v, *under[i])
		}
	}
	return t
}

// wordsUnder returns the words of a violation that stands under another one.
func wordsUnder(v, above ledger.ListedViolation) string {
	if v.DuplicateOf != "" { // its original stands above it
		v.Result, v.Reason = "", ""
	}
	reporter, _, words := v.Entry().Beside(above.Entry())
	v.Issue = strings.TrimSuffix(reporter+": "+words, ": ")
	return withResult(v)
}

func withResult(v ledger.ListedViolation) string {
	switch {
	case v.Reason != "" && v.Result != "":
		return v.Issue + " [" + v.Reason + ": " + v.Result + "]"
	case v.Reason != "" || v.Result != "":
		return v.Issue + " [" + v.Reason + v.Result + "]"
	}
	return v.Issue
}

// Reports describe the list of filtered reports.
var Reports = Columns[ledger.Report]{
	{Key: "id", Doc: "the short ID that `mark ID new` takes up, else the address", Value: func(r *ledger.Report) any { return cmp.Or(r.ID, address(r)) },
		Column: text.Column{Title: "ID"}, Cell: func(r *ledger.Report) text.Cell { return text.Cell{Text: text.OrElse(r.ID, "-")} }},
	{Key: "run", Doc: "the id of its run", Value: func(r *ledger.Report) any { return r.Run }},
	{Key: "gate", Doc: "the review gate", Value: func(r *ledger.Report) any { return r.Gate }, Column: gateLayout,
		Cell: func(r *ledger.Report) text.Cell { return gateCell(r.EntryPoint, r.Gate) }},
	{Key: "entry_point", Doc: "the entry point of that gate", Value: func(r *ledger.Report) any { return r.EntryPoint }},
	{Key: "slot", Doc: "the review index of the slot that reported it", Value: func(r *ledger.Report) any { return r.Slot }},
	{Key: "adapter", Doc: "the adapter that reported it", Value: func(r *ledger.Report) any { return r.Adapter }, Column: adapterLayout,
		Cell: func(r *ledger.Report) text.Cell { return text.Cell{Text: fmt.Sprintf("%s@%d", r.Adapter, r.Slot)} }},
	{Key: "iteration", Doc: "the iteration in which it was reported", Value: func(r *ledger.Report) any { return r.Iteration },
		Column: text.Column{Title: "ITERATION", Right: true}},
	{Key: "file", Doc: "where it is", Value: func(r *ledger.Report) any { return r.Place.File }, Column: placeLayout,
		Cell: func(r *ledger.Report) text.Cell { return text.Cell{Text: text.OrElse(r.Place.String(), "-")} }},
	{Key: "line", Doc: "the first line there; 0 is the whole file", Value: func(r *ledger.Report) any { return r.Place.Start }},
	{Key: "end_line", Doc: "the last line there", Value: func(r *ledger.Report) any { return r.Place.End }},
	{Key: "also", Doc: "more places of the same problem: `file`, `line`, `end_line`", Value: func(r *ledger.Report) any { return r.Also }},
	{Key: "issue", Doc: "what is wrong", Value: func(r *ledger.Report) any { return r.Issue }, Column: issueLayout},
	{Key: "fix", Doc: "the proposed fix", Value: func(r *ledger.Report) any { return r.Fix }},
	{Key: "priority", Doc: "the priority that its reviewer gave it", Value: func(r *ledger.Report) any { return string(r.Priority) },
		Column: text.Column{Title: "PRIORITY"}},
	{Key: "disposition", Doc: "`" + listOf(ledger.Dispositions()[1:]) + "`",
		Value: func(r *ledger.Report) any { return string(r.Disposition) }, Column: text.Column{Title: "DISPOSITION", Cut: true, Late: true},
		Cell: func(r *ledger.Report) text.Cell {
			if r.Disposition == ledger.Accepted {
				return text.Cell{Text: string(r.Disposition)}
			}
			return text.Cell{Text: string(r.Disposition), Color: text.Yellow}
		}},
	{Key: "reason", Doc: "why it was filtered, as a sentence", Value: func(r *ledger.Report) any { return orNull(r.Reason) },
		Column: text.Column{Title: "WHY", Cut: true, Spare: true}, Cell: whyFiltered},
	{Key: "violation", Doc: "the id of the violation that it repeats, or null", Value: func(r *ledger.Report) any { return orNull(r.ShortID) }},
	{Key: "at", Doc: "when the answer was recorded", Value: func(r *ledger.Report) any { return r.At }, Column: seenLayout},
	{Key: "address", Doc: "its slot, and its position in the answer", Value: func(r *ledger.Report) any { return address(r) }},
}

// listOf returns the words of a vocabulary for a document.
func listOf[W ~string](words []W) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return strings.Join(list, ", ")
}

// address names a report by its slot and its position in the answer.
func address(r *ledger.Report) string {
	ref := ledger.SlotRef{Job: r.Job, Slot: r.Slot, Iteration: r.Iteration}
	return fmt.Sprintf("%s#%d", ledger.SlotName(r.Run, ref), r.Position)
}

func whyFiltered(r *ledger.Report) text.Cell {
	if r.TakenUp() {
		return text.Cell{Text: r.Reason + ", taken up"}
	}
	return text.Cell{Text: r.Reason}
}

// DiscardedTable formats discarded reports for people.
func DiscardedTable(found []ledger.Report) text.Table {
	return Reports.Table(found, "id", "disposition", "priority", "file", "gate", "adapter", "at", "issue", "reason")
}

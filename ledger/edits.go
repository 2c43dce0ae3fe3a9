package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Edit is a change of a violation's status that an agent made in a slot's file.
type Edit struct {
	Violation string // ULID
	Status    Status
	Result    string
	Job       string // empty for the file of a verdict, which has only statuses
	Slot      int
	Iteration int
	// Path is the path of the file, and ShortID the violation's short id, for messages.
	Path, ShortID string
	// Said is the edit as it is in the file, if it was redirected to another violation.
	Said *Edit
	// Others are edits of the same violation in other files that this edit overrides. They are
	// recorded, too, so that they are not read as new again.
	Others []Edit
}

// Exported is a slot's file as the ledger last wrote or read it.
type Exported struct {
	Document SlotDocument
	ULIDs    []string // parallel to Document.Violations
	// Restored is set if the slot was restored from the file. It is then unknown when it ended, and
	// which reports were filtered.
	Restored bool
}

// CompareEdits returns what an agent changed in a slot's file: a status or result that differs from
// what the ledger last wrote there is an edit. Entries are matched by id, or else by file, line and
// issue; if an id occurs twice, the entry that has both belongs to it. An unknown status counts as
// new, with a warning. Any other change has no effect and is a warning.
//
// Rule: The ledger is the only truth.
func CompareEdits(last Exported, read SlotDocument) (edits []Edit, warnings []string) {
	found := make([]int, len(last.Document.Violations)) // index into read plus one
	index := indexEntries(last.Document.Violations)
	for i, entry := range read.Violations {
		if k, ok := index.byID[entry.ID]; ok && found[k] == 0 && PlaceKey(entry) == PlaceKey(last.Document.Violations[k]) {
			found[k] = i + 1
		}
	}
	for i, entry := range read.Violations {
		k, ok := index.find(entry)
		if ok && found[k] == i+1 {
			continue
		}
		if !ok || found[k] != 0 {
			warnings = append(warnings, fmt.Sprintf("violations[%d] was added (%s); this has no effect: only reviewers report violations", i, describe(entry)))
			continue
		}
		found[k] = i + 1
	}
	warnings = append(warnings, changedFields(last, read)...)
	if !last.Restored && !slices.Equal(read.Filtered, last.Document.Filtered) {
		warnings = append(warnings, `"filtered" was changed; this has no effect: take up a report of it with "reviewledger mark ID new"`)
	}
	for k, was := range last.Document.Violations {
		if found[k] == 0 {
			warnings = append(warnings, fmt.Sprintf("violation %s was deleted (%s); it stays %s", was.ID, describe(was), was.Status))
			continue
		}
		now := read.Violations[found[k]-1]
		warnings = append(warnings, changedEntry(was, now)...)
		edit, changed, warning := statusEdit(was, now)
		if warning != "" {
			warnings = append(warnings, warning)
		}
		if changed {
			edit.Violation, edit.ShortID = last.ULIDs[k], was.ID
			edit.Job, edit.Slot, edit.Iteration = last.Document.Job, last.Document.Slot, last.Document.Iteration
			edits = append(edits, edit)
		}
	}
	return edits, warnings
}

// entryIndex finds exported entries by id, or by place and issue.
type entryIndex struct {
	byID    map[string]int
	byPlace map[string]int
}

func indexEntries(entries []SlotEntry) entryIndex {
	index := entryIndex{byID: map[string]int{}, byPlace: map[string]int{}}
	for k, e := range entries {
		index.byID[e.ID] = k
		if _, taken := index.byPlace[PlaceKey(e)]; !taken {
			index.byPlace[PlaceKey(e)] = k
		}
	}
	return index
}

func (x entryIndex) find(e SlotEntry) (k int, ok bool) {
	if k, ok = x.byID[e.ID]; ok && e.ID != "" {
		return k, true
	}
	k, ok = x.byPlace[PlaceKey(e)]
	return k, ok
}

// PlaceKey returns a key that distinguishes entries without an id: by file, line and words.
func PlaceKey(e SlotEntry) string {
	return fmt.Sprintf("%q:%d %s", e.File, e.Line, NormalWords(e.Issue)) // quoted, because a name may contain anything
}

// AgentWord returns the status that an entry of a file gives to its violation. A status that agents
// cannot set, or that needs an explanation and has none, counts as new, with a warning that calls
// the violation name. Files of other tools, which have no ids, may skip without an explanation.
//
// Rule: The ledger is the only truth.
// Rule: A mark is not a fix.
func AgentWord(entry SlotEntry, name string) (status Status, warning string) {
	status = Status(strings.ToLower(strings.TrimSpace(entry.Status)))
	switch facts := status.Facts(); {
	case facts.Mark == 0:
		allowed := []string{string(StatusNew)}
		for _, s := range MarkStatuses() {
			if s != StatusNew {
				allowed = append(allowed, string(s))
			}
		}
		return StatusNew, fmt.Sprintf("violation %s has the unexpected status %q; it counts as \"new\" (allowed: %s)", name, entry.Status, strings.Join(allowed, ", "))
	case facts.Why == "", !Blank(text(entry.Result)), status == StatusSkipped && entry.ID == "":
		return status, ""
	default:
		return StatusNew, fmt.Sprintf("violation %s has the status %q without a result; it counts as \"new\": say in \"result\" why %s", name, status, facts.Why)
	}
}

// Unread is what a file says of a violation that is not a word: the status, and the text beside it.
type Unread struct {
	Status string
	Result *string
}

// UnreadIn returns the entries of a file whose status counts as new because it is not a word, or has no
// text, by short id.
func UnreadIn(read SlotDocument) map[string]Unread {
	unread := map[string]Unread{}
	for _, entry := range read.Violations {
		if _, warning := AgentWord(entry, entry.ID); warning != "" && entry.ID != "" {
			unread[entry.ID] = Unread{entry.Status, entry.Result}
		}
	}
	return unread
}

// Keep returns the document as it is written to a file: an entry that is new keeps what a file said of it
// that is not a word, until somebody corrects it.
//
// Rule: The ledger is the only truth.
func (d SlotDocument) Keep(unread map[string]Unread) SlotDocument {
	if len(unread) == 0 {
		return d
	}
	d.Violations = slices.Clone(d.Violations)
	for n := range d.Violations {
		entry := &d.Violations[n]
		if said, there := unread[entry.ID]; there && entry.Status == string(StatusNew) {
			entry.Status, entry.Result = said.Status, said.Result
		}
	}
	return d
}

// RestoredWarnings returns the warnings of [AgentWord] for a file that is not in the ledger.
func RestoredWarnings(read SlotDocument) (warnings []string) {
	for _, entry := range read.Violations {
		name := entry.ID
		if name == "" {
			name = fmt.Sprintf("%q", describe(entry))
		}
		if _, warning := AgentWord(entry, name); warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

func statusEdit(was, now SlotEntry) (edit Edit, changed bool, warning string) {
	now.ID = was.ID
	if Blank(text(now.Result)) && strings.EqualFold(strings.TrimSpace(now.Status), was.Status) {
		now.Result = was.Result // a mark without an explanation keeps the current one
	}
	status, warning := AgentWord(now, was.ID)
	result := text(now.Result)
	if string(status) == was.Status && (result == text(was.Result) || status == StatusNew) {
		return Edit{}, false, warning
	}
	return Edit{Status: status, Result: result}, true, warning
}

// changedEntry returns warnings for changed fields that agents cannot edit.
func changedEntry(was, now SlotEntry) []string {
	var list []string
	note := func(field string, changed bool) {
		if changed {
			list = append(list, fmt.Sprintf("violation %s: %q was changed; this has no effect: only status and result can be edited", was.ID, field))
		}
	}
	note("id", now.ID != was.ID)
	note("file", now.File != was.File && !was.Outdated)
	note("line", now.Line != was.Line && !was.Outdated)
	note("issue", now.Issue != was.Issue)
	note("fix", now.Fix != was.Fix)
	note("priority", now.Priority != was.Priority && now.Priority != was.Reported)
	return list
}

func changedFields(last Exported, now SlotDocument) []string {
	was := last.Document
	var list []string
	note := func(field string, changed bool) {
		if changed {
			list = append(list, fmt.Sprintf("%q was changed; this has no effect", field))
		}
	}
	note("adapter", now.Adapter != was.Adapter)
	note("timestamp", !last.Restored && !now.At.Truncate(time.Second).Equal(was.At.Truncate(time.Second)))
	note("status", now.Status != was.Status)
	note("rawOutput", now.RawOutput != was.RawOutput)
	note("passIteration", now.PassIteration != was.PassIteration)
	return list
}

func describe(e SlotEntry) string {
	return fmt.Sprintf("%s %s", e.Place(), firstLine(e.Issue))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// editEffect is the effect of an edit.
type editEffect int

const (
	editCounts  editEffect = iota
	EditWithout            // the ledger already has this status and result
	EditRefused            // the actor may not make it
)

// Effect returns the effect of the edit on a violation with this status and result.
func (e Edit) Effect(actor Actor, now Status, result string) editEffect {
	switch {
	case e.Status == StatusNew && now.Open() && now != StatusDisputed, e.Status == now && e.Result == result:
		return EditWithout
	case !MayChange(actor, now, e.Status):
		return EditRefused
	}
	return editCounts
}

// ApplyEdits changes the state as RecordEdits of package store changes the rows, and returns the
// number of edits that have an effect.
func ApplyEdits(state *State, actor Actor, edits []Edit) (count int) {
	at := make(map[string]*Violation, len(state.Violations))
	for i := range state.Violations {
		at[state.Violations[i].ID] = &state.Violations[i]
	}
	for _, edit := range edits {
		v := at[edit.Violation]
		if v == nil || edit.Effect(actor, v.Status, v.Result) != editCounts {
			continue
		}
		count++
		if edit.Status == StatusDuplicate {
			state.join(v, edit.Result)
			continue
		}
		v.DuplicateOf = ""
		v.Status, v.Result, v.Reason, v.Gone = edit.Status, "", "", Gone{}
		if !edit.Status.Open() {
			v.Evidence, v.Answers = "", ""
		}
		if edit.Status != StatusNew {
			v.Result, v.Answered = edit.Result, edit.Iteration
		}
	}
	if count > 0 {
		state.LookUpOriginals()
	}
	return count
}

// MergeEdits keeps one edit for each violation. A violation may be listed in the files of two
// slots. If both were edited and disagree, the edit whose status has the lower rank wins.
func MergeEdits(edits []Edit) (merged []Edit, warnings []string) {
	at := map[string]int{}
	for _, e := range edits {
		i, seen := at[e.Violation]
		if !seen {
			at[e.Violation] = len(merged)
			merged = append(merged, e)
			continue
		}
		if merged[i].Status != e.Status {
			warnings = append(warnings, fmt.Sprintf("violation %s was marked %s in %s and %s in %s; \"fixed\" takes precedence over \"disputed\", that over \"new\", and \"new\" over \"skipped\"",
				e.ShortID, merged[i].Status, merged[i].Path, e.Status, e.Path))
		}
		merged[i] = outweigh(merged[i], e)
	}
	return merged, warnings
}

// outweigh returns the edit that wins, with the other one in its Others.
func outweigh(first, second Edit) Edit {
	if second.Status.Facts().Rank < first.Status.Facts().Rank {
		first, second = second, first
	}
	others := append(first.Others, second.Others...)
	second.Others = nil
	first.Others = append(others, second)
	return first
}

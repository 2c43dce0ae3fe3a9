package slots

import (
	"slices"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/ledger"
)

// promptInput returns the input of the slot's prompts.
func (a *Answer) promptInput() prompt.Input {
	in := prompt.Input{
		Instructions: a.Job.Review.Prompt, EntryPoint: a.Job.Entry, LogDir: a.asker.Worktree.Config.LogDir,
		Change: a.asker.change, Gate: a.Job.Name, Checks: a.asker.ended,
		Answered: a.Slot.New != nil || a.asker.Verify, Limit: a.Slot.Reviewer.InputLimit(),
		CodeReview: a.asker.CodeReview, WholeFiles: a.asker.WholeFiles, Verify: a.asker.Verify,
	}
	in.New, in.Seen, in.Named = a.shown()
	in.Unchanged = a.unchanged(slices.Concat(in.New, in.Seen))
	lines := NewLines(a.asker.Worktree.Repo.Root)
	for _, v := range a.Slot.Claims {
		in.Claims = append(in.Claims, a.Slot.finding(lines, v))
	}
	for _, v := range a.Slot.Disputed {
		in.Disputed = append(in.Disputed, a.Slot.finding(lines, v))
	}
	if !in.CodeReview || in.Verify {
		in.Known, in.MoreKnown = a.Slot.known(lines)
	}
	return in
}

// finding returns a claim or dispute with the present lines of its places.
func (s *Slot) finding(lines *Lines, v ledger.Violation) prompt.Finding {
	f := prompt.Finding{Violation: v, Again: s.again[v.ID], Gone: s.carried[v.ID].Gone}
	for _, place := range v.Places() {
		f.Now = append(f.Now, lines.around(place))
	}
	return f
}

// nearLines is how many lines away from a claim or a dispute what a slot has seen before is near.
const nearLines = contextLines

// shown divides the slot's diff into what is new since its last answer, and what it has seen
// before. If nothing is new, only what lies near claims and disputes is shown again, and what was undone
// after another slot had seen it. Files that the program itself wrote are only named.
//
// Rule: No slot passes what it was not shown.
func (a *Answer) shown() (fresh, seen []diff.File, named []string) {
	split := func(d *diff.Diff) (files []diff.File) {
		for _, file := range d.Files {
			if written := a.asker.Worktree.Written; written == nil || !written(file.Path()) {
				files = append(files, file)
			} else if !slices.Contains(named, file.Path()) {
				named = append(named, file.Path())
			}
		}
		return files
	}
	if a.Slot.New == nil {
		return split(a.Slot.Diff), nil, named
	}
	fresh = split(a.Slot.New)
	before := a.Slot.Diff.Beyond(a.Slot.New)
	if len(fresh) == 0 {
		before = before.Around(func(file string, first, last int) bool {
			return a.Slot.asksAbout(file, first, last) || a.Slot.Undone != nil && a.Slot.Undone.Shows(file, first, last)
		})
	}
	return fresh, split(before), named
}

// asksAbout reports whether a claim or dispute has a place near these lines of the file.
func (s *Slot) asksAbout(file string, first, last int) bool {
	lines := ledger.Place{File: file, Start: first, End: last}
	for _, v := range slices.Concat(s.Claims, s.Disputed) {
		for _, place := range v.Places() {
			if place.File == file && (place.WholeFile() || lines.WholeFile() || place.Distance(lines) <= nearLines) {
				return true
			}
		}
	}
	return false
}

// unchanged returns the files of the whole change that the slot is not shown because they are as they
// were in the run that passed, or when the slot answered last.
//
// Rule: No slot passes what it was not shown.
func (a *Answer) unchanged(shown []diff.File) (names []string) {
	there := map[string]bool{}
	for _, file := range shown {
		there[file.Old], there[file.New] = true, true
	}
	for _, whole := range []*diff.Diff{a.Slot.Whole, a.Slot.Diff} {
		if whole == nil {
			continue
		}
		for _, name := range whole.Paths() {
			if written := a.asker.Worktree.Written; !there[name] && (written == nil || !written(name)) {
				there[name], names = true, append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// subject returns what a reviewer that reads no prompt looks at.
func (a *Answer) subject() *clients.Subject {
	s := &clients.Subject{EntryPoint: a.Job.Entry, WholeFiles: a.asker.WholeFiles}
	under := a.Slot.Diff
	if a.Slot.Whole != nil { // a tool also reports what a change breaks in other files
		under = a.Slot.Whole
	}
	s.Files, s.Claims = under.Files, a.Slot.Claims
	for _, v := range a.Slot.Known {
		if v.Fate().Open() {
			s.Known = append(s.Known, v)
		}
	}
	return s
}

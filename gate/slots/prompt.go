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
		Answered: a.Slot.Answered, Limit: a.Slot.Reviewer.InputLimit(),
		CodeReview: a.asker.CodeReview, WholeFiles: a.asker.WholeFiles, Verify: a.asker.Verify,
	}
	in.New, in.Seen, in.Named = a.shown()
	in.Unchanged = a.unchanged()
	lines := NewLines(a.asker.Worktree.Repo.Root)
	for _, v := range a.Slot.Claims {
		in.Claims = append(in.Claims, finding(lines, v))
	}
	for _, v := range a.Slot.Disputed {
		in.Disputed = append(in.Disputed, finding(lines, v))
	}
	if !in.CodeReview || in.Verify {
		in.Known = a.Slot.known(lines)
	}
	return in
}

// finding returns a claim or dispute with the present lines of its places.
func finding(lines *Lines, v ledger.Violation) prompt.Finding {
	f := prompt.Finding{Violation: v}
	for _, place := range v.Places() {
		f.Now = append(f.Now, lines.around(place))
	}
	return f
}

// shown divides the slot's diff into what is new since its last answer, and what it has seen
// before. Files that the program itself wrote are only named.
func (a *Answer) shown() (fresh, seen []diff.File, named []string) {
	split := func(d *diff.Diff) (files []diff.File) {
		for _, file := range d.Files {
			if written := a.asker.Worktree.Written; written != nil && written(file.Path()) {
				named = append(named, file.Path())
			} else {
				files = append(files, file)
			}
		}
		return files
	}
	if !a.Slot.Answered || a.Slot.Since == nil || a.asker.Verify {
		return split(a.Slot.Diff), nil, named
	}
	changed, before := a.Slot.Diff.Split(a.Slot.Since)
	return split(changed), split(before), named
}

// unchanged returns the files of the whole change that the slot is not shown because they are as they
// were in the run that passed, or in an earlier iteration of this one.
//
// Rule: No slot passes what it was not shown.
func (a *Answer) unchanged() (names []string) {
	if a.Slot.Whole == nil {
		return nil
	}
	shown := a.Slot.Diff.Paths()
	for _, name := range a.Slot.Whole.Paths() {
		if !slices.Contains(shown, name) {
			names = append(names, name)
		}
	}
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

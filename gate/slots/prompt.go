package slots

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// promptInput returns the input of the slot's prompts.
func (a *Answer) promptInput() prompt.Input {
	in := prompt.Input{
		Instructions: a.Job.Review.Prompt, EntryPoint: a.Job.Entry, Closed: a.asker.Worktree.ClosedFolders(), Tree: a.Slot.To,
		Change: a.asker.change, Gate: a.Job.Name, Checks: a.asker.ended,
		Answered: a.Slot.New != nil || a.asker.Verify, Limit: a.Slot.Reviewer.InputLimit(),
		CodeReview: a.asker.CodeReview, WholeFiles: a.asker.WholeFiles, Verify: a.asker.Verify,
	}
	in.New, in.Seen, in.Named = a.shown()
	in.Unchanged = a.unchanged(slices.Concat(in.New, in.Seen))
	in.Altered = a.altered()
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
	if in.Answered && len(in.New) == 0 {
		in.Why = a.why(in.Known)
	}
	return in
}

// why says why the slot is asked although nothing is new to it, and what is expected.
func (a *Answer) why(known []prompt.Known) string {
	s := &a.Slot
	var asked []string
	if n := len(s.Claims); n > 0 {
		asked = append(asked, ledger.PluralVerb(n, "problem", "is", "are")+" said to be fixed")
	}
	if n := len(s.Disputed); n > 0 {
		asked = append(asked, ledger.PluralVerb(n, "problem", "is", "are")+" disputed")
	}
	switch {
	case len(asked) > 0:
		return "You are asked because " + strings.Join(asked, ", and ") + ": look at each again, and give it a verdict."
	case slices.ContainsFunc(known, func(k prompt.Known) bool { return k.Own }):
		return "You are asked because problems that you reported are open: report each again, with its id, unless it is gone."
	case s.Latch:
		return "You are asked because every reviewer of this gate has passed, and one has to look again before the gate passes: if you find nothing, answer with a pass."
	}
	return "You are asked because this gate has not passed yet, or something else has changed: if you find nothing, answer with a pass."
}

// altered returns those of the changed files that the gate covers and that git stores with other bytes
// than they have on disk.
//
// Rule: Nothing is left out without a word.
func (a *Answer) altered() (list []prompt.Altered) {
	for _, path := range slices.Sorted(maps.Keys(a.asker.Altered)) {
		if a.Job.Covers(path) {
			list = append(list, prompt.Altered{Path: path, By: a.asker.Altered[path]})
		}
	}
	return list
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

// maxSubjects is how many commits a prompt lists.
const maxSubjects = 20

// ChangeSince starts to collect, in the background, what a prompt says about the change since a
// commit, without what further commits brought. If git does not know the commits, as in a shallow
// clone, it leaves them out.
func ChangeSince(ctx context.Context, w *worktree.Worktree, base string, jobs []Job, brought ...string) func() prompt.Change {
	change := prompt.Change{Branch: w.Repo.Branch}
	for _, job := range jobs {
		if job.Kind != config.KindReview {
			continue
		}
		at := slices.IndexFunc(change.Gates, func(g prompt.Gate) bool { return g.Name == job.Name })
		if at < 0 {
			at, change.Gates = len(change.Gates), append(change.Gates, prompt.Gate{Name: job.Name})
		}
		change.Gates[at].Covers = append(change.Gates[at].Covers, job.Entry)
	}
	if base == "" || base == w.Repo.Head || w.Repo.Head == "" || len(change.Gates) == 0 {
		return func() prompt.Change { return change }
	}
	find := sync.OnceValue(func() prompt.Change {
		change.Subjects, _ = w.Repo.Subjects(ctx, w.Repo.Head, maxSubjects, append(brought, base)...)
		return change
	})
	go find()
	return find
}

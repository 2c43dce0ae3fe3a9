package ledger

import (
	"cmp"
	"slices"
)

// BaseMove is what becomes of the base of an open run when the branch that is checked out, or its
// base branch, has moved.
type BaseMove string

// The moves.
const (
	// BaseStays: the merge base is the base, or the user chose what the run compares with.
	BaseStays BaseMove = "stays"
	// BaseForward: the branch was rebased onto a base branch that moved, or that was merged: the base
	// becomes the new merge base.
	BaseForward BaseMove = "forward"
	// BaseLanded: the new merge base has commits of the change itself. Compared with it, they would
	// never be reviewed, so the base stays.
	BaseLanded BaseMove = "landed"
	// BaseElsewhere: the history was rewritten, or another branch is the base branch now: the base
	// becomes the new merge base, and each slot is as one that never answered.
	BaseElsewhere BaseMove = "elsewhere"
	// BaseLost: there is no merge base any more, so the base stays.
	BaseLost BaseMove = "lost"
)

// BaseCommit is a commit with its tree.
type BaseCommit struct{ ID, Tree string }

// BaseFacts is what decides whether the base of an open run moves.
type BaseFacts struct {
	// Now is the merge base of the base branch and HEAD, or "" if there is none.
	Now string
	// Head is the commit that is checked out.
	Head string
	// OtherBranch reports whether the configuration names another base branch than before.
	OtherBranch bool
	// Descends reports whether Now is a descendant of the base.
	Descends bool
	// Gained are the commits that Now has and the base does not have, and Own those between the bases
	// and the HEADs of the iterations. Both may be left out where Descends is false.
	Gained []BaseCommit
	Own    []string
}

// MoveBase decides whether the base of an open run moves. Only a merge base moves, never a base that
// the user chose with a commit or with uncommitted changes.
//
// Rule: The base moves forward with the branch.
func (s *State) MoveBase(f BaseFacts) BaseMove {
	switch {
	case !s.BaseCanMove(), f.Now == s.Run.Base:
		return BaseStays
	case f.Now == "":
		return BaseLost
	case !f.Descends:
		return BaseElsewhere
	case f.Now == f.Head, s.landed(f):
		return BaseLanded
	case f.OtherBranch:
		return BaseElsewhere
	}
	return BaseForward
}

// BaseCanMove reports whether the base of the run is a merge base.
func (s *State) BaseCanMove() bool {
	return len(s.Iterations) > 0 && s.Iterations[0].Base != "" && (s.Iterations[0].Source == SourceBase || s.Iterations[0].Source == SourceFiles)
}

// Fork is where the base branch was left: the merge bases with it. The base of a run that the user
// chose does not move, but what the base branch brought is not a change of the author there either.
type Fork struct {
	// Base is that of the base of the run, Now that of HEAD, and At has those of the iterations, by their
	// numbers.
	Base, Now string
	At        map[int]string
}

// Brought reports whether the branch has gained commits of its base branch, in a run whose base the
// user chose. That base has left the base branch at the fork.
//
// Rule: The base moves forward with the branch.
func (s *State) Brought(branch, fork string, f BaseFacts) bool {
	if len(s.Iterations) == 0 || s.BaseCanMove() || f.Now == "" || f.Now == fork {
		return false
	}
	like := State{Run: Run{BaseRef: branch, Base: fork}, Iterations: slices.Clone(s.Iterations)}
	return f.Descends && f.Now != f.Head && !like.landed(f)
}

// Whole returns where the run's whole diff begins.
func (s *State) Whole() Seen { return Seen{s.Run.Base, s.Fork.Base} }

// BaseNow returns the commit whose files are not a change of the author, and BaseAt the one that an
// iteration had.
func (s *State) BaseNow() string { return cmp.Or(s.Fork.Now, s.Run.Base) }

// BaseAt is documented with BaseNow.
func (s *State) BaseAt(i *Iteration) string { return cmp.Or(s.Fork.At[i.Number], i.Base) }

// landed reports whether commits that the merge base has gained are of the change: an iteration
// reviewed them, by commit or by content, or the loop works on the base branch itself, so that what
// is committed there need not have been reviewed.
func (s *State) landed(f BaseFacts) bool {
	for _, it := range s.Iterations {
		if it.Branch != "" && (it.Branch == s.Run.BaseRef || "refs/heads/"+it.Branch == s.Run.BaseRef) {
			return true
		}
		if it.Tree != "" && slices.ContainsFunc(f.Gained, func(c BaseCommit) bool { return c.Tree == it.Tree }) {
			return true
		}
	}
	own := make(map[string]bool, len(f.Own))
	for _, id := range f.Own {
		own[id] = true
	}
	return slices.ContainsFunc(f.Gained, func(c BaseCommit) bool { return own[c.ID] })
}

// PathShown is what of one path a reviewer is shown after the base has moved.
type PathShown string

// What is shown.
const (
	// PathLeftOut: nothing. It is as in the base, so it is not a change of the author.
	PathLeftOut PathShown = "nothing"
	// PathSinceSeen: what changed since the reviewer saw it, because the base did not change it.
	PathSinceSeen PathShown = "since_seen"
	// PathWhole: everything that differs from the new base, because both sides changed it: what the
	// base gained may have been dropped.
	PathWhole PathShown = "whole"
)

// ShowPath decides what of a path is shown. theirs means that the two bases differ in its content,
// mode or submodule, and own that the working tree differs from the new base.
//
// Rule: No slot passes what it was not shown.
func ShowPath(theirs, own bool) PathShown {
	switch {
	case !own:
		return PathLeftOut
	case theirs:
		return PathWhole
	}
	return PathSinceSeen
}

// PassFacts is what decides whether a pass counts that compared with another base than the present
// merge base.
type PassFacts struct {
	// Ref is how the run that passed named its base, and Branch the base branch that counts now.
	Ref, Branch string
	// Gone reports whether there is no merge base with Branch any more.
	Gone bool
	// Theirs are the paths that differ between the two bases, and Own those that differ between the
	// present one and the tree that passed. Both may be left out if Gone is set.
	Theirs, Own []string
}

// Counts reports whether nobody would be shown anything because of the new base: no path both differs
// from it and changed between the two. If its base branch is gone, a pass counts, too; one that compared
// with something else that the user chose does not.
//
// Rule: The base moves forward with the branch.
func (f PassFacts) Counts() bool {
	if f.Gone {
		return f.Ref == f.Branch
	}
	theirs := make(map[string]bool, len(f.Theirs))
	for _, path := range f.Theirs {
		theirs[path] = true
	}
	return !slices.ContainsFunc(f.Own, func(path string) bool { return ShowPath(theirs[path], true) == PathWhole })
}

// MovedBase is a base that a run has had since an iteration. From is the one before, or "".
type MovedBase struct {
	Base, From string
	Iteration  *Iteration
}

// Bases returns the bases that the run has had, in order.
func (s *State) Bases() (bases []MovedBase) {
	for n := range s.Iterations {
		it := &s.Iterations[n]
		last := ""
		if len(bases) > 0 {
			last = bases[len(bases)-1].Base
		}
		if it.Base != "" && it.Base != last {
			bases = append(bases, MovedBase{it.Base, last, it})
		}
	}
	return bases
}

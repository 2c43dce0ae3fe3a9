package slots

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
)

// read turns the answer's entries into the ledger's.
func (a *Answer) read(given review.Answer) {
	for _, e := range given.Entries {
		place := ledger.Place{Start: e.Start, End: e.End}
		if e.File != "" {
			var line int
			place.File, line = a.resolve(e.File)
			if place.WholeFile() && line > 0 {
				place.Start, place.End = line, line
			}
		}
		priority, _ := ledger.ParsePriority(e.Priority)
		if e.PriorityUnknown {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d has the unknown priority %q; it counts as high", e.Position, e.PriorityGiven))
		}
		a.Entries = append(a.Entries, ledger.Entry{
			Position: e.Position, Place: place,
			Issue: e.Issue, Fix: e.Fix, Priority: priority, Title: e.Title, Confidence: e.Confidence,
			SystemBreaking: e.SystemBreaking, Missing: e.Missing,
		})
	}
}

// resolve finds the file that a reviewer names, also one named relative to the
// entry point under review.
//
// Rule: A file is found however it is written.
func (a *Answer) resolve(file string) (name string, line int) {
	root := a.asker.Worktree.Repo.Root
	name, line = review.ResolvePath(file, root, a.underReview)
	if a.underReview(name) {
		return name, line
	}
	inside, insideLine := review.ResolvePath(path.Join(a.Job.Entry, file), root, a.underReview)
	if a.underReview(inside) {
		return inside, insideLine
	}
	if alike, alikeLine, ok := a.resembling(file, name); ok {
		return alike, alikeLine
	}
	return name, line
}

// resembling finds the file under review that a reviewer means who leaves out its
// folders, adds some of another checkout, or errs in the letter case. A file that is
// there is meant by its name.
func (a *Answer) resembling(file, plain string) (name string, line int, ok bool) {
	root := a.asker.Worktree.Repo.Root
	if filepath.IsLocal(plain) {
		if _, err := os.Lstat(filepath.Join(root, plain)); err == nil {
			return "", 0, false
		}
	}
	paths := a.Slot.Diff.Paths()
	for _, v := range a.Slot.shown() {
		paths = append(paths, v.Place.File)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	name, line = review.ResolvePath(file, root, func(path string) bool {
		_, found := review.Resembling(path, paths)
		return found
	})
	name, ok = review.Resembling(name, paths)
	return name, line, ok
}

// underReview reports whether the file is in the slot's diff, or has a claim or
// an open violation of it.
func (a *Answer) underReview(file string) bool {
	return a.Slot.Diff.Contains(file, 0, 0) ||
		slices.ContainsFunc(a.Slot.shown(), func(v ledger.Violation) bool { return v.Place.File == file })
}

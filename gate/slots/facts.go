package slots

import (
	"context"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// follow finds out where the lines of earlier violations are in the tree that the slot is shown,
// and the names of their files there. It leaves out violations that were reported in a tree that is
// not known.
func (s *Slot) follow(ctx context.Context, diffs *worktree.Diffs, violations []ledger.Violation) error {
	s.carried, s.renamed, s.hunks = map[string]ledger.Whereabouts{}, map[string]string{}, map[string]string{}
	return diffs.Follow(ctx, s.To, violations, func(v *ledger.Violation, since *diff.Diff, now []ledger.Whereabouts) {
		if since == nil { // the tree no longer exists, so it may be any place in the file
			s.carried[v.ID] = ledger.Whereabouts{Here: ledger.Place{File: v.Place.File}}
			return
		}
		was := v.ReportedAt()
		if v.Claim() {
			s.hunks[v.ID] = since.Near(was.File, was.Start, was.End, maxHunkLines)
		}
		if name := since.NewName(was.File); name != was.File {
			s.renamed[was.File] = name
		}
		carried := now[0]
		if v.Fate() != ledger.StatusSkipped && diffs.Missing(carried.Here.File) {
			carried.Here.Start, carried.Here.End = 0, 0 // none of its lines exists any longer
		}
		carried.Hunk, carried.Hidden = s.hunkAt(carried.Here), diffs.Hidden(carried.Here.File)
		for _, further := range now[1:] {
			carried.Further = append(carried.Further, further.Here)
		}
		s.carried[v.ID] = carried
	})
}

// maxHunkLines is how many lines of changes around a claim's place are kept.
const maxHunkLines = 200

func (s *Slot) hunkAt(p ledger.Place) string {
	if s.Diff == nil {
		return ""
	}
	return s.Diff.HunkAt(p.File, p.Start, p.End)
}

// findFacts finds the facts about the places of the answer's entries. since is what changed since
// the slot's last answer, or nil. An entry with the old name of a renamed file gets the new name.
func (a *Answer) findFacts(since *diff.Diff) error {
	lines := NewLines(a.asker.Worktree.Repo.Root)
	a.Facts = ledger.Facts{Whereabouts: a.Slot.carried, Earlier: a.namedEarlier(), Entries: make([]ledger.EntryFacts, 0, len(a.Given.Entries))}
	a.Content = ledger.Content{Excerpts: map[int]ledger.Excerpt{}, Hunks: a.Slot.hunks}
	for i := range a.Given.Entries {
		entry := &a.Given.Entries[i]
		a.settle(lines, entry)
		inRange, err := a.inRange(*entry, a.given[i])
		if err != nil {
			return err
		}
		a.Facts.Entries = append(a.Facts.Entries, ledger.EntryFacts{
			InRange: inRange, InFixLines: contains(since, a.given[i]) || contains(since, entry.Place),
			Hunk: a.Slot.hunkAt(entry.Place), Line: lines.At(entry.Place),
		})
		if excerpt := lines.excerpt(entry.Place); excerpt.First > 0 {
			a.Content.Excerpts[entry.Position] = excerpt
		}
	}
	return nil
}

// Forget drops what is only needed to record the answer: the report of a tool may have a hundred
// thousand entries.
func (a *Answer) Forget() { a.Given.Entries, a.given, a.Facts.Entries = nil, nil, nil }

// settle changes the entry's places to names and lines that exist: a line that the file does not
// have becomes the whole file.
//
// Rule: A report is never filtered for its name.
func (a *Answer) settle(lines *Lines, entry *ledger.Entry) {
	for _, place := range append([]*ledger.Place{&entry.Place}, also(entry)...) {
		place.File = a.presentName(place.File)
		if line := place.Start; !lines.has(*place) {
			place.Start, place.End = 0, 0
			a.notes = append(a.notes, fmt.Sprintf("violation %d names line %d of %q, which has no such line; it counts as about the file", entry.Position, line, place.File))
		}
	}
}

func also(entry *ledger.Entry) (places []*ledger.Place) {
	for i := range entry.Also {
		places = append(places, &entry.Also[i])
	}
	return places
}

// inRange reports whether a diff of this run showed one of the entry's lines: those at its place,
// also under the name in the answer, or at one of its other places.
//
// Rule: In range is what a diff of this run showed.
func (a *Answer) inRange(entry ledger.Entry, given ledger.Place) (bool, error) {
	if entry.WholeChange || a.Slot.Diff == nil {
		return true, nil
	}
	for _, place := range append(entry.Places(), given) {
		if a.Slot.Diff.Shows(place.File, place.Start, place.End) {
			return true, nil
		}
	}
	if a.Slot.InRange == nil {
		return false, nil
	}
	for _, place := range entry.Places() {
		if shown, err := a.Slot.InRange(place); shown || err != nil {
			return shown, err
		}
	}
	return false, nil
}

// presentName returns the name that a file has in the tree that the slot is shown.
func (a *Answer) presentName(file string) string {
	if name, ok := a.Slot.renamed[file]; ok {
		return name
	}
	for _, d := range []*diff.Diff{a.Slot.Diff, a.Slot.Since} {
		if d != nil {
			if name := d.NewName(file); name != file {
				return name
			}
		}
	}
	return file
}

func contains(d *diff.Diff, p ledger.Place) bool {
	return d != nil && d.Contains(p.File, p.Start, p.End)
}

// Asked returns the ids of the claims and disputes that the slot was asked about, and those of all
// violations of this run that a prompt listed.
func (a *Answer) Asked() (asked, listed map[string]bool) {
	asked, listed = map[string]bool{}, map[string]bool{}
	for _, v := range slices.Concat(a.Slot.Claims, a.Slot.Disputed) {
		asked[v.ID], listed[v.ID] = true, true
	}
	for _, v := range a.Slot.Known {
		if a.listed[v.ShortID] {
			listed[v.ID] = true
		}
	}
	return asked, listed
}

// namedEarlier returns the violations of earlier runs that a prompt listed.
func (a *Answer) namedEarlier() []ledger.EarlierViolation {
	return slices.DeleteFunc(slices.Clone(a.Slot.Earlier), func(v ledger.EarlierViolation) bool { return !a.listed[v.ShortID] })
}

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
		if diffs.Missing(carried.Here.File) {
			carried.Gone = true
			if v.Fate() != ledger.StatusSkipped {
				carried.Here.Start, carried.Here.End = 0, 0
			}
		}
		carried.Hunk, carried.Hidden = s.hunkAt(carried.Here), diffs.Hidden(carried.Here.File)
		for _, further := range now[1:] {
			carried.Further = append(carried.Further, further.Here)
		}
		s.carried[v.ID] = carried
	})
}

// statement is words at a place.
type statement struct {
	words string
	place ledger.Place
}

// AbsentFiles returns the files of the slot's claims, under all names, if they are confirmed by
// absence: there it matters what was said before. It is empty if there are none.
func (s *Slot) AbsentFiles() (files []string) {
	if !s.Reviewer.ByAbsence() {
		return nil
	}
	for _, c := range s.Claims {
		files = append(files, c.Place.File, c.ReportedAt().File)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// Recall keeps what the slot's reviewer said before, in the words of one of its claims and on lines
// that are as they were: when it says it there again, that is not about the claim.
//
// Rule: The reviewer names what it means.
func (s *Slot) Recall(ctx context.Context, diffs *worktree.Diffs, said []ledger.Violation) error {
	claimed := map[string]bool{}
	for _, c := range s.Claims {
		claimed[ledger.NormalWords(c.Issue)] = true
	}
	said = slices.DeleteFunc(said, func(v ledger.Violation) bool { return !claimed[ledger.NormalWords(v.Issue)] })
	s.said = map[statement]bool{}
	return diffs.Follow(ctx, s.To, said, func(v *ledger.Violation, since *diff.Diff, now []ledger.Whereabouts) {
		if since == nil {
			return
		}
		at := now[0].Here
		if at.WholeFile() != v.Place.WholeFile() || at.End-at.Start != v.Place.End-v.Place.Start || len(now[0].Moved) > 0 || !at.WholeFile() && since.Contains(at.File, at.Start, at.End) {
			return
		}
		s.said[statement{ledger.NormalWords(v.Issue), at}] = true
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
	a.Facts = ledger.Facts{Whereabouts: a.Slot.carried, Earlier: a.namedEarlier(), Others: a.namedOthers(), Entries: make([]ledger.EntryFacts, 0, len(a.Given.Entries))}
	a.Content = ledger.Content{Excerpts: map[int]ledger.Excerpt{}, Further: map[int][]ledger.Excerpt{}, Hunks: a.Slot.hunks}
	for i := range a.Given.Entries {
		entry := &a.Given.Entries[i]
		a.settle(lines, entry)
		facts := a.factsAt(lines, since, entry.Place)
		var err error
		if facts.InRange, err = a.inRange(*entry, a.given[i]); err != nil {
			return err
		}
		facts.InFixLines = facts.InFixLines || contains(since, a.given[i])
		facts.SaidBefore = a.Slot.said[statement{ledger.NormalWords(entry.Issue), entry.Place}]
		for _, place := range entry.Also {
			also := a.factsAt(lines, since, place)
			if also.InRange, err = a.shows(place); err != nil {
				return err
			}
			facts.Also = append(facts.Also, also)
			a.Content.Further[entry.Position] = append(a.Content.Further[entry.Position], lines.excerpt(place))
		}
		a.Facts.Entries = append(a.Facts.Entries, facts)
		if excerpt := lines.excerpt(entry.Place); excerpt.First > 0 {
			a.Content.Excerpts[entry.Position] = excerpt
		}
	}
	return nil
}

// factsAt returns the facts about a place, without whether it is in range.
func (a *Answer) factsAt(lines *Lines, since *diff.Diff, place ledger.Place) ledger.EntryFacts {
	return ledger.EntryFacts{InFixLines: contains(since, place), Hunk: a.Slot.hunkAt(place), Line: lines.At(place)}
}

// Forget drops what is only needed to record the answer: the report of a tool may have a hundred
// thousand entries.
func (a *Answer) Forget() { a.Given.Entries, a.given, a.Facts.Entries = nil, nil, nil }

// settle changes the entry's places to names and lines that exist: a line that the file does not
// have becomes the whole file, except that of a handed-in finding, whose id says where it is.
//
// Rule: A report is never filtered for its name.
func (a *Answer) settle(lines *Lines, entry *ledger.Entry) {
	for _, place := range append([]*ledger.Place{&entry.Place}, also(entry)...) {
		place.File = a.presentName(place.File)
		if line := place.Start; !a.handedIn && !lines.has(*place) {
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
// also under the name in the answer, at one of its other places, or in its flow.
//
// Rule: In range is what a diff of this run showed.
func (a *Answer) inRange(entry ledger.Entry, given ledger.Place) (bool, error) {
	if entry.WholeChange || a.Slot.Diff == nil {
		return true, nil
	}
	places := append(slices.Concat(entry.Places(), entry.Flow), given)
	for _, place := range places {
		if a.Slot.Diff.Shows(place.File, place.Start, place.End) {
			return true, nil
		}
	}
	for _, place := range places[:len(places)-1] {
		if shown, err := a.shows(place); shown || err != nil {
			return shown, err
		}
	}
	return false, nil
}

// shows reports whether a diff of this run showed one of the place's lines.
func (a *Answer) shows(place ledger.Place) (bool, error) {
	switch {
	case a.Slot.Diff == nil || a.Slot.Diff.Shows(place.File, place.Start, place.End):
		return true, nil
	case a.Slot.InRange == nil:
		return false, nil
	}
	return a.Slot.InRange(place)
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
	for _, v := range slices.Concat(a.Slot.Known, a.Slot.Others) {
		if a.listed[v.ShortID] || a.Slot.settled[v.ID] { // whoever remembers the id of what is settled may name it
			listed[v.ID] = true
		}
	}
	return asked, listed
}

// namedOthers returns the short ids of the violations of other gates that a prompt listed.
func (a *Answer) namedOthers() (ids []string) {
	for _, v := range a.Slot.Others {
		if a.listed[v.ShortID] {
			ids = append(ids, v.ShortID)
		}
	}
	return ids
}

// namedEarlier returns the violations of earlier runs that a prompt listed.
func (a *Answer) namedEarlier() []ledger.EarlierViolation {
	return slices.DeleteFunc(slices.Clone(a.Slot.Earlier), func(v ledger.EarlierViolation) bool { return !a.listed[v.ShortID] })
}

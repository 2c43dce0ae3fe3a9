package slots

import (
	"context"
	"errors"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// follow finds where the lines of earlier violations are in the tree that the slot is
// shown, and under which names their files are there. What lies in a tree that is not
// known is left out.
func (s *Slot) follow(ctx context.Context, diffs *worktree.Diffs, violations []ledger.Violation) error {
	s.carried, s.renamed, s.hunks = map[string]ledger.Carried{}, map[string]string{}, map[string]string{}
	byTree := map[string][]ledger.Violation{}
	for _, v := range violations {
		if v.Reviewed != "" {
			byTree[v.Reviewed] = append(byTree[v.Reviewed], v)
		}
	}
	for tree, list := range byTree {
		d, err := diffs.Between(ctx, tree, s.To)
		if errors.Is(err, diff.ErrGone) { // any place in its file may be it
			for _, v := range list {
				s.carried[v.ID] = ledger.Carried{Here: ledger.Place{File: v.Place.File}}
			}
			continue
		}
		if err != nil {
			return err
		}
		spans := make([]diff.Span, 0, len(list))
		for _, v := range list {
			spans = append(spans, diff.Span(v.Place))
			if v.Claim() {
				s.hunks[v.ID] = d.Near(v.Place.File, v.Place.Start, v.Place.End, maxHunkLines)
			}
			if name := d.NewName(v.Place.File); name != v.Place.File {
				s.renamed[v.Place.File] = name
			}
		}
		for n, followed := range d.Follow(spans) {
			carried := carriedFrom(followed)
			if list[n].Status != ledger.StatusSkipped && diffs.Missing(carried.Here.File) {
				carried.Here.Start, carried.Here.End = 0, 0 // no line of it is anywhere
			}
			s.carried[list[n].ID] = carried
		}
	}
	return nil
}

// maxHunkLines is how many lines of changes around a claim's place are kept.
const maxHunkLines = 200

// Content is what a person needs to see of an answer when git has forgotten the trees.
// Excerpts go by the position of an entry, Hunks by the ULID of a claim.
type Content struct {
	Excerpts map[int]ledger.Excerpt
	Hunks    map[string]string
}

// Content is found out together with the answer's [Answer.Facts].
func (a *Answer) Content() Content { return a.content }

func carriedFrom(f diff.Followed) ledger.Carried {
	carried := ledger.Carried{Here: ledger.Place(f.Here), Files: f.Files, Rewritten: f.Rewritten, Shifted: f.Shifted}
	for _, span := range f.Moved {
		carried.Moved = append(carried.Moved, ledger.Place(span))
	}
	return carried
}

// Given is the answer as the rules read it.
func (a *Answer) Given() ledger.Answer {
	return ledger.Answer{Fail: a.Fail, Entries: a.Entries, Claims: a.Claims}
}

// Facts tells what is at the places of the answer's entries, where since is what changed
// since the slot's last answer, or nil. An entry under the old name of a renamed file is
// given the new one. They are found out once.
func (a *Answer) Facts(since *diff.Diff) ledger.Facts {
	if a.facts != nil {
		return *a.facts
	}
	lines := NewLines(a.asker.Worktree.Repo.Root)
	facts := ledger.Facts{Carried: a.Slot.carried}
	a.content = Content{Excerpts: map[int]ledger.Excerpt{}, Hunks: a.Slot.hunks}
	for i := range a.Entries {
		given, place := a.Entries[i].Place, &a.Entries[i].Place
		place.File = a.presentName(given.File)
		if !holds(a.Slot.Diff, given) && !holds(a.Slot.Diff, *place) {
			*place = lines.existing(*place)
		}
		if given.Start > 0 && place.WholeFile() && holds(a.Slot.Diff, *place) {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d names line %d of %q, which has no such line; it counts as about the file", a.Entries[i].Position, given.Start, place.File))
		}
		facts.Entries = append(facts.Entries, ledger.EntryFacts{
			InDiff:      a.Entries[i].WholeChange || holds(a.Slot.Diff, given) || holds(a.Slot.Diff, *place),
			InFixLines:  holds(since, given) || holds(since, *place),
			Line:        lines.At(*place),
			Identifiers: a.identifiers(lines, a.Entries[i]),
		})
		if excerpt := lines.excerpt(*place); excerpt.First > 0 {
			a.content.Excerpts[a.Entries[i].Position] = excerpt
		}
	}
	a.facts = &facts
	return facts
}

// identifiers are the words of the code at an entry's place, or at the places of all claims
// if it is about the whole change.
func (a *Answer) identifiers(lines *Lines, entry ledger.Entry) (words []string) {
	if !entry.WholeChange {
		return lines.identifiers(entry.Place)
	}
	if a.claimed == nil {
		a.claimed = []string{}
		for _, v := range a.Slot.Claims {
			if carried, ok := a.Slot.carried[v.ID]; ok {
				a.claimed = append(a.claimed, lines.identifiers(carried.Here)...)
			}
		}
	}
	return a.claimed
}

// presentName is the name that a file has in the tree that the slot is shown.
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

func holds(d *diff.Diff, p ledger.Place) bool { return d != nil && d.Contains(p.File, p.Start, p.End) }

// Shown holds the ids of the claims that the slot was asked to verify.
func (a *Answer) Shown() map[string]bool {
	shown := map[string]bool{}
	for _, v := range a.Slot.Claims {
		shown[v.ID] = true
	}
	return shown
}

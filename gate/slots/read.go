package slots

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/paths"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// read converts the form to the types of package ledger, and adds warnings about what it could not
// take literally.
func (a *Answer) read(ctx context.Context, form answer.Form) {
	a.Warnings, a.notes = append(a.Warnings, form.Warnings...), append(a.notes, form.Remarks...)
	resolver := a.resolver(ctx)
	a.Given.Entries, a.given = slices.Grow(a.Given.Entries, len(form.Violations)), slices.Grow(a.given, len(form.Violations))
	for _, entry := range form.Violations {
		named := entry.Place
		found := resolver.Resolve(named.File)
		entry.Place = placeOf(found, named)
		if entry.WholeChange = named.File != "" && !found.Known; entry.WholeChange && named.File != clients.WholeChange {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d names %q, which is not a file of the repository; it counts as about the whole change", entry.Position, named.File))
		}
		given := entry.Place
		if found.Old {
			given.File = named.File
		}
		entry.Also = slices.Clone(entry.Also)
		for i, place := range entry.Also {
			entry.Also[i] = placeOf(resolver.Resolve(place.File), place)
		}
		for i, place := range entry.Flow {
			entry.Flow[i] = placeOf(resolver.Resolve(place.File), place)
		}
		a.Given.Entries, a.given = append(a.Given.Entries, entry), append(a.given, given)
	}
	a.Given.Claims, a.Given.Disputes = form.Claims, form.Disputes
	for _, word := range form.Known {
		if word.Gone {
			a.Given.Gone = append(a.Given.Gone, ledger.GoneWord{ID: word.ID, Evidence: word.Evidence})
		}
	}
	a.Given.Notes, a.Given.Passed = form.Notes, form.Status == answer.Pass
}

// placeOf returns the place with the file that was found. Its lines are those of the entry, else
// those in the name.
func placeOf(found paths.Found, named ledger.Place) ledger.Place {
	if named.WholeFile() {
		return ledger.Place{File: found.Path, Start: found.Start, End: found.End}
	}
	named.File = found.Path
	return named
}

// unreviewed returns an error if the reviewer says that it has not reviewed a file that it was
// shown, or one that does not exist. Other files, and those that its prompt only named, did not
// have to be reviewed. For a changed binary file, of which no prompt can show lines, there is only
// a warning.
//
// Rule: What is not an answer is an error.
func (a *Answer) unreviewed(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	resolver, shown := a.resolver(ctx), a.shownFiles()
	var missed, binary []string
	for _, name := range names {
		found := resolver.Resolve(name)
		quoted := fmt.Sprintf("%q", clients.OneLine(name))
		switch {
		case shown[found.Path] || !found.Known:
			missed = append(missed, quoted)
		case slices.ContainsFunc(a.Slot.Diff.Files, func(f diff.File) bool { return f.Binary && f.Path() == found.Path }):
			binary = append(binary, quoted)
		}
	}
	if len(binary) > 0 {
		a.Warnings = append(a.Warnings, "binary, and not reviewed: "+worktree.Named(binary))
	}
	if len(missed) == 0 {
		return nil
	}
	return errors.New("the reviewer did not review " + worktree.Named(missed))
}

// shownFiles returns the files of which a prompt showed lines: those of the diff that it did not
// only name, and those of claims and disputes.
func (a *Answer) shownFiles() map[string]bool {
	shown := map[string]bool{}
	fresh, seen, _ := a.shown()
	for _, file := range slices.Concat(fresh, seen) {
		shown[file.Path()] = shown[file.Path()] || !file.Binary
	}
	for _, claim := range slices.Concat(a.Slot.Claims, a.Slot.Disputed) {
		shown[claim.Place.File] = true
	}
	return shown
}

// resolver returns the resolver for files that the answer names. It lists the files of the tree
// only if they matter.
func (a *Answer) resolver(ctx context.Context) *paths.Resolver {
	if a.names != nil {
		return a.names
	}
	names := paths.Names{Root: a.asker.Worktree.Repo.Root, Changed: slices.Clone(a.Slot.Diff.Files)}
	for old, name := range a.Slot.renamed {
		names.Changed = append(names.Changed, diff.File{Old: old, New: name})
	}
	for _, v := range slices.Concat(a.Slot.Claims, a.Slot.Disputed, a.Slot.Known, a.Slot.Others) {
		names.Noted = append(names.Noted, v.Place.File)
	}
	names.Tree = func() ([]string, error) {
		tree, err := a.asker.Worktree.Repo.TreeFiles(ctx, a.Slot.To, nil)
		if err != nil {
			a.Warnings = append(a.Warnings, fmt.Sprintf("find the files that the reviewer names: %v", err))
		}
		list := make([]string, 0, len(tree))
		for _, file := range tree {
			list = append(list, file.Path)
		}
		return list, err
	}
	a.names = paths.New(names)
	return a.names
}

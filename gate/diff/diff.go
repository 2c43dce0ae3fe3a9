// Package diff finds out what changed in a git repository. It is the only package that runs git,
// and decides nothing about findings or gates: it takes snapshots of the working tree, compares
// trees, parses unified diffs, and maps lines from one tree to another.
//
// # Rules
//
// Every diff compares two trees with one fixed set of options, so that its content depends neither
// on the user's configuration or language nor on variables inherited from a git hook. What cannot
// be parsed is an error that names the line, and a missing revision or merge base is an error that
// names it: a diff is never silently shorter than the change.
//
// Taking a snapshot leaves the index, the working tree, the stash and a merge in
// progress byte for byte as they are.
//
// Paths are as git has them: relative to the root of the working tree, with slashes, in bytes that
// need not be UTF-8. Lines count from 1; line 0 means the whole file.
//
// It needs git 2.25 or newer, and 2.34 or newer for sparse checkouts.
package diff

import (
	"cmp"
	"slices"
)

// Kind is what happened to a file between two trees.
type Kind string

const (
	// Added is a file that only the new tree has.
	Added Kind = "added"
	// Deleted is a file that only the old tree has.
	Deleted Kind = "deleted"
	// Modified is a file whose content or mode changed.
	Modified Kind = "modified"
	// Renamed is a file that has another name in the new tree. Its content and mode may differ,
	// too.
	Renamed Kind = "renamed"
	// TypeChanged is a path that has another type in the new tree: a file became a symbolic link,
	// or a link became a submodule.
	TypeChanged Kind = "type changed"
)

// Diff is the difference between two trees. It never changes, so several goroutines may use it.
type Diff struct {
	Files []File
}

// A Listing names the changed files of a [Diff], without their lines.
type Listing []Names

// Names are the paths of a changed file in the two trees, as in [File].
type Names struct{ Old, New string }

// File is one file's part of a [Diff].
type File struct {
	// Old and New are the file's paths in the two trees. Old is empty for an
	// added file, New for a deleted one.
	Old, New string
	Kind     Kind
	// Binary reports that git shows no lines, because the content is binary or an attribute (-diff)
	// says so.
	Binary bool
	// Submodule reports that the path is a submodule in one of the trees.
	Submodule bool
	// Blocks are the changed lines in ascending order.
	Blocks []Block
	// Hunks are what the diff shows, in ascending order.
	Hunks []Hunk
	// Text is the file's whole part of the diff as git printed it. The texts of all files of a diff
	// share one buffer.
	Text []byte

	ids [2]string // object ids in the two trees, all zeros if there is no file
}

// Hunk is a range of lines that the diff shows: blocks, and the unchanged lines around them. Its
// text begins with git's header.
type Hunk struct {
	Block
	Blocks []Block
	Text   []byte
}

// Block is a range of changed lines: OldCount lines from OldStart on were replaced by NewCount
// lines from NewStart on. If one of the counts is 0, that side starts at the line that follows the
// change.
type Block struct {
	OldStart, OldCount int
	NewStart, NewCount int
}

// Empty reports whether nothing changed.
func (d *Diff) Empty() bool { return len(d.Files) == 0 }

// Filter returns the part of the diff whose paths keep accepts. A renamed file is kept if either of
// its paths is accepted.
func (d *Diff) Filter(keep func(path string) bool) *Diff {
	kept := &Diff{}
	for _, f := range d.Files {
		if slices.ContainsFunc(f.paths(), keep) {
			kept.Files = append(kept.Files, f)
		}
	}
	return kept
}

// Renames reports whether the diff has a renamed file whose paths fits accepts.
func (d *Diff) Renames(fits func(from, to string) bool) bool {
	return slices.ContainsFunc(d.Files, func(f File) bool { return f.Kind == Renamed && fits(f.Old, f.New) })
}

// Unrename replaces each file that [Diff.Renames] finds by the added file in plain, the diff of the
// same trees without renames.
func (d *Diff) Unrename(fits func(from, to string) bool, plain *Diff) *Diff {
	whole := &Diff{Files: slices.Clone(d.Files)}
	for i, f := range whole.Files {
		if f.Kind != Renamed || !fits(f.Old, f.New) {
			continue
		}
		added := slices.IndexFunc(plain.Files, func(p File) bool { return p.New == f.New && p.Kind == Added })
		if added >= 0 {
			whole.Files[i] = plain.Files[added]
		}
	}
	return whole
}

// Sever replaces each file that [Diff.Renames] finds by what plain, the diff of the same trees without
// renames, has of its two paths.
func (d *Diff) Sever(fits func(from, to string) bool, plain *Diff) *Diff {
	severed := &Diff{}
	for _, f := range d.Files {
		if f.Kind != Renamed || !fits(f.Old, f.New) {
			severed.Files = append(severed.Files, f)
			continue
		}
		for _, p := range plain.Files {
			if p.New == f.New || p.Old == f.Old {
				severed.Files = append(severed.Files, p)
			}
		}
	}
	return severed
}

// Join returns the files of both diffs, which have no path in common and end at the same tree.
func (d *Diff) Join(other *Diff) *Diff {
	joined := &Diff{Files: slices.Concat(d.Files, other.Files)}
	slices.SortFunc(joined.Files, func(a, b File) int { return cmp.Compare(a.Path(), b.Path()) })
	return joined
}

// Listing returns the names of the files of the diff.
func (d *Diff) Listing() Listing {
	list := make(Listing, 0, len(d.Files))
	for _, f := range d.Files {
		list = append(list, Names{f.Old, f.New})
	}
	return list
}

// Paths returns every path of the diff, in the old tree or in the new one, sorted and without
// duplicates.
func (d *Diff) Paths() []string { return d.Listing().Paths() }

// Paths returns every path of the files, in the old tree or in the new one, sorted and without
// duplicates.
func (l Listing) Paths() []string {
	paths := []string{}
	for _, n := range l {
		paths = append(paths, n.paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Filter returns the files of which keep accepts a path.
func (l Listing) Filter(keep func(path string) bool) (kept Listing) {
	for _, n := range l {
		if slices.ContainsFunc(n.paths(), keep) {
			kept = append(kept, n)
		}
	}
	return kept
}

// Path returns the file's path in the new tree, or in the old one if it was deleted.
func (f File) Path() string { return cmp.Or(f.New, f.Old) }

// paths returns the file's paths in the two trees, without duplicates.
func (f File) paths() []string { return Names{f.Old, f.New}.paths() }

// paths returns the two paths, without duplicates.
func (n Names) paths() []string {
	return slices.Compact(slices.DeleteFunc([]string{n.New, n.Old}, func(path string) bool { return path == "" }))
}

// Size returns the number of bytes of the texts of all files.
func (d *Diff) Size() int {
	size := 0
	for _, f := range d.Files {
		size += len(f.Text)
	}
	return size
}

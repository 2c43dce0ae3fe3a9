package clients

import (
	"path"
	"slices"
	"strings"
)

// Files are what a reviewer's name for a file may mean: facts about what one slot was
// shown. All paths are relative to the repository's root, with slashes.
type Files struct {
	// Root is the absolute path of the working tree, and Entry the folder of the
	// entry point under review, "" or "." for all of it.
	Root, Entry string
	Changed     []ChangedFile
	// Noted are the places of claims and of open violations.
	Noted []Place
}

// Place is a file, or lines of it: both lines are 0 for the whole file.
type Place struct {
	File       string
	Start, End int
}

// ChangedFile is a file of the diff. Old or New is empty if the tree before the change,
// or the one under review, has no such file.
type ChangedFile struct {
	Old, New string
	// Whole reports that all lines count as changed, and Folder that the file stands
	// for all paths below it, as a submodule does.
	Whole, Folder bool
	// Blocks are the changed lines otherwise, in ascending order.
	Blocks []ChangedBlock
}

// ChangedBlock are the lines that stand for one block of changed lines, in the tree
// before the change and in the one under review.
type ChangedBlock struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// Resolved is where a reviewer's entry is.
type Resolved struct {
	Place
	// Known reports whether the place is certain: the entry names a file of one of
	// the two trees. An entry that does not is about the whole change, and must not
	// be dropped for lying on no changed line.
	Known bool
}

// Resolver finds the files that reviewers name, however they write the names. It works
// on words alone and never looks at the disk. What it returns is always relative and
// never leaves the repository.
//
// A name that is a changed file's own is that file. Of all other files that it may
// mean, one with the entry's lines in the diff or at a noted place counts first, for a
// name that is misread is a finding lost; then the one that it fits best.
type Resolver struct {
	root, entry string
	files       []knownFile
	exact       map[string][]int // indexes of files by path
	folded      map[string][]int // by the folded path
	bases       map[string][]int // by the folded last part
	listed      bool             // the files of the tree are among them
	seen        map[string][]match
}

// knownFile is a file under one of its names.
type knownFile struct {
	path string
	// folded are the path's foldings.
	folded []string
	// changed is the file's part of the diff, or nil.
	changed *ChangedFile
	// old reports whether path is its name before a rename.
	old   bool
	noted []Place
	// exists reports whether one of the trees is known to have it.
	exists bool
}

// NewResolver returns a resolver that knows of no unchanged files yet.
func NewResolver(files Files) *Resolver {
	r := &Resolver{
		root: path.Clean(slashed(files.Root)), entry: path.Clean(slashed(files.Entry)),
		exact: map[string][]int{}, folded: map[string][]int{}, bases: map[string][]int{}, seen: map[string][]match{},
	}
	changed := slices.Clone(files.Changed)
	for i := range changed {
		c := &changed[i]
		if c.New != "" {
			r.add(knownFile{path: c.New, changed: c, exists: true})
		}
		if c.Old != "" && c.Old != c.New {
			r.add(knownFile{path: c.Old, changed: c, old: c.New != "", exists: true})
		}
	}
	for _, place := range files.Noted {
		if place.File != "" {
			r.note(place)
		}
	}
	return r
}

func (r *Resolver) add(file knownFile) {
	index := len(r.files)
	file.folded = foldings(file.path)
	r.files = append(r.files, file)
	r.exact[file.path] = append(r.exact[file.path], index)
	for _, key := range file.folded {
		r.folded[key] = append(r.folded[key], index)
		base := path.Base(key)
		r.bases[base] = append(r.bases[base], index)
	}
}

func (r *Resolver) note(place Place) {
	known := r.exact[place.File]
	if len(known) == 0 {
		r.add(knownFile{path: place.File})
		known = r.exact[place.File]
	}
	for _, i := range known {
		r.files[i].noted = append(r.files[i].noted, place)
	}
}

// AddTree adds the files of the tree under review. Without them, a name that does not
// lead to a changed line is never certain: see [Resolver.NeedsTree].
func (r *Resolver) AddTree(paths []string) {
	r.listed, r.seen = true, map[string][]match{}
	for _, p := range paths {
		known := r.exact[p]
		if len(known) == 0 {
			r.add(knownFile{path: p, exists: true})
		}
		for _, i := range known {
			r.files[i].exists = true
		}
	}
}

// NeedsTree reports whether the files of the tree may decide where one of the entries is.
func (r *Resolver) NeedsTree(entries []Entry) bool {
	return !r.listed && slices.ContainsFunc(entries, func(e Entry) bool {
		if isBlank(e.File) {
			return false
		}
		_, settled := r.find(e)
		return !settled
	})
}

// Resolve returns where an entry is. An entry without a file is nowhere: its place has
// no file either.
func (r *Resolver) Resolve(e Entry) Resolved {
	if isBlank(e.File) {
		return Resolved{Place: Place{Start: e.Start, End: e.End}}
	}
	found, _ := r.find(e)
	return found
}

// find returns where an entry is, and whether the files of the tree cannot change it.
func (r *Resolver) find(e Entry) (found Resolved, settled bool) {
	given, other := lineRange{e.Start, e.End}, lineRange{e.OtherStart, e.OtherEnd}
	for _, i := range r.exact[e.File] {
		if r.files[i].changed == nil {
			continue
		}
		// Of several changes to the same file the one with the lines in the diff.
		place, inside := r.files[i].at(e.File, given, other)
		if !settled || inside {
			found, settled = Resolved{place, true}, true
		}
		if inside {
			return found, true
		}
	}
	if settled {
		return found, true
	}
	matches := r.matches(e.File)
	for _, m := range matches {
		if place, inside := r.files[m.file].at(m.path, given, m.lines, other); inside {
			return Resolved{place, r.files[m.file].exists}, r.files[m.file].exists
		}
	}
	if len(matches) == 0 {
		return r.unknown(e.File, given), false
	}
	best := matches[0]
	file := r.files[best.file]
	if best.fit == fitGuess || best.part && !r.allKnown(e) {
		return r.unknown(e.File, given), false
	}
	place, _ := file.at(best.path, given, best.lines, other)
	return Resolved{place, file.exists && r.listed}, false
}

// allKnown reports whether each of several names in an entry is certain.
func (r *Resolver) allKnown(e Entry) bool {
	names := splitNames(strings.TrimSpace(e.File))
	return len(names) > 1 && !slices.ContainsFunc(names, func(name string) bool {
		one := e
		one.File = name
		found, _ := r.find(one)
		return !found.Known
	})
}

// unknown returns the place of an entry whose name fits no file: the name as it stands,
// without the lines behind it.
func (r *Resolver) unknown(file string, given lineRange) Resolved {
	name, lines := cutPlace(strings.TrimSpace(file))
	if given.start == 0 {
		given = lines
	}
	return Resolved{Place: Place{File: r.local(name), Start: given.start, End: given.end}}
}

// local returns a name as a path that does not leave the repository.
func (r *Resolver) local(name string) string {
	if inside, ok := r.inside(path.Clean(name)); ok {
		name = inside
	}
	name = strings.TrimLeft(path.Clean("/"+name), "/")
	if name == "" {
		return "."
	}
	return name
}

// inside takes the repository's root off an absolute path.
func (r *Resolver) inside(file string) (string, bool) {
	if !path.IsAbs(r.root) {
		return "", false
	}
	return strings.CutPrefix(file, strings.TrimSuffix(r.root, "/")+"/")
}

// at returns the place in the file that one of the ranges means, and whether it is under
// review. The first range that is under review counts, else the first that is one.
func (f *knownFile) at(name string, ranges ...lineRange) (place Place, inside bool) {
	lines := lineRange{}
	for _, candidate := range ranges {
		if candidate.start <= 0 {
			continue
		}
		if lines.start == 0 {
			lines = candidate
		}
		if place, inside = f.place(name, candidate); inside {
			return place, true
		}
	}
	return f.place(name, lines)
}

// place returns the place of lines in the file under its present name, and whether it is
// under review. Under the old name of a file the numbers may be those before the change.
func (f *knownFile) place(name string, lines lineRange) (place Place, inside bool) {
	place = Place{f.path, lines.start, lines.end}
	if f.changed != nil && f.changed.Folder && strings.HasPrefix(name, f.path+"/") {
		place.File = name
	}
	if f.old {
		place.File = f.changed.New
	}
	if f.changed != nil {
		if lines.start == 0 || f.changed.Whole {
			return place, true
		}
		for _, b := range f.changed.Blocks {
			if b.NewStart <= lines.end && lines.start <= b.NewEnd {
				return place, true
			}
		}
		for _, b := range f.changed.Blocks {
			if f.old && b.OldStart <= lines.end && lines.start <= b.OldEnd {
				return Place{place.File, b.NewStart, b.NewEnd}, true
			}
		}
	}
	return place, slices.ContainsFunc(f.noted, func(n Place) bool {
		return n.Start == 0 || lines.start == 0 || n.Start <= lines.end && lines.start <= max(n.Start, n.End)
	})
}

// Package paths finds the files that reviewers name. It only compares names, and never reads the
// disk.
package paths

import (
	"cmp"
	"math"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// Names are the files that a reviewer's name for a file may mean.
type Names struct {
	// Root is the absolute path of the working tree.
	Root string
	// Changed are the files of the diff. A submodule includes all paths below it.
	Changed []diff.File
	// Noted are the files of claims and of known violations.
	Noted []string
	// Tree returns the files of the tree under review. It is called at most once, and only for a
	// name that is not exactly a changed file's. After an error no unchanged file is known.
	Tree func() ([]string, error)
}

// Found is the file that a name means.
type Found struct {
	// Path is the file's present path. It is relative and never leaves the repository.
	Path string
	// Start and End are the lines in the name; both are 0 if it has none.
	Start, End int
	// Known reports whether one of the two trees has the file. If not, Path is made of the name
	// itself, and the report is about the whole change.
	Known bool
	// Old reports that the name was the file's name before a rename.
	Old bool
}

// maxName is the maximum length of a name that is looked up, in bytes: git does not have longer
// paths, and quoting makes them up to four times as long.
const maxName = 4*4096 + 64

// Resolver finds files by their names. It is not safe for concurrent use.
type Resolver struct {
	root    string
	tree    func() ([]string, error)
	files   map[string]file
	forms   map[string]string // paths by their composed form, if it differs from them; "" if several have the same
	folders []string          // changed folders, each with a slash at its end
	ends    []end             // changed files, sorted by their reversed names
}

// file is a file that a name may mean.
type file struct {
	path  string
	known bool
	old   bool
}

// end is a reversed name of a changed file. Names with the same ending are neighbors in the sorted
// list.
type end struct {
	reversed string
	file     int
	found    file
}

// New returns a resolver for these names.
func New(n Names) *Resolver {
	r := &Resolver{
		root: strings.TrimSuffix(filepath.ToSlash(n.Root), "/") + "/", tree: n.Tree,
		files: map[string]file{}, forms: map[string]string{},
	}
	for i, c := range n.Changed {
		if c.New != "" {
			r.addChanged(i, c.New, c.Submodule, file{path: c.New, known: true})
		}
	}
	for i, c := range n.Changed { // second, because a present name means that file, even if another had it before
		switch c.Old {
		case "", c.New:
		default:
			r.addChanged(i, c.Old, c.Submodule && c.New == "", file{path: cmp.Or(c.New, c.Old), known: true, old: c.New != ""})
		}
	}
	slices.SortStableFunc(r.ends, func(a, b end) int { return strings.Compare(a.reversed, b.reversed) })
	for _, noted := range n.Noted {
		if _, found := r.files[noted]; !found && noted != "" {
			r.add(noted, file{path: noted})
		}
	}
	return r
}

func (r *Resolver) addChanged(index int, name string, folder bool, f file) {
	r.ends = append(r.ends, end{reversed("/" + norm.NFC.String(name)), index, f})
	if _, found := r.files[name]; !found {
		r.add(name, f)
	}
	if folder {
		r.folders = append(r.folders, name+"/")
	}
}

func (r *Resolver) add(name string, f file) {
	r.files[name] = f
	form := norm.NFC.String(name)
	if form == name {
		return
	}
	if _, several := r.forms[form]; several {
		name = ""
	}
	r.forms[form] = name
}

// addTree adds the files of the tree, once.
func (r *Resolver) addTree() {
	if r.tree == nil {
		return
	}
	names, err := r.tree()
	r.tree = nil
	if err != nil {
		return // a report on an unknown file is about the whole change, and never dropped
	}
	for _, name := range names {
		if f, found := r.files[name]; !found {
			r.add(name, file{path: name, known: true})
		} else if !f.known {
			r.files[name] = file{path: name, known: true}
		}
	}
}

// Resolve returns the file that a name means, and the lines in the name. A file's exact name always
// means that file. Otherwise, in this order, the name may be absolute, contain lines, be quoted or
// prefixed as git does it, use backslashes or another Unicode normal form, or be the end of exactly
// one changed file's path.
//
// Rule: A report is never filtered for its name.
func (r *Resolver) Resolve(name string) Found {
	all := readings(name)
	plain := all[0]
	for _, one := range all {
		if one.plain { // in later readings more than lines was cut off
			plain = one
		}
	}
	if len(name) <= maxName {
		if f, found := r.exact(r.local(name)); found && f.known {
			return all[0].found(f)
		}
		if f, found := r.below(r.local(plain.path)); found {
			return plain.found(f)
		}
		r.addTree()
		for _, look := range []func(string) (file, bool){r.exact, r.prefixed, r.form, r.ending} {
			for _, one := range all {
				if f, found := look(r.local(one.path)); found {
					return one.found(f)
				}
			}
		}
	}
	return plain.found(file{path: safe(plain.path)})
}

// local returns a name as a clean path relative to the root, as far as possible.
func (r *Resolver) local(name string) string {
	if _, literal := r.files[name]; literal {
		return name
	}
	name = path.Clean(name)
	if inside, ok := strings.CutPrefix(name, r.root); ok {
		return inside
	}
	return name
}

func (r *Resolver) exact(name string) (file, bool) {
	f, found := r.files[name]
	return f, found
}

// below returns paths in a changed folder, such as a submodule, whose files are not listed.
func (r *Resolver) below(name string) (file, bool) {
	for _, folder := range r.folders {
		for _, one := range []string{name, unprefixed(name)} {
			if strings.HasPrefix(one, folder) {
				return file{path: one, known: true}, true
			}
		}
	}
	return file{}, false
}

func (r *Resolver) prefixed(name string) (file, bool) { return r.exact(unprefixed(name)) }

// unprefixed removes the prefix that git puts before names in a diff.
func unprefixed(name string) string {
	if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
		return name[len("a/"):]
	}
	return name
}

func (r *Resolver) form(name string) (file, bool) {
	form := norm.NFC.String(name)
	if f, found := r.exact(form); found {
		return f, true
	}
	f, found := r.files[r.forms[form]]
	return f, found
}

// ending returns the only changed file whose path ends with the name, in whole components.
func (r *Resolver) ending(name string) (found file, ok bool) {
	key := reversed("/" + norm.NFC.String(name))
	first := sort.Search(len(r.ends), func(i int) bool { return r.ends[i].reversed >= key })
	for i := first; i < len(r.ends) && strings.HasPrefix(r.ends[i].reversed, key); i++ {
		switch {
		case !ok || found.old && r.ends[i].file == r.ends[first].file:
			found, ok = r.ends[i].found, true
		case r.ends[i].file != r.ends[first].file:
			return file{}, false
		}
	}
	return found, ok
}

func reversed(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

// reading is one interpretation of a name.
type reading struct {
	path       string
	start, end int
	cuts       int
	// plain reports that at most lines were cut off.
	plain bool
}

func (r reading) found(f file) Found {
	return Found{Path: f.path, Start: r.start, End: r.end, Known: f.known, Old: f.old}
}

// readings returns the interpretations of a name, the most literal first.
func readings(name string) []reading {
	all := []reading{{path: name, plain: true}}
	for i := 0; i < len(all); i++ {
		one := all[i]
		if inner, ok := unquote(one.path); ok {
			all = append(all, reading{inner, one.start, one.end, one.cuts, false})
		}
		if before, start, end, ok := cutLines(one.path); ok && one.cuts < 2 { // a line, and a column
			all = append(all, reading{before, start, end, one.cuts + 1, one.plain})
		}
		if slashed := strings.ReplaceAll(one.path, `\`, "/"); slashed != one.path {
			all = append(all, reading{slashed, one.start, one.end, one.cuts, false})
		}
	}
	return all
}

// unquote returns a name without the quotes that git writes.
func unquote(name string) (string, bool) {
	if len(name) < 2 || name[0] != '"' {
		return "", false
	}
	inner, err := strconv.Unquote(name)
	return inner, err == nil
}

// cutLines cuts ":12" or ":12-14" off a name. The two lines may be in either order.
func cutLines(name string) (before string, start, end int, ok bool) {
	at := strings.LastIndexByte(name, ':')
	if at <= 0 {
		return "", 0, 0, false
	}
	from, to, isRange := strings.Cut(name[at+1:], "-")
	if !isRange {
		to = from
	}
	start, end = number(from), number(to)
	if start == 0 || end == 0 {
		start, end = min(start, end), min(start, end)
	}
	return name[:at], min(start, end), max(start, end), start >= 0 && end >= 0
}

// number returns a line number, 0 for a number that is too large for one, and -1 for any other
// text.
func number(digits string) int {
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return -1
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > math.MaxInt32 {
		return 0
	}
	return n
}

// safe returns a name as a path that is relative on every system and does not leave the repository;
// "." is the whole repository.
func safe(name string) string {
	name = strings.NewReplacer(`\`, "/", "\x00", "\uFFFD").Replace(name)
	name = cmp.Or(strings.TrimLeft(path.Clean("/"+name), "/"), ".")
	if len(name) > 1 && name[1] == ':' { // a Windows drive
		return name[:1] + "_" + name[2:]
	}
	return name
}

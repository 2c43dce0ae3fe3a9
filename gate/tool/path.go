package tool

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// place is the location of a result as the tool wrote it.
type place struct {
	// uri is a URI with its base, or a path if plain is set.
	uri, base  string
	plain      bool
	start, end int
	// nonsense is a line that is none, or "".
	nonsense string
}

// resolved is a place in the repository.
type resolved struct {
	ledger.Place
	// outside says where it is if it is not a file of the repository, and nonsense is a line that is
	// none.
	outside, nonsense string
	// elsewhere reports that it is a file of the repository that the change does not touch.
	elsewhere bool
}

// paths finds the files that a report names.
type paths struct {
	options Options
	root    *os.Root
	// roots are the ways to write the root: absolute, with slashes.
	roots []string
	// bases are the folders that URIs may be relative to. folder is the one in which the tool says
	// it ran, relative to the root.
	bases  map[string]base
	folder string
	known  map[[2]string]found
	// bySize are the files that the change touches. It is filled when it is first needed.
	bySize map[int64][]touchedFile
	// mostBytes is the length of the longest path of a touched file, once it is needed.
	mostBytes int
}

type touchedFile struct {
	name string
	info os.FileInfo
}

// base is a folder that has a name in a report.
type base struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

// found is the file that a URI leads to.
type found struct {
	file      string // "" if it is outside
	touched   bool
	elsewhere bool
}

func newPaths(options Options) (*paths, error) {
	root, err := os.OpenRoot(options.Root)
	if err != nil {
		return nil, err
	}
	p := &paths{options: options, root: root}
	for _, name := range []string{options.Root, realPath(options.Root)} {
		p.roots = append(p.roots, path.Clean(filepath.ToSlash(name)))
	}
	p.forget()
	return p, nil
}

func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

func (p *paths) close() { _ = p.root.Close() } // it was only read

// forget prepares for another run of a tool, which has its own bases.
func (p *paths) forget() {
	p.bases, p.folder, p.known = map[string]base{}, "", map[[2]string]found{}
}

// choose returns the place that counts if a result has several: one that the change touches, else
// one in a file that does not exist, else one in an unchanged file, and only then one outside of
// the repository.
func (p *paths) choose(where []place) (chosen resolved) {
	best := -1
	for _, w := range where {
		f := p.find(w)
		at, rank := resolved{Place: ledger.Place{File: f.file, Start: w.start, End: w.end}, elsewhere: f.elsewhere, nonsense: w.nonsense}, 2
		switch {
		case f.file == "" && w.uri != "":
			at, rank = resolved{outside: p.whyOutside(w)}, 0
		case f.file == "":
			at, rank = resolved{}, 0
		case f.touched:
			rank = 3
		case f.elsewhere:
			rank = 1
		}
		if rank > best {
			chosen, best = at, rank
		}
	}
	return chosen
}

// maxAlso is how many further places of a result are kept, and maxFlow how many of its flow.
const (
	maxAlso = 100
	maxFlow = 1000
)

// touchedPlaces returns the places in files that the change touches, each once and without the
// chosen one.
func (p *paths) touchedPlaces(where []place, chosen ledger.Place, most int) (places []ledger.Place) {
	var seen map[ledger.Place]bool
	for _, w := range where {
		f := p.find(w)
		at := ledger.Place{File: f.file, Start: w.start, End: w.end}
		if !f.touched || at == chosen || seen[at] || len(places) == most {
			continue
		}
		if seen == nil {
			seen = map[ledger.Place]bool{}
		}
		seen[at] = true
		places = append(places, at)
	}
	return places
}

// find returns the file of a place. A file that does not exist does not count as elsewhere: the
// tool may name it in a way that is not understood here.
func (p *paths) find(w place) found {
	key := [2]string{w.base, w.uri}
	if w.plain {
		key[0] = "\x00"
	}
	if f, ok := p.known[key]; ok {
		return f
	}
	f := found{file: p.file(w)}
	if f.file != "" {
		f.touched = p.touched(f.file)
	}
	if !f.touched && p.exists(f.file) {
		f = p.otherwise(f.file)
	}
	p.known[key] = f
	return f
}

// otherwise returns the file that the change touches under another name, because a link leads to it
// or the file system ignores case; else it returns the unchanged file itself.
//
// Rule: A report is never filtered for its name.
func (p *paths) otherwise(file string) found {
	real := filepath.ToSlash(realPath(filepath.Join(p.options.Root, filepath.FromSlash(file))))
	if to, ok := p.relative(real); ok && p.touched(to) {
		return found{file: to, touched: true}
	}
	if info, err := p.root.Stat(filepath.FromSlash(file)); err == nil {
		for _, to := range p.touchedOfSize(info.Size()) {
			if os.SameFile(info, to.info) {
				return found{file: to.name, touched: true}
			}
		}
	}
	return found{file: file, elsewhere: true}
}

// touchedOfSize returns the touched files of this size that exist.
func (p *paths) touchedOfSize(size int64) []touchedFile {
	if p.bySize == nil {
		p.bySize = map[int64][]touchedFile{}
		for _, name := range p.options.Touched {
			if info, err := p.root.Stat(filepath.FromSlash(name)); err == nil {
				p.bySize[info.Size()] = append(p.bySize[info.Size()], touchedFile{name, info})
			}
		}
	}
	return p.bySize[size]
}

// touched reports whether the change touches the file, or a folder that includes everything in it,
// as a submodule does, or, if it is a folder, something in it. It touches the root in any case.
func (p *paths) touched(file string) bool {
	if file == clients.WholeChange {
		return true
	}
	for at := file; at != "."; at = path.Dir(at) {
		if _, found := slices.BinarySearch(p.options.Touched, at); found {
			return true
		}
	}
	i, _ := slices.BinarySearch(p.options.Touched, file+"/")
	return i < len(p.options.Touched) && strings.HasPrefix(p.options.Touched[i], file+"/")
}

// exists reports whether the repository has the file.
func (p *paths) exists(file string) bool {
	_, err := p.root.Lstat(filepath.FromSlash(file))
	return err == nil
}

// file returns the file of a place, relative to the root, or "" if it is outside.
func (p *paths) file(w place) string {
	if w.uri == "" || strings.ContainsRune(w.uri, 0) {
		return ""
	}
	if w.plain {
		names := []string{filepath.ToSlash(w.uri)}
		return cmp.Or(p.inside(names), p.foreign(names))
	}
	names, ok := p.expand(w.uri, w.base)
	if !ok {
		return p.foreign(onHost(w.uri))
	}
	if file := p.inside(names); file != "" {
		return file
	}
	if name, absolute, ok := pathOf(w.uri); ok && !absolute && w.base != "" && filepath.IsAbs(filepath.FromSlash(names[0])) {
		names = append(names, name, w.uri) // the base may be the root in a container
	}
	return p.foreign(names)
}

// foreign returns the file that a path outside of the repository means: the touched one, else the
// existing one, that it names from the root or from the folder under review. It has to fit as a
// whole: the end of a path may fit a file that has nothing to do with it.
//
// Rule: A report is never filtered for its name.
func (p *paths) foreign(names []string) string {
	var there string
	for _, name := range names {
		for _, folder := range []string{"", p.options.Folder} {
			file := path.Join(folder, strings.TrimLeft(path.Clean(name), "/"))
			if !isInside(file) || strings.HasPrefix(path.Clean(name), "../") || strings.ContainsRune(file, 0) {
				continue
			}
			if p.isTouched(file) {
				return file
			}
			if info, err := p.root.Stat(filepath.FromSlash(file)); err == nil && info.Mode().IsRegular() {
				there = cmp.Or(there, file)
			}
		}
	}
	return there
}

// onHost returns the path of a URI that has the beginning of a relative path in place of a host, as
// some tools write it.
func onHost(uri string) []string {
	if scheme, rest, found := strings.Cut(uri, "://"); found && strings.EqualFold(scheme, "file") {
		return []string{rest}
	}
	return nil
}

// isTouched reports whether the change touches exactly this file.
func (p *paths) isTouched(file string) bool {
	_, found := slices.BinarySearch(p.options.Touched, file)
	return found
}

// whyOutside says which place it is that is none in the repository.
func (p *paths) whyOutside(w place) string {
	if strings.ContainsRune(w.uri, 0) {
		return fmt.Sprintf("%q, which no file can be called", w.uri)
	}
	name, id := w.uri, w.base
	for n := 0; !w.plain && id != ""; n++ {
		if _, absolute, ok := pathOf(name); absolute || !ok {
			break
		}
		if n == maxBases {
			return fmt.Sprintf("%q, whose bases lead in a circle", w.uri)
		}
		b := p.bases[id]
		if id = b.Base; b.URI != "" {
			name = strings.TrimSuffix(b.URI, "/") + "/" + name
		}
	}
	return fmt.Sprintf("%q, outside of the repository", name)
}

// maxBases is how many bases may refer to each other in a chain.
const maxBases = 16

// expand returns the path of a URI in its decoded form and, if that differs, in its original form,
// because not every tool encodes. An undefined base means the root.
func (p *paths) expand(uri, baseID string) (names []string, ok bool) {
	decoded, absolute, ok := pathOf(uri)
	if !ok {
		return nil, false
	}
	names = []string{decoded}
	if decoded != uri && !absolute {
		names = append(names, uri)
	}
	for range maxBases {
		b := p.bases[baseID]
		if absolute || baseID == "" {
			return names, true
		}
		folder, isAbsolute, ok := pathOf(b.URI)
		if !ok {
			return nil, false
		}
		for i := range names {
			names[i] = strings.TrimSuffix(folder, "/") + "/" + names[i]
			if folder == "" {
				names[i] = strings.TrimPrefix(names[i], "/")
			}
		}
		absolute, baseID = isAbsolute, b.Base
	}
	return nil, false // the bases refer to each other in a circle
}

// pathOf returns the path in a URI. ok is false if the URI does not name a file.
func pathOf(uri string) (name string, absolute, ok bool) {
	name = uri
	if scheme, rest, found := strings.Cut(uri, ":"); found && isScheme(scheme) {
		if !strings.EqualFold(scheme, "file") {
			return "", false, false
		}
		name = rest
		if authority, found := strings.CutPrefix(rest, "//"); found {
			host, after, _ := strings.Cut(authority, "/")
			if host != "" && !strings.EqualFold(host, "localhost") {
				return "", false, false
			}
			name = "/" + after
		}
		absolute = true
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	name = filepath.ToSlash(name)
	if runtime.GOOS == "windows" && len(name) > 2 && name[0] == '/' && name[2] == ':' {
		name = name[1:]
	}
	return name, absolute || filepath.IsAbs(filepath.FromSlash(name)), true
}

// isScheme reports whether the text is a URI's scheme. One letter is a Windows drive.
func isScheme(text string) bool {
	for i, c := range []byte(text) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return len(text) > 1
}

// inside returns the path relative to the root. It is relative to the folder in which the tool says
// it ran, if the file exists there; else to the root or the folder under review, whichever has the
// file. If both have it, a file that the change touches is preferred, because not every tool says
// where it ran.
func (p *paths) inside(names []string) string {
	var first string
	var candidates []string
	for i, name := range names {
		if strings.ContainsRune(name, 0) {
			return ""
		}
		if path.Clean(name) == "." {
			return clients.WholeChange
		}
		if filepath.IsAbs(filepath.FromSlash(name)) {
			if file, ok := p.relative(path.Clean(name)); ok {
				return file
			}
			continue
		}
		if file := path.Join(p.folder, name); p.folder != "" && isInside(file) && (p.touched(file) || p.exists(file)) {
			return file
		}
		for _, folder := range []string{"", p.options.Folder} {
			if file := path.Join(folder, name); isInside(file) {
				candidates = append(candidates, file)
			}
		}
		if file := path.Clean(name); i == 0 && isInside(file) {
			first = file
		}
	}
	for _, is := range []func(string) bool{p.touched, p.exists} {
		if i := slices.IndexFunc(candidates, is); i >= 0 {
			return candidates[i]
		}
	}
	return first
}

func isInside(file string) bool {
	return file != "." && file != ".." && !strings.HasPrefix(file, "../") && !strings.HasPrefix(file, "/")
}

// relative returns an absolute path relative to the root, whichever way the root is written.
func (p *paths) relative(name string) (string, bool) {
	for _, candidate := range []string{name, filepath.ToSlash(realPath(filepath.FromSlash(name)))} {
		for _, root := range p.roots {
			if candidate == root {
				return clients.WholeChange, true
			}
			if file, ok := strings.CutPrefix(candidate, strings.TrimSuffix(root, "/")+"/"); ok && isInside(file) {
				return file, true
			}
		}
	}
	return "", false
}

// setFolder records where the tool says it ran, unless that is outside of the repository.
func (p *paths) setFolder(uri, baseID string) {
	names, ok := p.expand(uri, baseID)
	if !ok {
		return
	}
	name := path.Clean(names[0])
	if filepath.IsAbs(filepath.FromSlash(name)) {
		if name, ok = p.relative(name); !ok {
			return
		}
	}
	if isInside(name) {
		p.folder = name
	}
}

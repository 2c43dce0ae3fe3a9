package diff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// header holds what a diff says about a file before its first hunk.
type header struct {
	names       []byte // what follows "diff --git "
	from, to    []byte // the names of a rename, else nil
	added       bool
	deleted     bool
	modeChanged bool
	submodule   bool
}

// submoduleMode is the mode under which a tree holds a submodule's commit.
const submoduleMode = "160000"

// header reads the line "diff --git" and git's extended header lines.
func (p *parser) header() (header, error) {
	var h header
	line := p.peek()
	names, ok := bytes.CutPrefix(line, []byte("diff --git "))
	if !ok {
		return h, fmt.Errorf("found %q instead of a line that starts with \"diff --git \"", shorten(line))
	}
	h.names = names
	p.skip(line)
	for !p.done() {
		line := p.peek()
		if !h.extend(line) {
			break
		}
		p.skip(line)
	}
	return h, nil
}

// extend takes in one extended header line. It reports false for any other line.
func (h *header) extend(line []byte) bool {
	const (
		oldMode, newMode = "old mode ", "new mode "
		added, deleted   = "new file mode ", "deleted file mode "
		from, to         = "rename from ", "rename to "
		index            = "index "
		similarity       = "similarity index "
		dissimilarity    = "dissimilarity index "
	)
	for _, key := range []string{oldMode, newMode, added, deleted, from, to, index, similarity, dissimilarity} {
		value, ok := bytes.CutPrefix(line, []byte(key))
		if !ok {
			continue
		}
		switch key {
		case oldMode, newMode:
			h.modeChanged = true
		case added:
			h.added = true
		case deleted:
			h.deleted = true
		case from:
			h.from = value
			return true // a file may be called 160000
		case to:
			h.to = value
			return true
		}
		// The mode stands alone, or after the ids in "index 1234..5678 160000".
		if string(value) == submoduleMode || bytes.HasSuffix(value, []byte(" "+submoduleMode)) {
			h.submodule = true
		}
		return true
	}
	return false
}

// file turns the header into a file without lines.
func (h *header) file() (File, error) {
	f := File{Kind: Modified, Submodule: h.submodule}
	var err error
	if (h.from == nil) != (h.to == nil) || h.added && h.deleted || h.from != nil && (h.added || h.deleted) {
		return f, errors.New("the header lines contradict each other")
	}
	if h.from != nil {
		f.Kind = Renamed
		if f.Old, err = repoPath(h.from); err != nil {
			return f, err
		}
		f.New, err = repoPath(h.to)
		return f, err
	}
	if f.New, err = commonName(h.names); err != nil {
		return f, err
	}
	f.Old = f.New
	switch {
	case h.added:
		f.Kind, f.Old = Added, ""
	case h.deleted:
		f.Kind, f.New = Deleted, ""
	}
	return f, nil
}

// commonName returns the path in the header line of a file that is not renamed.
// Both names are then the same, so that the line can be cut in the middle, whatever
// blanks and prefixes the name may hold.
func commonName(names []byte) (string, error) {
	middle := len(names) / 2
	if len(names)%2 == 0 || names[middle] != ' ' {
		return "", fmt.Errorf("the names in %q disagree", shorten(names))
	}
	before, err := unquote(names[:middle])
	if err != nil {
		return "", err
	}
	after, err := unquote(names[middle+1:])
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(before, "a/")
	if !ok || after != "b/"+name {
		return "", fmt.Errorf("the names in %q disagree", shorten(names))
	}
	return checkPath(name)
}

// repoPath returns the path that git printed as name.
func repoPath(name []byte) (string, error) {
	path, err := unquote(name)
	if err != nil {
		return "", err
	}
	return checkPath(path)
}

// checkPath refuses a path that git would never check out: a tree object made
// by hand can hold such names.
func checkPath(path string) (string, error) {
	if !isRepoPath(path) {
		return "", fmt.Errorf("the path %q leads outside the repository", path)
	}
	return path, nil
}

// shorten keeps an error message readable when a line is very long.
func shorten(line []byte) []byte {
	const limit = 200
	return line[:min(len(line), limit)]
}

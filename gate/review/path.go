package review

import (
	"path"
	"strconv"
	"strings"
)

// ResolvePath returns the path, relative to the repository's root, of the file
// that a reviewer names: absolute, with "./" or a diff's "a/" before it or with
// ":42" behind it, quoted as git quotes names, or as markdown or a URL. Where the words allow more than one reading, the first that
// changed reports to be a file under review counts, for a path that is misread
// is a finding lost. Without such a reading the result is the plain one, cleaned.
// The line is that of a ":42" that was taken off, else 0.
//
// It works on words alone and never looks at the disk. A file outside the
// repository keeps its absolute path or its "..".
func ResolvePath(file, root string, changed func(path string) bool) (name string, line int) {
	plain := reading{path: strings.ReplaceAll(file, `\`, "/")}
	bare := reading{path: undecorated(file)}
	for _, r := range []reading{{path: file}, plain, plain.withoutLine(), {path: unquoted(file)}, bare, bare.withoutLine()} {
		if name, found := underReview(relative(r.path, root), changed); found {
			return name, r.line
		}
	}
	return relative(plain.path, root), 0
}

// reading is one way to understand a reviewer's file name.
type reading struct {
	path string
	line int
}

// unquoted undoes the quoting that a diff's header has for a name with control
// characters, quotes or backslashes, with or without the quotes around it.
func unquoted(file string) string {
	if !strings.HasPrefix(file, `"`) {
		file = `"` + file + `"`
	}
	name, err := strconv.Unquote(file)
	if err != nil {
		return ""
	}
	return name
}

// undecorated takes off what a name is at times wrapped in.
func undecorated(file string) string {
	return strings.TrimPrefix(strings.Trim(file, "`'\"<>* "), "file://")
}

// relative cleans a path and takes the repository's root off it.
func relative(file, root string) string {
	file = path.Clean(file)
	root = path.Clean(strings.ReplaceAll(root, `\`, "/"))
	if inside, found := strings.CutPrefix(file, strings.TrimSuffix(root, "/")+"/"); found && path.IsAbs(file) {
		return inside
	}
	return file
}

// underReview returns the changed file that a path means. An absolute path may
// reach the repository by another name of its root, so its ends are tried, the
// longest first.
func underReview(file string, changed func(path string) bool) (string, bool) {
	if changed(file) {
		return file, true
	}
	first, rest, nested := strings.Cut(file, "/")
	if nested && (first == "a" || first == "b") && changed(rest) {
		return rest, true
	}
	if first != "" {
		return "", false
	}
	const deepest = 200
	for range deepest {
		if changed(rest) {
			return rest, true
		}
		if _, rest, nested = strings.Cut(rest, "/"); !nested {
			break
		}
	}
	return "", false
}

// withoutLine takes a line number, and a column or a last line after it, off the
// end of a file name.
func (r reading) withoutLine() reading {
	for range 2 {
		colon := strings.LastIndexByte(r.path, ':')
		if colon <= 0 {
			break
		}
		place := parseRange(r.path[colon+1:])
		if place.start == 0 {
			break
		}
		r = reading{r.path[:colon], place.start}
	}
	return r
}

// Resembling returns the one of the paths that a name which is none of them can only
// mean: its end is the whole name, or it is the whole end of the name, whatever the
// letter case. There is no such path if two are.
func Resembling(name string, paths []string) (path string, found bool) {
	for _, p := range paths {
		if p == path || !endsWith(p, name) && !endsWith(name, p) {
			continue
		}
		if found {
			return "", false
		}
		path, found = p, true
	}
	return path, found
}

// endsWith reports whether the last parts of a path are those of end.
func endsWith(name, end string) bool {
	rest := len(name) - len(end)
	return end != "" && rest >= 0 && strings.EqualFold(name[rest:], end) && (rest == 0 || name[rest-1] == '/')
}

package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

const (
	globCharacters = "*?[{"
	// maxPath is the largest length of a path or pattern.
	maxPath = 1024
	// maxAlternatives bounds the number of patterns that the braces of one pattern expand to,
	// because the time for matching grows with it.
	maxAlternatives = 256
)

// EntryPoint is a part of the repository with the gates that apply to it.
type EntryPoint struct {
	// Path is a fixed path, which covers itself and everything below it, or a pattern with glob
	// characters. "." covers the whole repository.
	Path string
	// Exclude lists paths (each with everything below it) and patterns. A pattern is matched with
	// the whole path: `*.md` excludes only top-level files, `**/*.md` those in every folder. A
	// pattern never excludes a path that has its special characters in its name, because that could
	// exclude more than the user means.
	Exclude []string
	Checks  []string
	Reviews []string
	// Line is the line in config.yml where it begins.
	Line int

	checkLines, reviewLines []scalar
}

// entryPoints reads the list of entry points, which must not be empty.
func (m mapping) entryPoints() []EntryPoint {
	const name = "entry_points"
	node, ok := m.values[name]
	if !ok {
		m.r.problem(m.line, "key %q is missing: a list of entries with path, checks and reviews", name)
		return nil
	}
	found := m.r.resolve(node)
	if found.Kind != yaml.SequenceNode || len(found.Content) == 0 {
		m.wrong(name, node.Line, "a list of at least one entry with path, checks and reviews", found)
		return nil
	}
	var points []EntryPoint
	for i, item := range found.Content {
		if m.r.exhausted() {
			break
		}
		entry, ok := m.r.mapping(item, fmt.Sprintf("%s[%d]", name, i))
		if ok {
			points = append(points, entry.entryPoint())
		}
	}
	return points
}

func (m mapping) entryPoint() EntryPoint {
	m.allow(EntryKeys())
	e := EntryPoint{Line: m.line, checkLines: m.texts("checks"), reviewLines: m.texts("reviews")}
	e.Checks, e.Reviews = values(e.checkLines), values(e.reviewLines)
	if _, ok := m.values["path"]; !ok {
		m.r.problem(m.line, `key "path" is missing in %s: "." for the whole repository, a folder, or a pattern such as "packages/*"`, m.path)
		return e
	}
	if p := m.text("path", ""); p.line > 0 {
		e.Path = m.pattern("path", p)
	}
	if e.Path == "**" {
		e.Path = "." // the same files, under one name
	}
	m.exclude(&e)
	if len(e.Checks)+len(e.Reviews) == 0 {
		m.r.warn(m.line, "%s: the entry point %q has no checks and no reviews", m.path, e.Path)
	}
	return e
}

// exclude reads the excludes of an entry point whose path is known. An exclude that leaves nothing
// to review is a mistake, and so is a negated one, which other tools interpret as an exception.
func (m mapping) exclude(e *EntryPoint) {
	const key = "exclude"
	for _, t := range m.texts(key) {
		pattern := m.pattern(key, t)
		switch {
		case pattern == "":
		case strings.HasPrefix(pattern, "!"):
			m.refuse(t.line, key, "%q: an exclude cannot be negated", t.value)
		case pattern == "**/*" || e.isWhole(strings.TrimSuffix("./"+pattern, "/**")):
			m.refuse(t.line, key, "%q excludes everything in the entry point %q", t.value, e.Path)
		default:
			e.Exclude = append(e.Exclude, pattern)
		}
	}
}

// isWhole reports whether the path is the entry point's fixed folder or contains it.
func (e EntryPoint) isWhole(p string) bool {
	return !hasGlob(p) && under(e.fixedFolder(), path.Clean(p))
}

// pattern returns the cleaned path or pattern, or "" after a problem with it.
func (m mapping) pattern(name string, t scalar) string {
	cleaned, problem := cleanPath(t.value)
	if problem == "" && hasGlob(cleaned) {
		problem = checkPattern(cleaned)
	}
	if problem != "" {
		m.refuse(t.line, name, "%s", problem)
		return ""
	}
	return cleaned
}

// cleanPath returns the path in its shortest form ("./src/" becomes "src"), or the problem with it.
func cleanPath(p string) (cleaned, problem string) {
	cleaned = path.Clean(p)
	switch {
	case len(p) > maxPath:
		return "", fmt.Sprintf("the path is longer than %d bytes", maxPath)
	case hasControl(p):
		return "", fmt.Sprintf("the path %q contains control characters", p)
	case path.IsAbs(p):
		return "", fmt.Sprintf("must be a path relative to the repository, not %q", p)
	case cleaned == ".." || strings.HasPrefix(cleaned, "../"):
		return "", fmt.Sprintf("the path %q is outside the repository", p)
	}
	return cleaned, ""
}

func checkPattern(pattern string) (problem string) {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Sprintf(`the pattern %q is malformed; put "\" before a *, ?, [ or { that stands for itself`, pattern)
	}
	if alternatives(pattern) > maxAlternatives {
		return fmt.Sprintf("the braces in the pattern %q expand to more than %d patterns", pattern, maxAlternatives)
	}
	return ""
}

// alternatives returns an upper bound for the number of patterns without braces that a pattern
// expands to, or a number above [maxAlternatives].
func alternatives(pattern string) int {
	total, open := 1, []int(nil)
	for _, c := range []byte(pattern) {
		switch {
		case c == '{':
			open = append(open, 1)
		case c == ',' && len(open) > 0:
			open[len(open)-1]++
		case c == '}' && len(open) > 0:
			total = min(total*open[len(open)-1], maxAlternatives+1)
			open = open[:len(open)-1]
		}
	}
	return total
}

func hasGlob(p string) bool { return strings.ContainsAny(p, globCharacters) }

// under reports whether the path is the folder or lies in it.
func under(p, folder string) bool {
	return folder == "." || p == folder || strings.HasPrefix(p, folder+"/")
}

// matches reports whether the pattern matches the path or is equal to it: a folder may really be
// named "[id]".
func matches(pattern, p string) bool {
	return pattern == p || doublestar.MatchUnvalidated(pattern, p)
}

// excludes reports whether the path is excluded.
func (e EntryPoint) excludes(p string) bool {
	return slices.ContainsFunc(e.Exclude, func(x string) bool {
		if hasGlob(x) {
			return doublestar.MatchUnvalidated(x, p)
		}
		return under(p, x)
	})
}

// entryOf returns the entry that a changed file belongs to, if any. For a fixed path that is the
// path itself. For a pattern it is the file's topmost folder that matches, or else the pattern
// itself if that matches the file. A pattern of folders, such as "packages/*", matches the files
// beside them, too: these belong to their own folder.
func (e EntryPoint) entryOf(file string) (entry string, ok bool) {
	if e.excludes(file) {
		return "", false
	}
	return e.locate(file)
}

// locate does the same as entryOf, without the excludes.
func (e EntryPoint) locate(file string) (entry string, ok bool) {
	if !hasGlob(e.Path) {
		return e.Path, under(file, e.Path)
	}
	for i := range len(file) {
		if file[i] == '/' && matches(e.Path, file[:i]) {
			return file[:i], true
		}
	}
	switch {
	case file == e.Path:
		return e.Path, true
	case !matches(e.Path, file):
		return "", false
	case e.globsFiles():
		return e.Path, true
	}
	return path.Dir(file), true
}

// globsFiles reports whether the pattern is that of files, which are one entry: "packages/*" is one
// of folders, "**/*.go" and "src/*.go" are not.
func (e EntryPoint) globsFiles() bool {
	return hasGlob(e.Path) && (strings.Contains(e.Path, "**") || path.Base(e.Path) != "*")
}

// produces reports whether a file could belong to the entry. The pattern itself can be an entry: it
// may match files, or a folder may have its name.
func (e EntryPoint) produces(entry string) bool {
	if entry == e.Path {
		return true
	}
	// A pattern may exclude the folder's name, but none of the files in it.
	if slices.ContainsFunc(e.Exclude, func(x string) bool { return !hasGlob(x) && under(entry, x) }) {
		return false
	}
	found, ok := e.locate(entry + "/-") // stands for any file in the folder
	return ok && found == entry
}

// fixedFolder returns the leading folders of the path that have no glob characters. For a fixed
// path that is the whole path.
func (e EntryPoint) fixedFolder() string {
	if !hasGlob(e.Path) {
		return e.Path
	}
	segments := strings.Split(e.Path, "/")
	fixed := slices.IndexFunc(segments, func(s string) bool { return strings.ContainsAny(s, globCharacters+`\`) })
	return path.Join(append([]string{"."}, segments[:fixed]...)...)
}

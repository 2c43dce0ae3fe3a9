package config

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// files reads the patterns that restrict a gate to some files; nil if the key is absent.
func (m mapping) files() []string {
	const key = "files"
	if m.isEmptyList(key) {
		m.refuse(m.lineOf(key), key, "must list at least one pattern; otherwise remove the key")
	}
	var patterns []string
	for _, t := range m.texts(key) {
		pattern := m.pattern(key, t)
		switch {
		case pattern == "":
		case strings.HasPrefix(pattern, "!"):
			m.refuse(t.line, key, "%q: a pattern cannot be negated; use exclude of an entry point", t.value)
		case pattern == ".":
			m.refuse(t.line, key, "%q names every file: remove the key", t.value)
		case strings.HasSuffix(t.value, "/") && !hasGlob(pattern):
			patterns = append(patterns, pattern+"/**")
		default:
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// fits reports whether the file matches one of the patterns, or there are none. A pattern without a
// slash is matched with the base name in any folder.
func fits(patterns []string, file string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool {
		if !strings.Contains(pattern, "/") {
			return matches(pattern, path.Base(file))
		}
		return matches(pattern, file) || !hasGlob(pattern) && under(file, pattern)
	})
}

// GateFile returns the usual name of the file that defines the job's gate, relative to the
// repository's root.
func (j Job) GateFile() string { return gateFile(string(j.Kind), j.Name) }

// restrict replaces the patterns of the job's gate by those in an earlier text of its file. Without
// a text they stay. It returns false if the text cannot be parsed.
func (j *Job) restrict(text []byte) bool {
	if text == nil {
		return true
	}
	source := string(bytes.TrimPrefix(text, []byte("\uFEFF")))
	if j.Review != nil {
		frontmatter, _, closed := splitFrontmatter(source)
		if !closed {
			return false
		}
		source = frontmatter
	}
	r := &reader{file: j.GateFile()}
	m, ok := r.top([]byte(source))
	if !ok {
		return false
	}
	patterns := m.files()
	switch {
	case j.Check != nil:
		check := *j.Check
		check.Files, j.Check = patterns, &check
	case j.Review != nil:
		review := *j.Review
		review.Files, j.Review = patterns, &review
	}
	return len(r.problems) == 0
}

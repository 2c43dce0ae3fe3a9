package config

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxReviews is the largest number of slots that a review can have.
const maxReviews = 32

// gate reads the settings about when a gate runs.
func (m mapping) gate(parallel bool) Gate {
	return Gate{
		Parallel: m.boolean("parallel", parallel), RunInCI: m.boolean("run_in_ci", true), RunLocally: m.boolean("run_locally", true),
		Timeout: m.seconds("timeout"), Files: m.files(),
	}
}

// check reads the file of one check gate.
func (l *loader) check(file, name string) {
	r := &reader{file: file}
	defer func() { l.take(r) }()
	source, ok := l.read(r)
	if !ok {
		return
	}
	m, ok := r.top([]byte(source))
	if !ok {
		return
	}
	m.allow(CheckKeys())
	c := Check{
		Gate:             m.gate(false),
		Command:          m.text("command", "").value,
		WorkingDirectory: m.checked("working_directory", cleanPath),
		FailFast:         m.boolean("fail_fast", false),
		FixInstructions:  l.fixInstructions(m),
	}
	if _, ok := m.values["command"]; !ok {
		r.problem(m.line, `key "command" is missing: the shell command that the check runs`)
	}
	if c.FailFast && c.Parallel {
		r.problem(m.lineOf("fail_fast"), "fail_fast: true and parallel: true cannot be used together; remove one of them")
	}
	if l.config.Checks == nil {
		l.config.Checks = map[string]Check{}
	}
	l.config.Checks[name] = c
}

// fixInstructions returns the text of the key. A single line that ends in .md or .txt and names a
// file relative to .gauntlet/ is replaced by that file's content, because the tool that the format
// comes from expected a path here.
func (l *loader) fixInstructions(m mapping) string {
	t := m.text("fix_instructions", "")
	value := strings.TrimSpace(t.value)
	extension := path.Ext(value)
	if t.line == 0 || strings.Contains(value, "\n") || extension != ".md" && extension != ".txt" {
		return t.value
	}
	content, err := readRegular(l.root, path.Join(Dir, value))
	switch {
	case err == nil:
		return strings.ToValidUTF8(strings.TrimPrefix(content, "\uFEFF"), "\uFFFD")
	case errors.Is(err, fs.ErrNotExist) && strings.Contains(value, " "):
	case errors.Is(err, fs.ErrNotExist):
		m.r.warn(t.line, "fix_instructions: file %q not found in %s; using %q as the text", value, Dir, value)
	default:
		m.r.problem(t.line, "fix_instructions: read %q: %s", value, reason(err))
	}
	return t.value
}

// lineOf returns the line of a key, or that of the mapping if the key is absent.
func (m mapping) lineOf(name string) int {
	for _, k := range m.keys {
		if k.value == name {
			return k.line
		}
	}
	return m.line
}

// review reads the file of one review gate.
func (l *loader) review(file, name string) {
	r := &reader{file: file}
	defer func() { l.take(r) }()
	source, ok := l.read(r)
	if !ok {
		return
	}
	frontmatter, prompt, closed := splitFrontmatter(source)
	if !closed {
		r.problem(1, `the frontmatter that starts here is not closed; add a line "---" after it`)
		return
	}
	known, foreign := names(ReviewKeys())
	if line := lateFrontmatter(source, slices.Concat(known, foreign)); line > 0 {
		r.problem(line, `the frontmatter has to begin in the first line, or its keys are text of the prompt; remove the empty lines and comments before it`)
		return
	}
	m, ok := r.top([]byte(frontmatter))
	if !ok {
		return
	}
	m.only(known, foreign)
	if l.config.Reviews == nil {
		l.config.Reviews = map[string]Review{}
	}
	l.config.Reviews[name] = Review{
		Gate:          m.gate(true),
		Prompt:        prompt,
		CLIPreference: l.prefer(m, "cli_preference"),
		NumReviews:    m.whole("num_reviews", 1, 1, maxReviews),
		Model:         m.word("model", "").value,

		DistinctAdapters: m.boolean("require_distinct_adapters", false),
		Security:         m.boolean("security", false),
	}
}

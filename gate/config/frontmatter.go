package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// splitFrontmatter splits the text of a review file into its YAML frontmatter and its prompt. The
// frontmatter is between a first line `---` and the next line `---`; without such a first line
// there is none, and the whole text is the prompt. The first line of the returned frontmatter is
// blank, so that line numbers in it are those of the file. closed is false if a frontmatter begins
// but does not end.
func splitFrontmatter(text string) (frontmatter, prompt string, closed bool) {
	first, rest, _ := strings.Cut(text, "\n")
	if !isDelimiter(first) {
		return "", text, true
	}
	for at := 0; at < len(rest); {
		line, next := rest[at:], len(rest)
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line, next = line[:end], at+end+1
		}
		if isDelimiter(line) {
			return "\n" + rest[:at], rest[next:], true
		}
		at = next
	}
	return "", "", false
}

func isDelimiter(line string) bool {
	return strings.TrimRight(line, " \t\r") == "---"
}

// lateFrontmatter returns the line, counted from 1, with which a frontmatter begins that only empty
// lines and comments precede, or 0. A heading is a comment of YAML. It is one if it has a known key:
// anything else between two such lines may be a part of the prompt.
//
// Rule: A mistake is found before anything runs.
func lateFrontmatter(text string, known []string) int {
	rest, number, inComment := text, 0, false
	for rest != "" {
		number++
		line, after, _ := strings.Cut(rest, "\n")
		if isDelimiter(line) && number > 1 && !inComment {
			if between, _, closed := splitFrontmatter(rest); closed && hasKey(between, known) {
				return number
			}
			return 0
		}
		rest = after
		line = strings.TrimSpace(line)
		inComment = inComment || strings.HasPrefix(line, "<!--")
		if !inComment && line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
			return 0
		}
		inComment = inComment && !strings.HasSuffix(line, "-->")
	}
	return 0
}

// hasKey reports whether a text is a mapping with one of the keys, or, if it is not valid YAML, has
// one at the beginning of a line.
func hasKey(text string, keys []string) bool {
	var mapped map[string]any
	if yaml.Unmarshal([]byte(text), &mapped) == nil {
		return slices.ContainsFunc(keys, func(key string) bool { _, has := mapped[key]; return has })
	}
	for line := range strings.Lines(text) {
		if key, _, found := strings.Cut(line, ":"); found && slices.Contains(keys, key) {
			return true
		}
	}
	return false
}

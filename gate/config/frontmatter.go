package config

import "strings"

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

// lateFrontmatter returns the line, counted from 1, of a delimiter that only empty lines precede,
// or 0. What follows it would silently become part of the prompt.
func lateFrontmatter(text string) int {
	for number, line := range strings.Split(text, "\n") {
		switch {
		case isDelimiter(line) && number > 0:
			return number + 1
		case strings.TrimSpace(line) != "":
			return 0
		}
	}
	return 0
}

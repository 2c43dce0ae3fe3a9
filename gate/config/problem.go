package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Problem is one mistake in the configuration.
type Problem struct {
	// File is relative to the repository's root, with slashes.
	File string
	// Line is counted from 1; 0 means that the problem is about the whole file.
	Line int
	// Message names the key, says what was found and what is allowed. It may quote foreign text
	// unescaped: print the problem with String.
	Message string
}

// String returns the problem as one line, in the form `file:line: message`.
// Control characters are escaped.
func (p Problem) String() string {
	place := p.File
	if p.Line > 0 {
		place += ":" + strconv.Itoa(p.Line)
	}
	return text.Visible(place + ": " + p.Message)
}

// Error holds all problems of a configuration, sorted by file and line, so that they can be fixed
// at once.
type Error struct{ Problems []Problem }

// Error returns one line per problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// unknown returns the message about an unknown name. It suggests the nearest known ones and lists
// them all, after a label such as "allowed".
func unknown(what, name, label string, known []string) string {
	return fmt.Sprintf("unknown %s %q%s; %s: %s", what, name, ledger.DidYouMean(ledger.Closest(name, known), ""), label, strings.Join(known, ", "))
}

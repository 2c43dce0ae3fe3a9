package clients

import (
	"fmt"
	"maps"
	"slices"
)

// ExitMeaning is what a tool says with an exit code.
type ExitMeaning string

// The meanings of an exit code.
const (
	// ExitOK is the end of a tool that has written a complete report, with or without results.
	ExitOK ExitMeaning = "ok"
	// ExitFindings is the end of one whose report has at least one result.
	ExitFindings ExitMeaning = "findings"
	// ExitError is the end of one that could not look.
	ExitError ExitMeaning = "error"
)

// ExitMeanings lists all meanings.
func ExitMeanings() []ExitMeaning { return []ExitMeaning{ExitOK, ExitFindings, ExitError} }

// ExitCodes has the meanings of a tool's exit codes. One that it does not have is an error.
type ExitCodes map[int]ExitMeaning

// ListedExitCodes returns the exit codes of a plain list: 0 is the end of a tool that has written a
// complete report, and any other says that it found something.
func ListedExitCodes(codes ...int) ExitCodes {
	c := make(ExitCodes, len(codes))
	for _, code := range codes {
		if c[code] = ExitFindings; code == 0 {
			c[code] = ExitOK
		}
	}
	return c
}

// Of returns the meaning of a code.
func (c ExitCodes) Of(code int) ExitMeaning {
	if meaning, listed := c[code]; listed {
		return meaning
	}
	return ExitError
}

// Refuse returns what is wrong with a code after which no report counts, or "".
//
// Rule: A tool that could not look has not passed.
func (c ExitCodes) Refuse(code int) string {
	switch meaning, listed := c[code]; {
	case !listed:
		var counted []int
		for _, code := range slices.Sorted(maps.Keys(c)) {
			if c[code] != ExitError {
				counted = append(counted, code)
			}
		}
		return fmt.Sprintf("exited with code %d, which is not one of its exit_codes %v", code, counted)
	case meaning == ExitError:
		return fmt.Sprintf("exited with code %d, which its exit_codes call an error", code)
	}
	return ""
}

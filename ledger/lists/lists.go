// Package lists has what the lists of a ledger and of a team store have in common, except for their
// rows: the meaning of patterns and cursors, and the steps of a search.
package lists

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/ledger"
)

// OneOf reports whether value passes a filter for the single value want. An empty want lets all
// pass.
func OneOf(want, value string) bool { return want == "" || want == value }

// MatchesFile reports whether the filter's pattern keeps the file.
func MatchesFile(f ledger.ViolationFilter, file string) bool {
	return f.File == "" || f.File == file || doublestar.MatchUnvalidated(f.File, file)
}

// LiteralPrefix returns the part of a pattern before its first wildcard.
func LiteralPrefix(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{\\"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// FolderOf returns the folder that the pattern matches with everything below it. ok is false if the
// pattern does not match a whole folder.
func FolderOf(pattern string) (folder string, ok bool) {
	folder, ok = strings.CutSuffix(pattern, "/**")
	return folder, ok && folder != "" && LiteralPrefix(folder) == folder
}

// PrefixEnd returns a string that sorts after all strings that begin with the prefix, for the
// characters that ids and file names consist of.
func PrefixEnd(prefix string) string { return prefix + "\U0010ffff" }

// OnlyOpen reports whether the filter keeps only violations that are open.
func OnlyOpen(f ledger.ViolationFilter) bool {
	return len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(s ledger.Status) bool { return !s.Open() })
}

// WordsOf returns the words of an order, from the word of the cursor on. If wanted is not empty,
// only those of them are returned.
func WordsOf[W ~string](words, wanted []W, after *Key) (list []string) {
	if after != nil {
		words = words[max(slices.Index(words, W(after.Word())), 0):]
	}
	for _, word := range words {
		if len(wanted) == 0 || slices.Contains(wanted, word) {
			list = append(list, string(word))
		}
	}
	return list
}

// MadeIn returns the period in which discarded reports must have been made for the filter to keep
// them.
func MadeIn(f ledger.ViolationFilter) ledger.Period {
	if f.Reported == (ledger.Period{}) {
		return f.Changed
	}
	return f.Reported
}

// KeepsDiscard reports whether the filter keeps a discarded report. It does not check the branch
// and the worktree of the report's run.
func KeepsDiscard(f ledger.ViolationFilter, d ledger.Report) bool {
	return OneOf(f.Run, d.Run) && OneOf(f.Gate, d.Gate) && OneOf(f.EntryPoint, d.EntryPoint) && OneOf(f.Adapter, d.Adapter) &&
		(len(f.Priorities) == 0 || slices.Contains(f.Priorities, d.Priority)) && MatchesFile(f, d.Place.File) &&
		(f.Iteration == 0 || f.Iteration == d.Iteration) && (f.Slot == 0 || f.Slot == d.Slot) && MadeIn(f).Holds(d.At)
}

// KeepsNotes reports whether the filter keeps the notes of a slot. It does not check what the query
// that found them has already checked.
func KeepsNotes(f ledger.ViolationFilter, n ledger.SlotNotes) bool {
	return OneOf(f.Run, n.Run) && OneOf(f.Gate, n.Gate) && OneOf(f.EntryPoint, n.EntryPoint) && OneOf(f.Adapter, n.Adapter) &&
		(f.Iteration == 0 || f.Iteration == n.Ref.Iteration) && (f.Slot == 0 || f.Slot == n.Ref.Slot) && MadeIn(f).Holds(n.At)
}

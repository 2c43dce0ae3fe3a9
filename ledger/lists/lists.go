// Package lists has what the lists of a ledger and of a team store have in common, apart from their
// rows: the meaning of patterns and cursors, and the steps of a search.
package lists

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/reviewledger/reviewledger/ledger"
)

// OneOf reports whether a filter by one value keeps this value. An empty filter keeps all.
func OneOf(want, value string) bool { return want == "" || want == value }

// MatchesFile reports whether the filter's pattern keeps the file.
func MatchesFile(f ledger.ViolationFilter, file string) bool {
	return f.File == "" || f.File == file || doublestar.MatchUnvalidated(f.File, file)
}

// LiteralPrefix is the part of a pattern before its first wildcard.
func LiteralPrefix(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{\\"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// FolderOf is the folder that the pattern names with all that lies below it.
func FolderOf(pattern string) (folder string, ok bool) {
	folder, ok = strings.CutSuffix(pattern, "/**")
	return folder, ok && folder != "" && LiteralPrefix(folder) == folder
}

// PrefixEnd is the least text after all texts that begin with the prefix, for the characters
// that ids and file names are made of.
func PrefixEnd(prefix string) string { return prefix + "\U0010ffff" }

// OnlyOpen reports whether all that the filter keeps is open.
func OnlyOpen(f ledger.ViolationFilter) bool {
	return len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(s ledger.Status) bool { return !s.Open() })
}

// WordsOf are the words of an order from that of the cursor on, but where some are wanted
// only those.
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

// MadeIn is the period in which the filter wants reports to be made that are not violations.
func MadeIn(f ledger.ViolationFilter) ledger.Period {
	if f.Reported == (ledger.Period{}) {
		return f.Changed
	}
	return f.Reported
}

// KeepsDiscard reports whether the filter keeps a report that is not a violation. The branch
// and the worktree of its run are not looked at.
func KeepsDiscard(f ledger.ViolationFilter, d ledger.Report) bool {
	return OneOf(f.Run, d.Run) && OneOf(f.Gate, d.Gate) && OneOf(f.EntryPoint, d.EntryPoint) && OneOf(f.Adapter, d.Adapter) &&
		(len(f.Priorities) == 0 || slices.Contains(f.Priorities, d.Priority)) && MatchesFile(f, d.Place.File) &&
		(f.Iteration == 0 || f.Iteration == d.Iteration) && (f.Slot == 0 || f.Slot == d.Slot) && MadeIn(f).Holds(d.At)
}

// KeepsNotes reports whether the filter keeps the notes of a slot, but for what the query that
// found them has looked at.
func KeepsNotes(f ledger.ViolationFilter, n ledger.SlotNotes) bool {
	return OneOf(f.Run, n.Run) && OneOf(f.Gate, n.Gate) && OneOf(f.EntryPoint, n.EntryPoint) && OneOf(f.Adapter, n.Adapter) &&
		(f.Iteration == 0 || f.Iteration == n.Ref.Iteration) && (f.Slot == 0 || f.Slot == n.Ref.Slot) && MadeIn(f).Holds(n.At)
}

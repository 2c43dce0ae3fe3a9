package listings

import (
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

type skip = ledger.Skip

// Skips describe the list of skips: skipped violations, with what is known about whether and how the
// skip is remembered.
var Skips = append(
	Of(Violations, func(s *skip) *violation { return &s.ListedViolation }).
		Pick("id", "gate", "entry_point", "file", "line", "issue", "priority", "reason", "result").
		shown("file", func(s *skip) text.Cell {
			if s.Expired != nil && *s.Expired {
				return text.Cell{Text: s.Place.String() + " (gone)", Color: text.Yellow}
			}
			return text.Cell{Text: s.Place.String()}
		}),
	Columns[skip]{
		{Key: "by", Doc: "who skipped it: `agent, human`", Value: func(s *skip) any { return string(s.StatusBy) }, Column: text.Column{Title: "BY", Spare: true}},
		{Key: "at", Doc: "when it was skipped", Value: func(s *skip) any { return s.StatusAt }, Column: text.Column{Title: "SKIPPED", Spare: true},
			Cell: func(s *skip) text.Cell { return text.Cell{Text: text.LocalDay(s.StatusAt)} }},
		{Key: "run", Doc: "the id of its run", Value: func(s *skip) any { return s.Run }},
		{Key: "remembered", Doc: "whether later runs remember it; always true in this list", Value: func(s *skip) any { return s.Remembered }},
		{Key: "met", Doc: "how many reports of later runs were filtered because of it", Value: func(s *skip) any { return s.Met }, Column: text.Column{Title: "MET", Right: true}},
		{Key: "last_met", Doc: "when the latest of them was, or null", Value: func(s *skip) any { return s.LastMet }},
		{Key: "expired", Doc: "whether its line is no longer anywhere in the file; null on the page `/skips` with `--team`, or outside of a worktree",
			Value: func(s *skip) any { return s.Expired }},
	}...)

// SkipsTable formats skips for people.
func SkipsTable(skips []ledger.Skip) text.Table {
	return Skips.Table(skips, "id", "at", "by", "met", "file", "gate", "issue")
}

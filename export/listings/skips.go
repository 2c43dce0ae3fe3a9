package listings

import (
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// SkipJSON is a skipped violation, with what is known about whether and how its skip is remembered.
// docs/json.md describes its keys.
type SkipJSON struct {
	ID         string  `json:"id"`
	Gate       string  `json:"gate"`
	EntryPoint string  `json:"entry_point"`
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Issue      string  `json:"issue"`
	Priority   string  `json:"priority"`
	Reason     *string `json:"reason"`
	Result     *string `json:"result"`
	By         string  `json:"by"`
	At         *string `json:"at"`
	Run        string  `json:"run"`
	Remembered bool    `json:"remembered"`
	Met        int     `json:"met"`
	LastMet    *string `json:"last_met"`
	Expired    *bool   `json:"expired"` // null if the files are not known
}

// NewSkipJSON returns the JSON form of a skip.
func NewSkipJSON(s ledger.Skip) SkipJSON {
	return SkipJSON{
		ID: s.ShortID, Gate: s.Gate, EntryPoint: s.EntryPoint, File: s.Place.File, Line: s.Place.Start, Issue: s.Issue,
		Priority: string(s.Priority), Reason: orNull(s.Reason), Result: orNull(s.Result), By: string(s.StatusBy),
		At: text.Timestamp(s.StatusAt), Run: s.Run, Remembered: s.Remembered, Met: s.Met, LastMet: text.Timestamp(s.LastMet), Expired: s.Expired,
	}
}

// SkipsTable formats skips for people.
func SkipsTable(skips []ledger.Skip) text.Table {
	t := text.Table{Columns: []text.Column{
		{Title: "ID"}, {Title: "SKIPPED", Spare: true}, {Title: "BY", Spare: true}, {Title: "MET", Right: true}, placeColumn(),
		gateColumn(), issueColumn(),
	}}
	for _, s := range skips {
		place := text.Cell{Text: s.Place.String()}
		if s.Expired != nil && *s.Expired {
			place = text.Cell{Text: place.Text + " (gone)", Color: text.Yellow}
		}
		t.Rows = append(t.Rows, text.Row{Cells: []text.Cell{
			{Text: s.ShortID}, {Text: text.LocalDay(s.StatusAt)}, {Text: string(s.StatusBy)}, text.Number(s.Met), place,
			{Text: fmt.Sprintf("%s:%s", text.OrElse(s.EntryPoint, "-"), s.Gate)}, {Text: withResult(s.ListedViolation)},
		}})
	}
	return t
}

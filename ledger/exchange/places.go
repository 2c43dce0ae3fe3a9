package exchange

import (
	"encoding/hex"
	"encoding/json"

	"github.com/reviewledger/reviewledger/ledger"
)

// ParsePlaces reads what [PlacesText] writes, and what queries for more places of a report return.
// Anything else is none.
func ParsePlaces(text string) (places []ledger.Place) {
	if text == "[]" || text == "" {
		return nil
	}
	var rows [][3]any
	_ = json.Unmarshal([]byte(text), &rows)
	for _, row := range rows {
		name, _ := row[0].(string)
		file, _ := hex.DecodeString(name)
		start, _ := row[1].(float64)
		end, _ := row[2].(float64)
		places = append(places, ledger.Place{File: string(file), Start: int(start), End: int(end)})
	}
	return places
}

// PlacesText is a JSON array of the places, with names of files in hexadecimal, for they may hold
// any bytes.
func PlacesText(places []ledger.Place) string {
	rows := make([][3]any, 0, len(places))
	for _, p := range places {
		rows = append(rows, [3]any{hex.EncodeToString([]byte(p.File)), p.Start, p.End})
	}
	text, err := json.Marshal(rows)
	if err != nil { // words and numbers can always be written
		panic(err)
	}
	return string(text)
}

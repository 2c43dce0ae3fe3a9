package lists

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Names splits a column of names that are separated by spaces. It returns nil if there are none.
func Names(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Fields(column)
}

// Gone parses a JSON column with who says that a finding is gone, why, and in which iteration, if the
// column has that. The column may be empty.
func Gone(column string) (gone ledger.Gone) {
	var words [3]string
	read(column, &words)
	gone.By, gone.Evidence = words[0], words[1]
	gone.Iteration, _ = strconv.Atoi(words[2])
	return gone
}

// Words parses a JSON column with what a reviewer said about a claim or dispute, and what the
// author of the claim or dispute had said. The column may be empty.
func Words(column string) (evidence, answers string) {
	var words [2]string
	read(column, &words) // null leaves a string empty
	return words[0], words[1]
}

// Slots parses a JSON column of slot numbers.
func Slots(column string) (slots []int) {
	read(column, &slots)
	return slots
}

// Texts parses a JSON column of texts. The column may be empty.
func Texts(column string) (texts []string) {
	read(column, &texts)
	return texts
}

// Places parses a JSON column of places. file decodes the names of files.
func Places(column string, file func(string) string) (places []ledger.Place) {
	var rows [][3]any
	read(column, &rows)
	for _, row := range rows {
		name, _ := row[0].(string)
		start, _ := row[1].(float64)
		end, _ := row[2].(float64)
		places = append(places, ledger.Place{File: file(name), Start: int(start), End: int(end)})
	}
	return places
}

// HexPlaces parses a JSON column of places in which the names of files are hexadecimal, because they
// may contain any bytes.
func HexPlaces(column string) []ledger.Place {
	return Places(column, func(name string) string {
		file, _ := hex.DecodeString(name)
		return string(file)
	})
}

// PlacesText returns the column that [HexPlaces] parses.
func PlacesText(places []ledger.Place) string {
	rows := make([][3]any, 0, len(places))
	for _, p := range places {
		rows = append(rows, [3]any{hex.EncodeToString([]byte(p.File)), p.Start, p.End})
	}
	text, err := json.Marshal(rows)
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return string(text)
}

// read parses JSON that a query or a push has written. Most columns are empty.
func read(column string, into any) {
	if column != "" && column != "[]" {
		_ = json.Unmarshal([]byte(column), into)
	}
}

package listings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
)

// namedBy has the lists of statistics whose elements are figures, with the keys that identify an
// element.
var namedBy = map[string][]string{
	"adapters":           {"adapter"},
	"checks":             {"job"},
	"discarded":          {"disposition"},
	"files":              {"repository", "file"},
	"gates":              {"entry_point", "gate"},
	"iterations":         {"iteration"},
	"iterations_to_pass": {"iterations"},
	"models":             {"model"},
	"overlaps":           {"adapter", "other"},
	"priorities":         {"priority"},
	"recurring":          {"fingerprint"},
	"skipped_by_reason":  {"reason"},
	"verdict_weeks":      {"week"},
	"weeks":              {"week"},
}

// csvRows are numbers, each with what it counts, as rows of cells.
type csvRows [][]string

// WriteFiguresCSV writes the numbers of statistics, one per line: those of the JSON form, under the
// same keys.
func WriteFiguresCSV(w io.Writer, statistics text.Object) error {
	data, err := json.Marshal(statistics)
	if err != nil {
		return err
	}
	var document map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return err
	}
	var f csvRows
	for _, section := range slices.Sorted(maps.Keys(document)) {
		switch value := document[section].(type) {
		case json.Number:
			f.add(section, "", "", value, "")
		case map[string]any:
			f.addAll(section, "", "", value)
		case []any:
			for _, e := range elementsOf(section, value) {
				f.addAll(section, e.name, "", e.numbers)
			}
		}
	}
	return text.WriteCSV(w, []string{"section", "name", "measure", "value", "list"}, text.All(f))
}

func (f *csvRows) add(section, name, measure string, value json.Number, list string) {
	*f = append(*f, []string{section, name, strings.TrimPrefix(measure, "_"), value.String(), list})
}

// addAll adds the numbers of an object. A count needs no measure of its own: its row has the
// command that lists what was counted.
func (f *csvRows) addAll(section, name, measure string, object map[string]any) {
	list, isCount := object["list"].(string)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		switch value := object[key].(type) {
		case json.Number:
			if isCount {
				f.add(section, name, measure, value, list)
			} else {
				f.add(section, name, measure+"_"+key, value, "")
			}
		case map[string]any:
			f.addAll(section, name, measure+"_"+key, value)
		case []any:
			for _, e := range elementsOf(key, value) {
				if e.numbers["list"] != nil { // only counts: the weeks of each check would be too many rows
					f.addAll(section, name, measure+"_"+key+"_"+e.name, e.numbers)
				}
			}
		}
	}
}

// element is an element of a list of figures.
type element struct {
	name    string
	numbers map[string]any
}

// elementsOf returns the elements of a list, or none if they are not figures.
func elementsOf(key string, list []any) (found []element) {
	keys := namedBy[key]
	for _, value := range list {
		numbers, isObject := value.(map[string]any)
		if !isObject || keys == nil {
			continue
		}
		var names []string
		for _, key := range keys {
			if numbers[key] != nil {
				names = append(names, fmt.Sprint(numbers[key]))
			}
			delete(numbers, key)
		}
		found = append(found, element{cmp.Or(strings.Join(names, " "), "unknown"), numbers})
	}
	return found
}

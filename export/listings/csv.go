package listings

import (
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// WriteCSV writes JSON objects as rows of CSV: a column for each key, in their order. What an object
// omits if it is empty is not a column, and null is an empty cell.
func WriteCSV[JSON any](w io.Writer, objects iter.Seq2[JSON, error]) error {
	return text.WriteCSV(w, titles(reflect.TypeFor[JSON]()), text.Mapped(objects, func(object JSON) []string {
		return cells(reflect.ValueOf(object))
	}))
}

func titles(object reflect.Type) (all []string) {
	for field := range object.Fields() {
		switch key, option, _ := strings.Cut(field.Tag.Get("json"), ","); {
		case field.Anonymous:
			all = append(all, titles(field.Type)...)
		case option == "":
			all = append(all, key)
		}
	}
	return all
}

func cells(object reflect.Value) (all []string) {
	for field, value := range object.Fields() {
		switch _, option, _ := strings.Cut(field.Tag.Get("json"), ","); {
		case field.Anonymous:
			all = append(all, cells(value)...)
		case option == "":
			all = append(all, cell(value.Interface()))
		}
	}
	return all
}

// cell returns one value: the texts of a list are separated by spaces, and places, which may have
// spaces, by semicolons.
func cell(value any) string {
	switch value := value.(type) {
	case *string:
		return orEmpty(value)
	case []string:
		return strings.Join(value, " ")
	case []ledger.Place:
		places := make([]string, 0, len(value))
		for _, p := range value {
			places = append(places, p.String())
		}
		return strings.Join(places, "; ")
	}
	return fmt.Sprint(value)
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

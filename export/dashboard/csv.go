package dashboard

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/reviewledger/reviewledger/internal/strictjson"
	"github.com/reviewledger/reviewledger/internal/text"
)

// inCSV converts the JSON of a page to CSV: a line for each object of a list, or one line for a
// single object, with the keys as columns. The columns of an empty list are unknown, so nothing is
// written for it.
func inCSV(rows func(*visit) (answer, error)) func(*visit) (answer, error) {
	return func(v *visit) (answer, error) {
		write, err := rows(v)
		return func(w io.Writer) error {
			var document bytes.Buffer
			if err := write(&document); err != nil {
				return err
			}
			objects := []json.RawMessage{document.Bytes()}
			if trimmed := bytes.TrimSpace(document.Bytes()); bytes.HasPrefix(trimmed, []byte("[")) {
				if err := json.Unmarshal(trimmed, &objects); err != nil {
					return err
				}
			}
			return writeObjects(w, objects)
		}, err
	}
}

func writeObjects(w io.Writer, objects []json.RawMessage) error {
	var titles []string
	var lines [][]string
	for _, value := range objects {
		object, err := strictjson.ReadObject(value)
		if err != nil {
			return err
		}
		if titles == nil {
			for _, member := range object {
				titles = append(titles, member.Key)
			}
		}
		line := make([]string, 0, len(titles))
		for _, title := range titles {
			line = append(line, cell(object.Last(title)))
		}
		lines = append(lines, line)
	}
	if titles == nil {
		return nil
	}
	return text.WriteCSV(w, titles, text.All(lines))
}

// cell formats a value for one cell: a string as it is, a count with a list as the count, and
// anything else as JSON.
func cell(value json.RawMessage) string {
	if object, err := strictjson.ReadObject(value); err == nil && len(object) == 2 && object.Last("count") != nil && object.Last("list") != nil {
		value = object.Last("count")
	}
	return strictjson.TextOf(value)
}

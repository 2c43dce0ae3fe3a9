package push

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/internal/rows"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// A copier writes rows in the text format of COPY. Every text goes through [team.Clean] here, so
// that no column can be forgotten.
type copier struct{ bytes.Buffer }

// rows writes a list of structs whose JSON tags are the columns, and returns how many there are.
func (c *copier) rows(columns []string, list any) int {
	all := reflect.ValueOf(list)
	if all.Len() == 0 {
		return 0
	}
	tags := rows.Tags(all.Type().Elem())
	var fields [][]int
	for _, column := range columns {
		field, known := tags[column]
		if !known {
			panic(fmt.Sprintf("%s has no key %q", all.Type(), column))
		}
		fields = append(fields, field)
	}
	for i := range all.Len() {
		for n, field := range fields {
			if n > 0 {
				c.WriteByte('\t')
			}
			c.value(all.Index(i).FieldByIndex(field))
		}
		c.WriteByte('\n')
	}
	return all.Len()
}

// value writes a text, a number, a flag, or what a pointer to one points to; nil is NULL.
func (c *copier) value(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			c.WriteString(`\N`)
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		c.text(v.String())
	case reflect.Float64:
		c.Write(strconv.AppendFloat(c.AvailableBuffer(), v.Float(), 'g', -1, 64))
	case reflect.Bool:
		c.Write(strconv.AppendBool(c.AvailableBuffer(), v.Bool()))
	default:
		c.Write(strconv.AppendInt(c.AvailableBuffer(), v.Int(), 10))
	}
}

func (c *copier) text(value string) {
	cleaned := team.Clean(value)
	if !strings.ContainsAny(cleaned, "\\\n\r\t") {
		c.WriteString(cleaned)
		return
	}
	_, _ = escapes().WriteString(c, cleaned) // writing to a buffer never fails
}

// escapes replaces the characters that would end a value by their escapes in COPY.
var escapes = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
})

// encoded has the rows of a table in the format of COPY.
type encoded struct {
	table string
	data  []byte
}

// send copies the rows to the temporary table for this table.
func (p *Pusher) send(ctx context.Context, table string, rows io.Reader) error {
	if _, err := p.conn.PgConn().CopyFrom(ctx, rows, p.tables[table].copy); err != nil {
		return fmt.Errorf("send rows of table %q: %w", table, err)
	}
	return nil
}

package team

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
)

// copier writes rows in the text format of COPY. Every text goes through [clean] here,
// so that no column can be forgotten.
type copier struct {
	bytes.Buffer
	begun bool
}

func (c *copier) sep() {
	if c.begun {
		c.WriteByte('\t')
	}
	c.begun = true
}

// end ends the row.
func (c *copier) end() {
	c.WriteByte('\n')
	c.begun = false
}

func (c *copier) null() {
	c.sep()
	c.WriteString(`\N`)
}

// text writes a text of any type.
func text[S ~string](c *copier, value S) {
	c.sep()
	cleaned := clean(string(value))
	if !strings.ContainsAny(cleaned, "\\\n\r\t") {
		c.WriteString(cleaned)
		return
	}
	for i := range len(cleaned) {
		switch b := cleaned[i]; b {
		case '\\':
			c.WriteString(`\\`)
		case '\n':
			c.WriteString(`\n`)
		case '\r':
			c.WriteString(`\r`)
		case '\t':
			c.WriteString(`\t`)
		default:
			c.WriteByte(b)
		}
	}
}

// optional writes a text, or null.
func optional[S ~string](c *copier, value *S) {
	if value == nil {
		c.null()
		return
	}
	text(c, *value)
}

func (c *copier) number(value int64) {
	c.sep()
	c.Write(strconv.AppendInt(c.AvailableBuffer(), value, 10))
}

func (c *copier) numbers(value *int64) {
	if value == nil {
		c.null()
		return
	}
	c.number(*value)
}

func (c *copier) float(value *float64) {
	if value == nil {
		c.null()
		return
	}
	c.sep()
	c.Write(strconv.AppendFloat(c.AvailableBuffer(), *value, 'g', -1, 64))
}

func (c *copier) yes(value bool) {
	c.sep()
	if value {
		c.WriteByte('t')
	} else {
		c.WriteByte('f')
	}
}

// clean is a text that PostgreSQL takes: it refuses NUL and what is not UTF-8. Both
// become U+FFFD.
func clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

// encoded are the rows of a table as COPY takes them.
type encoded struct {
	table string
	data  []byte
}

// send copies the rows to the temporary table of this table.
func send(ctx context.Context, conn *pgconn.PgConn, table string, rows io.Reader) error {
	if _, err := conn.CopyFrom(ctx, rows, statement("copy "+table)); err != nil {
		return fmt.Errorf("send rows of table %q: %w", table, err)
	}
	return nil
}

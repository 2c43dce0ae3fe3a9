package db

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Time is a point in time as the database keeps it: UTC text with
// milliseconds, which SQLite compares and orders rightly.
type Time time.Time

// timeFormat is strftime('%Y-%m-%dT%H:%M:%fZ') of SQLite.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Value implements driver.Valuer.
func (t Time) Value() (driver.Value, error) {
	return t.Text(), nil
}

// Text is the time as the database has it.
func (t Time) Text() string { return time.Time(t).UTC().Format(timeFormat) }

// Scan implements sql.Scanner.
func (t *Time) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("scan time: %T is not text", src)
	}
	parsed, err := time.Parse(timeFormat, text)
	if err != nil {
		return fmt.Errorf("scan time: %w", err)
	}
	*t = Time(parsed)
	return nil
}

// MarshalText implements encoding.TextMarshaler: a dump has the database's text.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Time) UnmarshalText(text []byte) error { return t.Scan(string(text)) }

package db

import (
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/internal/rows"
)

// Time is a point in time as the database stores it: UTC text with milliseconds, which SQLite
// compares and sorts correctly.
type Time time.Time

// Value implements [driver.Valuer].
func (t Time) Value() (driver.Value, error) {
	return t.Text(), nil
}

// Text formats the time as the database stores it.
func (t Time) Text() string { return time.Time(t).UTC().Format(rows.TimeFormat) }

// Scan implements [sql.Scanner].
func (t *Time) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("scan time: %T is not text", src)
	}
	parsed, err := rows.Time(text)
	if err != nil {
		return fmt.Errorf("scan time: %w", err)
	}
	*t = Time(parsed)
	return nil
}

// MarshalText implements [encoding.TextMarshaler]: dumps have the same text as the database.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Time) UnmarshalText(text []byte) error { return t.Scan(string(text)) }

package db

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Time is a point in time as the database stores it: UTC text with milliseconds, which SQLite
// compares and sorts correctly.
type Time time.Time

// timeFormat is the format of SQLite's strftime('%Y-%m-%dT%H:%M:%fZ').
const timeFormat = "2006-01-02T15:04:05.000Z"

// Value implements [driver.Valuer].
func (t Time) Value() (driver.Value, error) {
	return t.Text(), nil
}

// Text formats the time as the database stores it.
func (t Time) Text() string { return time.Time(t).UTC().Format(timeFormat) }

// Scan implements [sql.Scanner].
func (t *Time) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("scan time: %T is not text", src)
	}
	parsed, err := parseTime(text)
	if err != nil {
		return fmt.Errorf("scan time: %w", err)
	}
	*t = Time(parsed)
	return nil
}

// parseTime parses the usual format digit by digit: a long list has millions of times, and
// [time.Parse] takes five times as long.
func parseTime(text string) (time.Time, error) {
	usual := len(text) == len(timeFormat)
	number := func(from, to int) (n int) {
		for i := from; usual && i < to; i++ {
			digit := text[i] - '0'
			usual = digit <= 9
			n = n*10 + int(digit)
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	hour, minute, second, milli := number(11, 13), number(14, 16), number(17, 19), number(20, 23)
	if usual {
		at := time.Date(year, time.Month(month), day, hour, minute, second, milli*int(time.Millisecond), time.UTC)
		if separated(text) && at.Month() == time.Month(month) && at.Day() == day && hour < 24 && minute < 60 && second < 60 {
			return at, nil
		}
	}
	return time.Parse(timeFormat, text)
}

// separated reports whether the separators are those of timeFormat.
func separated(text string) bool {
	return text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':' && text[19] == '.' && text[23] == 'Z'
}

// MarshalText implements [encoding.TextMarshaler]: dumps have the same text as the database.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Time) UnmarshalText(text []byte) error { return t.Scan(string(text)) }

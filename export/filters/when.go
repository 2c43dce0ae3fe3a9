package filters

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// parseWhen parses a point in time: how long ago (30m, 12h, 7d, 2w), a day (2026-01-31, its start
// in the local zone), a day with a time, or RFC 3339.
func parseWhen(text string, now time.Time) (time.Time, error) {
	if ago, ok := parseAgo(text); ok {
		return now.Add(-ago).Truncate(time.Millisecond), nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05"} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil && at.Year() > 0 {
			return at, nil
		}
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil && at.UTC().Year() > 0 && at.UTC().Year() <= 9999 {
		return at, nil
	}
	return time.Time{}, errors.New("use how long ago (30m, 12h, 7d, 2w), a day (2026-01-31) or RFC 3339 (2026-01-31T15:04:05Z)")
}

// maxAgo keeps times in a range that calendars support.
const maxAgo = 100 * 366 * 24 * time.Hour

func parseAgo(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	unit, ok := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}[text[len(text)-1]]
	if !ok || strings.ContainsAny(text, "+-_") {
		return 0, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n > int(maxAgo/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}

// When is the value of a flag that is a point in time.
type When struct {
	At *time.Time // where the parsed time is stored
	// Text is the given text, or empty if the flag was not given.
	Text string
	// All is set if "all" is the time before everything.
	All bool
}

// String implements [pflag.Value].
func (f *When) String() string { return f.Text }

// Set implements [pflag.Value].
func (f *When) Set(text string) (err error) {
	f.Text = text
	if f.All && text == "all" {
		*f.At = time.Time{}
		return nil
	}
	*f.At, err = parseWhen(text, time.Now())
	return err
}

// Type implements [pflag.Value].
func (f *When) Type() string { return "time" }

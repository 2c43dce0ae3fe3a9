package filters

import (
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*3600)
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, zone)
	for _, test := range []struct {
		text string
		want time.Time // zero if the text is invalid
	}{
		{"30m", now.Add(-30 * time.Minute)},
		{"12h", now.Add(-12 * time.Hour)},
		{"7d", now.Add(-7 * 24 * time.Hour)},
		{"2w", now.Add(-14 * 24 * time.Hour)},
		{"0d", now},
		{"2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, zone)},
		{"2026-01-31 15:04", time.Date(2026, 1, 31, 15, 4, 0, 0, zone)},
		{"2026-01-31T15:04:05Z", time.Date(2026, 1, 31, 15, 4, 5, 0, time.UTC)},
		{"2026-01-31T15:04:05.123+01:00", time.Date(2026, 1, 31, 14, 4, 5, 123e6, time.UTC)},
		{"", time.Time{}}, {"d", time.Time{}}, {"-7d", time.Time{}}, {"7", time.Time{}}, {"7y", time.Time{}},
		{"99999999999d", time.Time{}}, {"2026-02-30", time.Time{}}, {"yesterday", time.Time{}},
	} {
		got, err := parseWhen(test.text, now)
		if (err != nil) != test.want.IsZero() || !got.Equal(test.want) {
			t.Errorf("parseWhen(%q) = %v, %v; want %v", test.text, got, err, test.want)
		}
	}
}

func FuzzParseWhen(f *testing.F) {
	for _, text := range []string{"7d", "2026-01-31", "2026-01-31T15:04:05Z", "0000-01-01", "9999-12-31T23:59:59-23:59"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := parseWhen(text, time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
		if err == nil && (at.UTC().Year() < 0 || at.UTC().Year() > 10000) {
			t.Errorf("parseWhen(%q) = %v", text, at)
		}
	})
}

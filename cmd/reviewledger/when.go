package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// parseWhen reads a point in time: how long ago (30m, 12h, 7d, 2w), a day
// (2026-01-31, its beginning in the local zone), a day with a time, or RFC 3339.
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

// maxAgo keeps times within what the calendar has.
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

// whenFlag is a flag that holds a point in time.
type whenFlag struct {
	at   *time.Time
	text string
}

// String, Set and Type implement pflag.Value.
func (f *whenFlag) String() string { return f.text }

func (f *whenFlag) Set(text string) (err error) {
	f.text = text
	*f.at, err = parseWhen(text, time.Now())
	return err
}

func (f *whenFlag) Type() string { return "time" }

// addPeriod adds the flags of a period, whose names begin with the prefix.
func addPeriod(flags *pflag.FlagSet, p *ledger.Period, prefix, what string) {
	flags.Var(&whenFlag{at: &p.Since}, prefix+"since", what+" since this time: 7d (ago), 2026-01-31, or RFC 3339")
	flags.Var(&whenFlag{at: &p.Until}, prefix+"until", what+" before this time")
}

// wordsFlag is a flag that may be given several times, or hold several words
// joined by commas, out of a fixed list.
type wordsFlag[T ~string] struct {
	words   *[]T
	allowed []T
}

func (f *wordsFlag[T]) String() string {
	if f.words == nil {
		return ""
	}
	var texts []string
	for _, word := range *f.words {
		texts = append(texts, string(word))
	}
	return strings.Join(texts, ",")
}

func (f *wordsFlag[T]) Set(text string) error {
	for _, word := range strings.Split(text, ",") {
		word := T(strings.ToLower(strings.TrimSpace(word)))
		if !f.allows(word) {
			return fmt.Errorf("use %s", f.list())
		}
		*f.words = append(*f.words, word)
	}
	return nil
}

func (f *wordsFlag[T]) allows(word T) bool {
	for _, a := range f.allowed {
		if a == word {
			return true
		}
	}
	return false
}

func (f *wordsFlag[T]) list() string { return oneOf(f.allowed) }

// wordFlag is a flag that is one word out of a fixed list.
type wordFlag[T ~string] struct {
	word    *T
	allowed []T
}

// String, Set and Type implement pflag.Value.
func (f *wordFlag[T]) String() string {
	if f.word == nil {
		return ""
	}
	return string(*f.word)
}

func (f *wordFlag[T]) Set(text string) error {
	word := T(strings.ToLower(strings.TrimSpace(text)))
	if !slices.Contains(f.allowed, word) {
		return fmt.Errorf("use %s", oneOf(f.allowed))
	}
	*f.word = word
	return nil
}

func (f *wordFlag[T]) Type() string { return "word" }

// oneOf is words as a sentence has them.
func oneOf[T ~string](words []T) string {
	var texts []string
	for _, word := range words {
		texts = append(texts, string(word))
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

func (f *wordsFlag[T]) Type() string { return "words" }

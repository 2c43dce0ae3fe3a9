package statistics

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// compressors are kept, for to set one up takes longer than to compress most counts.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is wrong
	}
	return w
}}

// Pack is the counts in a small space.
func (c Counts) Pack() ([]byte, error) {
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	if _, err := io.WriteString(w, c.Text()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// Unpack reads what [Counts.Pack] wrote.
func Unpack(data []byte) (Counts, error) {
	var text strings.Builder
	if _, err := io.Copy(&text, flate.NewReader(bytes.NewReader(data))); err != nil {
		return nil, fmt.Errorf("unpack counts: %w", err)
	}
	return ParseCounts(text.String())
}

// Days are those on which the counts are, in order.
func (c Counts) Days() (days []string) {
	seen := map[int64]bool{}
	for _, count := range c {
		if day := count.At / dayMillis; count.At != 0 && !seen[day] {
			seen[day] = true
			days = append(days, time.UnixMilli(count.At).UTC().Format(time.DateOnly))
		}
	}
	slices.Sort(days)
	return days
}

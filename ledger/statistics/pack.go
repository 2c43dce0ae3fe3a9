package statistics

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// compressors are reused, because setting one up takes longer than compressing most counts.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is invalid
	}
	return w
}}

// Pack returns the counts in compressed form.
func (c Counts) Pack() ([]byte, error) {
	var packed bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&packed)
	if _, err := io.WriteString(w, string(c.Text())); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// ErrDamaged means that packed counts cannot be unpacked.
var ErrDamaged = errors.New("the sums are damaged")

func damaged(err error) error { return fmt.Errorf("%w: unpack counts: %w", ErrDamaged, err) }

// Unpack unpacks what [Counts.Pack] returned. The error is [ErrDamaged].
func Unpack(data []byte) (Counts, error) {
	text, err := unpack(data)
	if err != nil {
		return nil, err
	}
	counts, err := text.Counts()
	if err != nil {
		return nil, damaged(err)
	}
	return counts, nil
}

// decompressors are reused, because setting one up takes as much memory as most counts.
var decompressors = sync.Pool{New: func() any { return flate.NewReader(nil) }}

func unpack(data []byte) (Text, error) {
	r := decompressors.Get().(io.Reader)
	defer decompressors.Put(r)
	var text strings.Builder
	text.Grow(16 * len(data)) // about how well counts compress
	err := r.(flate.Resetter).Reset(bytes.NewReader(data), nil)
	if err == nil {
		_, err = io.Copy(&text, r)
	}
	if err != nil {
		return "", damaged(err)
	}
	return Text(text.String()), nil
}

// UnpackEach calls add with the counts of each run, which [Counts.Pack] packed. packed and err are
// the result of a query.
func UnpackEach(packed [][]byte, err error, add func(Text) error) error {
	for _, data := range packed {
		if err != nil {
			return err
		}
		var text Text
		if text, err = unpack(data); err == nil {
			err = add(text)
		}
	}
	return err
}

// Days returns the days that have counts, in order.
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

package exchange

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// Digest returns a hash that distinguishes states of a run that have the same revision, and the same
// skips forgotten. It covers the columns that every level of [Content] leaves unchanged, so that it
// does not depend on what was cut. It begins with the version of the format, because digests of
// different formats cannot be compared.
func (r *Run) Digest(forgotten []Row) string {
	hash := sha256.New()
	var row []byte
	put := func(of Row) error {
		row = append(row[:0], of.Kind...)
		for i, c := range of.Columns {
			if c.rule == kept {
				row = appendValue(row, of.Values[i])
			}
		}
		_, _ = hash.Write(row) // a hash never fails
		return nil
	}
	_ = put(r.Head)
	_ = r.Each(func(of Row) error {
		if of.Texts() {
			return nil
		}
		return put(of)
	})
	for _, skip := range forgotten {
		_ = put(skip.With("actor", nil).With("at", nil))
	}
	return fmt.Sprintf("%d:%s", Format, hex.EncodeToString(hash.Sum(nil)))
}

// appendValue appends a value in a form that no other value has.
func appendValue(row []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		row = binary.AppendVarint(append(row, 's'), int64(len(value)))
		return append(row, value...)
	case int64:
		return binary.AppendVarint(append(row, 'n'), value)
	case float64:
		return binary.BigEndian.AppendUint64(append(row, 'f'), math.Float64bits(value))
	}
	return append(row, 0)
}

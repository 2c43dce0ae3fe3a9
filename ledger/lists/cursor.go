package lists

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// timeFormat is the layout of times in cursors, which sort as their times do.
const timeFormat = "2006-01-02T15:04:05.000Z"

func timeText(at time.Time) string { return at.UTC().Format(timeFormat) }

// Key is the content of a cursor: what the list is sorted by, so that the cursor keeps its place
// when the violation changes.
type Key struct {
	Sort      ledger.Sort `json:"sort"`
	Up        any         `json:"up"`
	ThenUp    any         `json:"then_up"`
	Down      string      `json:"down"`
	FirstSeen string      `json:"first_seen"`
	ID        string      `json:"id"` // ULID
}

// Order is the order of a filter.
func Order(sort ledger.Sort) ledger.Sort { return cmp.Or(sort, ledger.SortNewest) }

// Cursor returns the cursor of the place after a violation in a list of this order, for
// [ledger.ViolationFilter.After].
func Cursor(order ledger.Sort, v ledger.ListedViolation) string {
	order = Order(order)
	key := Key{Sort: order, FirstSeen: timeText(v.FirstSeen), ID: v.ID, Up: 0, ThenUp: 0}
	switch order {
	case ledger.SortOldest:
		key.Up = key.FirstSeen
	case ledger.SortPriority:
		key.Up = v.Priority.Rank()
	case ledger.SortFile:
		key.Up, key.ThenUp = v.Place.File, v.Place.Start
	case ledger.SortStatus:
		key.Up = string(v.Shown())
	case ledger.SortChanged:
		key.Down = timeText(v.StatusAt)
	}
	return Opaque(key)
}

// Opaque encodes a key as a cursor: a word that can stand in a URL, and that only this package is
// meant to make and read.
func Opaque(key any) string {
	data, err := json.Marshal(key)
	if err != nil { // texts and numbers can always be written
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// ReadKey reads a cursor that [Opaque] made, or returns nil if there is none. The error is
// [ledger.ErrCursor].
func ReadKey[K any](text string, valid func(K) bool) (*K, error) {
	if text == "" {
		return nil, nil
	}
	var key K
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, &key)
	}
	if err != nil || !valid(key) {
		return nil, NotACursor(text)
	}
	return &key, nil
}

// NotACursor returns the error about a text that is not a cursor of the list.
func NotACursor(text string) error { return fmt.Errorf("%w: %q", ledger.ErrCursor, text) }

// ReadCursor reads the filter's cursor, or returns nil if it has none. For a cursor of another order
// the error is [ledger.ErrCursor].
func ReadCursor(f ledger.ViolationFilter) (*Key, error) {
	return ReadKey(f.After, func(k Key) bool { return k.Sort == Order(f.Sort) && k.ID != "" })
}

// Seen returns when the violation was first seen, and Changed when its status last changed, each in
// the order that sorts by it. If the cursor does not have a time, the error is [ledger.ErrCursor].
func (k *Key) Seen() (time.Time, error) { return k.time(k.FirstSeen) }

// Changed is explained at [Key.Seen].
func (k *Key) Changed() (time.Time, error) { return k.time(k.Down) }

func (k *Key) time(text string) (time.Time, error) {
	at, err := time.Parse(timeFormat, text)
	if err != nil {
		return at, NotACursor(text)
	}
	return at, nil
}

// File and Line return where the violation lies, in the order of files.
func (k *Key) File() string {
	file, _ := k.Up.(string)
	return file
}

// Line is explained at [Key.File].
func (k *Key) Line() int {
	line, _ := k.ThenUp.(float64)
	return int(line)
}

// Word returns the priority or the status of the violation, in the order that sorts by it.
func (k *Key) Word() string {
	switch up := k.Up.(type) {
	case float64:
		if all := ledger.Priorities(); k.Sort == ledger.SortPriority && up >= 0 && int(up) < len(all) {
			return string(all[int(up)])
		}
	case string:
		if k.Sort == ledger.SortStatus {
			return up
		}
	}
	return ""
}

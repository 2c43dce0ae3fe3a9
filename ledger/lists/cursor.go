package lists

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
)

// timeFormat is the layout of times in cursors. They sort as the times do.
const timeFormat = "2006-01-02T15:04:05.000Z"

func timeText(at time.Time) string { return at.UTC().Format(timeFormat) }

// Key is the content of a cursor: what the list is sorted by, so that the cursor keeps its place in
// the list when the violation changes.
type Key struct {
	Sort      ledger.Sort `json:"sort"`
	Up        any         `json:"up"`
	ThenUp    any         `json:"then_up"`
	Down      string      `json:"down"`
	FirstSeen string      `json:"first_seen"`
	ID        string      `json:"id"` // ULID
}

// Order returns the order of a filter: newest first if it has none.
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

// Opaque encodes a key as a cursor, which can be part of a URL. Only this package should create and
// parse cursors.
func Opaque(key any) string {
	data, err := json.Marshal(key)
	if err != nil { // strings and numbers can always be encoded
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// ReadKey parses a cursor that [Opaque] returned. It returns nil if text is empty. The error is
// [ledger.ErrCursor] if text is not a cursor or its key is not valid.
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

// NotACursor returns the error for a text that is not a cursor of the list.
func NotACursor(text string) error { return fmt.Errorf("%w: %q", ledger.ErrCursor, text) }

// ReadCursor parses the filter's cursor. It returns nil if the filter has none. The error is
// [ledger.ErrCursor] if the cursor is one of another order.
func ReadCursor(f ledger.ViolationFilter) (*Key, error) {
	return ReadKey(f.After, func(k Key) bool { return k.Sort == Order(f.Sort) && k.ID != "" })
}

// Seen returns when the violation was first seen, in the orders that sort by that time. The error
// is [ledger.ErrCursor] if the cursor does not have it.
func (k *Key) Seen() (time.Time, error) { return k.time(k.FirstSeen) }

// Changed returns when the violation's status last changed, in the order that sorts by that time.
// The error is [ledger.ErrCursor] if the cursor does not have it.
func (k *Key) Changed() (time.Time, error) { return k.time(k.Down) }

func (k *Key) time(text string) (time.Time, error) {
	at, err := time.Parse(timeFormat, text)
	if err != nil {
		return at, NotACursor(text)
	}
	return at, nil
}

// File returns the file that the violation is in, in the order by file.
func (k *Key) File() string {
	file, _ := k.Up.(string)
	return file
}

// Line returns the line that the violation begins at, in the order by file.
func (k *Key) Line() int {
	line, _ := k.ThenUp.(float64)
	return int(line)
}

// Word returns the priority or status of the violation, in the order that sorts by it.
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

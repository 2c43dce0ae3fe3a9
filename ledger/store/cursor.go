package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Cursor is the place after a violation in a list of this order, for
// [ledger.ViolationFilter.After]. It holds what the list is sorted by, so that the
// place stays where it is when the violation changes.
func Cursor(order ledger.Sort, v ledger.ListedViolation) string {
	if order == "" {
		order = ledger.SortNewest
	}
	key := cursorKey{Sort: order, FirstSeen: db.Time(v.FirstSeen).Text(), ID: v.ID, Up: 0, ThenUp: 0}
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
		key.Down = db.Time(v.StatusAt).Text()
	}
	return opaque(key)
}

// opaque is a key of a list as a cursor: JSON that nobody is to make or to read.
func opaque(key any) string {
	data, err := json.Marshal(key)
	if err != nil { // texts and numbers can always be written
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// readCursor reads a key that [opaque] wrote.
func readCursor(text string, key any) error {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(data, key)
	}
	if err != nil {
		return cursorError(text)
	}
	return nil
}

func cursorError(text string) error { return fmt.Errorf("%w: %q", ledger.ErrCursor, text) }

// discardKey is what reports that filters removed are sorted by.
type discardKey struct {
	At       string `json:"at"`
	Slot     int64  `json:"slot"`
	Position int64  `json:"position"`
}

func (k discardKey) cursor() string { return opaque(k) }

// discardCursor reads a cursor; without one the list begins with the latest.
func discardCursor(text string) (key discardKey, err error) {
	if text == "" {
		return discardKey{At: latest}, nil
	}
	if err = readCursor(text, &key); err == nil && key.Slot <= 0 {
		err = cursorError(text)
	}
	return key, err
}

// Cursor is [Cursor], for those who know a ledger by its questions only.
func (l *Store) Cursor(order ledger.Sort, v ledger.ListedViolation) string { return Cursor(order, v) }

// cursorKey is what [Cursor] holds: the columns that SortedViolations sorts by, but
// for what only the database knows.
type cursorKey struct {
	Sort      ledger.Sort `json:"sort"`
	Up        any         `json:"up"`
	ThenUp    any         `json:"then_up"`
	Down      string      `json:"down"`
	FirstSeen string      `json:"first_seen"`
	ID        string      `json:"id"` // ULID
}

// afterKey is the last violation of the page before.
type afterKey struct {
	cursorKey
	firstSeen string
	id        int64
	file      string // its file, where that is what the list is sorted by
	word      string // its priority or status, where that is
}

// statusOrder is the order of statuses, as SortedViolations takes it.
func statusOrder() string {
	var words []string
	for _, status := range ledger.ShownStatuses() {
		words = append(words, string(status))
	}
	return strings.Join(words, " ")
}

// key is what SortedViolations takes.
func (k *afterKey) key() string {
	if k == nil {
		return anyWord
	}
	return jsonList([]any{k.Up, k.ThenUp, k.Down, k.firstSeen, k.id})
}

// cursor reads the filter's cursor, or returns nil where it has none.
func (s *search) cursor(ctx context.Context) (*afterKey, error) {
	if s.filter.After == "" {
		return nil, nil
	}
	order := s.filter.Sort
	if order == "" {
		order = ledger.SortNewest
	}
	var after afterKey
	if err := readCursor(s.filter.After, &after.cursorKey); err != nil {
		return nil, err
	}
	if after.Sort != order || after.ID == "" {
		return nil, cursorError(s.filter.After)
	}
	rows, err := s.ViolationsWithPrefix(ctx, db.ViolationsWithPrefixParams{First: after.ID, Last: prefixEnd(after.ID)})
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, cursorError(s.filter.After)
	}
	after.id, after.firstSeen = rows[0], after.FirstSeen
	switch order {
	case ledger.SortFile:
		after.file, _ = after.Up.(string)
	case ledger.SortPriority:
		rank, ok := after.Up.(float64)
		if all := ledger.Priorities(); ok && rank >= 0 && int(rank) < len(all) {
			after.word = string(all[int(rank)])
		}
	case ledger.SortStatus:
		after.word, _ = after.Up.(string)
		after.Up = strings.Index(statusOrder(), after.word) + 1
	}
	return &after, nil
}

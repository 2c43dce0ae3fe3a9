package store

import (
	"context"
	"database/sql"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/lists"
)

// afterKey identifies the last violation of the previous page.
type afterKey struct {
	lists.Key
	id int64
}

// named returns the parameters of the condition that selects what comes after the key.
func (k *afterKey) named() []sql.NamedArg {
	return []sql.NamedArg{sql.Named("after_seen", k.FirstSeen), sql.Named("after_id", k.id)}
}

// lists returns the key as one of package lists.
func (k *afterKey) lists() *lists.Key {
	if k == nil {
		return nil
	}
	return &k.Key
}

// cursor parses the filter's cursor, or returns nil if it has none.
func (s *search) cursor(ctx context.Context) (*afterKey, error) {
	key, err := lists.ReadCursor(s.filter)
	if err != nil || key == nil {
		return nil, err
	}
	list := db.List{}
	list.KeepColumn("ulid", "is", key.ID)
	rows, err := lists.Collect(s.ListIDs(ctx, list))
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, lists.NotACursor(s.filter.After)
	}
	return &afterKey{Key: *key, id: rows[0]}, nil
}

// discardKey is what discarded reports are sorted by.
type discardKey struct {
	At       string `json:"at"`
	Slot     int64  `json:"slot"`
	Position int64  `json:"position"`
}

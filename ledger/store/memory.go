package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger/exchange"
)

// InMemory loads a dump, as [Store.Load] does, into a ledger that exists only in memory, to answer
// questions about the runs in the dump. next is [exchange.Reader.Next].
func InMemory(ctx context.Context, next func() (exchange.Record, error)) (*Store, error) {
	handle, err := db.OpenEmpty(ctx)
	if err != nil {
		return nil, fmt.Errorf("make a ledger in memory: %w", err)
	}
	l := &Store{path: "in memory", handle: handle, now: time.Now, entropy: rand.Reader, asks: true, memory: true}
	if _, err := l.Load(ctx, next); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

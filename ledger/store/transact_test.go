package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Canceling ends a query between its statements. What is being recorded, and what is read for that,
// is finished.
func TestOnlyQuestionsEndWithTheirContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	recorder, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Close()
	asked, err := OpenReadOnly(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	ended := func(transaction func(context.Context, string, func(*tx) error) error) error {
		ctx, interrupt := context.WithCancel(t.Context())
		return transaction(ctx, "test", func(t *tx) error {
			interrupt()
			_, err := t.runRows(ctx, openRuns)
			return err
		})
	}
	if err := ended(asked.read); !errors.Is(err, context.Canceled) {
		t.Errorf("a question after its end: %v", err)
	}
	if err := ended(recorder.read); err != nil {
		t.Errorf("a read of what is recorded: %v", err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	err = recorder.write(ctx, "test", func(t *tx) error {
		interrupt()
		return t.SetCooldown(ctx, db.SetCooldownParams{Adapter: "claude", Until: t.at, SetAt: t.at})
	})
	if err != nil {
		t.Errorf("a write after its end: %v", err)
	}
	if problems, err := asked.Problems(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	if _, err := asked.Runs(t.Context(), ledger.RunFilter{}); err != nil {
		t.Errorf("the next question: %v", err)
	}
}

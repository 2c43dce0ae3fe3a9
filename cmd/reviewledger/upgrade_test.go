package main

import (
	"bytes"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/store"
)

// An upgrade is announced once, regardless of its number of steps. The progress line is only for
// terminals.
func TestUpgradeIsTold(t *testing.T) {
	t.Parallel()
	var told bytes.Buffer
	upgrading := ledgerOptions(&globalOptions{environment: environment{stderr: &told}}, "/tmp/ledger.db").Upgrading
	for done := range 4 {
		upgrading(store.Progress{From: 1, To: 2, Done: done, Steps: 3})
	}
	const want = "Upgrading the ledger \"/tmp/ledger.db\" from schema 1 to 2. This can take a minute for a large ledger.\n"
	if told.String() != want {
		t.Errorf("told was %q, not %q", &told, want)
	}
}

//go:build unix

package builtin

import (
	"strings"
	"syscall"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// A claim in a file that has become a pipe is not verified.
func TestClaimInAPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(dir+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if entries, err := checkClaims(dir, []ledger.Violation{{ShortID: "1", Place: ledger.Place{File: "pipe", Start: 1}}}); err == nil || !strings.Contains(err.Error(), "not a regular file of at most 64 MiB") {
		t.Errorf("%+v, %v", entries, err)
	}
}

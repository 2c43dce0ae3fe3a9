package clients_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/reviewledger/reviewledger/internal/testing/reviewtest"
)

// TestMain puts the fakes on PATH: this binary under the names of the CLIs.
func TestMain(m *testing.M) {
	if reviewtest.IsFake() {
		os.Exit(reviewtest.Main())
	}
	os.Exit(runWithFakes(m))
}

func runWithFakes(m *testing.M) int {
	dir, err := os.MkdirTemp("", "reviewers-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = reviewtest.Install(dir)
	}
	if err == nil { // scratch folders must not be made in the user's own cache
		err = errors.Join(os.Setenv("TMPDIR", dir), os.Setenv("XDG_CACHE_HOME", dir), os.Setenv("HOME", dir))
	}
	if err == nil {
		err = os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

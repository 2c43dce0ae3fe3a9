package team_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// pushedByChild names the ledger that a process pushes instead of running tests, and pushedTo the
// team store.
const (
	pushedByChild = "TEAM_TEST_LEDGER"
	pushedTo      = "TEAM_TEST_URL"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(pushedByChild); path != "" {
		if err := pushAsChild(path, os.Getenv(pushedTo)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(teamtest.Main(m))
}

func pushAsChild(path, url string) error {
	ctx := context.Background()
	l, err := store.OpenReadOnly(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	s, err := push.Open(ctx, team.Options{URL: url, Write: true})
	if err != nil {
		return err
	}
	_, err = s.PushLedger(ctx, l, push.Sending{Source: push.Source{Content: exchange.ContentWords}})
	return err
}

package team_test

import (
	"os"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

func TestMain(m *testing.M) { os.Exit(teamtest.Main(m)) }

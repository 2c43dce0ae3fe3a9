package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/team"
)

// docs/json.md names each key of `team status`.
func TestKeysOfTeamStatusAreDocumented(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(manual), "### team status\n")
	section, _, _ = strings.Cut(section, "\n## ")
	shown := team.Status{Ledgers: make([]team.LedgerStatus, 1), Replica: &team.Replica{}}
	out, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(string(out), -1)
	if len(keys) != 19 {
		t.Errorf("%d keys in %s", len(keys), out)
	}
	for _, key := range keys {
		if !strings.Contains(section, "`"+key[1]+"`") {
			t.Errorf("docs/json.md does not name %q", key[1])
		}
	}
}

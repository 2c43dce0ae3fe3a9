package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/ledger/team/push"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// A total that is wrong is named, and the exit code says so.
func TestTeamStatusNamesWrongTotals(t *testing.T) {
	t.Parallel()
	store := bothStores{t: t, url: teamtest.URL(t)}
	if _, err := push.Migrate(t.Context(), team.Options{URL: store.url}, push.Roles{}); err != nil {
		t.Fatal(err)
	}
	if said, failed, code := store.run("team", "status", "--check"); code != exitPassed || !strings.Contains(said, "The totals are right.") {
		t.Errorf("exit code %d: %s%s", code, said, failed)
	}
	teamtest.Exec(t, store.url, "WITH added AS (INSERT INTO figure_text (text) VALUES ('k') RETURNING id) INSERT INTO figure (measure, bucket, repository, key, n) SELECT m::measure, '', 0, a.id, 1 FROM added AS a, unnest(ARRAY['checks', 'answer_times']) AS m")
	const wrong = "Wrong totals: answer times, checks. "
	if said, failed, code := store.run("team", "status", "--check"); code != exitFailed || !strings.Contains(said, wrong) {
		t.Errorf("exit code %d: %s%s", code, said, failed)
	}
	if said, failed, code := store.run("team", "status"); code != exitPassed || strings.Contains(said, "otals") {
		t.Errorf("without --check: exit code %d: %s%s", code, said, failed)
	}
	said, failed, code := store.run("team", "status", "--check", "--format", "json")
	var shown teamStatusJSON
	if err := json.Unmarshal([]byte(said), &shown); err != nil || code != exitFailed || !shown.Checked || len(shown.WrongTotals) != 2 || shown.NotPushed != nil {
		t.Errorf("exit code %d, %v: %s%s", code, err, said, failed)
	}
	if said, failed, code := store.run("team", "migrate", "--totals"); code != exitPassed || !strings.Contains(said, "All totals were made again.") {
		t.Errorf("make them again: exit code %d: %s%s", code, said, failed)
	}
	if said, failed, code := store.run("team", "status", "--check"); code != exitPassed || !strings.Contains(said, "The totals are right.") {
		t.Errorf("made again: exit code %d: %s%s", code, said, failed)
	}
}

// docs/json.md names each key of team status.
func TestKeysOfTeamStatusAreDocumented(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(manual), "### team status\n")
	section, _, _ = strings.Cut(section, "\n## ")
	shown := newTeamStatusJSON(push.Status{Ledgers: make([]push.LedgerStatus, 1)})
	out, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	keys := regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(string(out), -1)
	if len(keys) != 15 {
		t.Errorf("%d keys in %s", len(keys), out)
	}
	for _, key := range keys {
		if !strings.Contains(section, "`"+key[1]+"`") {
			t.Errorf("docs/json.md does not name %q", key[1])
		}
	}
}

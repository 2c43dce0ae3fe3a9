package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger/store/storetest"
)

// figuresOfRun are the large numbers of a run's page that count its violations by what became of them.
var figuresOfRun = regexp.MustCompile(`<dt>([A-Z][a-z ]+)</dt><dd class="v">(?:<a [^>]*>)?([0-9,]+)<`)

// The list of runs, one run, the figures of the run, and its page have the same counts of its
// violations.
func TestCountsOfARunAgree(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 28, Iterations: 3, Violations: 24}, time.Now()); err != nil {
		t.Fatal(err)
	}
	enrich(t, path)
	change(t, path, map[string][]any{`
		INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
		SELECT v.id, 5, e.iteration_id, 'fixed', 'agent', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 4
		WHERE v.status = 'reopened' AND v.id % 3 = 0;
		INSERT INTO events (violation_id, number, iteration_id, status, actor, result, at)
		SELECT v.id, 5, e.iteration_id, 'disputed', 'agent', 'no problem', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 4
		WHERE v.status = 'reopened' AND v.id % 5 = 0;
		INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
		SELECT v.id, 6, e.iteration_id, 'withdrawn', 'reviewer', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 5
		WHERE v.status = 'disputed';
		UPDATE runs SET claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed'),
			withdrawn = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'withdrawn'),
			open = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.open = 1)`: nil})
	p := showPages(t, path)
	keys := map[string]string{"claimed": "Claimed fixed", "verified": "Verified", "skipped": "Skipped", "withdrawn": "Withdrawn", "open": "Open", "abandoned": "Abandoned"}
	var runs []map[string]any
	if err := json.Unmarshal([]byte(printed(t, path, "runs", "--format", "json")), &runs); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, run := range runs {
		id := run["id"].(string)
		var shown, report map[string]any
		for _, command := range []struct {
			args []string
			into *map[string]any
		}{{[]string{"show", id, "--format", "json"}, &shown}, {[]string{"report", "--run", id, "--format", "json"}, &report}} {
			if err := json.Unmarshal([]byte(printed(t, path, command.args...)), command.into); err != nil {
				t.Fatalf("%q: %v", command.args, err)
			}
		}
		page := map[string]int{}
		for _, figure := range figuresOfRun.FindAllStringSubmatch(p.get("/runs/"+id, http.StatusOK), -1) {
			n, err := strconv.Atoi(strings.ReplaceAll(figure[2], ",", ""))
			if err != nil {
				t.Fatal(err)
			}
			page[figure[1]] = n
		}
		for key, title := range keys {
			want := int(run[key].(float64))
			seen[key] += want
			if n := int(shown[key].(float64)); n != want {
				t.Errorf("run %s: show has %d %s, runs has %d", id, n, key, want)
			}
			if n := int(report[key].(map[string]any)["count"].(float64)); n != want {
				t.Errorf("run %s: report has %d %s, runs has %d", id, n, key, want)
			}
			if page[title] != want {
				t.Errorf("run %s: its page has %d %s, runs has %d", id, page[title], key, want)
			}
		}
	}
	for key := range keys {
		if seen[key] == 0 {
			t.Errorf("no run has any that is %s", key)
		}
	}
}

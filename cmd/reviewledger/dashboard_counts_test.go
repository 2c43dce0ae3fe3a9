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

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// figuresOfRun are the large numbers of a run's page that count its violations by what became of them.
var figuresOfRun = regexp.MustCompile(`<dt>([A-Z][a-z ]+)</dt><dd class="v">(?:<a [^>]*>)?([0-9,]+)<`)

// The numbers of a run's page of calls and their cost, and of violations that were skipped in each of
// its iterations.
var (
	callsOfRun   = regexp.MustCompile(`known for (?:(all) of|([0-9,]+) of) ([0-9,]+) calls?`)
	skippedOfRun = regexp.MustCompile(`(?s)<th[^>]*>answered skipped</th>(.*?)</tr>`)
	numberInCell = regexp.MustCompile(`>([0-9,]+)<`)
)

// The list of runs, one run, the figures of the run, its page and the console have the same counts of
// its violations and calls. Some skips were taken back, and some iterations were killed: of their calls
// it is known only that they were made.
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
			open = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.open = 1);
		UPDATE slots SET status = 'interrupted', noticed_at = finished_at, finished_at = NULL, calls = 2, cost_usd = NULL, input_tokens = NULL, output_tokens = NULL, model = NULL
		WHERE iteration_id % 7 = 0;
		UPDATE iterations SET status = 'interrupted', noticed_at = finished_at, finished_at = NULL WHERE id % 7 = 0`: nil})
	p := showPages(t, path)
	keys := map[string]string{"claimed": "Claimed fixed", "verified": "Verified", "skipped": "Skipped", "withdrawn": "Withdrawn", "open": "Open", "abandoned": "Abandoned"}
	var runs []map[string]any
	if err := json.Unmarshal([]byte(printed(t, path, "runs", "--format", "json")), &runs); err != nil {
		t.Fatal(err)
	}
	ledgerOf, err := store.OpenReadOnly(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ledgerOf.Close()
	seen, killed := map[string]int{}, 0
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
		html := p.get("/runs/"+id, http.StatusOK)
		page := map[string]int{}
		for _, figure := range figuresOfRun.FindAllStringSubmatch(html, -1) {
			page[figure[1]] = shownNumber(t, figure[2])
		}
		skips := map[string]int{"runs": int(run["skipped"].(float64))}
		for _, cell := range numberInCell.FindAllStringSubmatch(skippedOfRun.FindString(html), -1) {
			skips["the iterations of its page"] += shownNumber(t, cell[1])
		}
		for _, week := range report["weeks"].([]any) {
			skips["the weeks of report"] += int(week.(map[string]any)["skipped"].(map[string]any)["count"].(float64))
		}
		var listed []any
		if err := json.Unmarshal([]byte(printed(t, path, "violations", "--run", id, "--event", "skipped", "--limit", "0", "--format", "json")), &listed); err != nil {
			t.Fatal(err)
		}
		skips["violations --event skipped"] = len(listed)
		for _, what := range []string{"the iterations of its page", "the weeks of report", "violations --event skipped"} {
			if skips[what] != skips["runs"] {
				t.Errorf("run %s: %s has %d skipped, runs has %d", id, what, skips[what], skips["runs"])
			}
		}
		state, err := ledgerOf.State(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		spent := ledger.SpentIn(state) // as on the console
		cost := report["cost"].(map[string]any)
		if calls, known := int(cost["calls"].(float64)), int(cost["known"].(float64)); calls != spent.Calls || known != spent.Known {
			t.Errorf("run %s: report has %d calls, of %d the cost, the console %d and %d", id, calls, known, spent.Calls, spent.Known)
		}
		byAdapter := 0
		for _, a := range report["adapters"].([]any) {
			byAdapter += int(a.(map[string]any)["calls"].(float64))
		}
		if byAdapter != spent.Calls {
			t.Errorf("run %s: the adapters of report have %d calls, the console %d", id, byAdapter, spent.Calls)
		}
		shownCalls := callsOfRun.FindStringSubmatch(html)
		if shownCalls == nil && strings.Contains(html, ">nobody was asked<") {
			shownCalls = []string{"", "all", "", "0"}
		}
		if shownCalls == nil {
			t.Fatalf("run %s: its page does not say how many calls it made", id)
		}
		if shownCalls[1] == "all" {
			shownCalls[2] = shownCalls[3]
		}
		if calls, known := shownNumber(t, shownCalls[3]), shownNumber(t, shownCalls[2]); calls != spent.Calls || known != spent.Known {
			t.Errorf("run %s: its page has %d calls, of %d the cost, the console %d and %d", id, calls, known, spent.Calls, spent.Known)
		}
		killed += spent.Calls - spent.Known
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
	if killed == 0 {
		t.Error("no run has a call of a killed iteration")
	}
}

func shownNumber(t *testing.T, shown string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.ReplaceAll(shown, ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

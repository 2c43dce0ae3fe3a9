package main

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/internal/testing/storetest"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// shownPages are the served pages of a ledger.
type shownPages struct {
	t    testing.TB
	base string
}

// showPages serves the pages of the ledger at path.
func showPages(t testing.TB, path string) *shownPages {
	t.Helper()
	watched := store.Watch(path, store.Options{})
	// Registered first, so that it runs last.
	t.Cleanup(func() {
		if err := watched.Close(); err != nil {
			t.Error(err)
		}
	})
	return serve(t, dashboard.Options{Ledger: watchedLedger{watched}})
}

// serve serves the pages of a ledger or team store.
func serve(t testing.TB, o dashboard.Options) *shownPages {
	t.Helper()
	o.Addr, o.NoToken, o.Name, o.Now = "127.0.0.1:0", true, "shop", time.Now
	server, err := dashboard.Listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &shownPages{t, strings.TrimSuffix(server.URL(), "/")}
}

// get returns the response body of a path. The response must have this status.
func (p *shownPages) get(path string, status int) string {
	p.t.Helper()
	response, err := http.Get(p.base + path)
	if err != nil {
		p.t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		p.t.Fatalf("%s: %s, %v\n%.500s", path, response.Status, err, body)
	}
	if err := response.Body.Close(); err != nil {
		p.t.Error(err)
	}
	return string(body)
}

// rows returns the number of rows of a list.
func (p *shownPages) rows(path string) int {
	p.t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal([]byte(p.get(path, http.StatusOK)), &rows); err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
	return len(rows)
}

// ids returns the IDs of the rows of a list.
func (p *shownPages) ids(path string) (ids []string) {
	p.t.Helper()
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(p.get(path, http.StatusOK)), &rows); err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// kindsOfPages returns one path of each kind of page that every ledger has.
func kindsOfPages() []string {
	return []string{
		"/", "/?since=7d", "/runs", "/violations", "/violations?discarded=1", "/violations?q=nothing", "/violations?sort=newest", "/violations?recurring=1",
		"/reviewers", "/files", "/files?sort=open", "/skips", "/checks", "/verdicts", "/compare",
		"/?since=all", "/reviewers?since=all", "/files?since=all", "/checks?since=all", "/verdicts?since=all",
	}
}

// all returns the paths of kindsOfPages, and of some runs and violations.
func (p *shownPages) all() []string {
	list := kindsOfPages()
	for _, kind := range []string{"/runs", "/violations"} {
		ids := p.ids(kind + "?limit=3&format=json")
		for _, id := range ids {
			list = append(list, kind+"/"+id)
		}
		if kind == "/runs" && len(ids) > 1 {
			list = append(list, "/compare?a="+ids[0]+"&b="+ids[1])
		}
	}
	return list
}

var (
	anchors   = regexp.MustCompile(`(?s)<a ([^>]*)>(.*?)</a>`)
	addresses = regexp.MustCompile(`href="(/[^"]*)"`)
	wholeText = regexp.MustCompile(`^\s*([0-9][0-9,]*)\s*$`)
	leading   = regexp.MustCompile(`^\s*([0-9][0-9,]*) (?:violations?|open|claimed fixed|reports?|runs?|contradicted|PASS|WARN|FAIL|ABORT|in the list)\b`)
	inside    = regexp.MustCompile(`\b([0-9][0-9,]*) (?:findings? of abandoned|loops? that did|more loops?)\b`)
	elements  = regexp.MustCompile(`<[^>]*>`)
	// The count of a value that filters offer is that of the list with this value.
	offered = regexp.MustCompile(`<span class="n">([0-9][0-9,]*)</span>`)
)

// listsOfRows are the pages that list what numbers count.
var listsOfRows = []string{"/violations", "/runs", "/skips", "/verdicts"}

// numbers returns the numbers of a page that link to a list, by the path of the list.
func numbers(page string) map[string][]int {
	found := map[string][]int{}
	for _, anchor := range anchors.FindAllStringSubmatch(page, -1) {
		address := addresses.FindStringSubmatch(anchor[1])
		if address == nil {
			continue
		}
		path := html.UnescapeString(address[1])
		if kind, _, _ := strings.Cut(path, "?"); !slices.Contains(listsOfRows, kind) || strings.Contains(path, "format=") || strings.Contains(path, "before=") {
			continue
		}
		words := html.UnescapeString(elements.ReplaceAllString(anchor[2], " "))
		number := wholeText.FindStringSubmatch(words)
		for _, form := range []*regexp.Regexp{leading, inside} {
			if number == nil {
				number = form.FindStringSubmatch(words)
			}
		}
		if number == nil && !strings.Contains(anchor[1], "aria-current") {
			number = offered.FindStringSubmatch(anchor[2])
		}
		if number == nil {
			continue
		}
		n, err := strconv.Atoi(strings.ReplaceAll(number[1], ",", ""))
		if err == nil {
			found[path] = append(found[path], n)
		}
	}
	return found
}

// Every number that is a link counts exactly the rows of the list that it links to.
func TestNumbersOfPagesAreTheirRows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 28, Iterations: 3, Violations: 12}, time.Now()); err != nil {
		t.Fatal(err)
	}
	enrich(t, path)
	p := showPages(t, path)
	checked, lists, kinds := 0, map[string]int{}, map[string]int{}
	for _, page := range append(p.all(), filteredPages()...) {
		body := p.get(page, http.StatusOK)
		if n, listed := headNumber(page, body); listed {
			kinds["head"]++
			if rows := p.rows(page + separatorOf(page) + "format=json"); n != rows {
				t.Errorf("%s says that it lists %d, and has %d rows", page, n, rows)
			}
		}
		for list, shown := range numbers(body) {
			kinds[list[:strings.IndexAny(list+"?", "?")]]++
			rows, known := lists[list]
			if !known {
				rows = p.rows(list + separatorOf(list) + "format=json")
				lists[list] = rows
			}
			for _, n := range shown {
				checked++
				if n != rows {
					t.Errorf("%s: %d leads to %d rows of %s", page, n, rows, list)
				}
			}
		}
	}
	for kind, least := range map[string]int{"/violations": 1000, "/runs": 100, "/verdicts": 1, "head": 12} {
		if kinds[kind] < least {
			t.Errorf("only %d numbers of %s were checked", kinds[kind], kind)
		}
	}
}

func separatorOf(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// filteredPages returns pages with filters for rows that enrich adds.
func filteredPages() (list []string) {
	const other = "repository=github.com%2Fa%2Fb"
	for _, scope := range []string{
		"gate=quality", "gate=lint", "adapter=claude", "adapter=codex&since=4w", other, other + "&adapter=gemini", "branch=feature-7", "entry-point=src&since=12w",
	} {
		for _, page := range []string{"/", "/reviewers", "/files", "/checks", "/verdicts", "/runs", "/violations", "/skips"} {
			list = append(list, page+"?"+scope)
		}
	}
	return append(list, "/?model=model-2", "/reviewers?model=unknown", "/violations?discarded=1&adapter=claude", "/runs?kind=code_review", "/violations?kind=code_review", "/skips?reason=false_positive",
		"/runs?status=abandoned", "/runs?status=failed&status=passed", "/violations?status=new&status=skipped&priority=high")
}

var headNumbers = regexp.MustCompile(`<p class="sub">(?:<b>)?([0-9][0-9,]*)(?: violations?| runs?)?(?:</b>)?[. ]`)

// headNumber returns how many rows a list says that it has.
func headNumber(page, body string) (n int, listed bool) {
	kind, _, _ := strings.Cut(page, "?")
	found := headNumbers.FindStringSubmatch(body)
	if !slices.Contains([]string{"/violations", "/runs", "/skips"}, kind) || found == nil || strings.Contains(page, "limit=") {
		return 0, false
	}
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	return n, err == nil
}

// enrich adds to a generated ledger what it lacks: checks, discarded reports, contradicted and
// repeated claims, reasons, errors, models, a verdict, and a second repository, which adopts the
// runs of one worktree.
func enrich(t *testing.T, path string) {
	t.Helper()
	handle, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO gates (iteration_id, job_id, status, num_reviews, duration_ms)
			SELECT i.id, 2, CASE WHEN i.id % 4 = 0 THEN 'failed' ELSE 'passed' END, 0, 100 * i.id FROM iterations AS i WHERE i.id % 5 <> 0`,
		`INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, fix, priority, disposition)
			SELECT s.id, 100, 'lib/far.go', 1, 1, 'far away', '', 'low', CASE WHEN s.id % 2 = 0 THEN 'out_of_diff' ELSE 'below_threshold' END FROM slots AS s WHERE s.id % 3 = 0`,
		`INSERT INTO search_words (rowid, title, issue, fix)
			SELECT r.slot_id << 24 | r.position, r.title, r.issue, r.fix FROM reports AS r WHERE r.position = 100`,
		"UPDATE slots SET out_of_diff = out_of_diff + (id % 2 = 0), below_threshold = below_threshold + (id % 2 = 1) WHERE id % 3 = 0",
		`INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
			SELECT v.id, 4, e.iteration_id, 'reopened', 'reviewer', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 3
			WHERE v.status = 'verified' AND v.id % 7 = 0`,
		`INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
			SELECT v.id, 5, e.iteration_id, 'fixed', 'agent', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 4
			WHERE v.status = 'reopened' AND v.id % 14 = 0`,
		`INSERT INTO events (violation_id, number, iteration_id, status, actor, at)
			SELECT v.id, 4, e.iteration_id, 'new', 'human', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 3
			WHERE v.status = 'skipped' AND v.id % 6 = 0`,
		`INSERT INTO events (violation_id, number, iteration_id, status, actor, result, reason, at)
			SELECT v.id, 5, e.iteration_id, 'skipped', 'human', 'no', 'false_positive', e.at FROM violations AS v JOIN events AS e ON e.violation_id = v.id AND e.number = 4
			WHERE v.status = 'new' AND v.id % 12 = 0`,
		"UPDATE slots SET status = 'error' WHERE id % 11 = 0",
		"UPDATE slots SET model = CASE WHEN id % 5 = 0 THEN NULL ELSE 'model-2' END WHERE id % 4 = 0 OR id % 5 = 0",
		"UPDATE violations SET in_fix_lines = 1 WHERE id % 9 = 0",
		"UPDATE runs SET status = 'retry_limit_exceeded' WHERE id % 13 = 0 AND status <> 'abandoned'",
		"UPDATE runs SET kind = 'code_review' WHERE id = 5",
		"INSERT INTO code_reviews (run_id, review_id, scope, target, report_path) VALUES (5, 'abcd2345', 'uncommitted', 'changes', 'r.md')",
		`INSERT INTO verdicts (iteration_id, run_id, mode, verdict, at, blocker, high, medium, low, info)
			SELECT i.id, 5, 'review', 'WARN', i.finished_at, 0, 1, 2, 3, 4 FROM iterations AS i WHERE i.run_id = 5`,
		`UPDATE runs SET verified = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'verified'),
			skipped = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'skipped'),
			claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed'),
			open = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.open = 1)`,
	} {
		if _, err := handle.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.StartRun(t.Context(), ledger.Run{
		Kind: ledger.KindGates, Worktree: "/work/tree7", LogDir: "logs", BaseRef: "main", Base: "0",
		Repository: ledger.Repository{Kind: ledger.RepositoryOrigin, Key: "github.com/a/b"},
	}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// change runs SQL on a ledger.
func change(t *testing.T, path string, statements map[string][]any) {
	t.Helper()
	handle, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	for statement, args := range statements {
		if _, err := handle.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
}

// withoutTriggers drops the triggers of a ledger, so that every field can be changed.
func withoutTriggers(t *testing.T, path string) {
	t.Helper()
	handle, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = handle.Close() }()
	var drop string
	const triggers = `SELECT group_concat('DROP TRIGGER "' || name || '"', ';') FROM sqlite_schema WHERE type = 'trigger'`
	if err := handle.QueryRowContext(t.Context(), triggers).Scan(&drop); err != nil {
		t.Fatal(err)
	}
	if _, err := handle.ExecContext(t.Context(), drop); err != nil {
		t.Fatal(err)
	}
}

// spoil writes a text to every field that others write.
func spoil(t *testing.T, path, text string) {
	t.Helper()
	withoutTriggers(t, path)
	statements := map[string][]any{}
	for _, column := range []string{
		"runs.branch", "runs.worktree", "runs.base_ref", "jobs.entry_point", "slots.adapter", "slots.model", "slots.reason",
		"reports.file", "reports.issue", "reports.fix", "reports.reason", "violations.file", "violations.adapter", "violations.result",
		"violations.fingerprint", "events.result", "gates.reason", "gates.command",
	} {
		table, name, _ := strings.Cut(column, ".")
		statements["UPDATE "+table+" SET "+name+" = ?"] = []any{text}
	}
	statements["UPDATE jobs SET name = ? || id, job = kind || ':src:' || ? || id"] = []any{text, text}
	change(t, path, statements)
}

// keepLog stores the answer of a slot and returns the run.
func keepLog(t *testing.T, path string, log []byte) (run string) {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(log); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(log)
	change(t, path, map[string][]any{
		`INSERT INTO blobs (id, sha256, size, data) VALUES (1, ?, ?, ?);
		INSERT INTO slot_blobs (slot_id, kind, call, blob_id) SELECT min(id), 'answer', 1, 1 FROM slots`: {sum[:], len(log), packed.Bytes()},
	})
	var rows []struct{ ID string }
	if err := json.Unmarshal([]byte(printed(t, path, "runs", "--format", "json")), &rows); err != nil || len(rows) != 1 {
		t.Fatalf("%d runs, %v", len(rows), err)
	}
	return rows[0].ID
}

// Every page works without a ledger and with one run, and has no inline style or event handler,
// which its Content-Security-Policy would block.
func TestPagesOfSmallLedgers(t *testing.T) {
	t.Parallel()
	one := filepath.Join(t.TempDir(), "one.db")
	if err := storetest.Generate(t.Context(), one, storetest.Size{Runs: 1, Iterations: 1, Violations: 1}, time.Now()); err != nil {
		t.Fatal(err)
	}
	inline := regexp.MustCompile(`<[^>]* (?:style|on[a-z]+)=`)
	for name, path := range map[string]string{"none": filepath.Join(t.TempDir(), "none.db"), "one": one} {
		p := showPages(t, path)
		for _, address := range p.all() {
			page := p.get(address, http.StatusOK)
			if found := inline.FindString(page); found != "" {
				t.Errorf("%s of %s has %s", address, name, found)
			}
			separator := "?"
			if strings.Contains(address, "?") {
				separator = "&"
			}
			if address == "/compare" {
				continue // a comparison needs two runs
			}
			if data := p.get(address+separator+"format=json", http.StatusOK); !json.Valid([]byte(data)) {
				t.Errorf("%s of %s is not JSON: %.100s", address, name, data)
			}
		}
	}
}

// A page shows everything that reviewers, agents and repositories write as text.
func TestPagesOfHostileText(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 3, Iterations: 2, Violations: 6}, time.Now()); err != nil {
		t.Fatal(err)
	}
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>' ` + "\u202e\x1b[31m\x00\x02\u2028" + `javascript:alert(1)`
	spoil(t, path, hostile)
	p := showPages(t, path)
	for _, address := range p.all() {
		page := p.get(address, http.StatusOK)
		for _, harm := range []string{"<script>alert", "<img", "\u202e", "\x1b", "\x00", "\x02", "\u2028", `href="javascript:`} {
			if strings.Contains(page, harm) {
				t.Errorf("%s has %q", address, harm)
			}
		}
		if strings.Count(page, "<script") != 1 {
			t.Errorf("%s has %d scripts", address, strings.Count(page, "<script"))
		}
	}
}

// A raw log is served byte for byte.
func TestRawLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 1, Iterations: 1, Violations: 1}, time.Now()); err != nil {
		t.Fatal(err)
	}
	const log = "\x1b[31mred\r\n<b>\x00\xff\n"
	run := keepLog(t, path, []byte(log))
	p := showPages(t, path)
	address := "/log/" + run + "/1/review:src:quality@1"
	response, err := http.Get(p.base + address + "?kind=answer&call=1&raw=1")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Equal(raw, []byte(log)) || response.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q, %q, %v", raw, response.Header.Get("Content-Type"), err)
	}
	if page := p.get(address, http.StatusOK); !strings.Contains(page, `\x1b[31mred`) || !strings.Contains(page, "&lt;b&gt;") {
		t.Errorf("the page does not show the log:\n%s", page)
	}
	for path, status := range map[string]int{
		address + "?kind=prompt":                        http.StatusOK, // nothing was kept
		address + "?kind=thoughts":                      http.StatusBadRequest,
		address + "?call=2":                             http.StatusNotFound,
		"/log/" + run + "/1/review:src:quality@9":       http.StatusNotFound,
		"/log/" + run + "/9/review:src:quality@1":       http.StatusNotFound,
		"/log/" + run + "/1/review:src:quality":         http.StatusNotFound,
		"/log/" + run + "/1/check:src:lint?kind=stderr": http.StatusNotFound,
		"/log/somewhere":                                http.StatusNotFound,
	} {
		p.get(path, status)
	}
}

// The pages of a list have each row once, in every order, even while rows are added.
func TestPagesOfLists(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 120, Iterations: 1, Violations: 2}, time.Now()); err != nil {
		t.Fatal(err)
	}
	p := showPages(t, path)
	next := regexp.MustCompile(`href="([^"]*before=[^"]*)"[^>]*>Next`)
	for address, want := range map[string]int{"/runs": 120, "/violations": 240, "/violations?sort=newest": 240, "/violations?sort=file": 240, "/violations?sort=changed": 240} {
		kind, _, _ := strings.Cut(address, "?")
		row := regexp.MustCompile(`href="` + kind + `/([0-9A-Za-z]{8,26})"`)
		seen := map[string]bool{}
		opens := address == "/violations"
		var order []string
		for pages := 0; address != "" && pages < 10; pages++ {
			page := p.get(address, http.StatusOK)
			var here []string
			for _, found := range row.FindAllStringSubmatch(page, -1) {
				if !slices.Contains(here, found[1]) {
					here = append(here, found[1])
				}
			}
			if len(here) > 50 {
				t.Errorf("%s has %d rows", address, len(here))
			}
			for _, id := range here {
				if seen[id] {
					t.Errorf("%s lists %s again", address, id)
				}
				seen[id] = true
			}
			order, address = append(order, here...), ""
			if found := next.FindStringSubmatch(page); found != nil {
				address = html.UnescapeString(found[1])
			}
		}
		if len(seen) != want {
			t.Errorf("%s and the pages after it have %d rows, not %d", kind, len(seen), want)
		}
		if opens && !slices.Equal(order, p.ids("/violations?sort=priority&format=json")) {
			t.Error("the list of violations does not open with the worst first")
		}
	}
}

// In every order a file has all of its figures: a file with violations has runs.
func TestFilesInEveryOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 40, Iterations: 2, Violations: 12}, time.Now()); err != nil {
		t.Fatal(err)
	}
	// The files with open violations are not the first by name.
	change(t, path, map[string][]any{"UPDATE violations SET status = 'new' WHERE file GLOB 'src/module2*'": nil})
	p := showPages(t, path)
	for _, order := range []string{"", "?sort=open", "?sort=reopened"} {
		page := p.get("/files"+order, http.StatusOK)
		if rows, without := strings.Count(page, `data-l="runs">`), strings.Count(page, `data-l="runs">0<`); rows != 50 || without > 0 {
			t.Errorf("%q: %d rows, %d of them without runs", order, rows, without)
		}
	}
}

// A search lists the same violations on the page, as JSON and as CSV. It lists only those discarded
// reports that match the filters of model and repository.
func TestSearchOfPages(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 21, Iterations: 2, Violations: 8}, time.Now()); err != nil {
		t.Fatal(err)
	}
	enrich(t, path)
	p := showPages(t, path)
	if rows, lines := p.rows("/violations?q=%22call+7%22&format=json"), strings.Count(p.get("/violations?q=%22call+7%22&format=csv", http.StatusOK), "\n"); rows != 1 || lines != 2 {
		t.Errorf("a search finds %d violations as JSON, and %d lines of CSV", rows, lines)
	}
	if page := p.get("/violations?q=far", http.StatusOK); !strings.Contains(page, "Among filtered reports") || strings.Contains(page, "Too many to count") {
		t.Error("the page does not show what was found among the reports that filters removed")
	}
	if page := p.get("/violations?q=call&sort=file", http.StatusOK); !strings.Contains(page, ", best first") || strings.Contains(page, "aria-sort") {
		t.Error("the page does not say that the best come first, whatever order was asked for")
	}
	for _, format := range []string{"", "&format=json", "&format=csv"} { // else the words would be ignored
		p.get("/violations?q=far&discarded=1"+format, http.StatusBadRequest)
	}
	all := p.rows("/violations?q=far&format=json")
	sum := 0
	for _, model := range []string{"model-1", "model-2", "unknown"} {
		n := p.rows("/violations?q=far&format=json&model=" + model)
		if n == 0 || n == all {
			t.Errorf("of %d reports, %d are of %s", all, n, model)
		}
		sum += n
	}
	gates, reviews := p.rows("/violations?q=far&format=json&kind=gates"), p.rows("/violations?q=far&format=json&kind=code_review")
	if gates == 0 || reviews == 0 || gates+reviews != all || p.rows("/violations?discarded=1&format=json&kind=code_review") != reviews {
		t.Errorf("of %d reports, %d are of gates, and %d of code reviews", all, gates, reviews)
	}
	if other := p.rows("/violations?q=far&format=json&repository=github.com%2Fa%2Fb"); sum != all || other == 0 || other == all {
		t.Errorf("of %d reports, %d are of a model, and %d of the other repository", all, sum, other)
	}
}

// An unknown name is rejected with a suggestion.
func TestUnknownNamesOfPages(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 21, Iterations: 2, Violations: 8}, time.Now()); err != nil {
		t.Fatal(err)
	}
	enrich(t, path)
	p := showPages(t, path)
	for given, meant := range map[string]string{
		"model=model-3": "model-1", "repository=github.com%2Fa%2Fc": "github.com/a/b", "adapter=claud": "claude", "gate=qualiti": "quality",
		"branch=featur-7": "feature-7", "entry-point=sr": "src",
	} {
		for _, page := range []string{"/", "/runs", "/violations", "/skips", "/checks"} {
			if page == "/runs" && strings.HasPrefix(given, "model") {
				continue // runs do not have a model
			}
			if body := html.UnescapeString(p.get(page+"?"+given, http.StatusBadRequest)); !strings.Contains(body, `did you mean "`) || !strings.Contains(body, `"`+meant+`"`) {
				t.Errorf("%s?%s does not suggest %q", page, given, meant)
			}
		}
	}
}

// Discarded reports are listed in pages that have each report once.
func TestPagesOfDiscards(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 60, Iterations: 3, Violations: 6}, time.Now()); err != nil {
		t.Fatal(err)
	}
	enrich(t, path)
	p := showPages(t, path)
	want := p.rows("/violations?disposition=out_of_diff&discarded=1&format=json")
	next := regexp.MustCompile(`href="([^"]*before=[^"]*)"[^>]*>Next`)
	row := regexp.MustCompile(`href="(/log/[^"]*kind=answer)"`)
	seen, pages := map[string]bool{}, 0
	for address := "/violations?disposition=out_of_diff&discarded=1"; address != ""; pages++ {
		page := p.get(address, http.StatusOK)
		for _, found := range row.FindAllStringSubmatch(page, -1) {
			if seen[found[1]] {
				t.Errorf("%s is listed again", found[1])
			}
			seen[found[1]] = true
		}
		address = ""
		if found := next.FindStringSubmatch(page); found != nil {
			address = html.UnescapeString(found[1])
		}
	}
	if len(seen) != want || pages < 2 {
		t.Errorf("%d pages have %d reports, not %d", pages, len(seen), want)
	}
	p.get("/violations?discarded=1&before=nowhere", http.StatusOK)
}

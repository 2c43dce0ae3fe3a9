package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// The code that histories show, the times when things began and ended, and the owner of a run
// survive a dump: each column of each table that a run has is filled in some row.
func TestDumpHasEveryColumn(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High))
	r.says(2)
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	x.begin(2)
	x.ok(x.Recover(t.Context(), x.run.ID))
	handle := rows(t, x.Path())
	if _, err := handle.Exec(`
		INSERT INTO repositories (kind, key) VALUES ('origin', 'host/b');
		UPDATE runs SET repository_id = 2, worktree_name = 'tree', subject = 'the first', config_hash = 'c0', content_removed_at = '2026-01-02T03:04:05.000Z';
		UPDATE iterations SET config_hash = 'c2' WHERE number = 2;
		UPDATE gates SET started_at = '2026-01-02T03:04:05.000Z';
		UPDATE slots SET started_at = '2026-01-02T03:04:05.000Z', latch = 1, repairs = 1;
		UPDATE violations SET handed_to = 'review:src:other', seen_before = 'earlier1', block = 'other123', file = 'b.go', moved_in = 2;
		INSERT INTO violation_places (violation_id, iteration, position, file, line_start, line_end) VALUES (1, 2, 1, 'b.go', 5, 6), (1, 2, 2, 'c.go', 0, 0);
		INSERT INTO slot_calls (slot_id, call, part, repair, input_tokens, cached_tokens, output_tokens, cost_usd, duration_ms, misfit)
		SELECT min(s.id), 2, 3, 1, 4, 5, 6, 0.5, 7, 'text after the object' FROM slots AS s;
		UPDATE slots SET notes = 'a note' WHERE id = 1;
		INSERT INTO slot_words (slot_id, violation_id, verdict, evidence) SELECT min(s.id), 1, 'cannot_tell', 'no access' FROM slots AS s;
		INSERT INTO slot_words (violation_id, slot_id, verdict, evidence) SELECT 1, max(s.id), 'gone', 'the file is gone' FROM slots AS s;
		INSERT INTO violation_pairs (violation_id, other) VALUES (1, 'other123');
		INSERT INTO report_places (report_id, position, file, line_start, line_end) VALUES (1, 1, 'b.go', 3, 4);
		INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, same_as, short_id)
		SELECT min(s.id), 9, 'c.go', 1, 1, 'small', 'low', 'below_threshold', 'named123', 'report12' FROM slots AS s;
		UPDATE slots SET below_threshold = 1 WHERE id = (SELECT min(s.id) FROM slots AS s);
		INSERT INTO jobs (job, kind, entry_point, name) VALUES ('check:src:x', 'check', 'src', 'x');
		INSERT INTO gates (iteration_id, job_id, status, not_run_reason, config_hash, rests_on) SELECT 1, j.id, 'not_run', 'unchanged', 'c1', '01KAAAAAAAAAAAAAAAAAAAAAAA' FROM jobs AS j WHERE j.name = 'x';
		INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
		SELECT 1, 'gate', max(g.id), 'not_run', '2026-01-02T03:04:05.000Z', 'system', 'not_run' FROM gates AS g;
		INSERT INTO report_excerpts (report_id, first_line, blob_id) SELECT min(r.id), 3, (SELECT min(b.id) FROM blobs AS b) FROM reports AS r;
		INSERT INTO event_hunks (event_id, blob_id) SELECT e.id, (SELECT max(b.id) FROM blobs AS b) FROM events AS e WHERE e.number = 2`); err != nil {
		t.Fatal(err)
	}
	text := dump(t, x.Store)
	for _, want := range []string{
		`"subject":"the first"`, `"repository_kind":"origin","repository":"host/b"`, `"worktree_name":"tree"`, `"config_hash":"c0","content_removed_at":"2026`,
		`"anew":0,"config_hash":"c2"`, `"not_run_reason":"unchanged"`, `"config_hash":"c1"`, `"rests_on":"01KAAAAAAAAAAAAAAAAAAAAAAA"`, `"latch":1,"error_kind":"interrupted"`, `"noticed_at":"2026`, `"first_line":3`,
		`"record":"event_hunk"`, `"record":"report_excerpt"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the dump lacks %s", want)
		}
	}
	copied := emptyLedger(t)
	must(load(t, copied, text))(t)
	if d := cmp.Diff(text, dump(t, copied)); d != "" {
		t.Errorf("(-dumped +imported):\n%s", d)
	}
	theirs, ours := must(x.Store.Document(t.Context(), x.run.ID, exchange.ContentWords))(t).Run, must(copied.Document(t.Context(), x.run.ID, exchange.ContentWords))(t).Run
	if got := exchange.Compare(ours, theirs); got != exchange.Same {
		t.Errorf("the records of the run: %d", got)
	}
	// No column is forgotten: the tables have the same rows, except for numbers that are local to a
	// ledger.
	imported := rows(t, copied.Path())
	for _, table := range []string{
		"runs", "iterations", "gates", "slots", "violations", "reports", "events", "slot_entries", "slot_blobs",
		"transitions", "report_excerpts", "event_hunks",
		"slot_calls", "slot_words", "violation_pairs", "violation_places", "report_places", "repositories", "jobs",
	} {
		query := fmt.Sprintf("SELECT json_group_array(line) FROM (SELECT json_array(%s) AS line FROM %s ORDER BY 1)", columns(t, x.Path(), table), table)
		var want, got string
		if err := handle.QueryRow(query).Scan(&want); err != nil {
			t.Fatal(table, err)
		}
		if err := imported.QueryRow(query).Scan(&got); err != nil {
			t.Fatal(table, err)
		}
		if d := cmp.Diff(want, got); d != "" || want == "[]" {
			t.Errorf("%s (-dumped +imported):\n%s", table, d)
		}
	}
	// Content that was removed here does not come back, and does not count as a difference.
	if got := must(load(t, copied, strings.ReplaceAll(text, `"content_removed_at":"2026-01-02T03:04:05.000Z"`, `"content_removed_at":null`)))(t); len(got.Different)+got.Forwarded > 0 {
		t.Errorf("content was removed: %+v", got)
	}
}

// Every table with rows of runs and every column of a table is described, with what is sent of it, or is a matter of the ledger that has
// it. A new column is not in a dump, and is not sent, before somebody has decided that.
func TestEveryColumnIsDescribed(t *testing.T) {
	t.Parallel()
	local := map[string]string{
		"runs": "id imported", "iterations": "id", "gates": "id", "slots": "id ended_at", "violations": "id abandoned open shown duplicate_of",
		"reports": "id counts", "events": "id", "transitions": "id", "jobs": "id",
	}
	handle := rows(t, emptyLedger(t).Path())
	var ofRuns string
	if err := handle.QueryRow(`SELECT group_concat(DISTINCT s.name) FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
		WHERE s.type = 'table' AND c.name IN ('run_id', 'iteration_id', 'gate_id', 'slot_id', 'violation_id', 'report_id', 'event_id')`).Scan(&ofRuns); err != nil {
		t.Fatal(err)
	}
	described := " "
	for _, table := range exchange.OfRun() {
		described += table.SQL() + " "
	}
	for name := range strings.SplitSeq(ofRuns, ",") {
		if !strings.Contains(described, " "+name+" ") {
			t.Errorf("the table %s has rows of runs, and is not described", name)
		}
	}
	for _, table := range exchange.Tables() {
		want := strings.Fields(local[table.SQL()])
		for _, c := range table.Columns {
			want = append(want, c.Name)
		}
		for _, ref := range table.Refs {
			want = append(want, ref.Name)
		}
		want = slices.DeleteFunc(want, func(name string) bool { return name == "" })
		var list string
		if err := handle.QueryRow("SELECT coalesce(group_concat(c.name, ' '), '') FROM pragma_table_xinfo('" + table.SQL() + "') AS c").Scan(&list); err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(list)
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" && table.Kind != "header" && table.Kind != "end" && table.Kind != "blob" {
			t.Errorf("%s (-described +columns):\n%s", table.SQL(), d)
		}
	}
}

// columns returns the columns of a table that are the same in every ledger.
func columns(t *testing.T, path, table string) string {
	t.Helper()
	var list string
	if err := rows(t, path).QueryRow(`SELECT group_concat(c.name, ',') FROM pragma_table_info('` + table + `') AS c
		WHERE c.name NOT IN ('job_id', 'blob_id', 'changed', 'imported') AND NOT ('` + table + `' IN ('jobs') AND c.name = 'id')`).Scan(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

// Two repositories in one ledger stay apart.
func TestTwoRepositoriesInOneLedger(t *testing.T) {
	t.Parallel()
	all := emptyLedger(t)
	var texts []string
	for _, key := range []string{"host/a", "host/b"} {
		x := &loop{T: t, Store: emptyLedger(t)}
		run := newRun()
		run.Worktree, run.Repository = "/work/"+key, ledger.Repository{Kind: ledger.RepositoryOrigin, Key: key}
		x.run = must(x.StartRun(t.Context(), run))(t)
		r := x.begin(1)
		r.says(1, entry(at("same.go", 1), "leaks", ledger.High))
		r.end()
		texts = append(texts, dump(t, x.Store))
		if got := must(load(t, all, texts[len(texts)-1]))(t); got.Added != 1 {
			t.Errorf("%+v", got)
		}
	}
	for _, text := range texts {
		if got := must(load(t, all, text))(t); cmp.Diff(store.Loaded{Known: 1}, got) != "" {
			t.Errorf("again: %+v", got)
		}
	}
	merged := dump(t, all)
	for _, key := range []string{"host/a", "host/b"} {
		if want := `"worktree":"/work/` + key + `"`; strings.Count(merged, want) != 1 {
			t.Errorf("it lacks %s", want)
		}
	}
	sound(t, all)
}

// A dump that was cut loads into an empty ledger without damage, even if it has two open runs of
// one repository whose worktrees have no names.
func TestCutDumpLoads(t *testing.T) {
	t.Parallel()
	x := newLoop(t)
	r := x.begin(2)
	r.says(1, entry(at("a.go", 1), "leaks", ledger.High), malformed(at("/etc/x"), "odd"))
	r.says(2, entry(at("b.go", 2), "leaks, too", ledger.High))
	r.end()
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	x.edit(2, "leaks, too", ledger.StatusSkipped, "not ours")
	again := x.begin(2)
	again.says(1)
	again.says(2)
	again.end()
	elsewhere := newRun()
	elsewhere.Worktree = "/elsewhere"
	must(x.StartRun(t.Context(), elsewhere))(t)
	database := must(x.Outline(t.Context(), time.Time{}))(t).Database
	for _, content := range []exchange.Content{exchange.ContentWords} {
		var out strings.Builder
		must(0, x.Dump(t.Context(), exchange.NewCutter(content, database).Writer(exchange.NewWriter(&out).Put)))(t)
		copied := emptyLedger(t)
		if got := must(load(t, copied, out.String()))(t); got.Added != 2 || len(got.LeftOut) > 0 {
			t.Errorf("%s: %+v", content, got)
		}
		if problems := must(copied.Problems(t.Context(), func(int, int) {}))(t); len(problems) > 0 {
			t.Errorf("%s: %q", content, problems)
		}
		outline := must(copied.Outline(t.Context(), time.Time{}))(t)
		if outline.Content != content || outline.Database == database || len(outline.Runs) != 2 {
			t.Errorf("%s: %+v", content, outline)
		}
		whole, cut := must(x.Store.Document(t.Context(), x.run.ID, exchange.ContentWords))(t).Run, must(copied.Document(t.Context(), x.run.ID, exchange.ContentWords))(t).Run
		if whole.Digest(nil) != cut.Digest(nil) {
			t.Errorf("%s: the run has another digest now", content)
		}
	}
}

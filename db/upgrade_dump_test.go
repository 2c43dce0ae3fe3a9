package db_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// dumpable is a ledger with schema 3 of which testdata/format1.ndjson is the dump, as the
// last program with that schema wrote it.
func dumpable(t *testing.T) (path string) {
	t.Helper()
	path = old(t, 3)
	handle := raw(t, path)
	// A blob that can be unpacked, the database's id, and a violation of the review's own.
	run(t, handle, `UPDATE blobs SET sha256 = x'20681c9f57b1ac848be00fbf2f3ef991e6fd7ce4060d5cb94f6dc4ececd68b29', size = 7, data = x'2bc94855c8c94f0700';
		UPDATE meta SET value = '0123456789abcdef0123456789abcdef' WHERE key = 'database_id';
		INSERT INTO gates (id, iteration_id, job_id, status, num_reviews) VALUES (1000, 100, 2, 'failed', 1);
		INSERT INTO slots (id, gate_id, review_index, adapter, status, finished_at, accepted, new)
		VALUES (1000, 1000, 1, 'claude', 'fail', '2026-01-02T03:08:00.000Z', 1, 1);
		INSERT INTO violations (id, ulid, short_id, run_id, job_id, slot, adapter, file, priority, status, first_iteration, last_iteration,
		  first_seen, last_seen, status_at)
		VALUES (1000, '01VIOREVIEW', 'ofreview', 100, 2, 1, 'claude', 'src/new.go', 'high', 'new', 1, 1,
		  '2026-01-02T03:08:00.000Z', '2026-01-02T03:08:00.000Z', '2026-01-02T03:08:00.000Z');
		INSERT INTO reports (slot_id, position, file, line_start, line_end, issue, priority, disposition, violation_id)
		VALUES (1000, 1, 'src/new.go', 3, 5, 'issue', 'high', 'accepted', 1000);
		INSERT INTO events (violation_id, iteration_id, status, actor, at) VALUES (1000, 100, 'new', 'reviewer', '2026-01-02T03:08:00.000Z');
		UPDATE findings SET violation_id = 1000`)
	if err := handle.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func dumped(t *testing.T, path string) string {
	t.Helper()
	l, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out bytes.Buffer
	if err := l.Dump(t.Context(), exchange.NewWriter(&out).Put); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// records are the rows of a dump by kind.
func records(t *testing.T, dump string) map[string][]map[string]any {
	t.Helper()
	all := map[string][]map[string]any{}
	for line := range strings.Lines(dump) {
		var record struct {
			Record string         `json:"record"`
			Row    map[string]any `json:"row"`
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all[record.Record] = append(all[record.Record], record.Row)
	}
	return all
}

// A dump before and one after an upgrade say the same of all that was there.
func TestDumpBeforeAndAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	before := records(t, string(read(t, "testdata/format1.ndjson")))
	after := records(t, dumped(t, dumpable(t)))
	for _, kind := range []string{"header", "end"} { // format, schema and the number of lines
		delete(before, kind)
	}
	for kind, rows := range before {
		kept := make([]map[string]any, len(after[kind]))
		for i, row := range after[kind] {
			kept[i] = maps.Clone(row)
			maps.DeleteFunc(kept[i], func(key string, _ any) bool { _, was := rows[0][key]; return !was })
		}
		if d := cmp.Diff(rows, kept); d != "" {
			t.Errorf("%s (-before +after):\n%s", kind, d)
		}
	}
	if len(before) < 15 || len(after["transition"]) == 0 {
		t.Errorf("only %d kinds of records before, and %d transitions after", len(before), len(after["transition"]))
	}
}

// A dump of the old format makes the ledger that an upgrade makes, byte by byte, and is
// known to the upgraded one.
//
// Rule: Importing again changes nothing.
func TestDumpOfTheOldFormat(t *testing.T) {
	t.Parallel()
	upgraded := dumpable(t)
	want := dumped(t, upgraded)
	path := t.TempDir() + "/ledger.db"
	load := func(path string) store.Loaded {
		t.Helper()
		loaded, err := store.Import(t.Context(), path, store.Options{}, exchange.NewReader(bytes.NewReader(read(t, "testdata/format1.ndjson"))).Next)
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	}
	runs := strings.Count(want, `"record":"run"`)
	if d := cmp.Diff(store.Loaded{Added: runs}, load(path)); d != "" {
		t.Errorf("imported (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, dumped(t, path)); d != "" {
		t.Errorf("(-upgraded +imported):\n%s", d)
	}
	for name, path := range map[string]string{"upgraded": upgraded, "imported": path} {
		if d := cmp.Diff(store.Loaded{Known: runs}, load(path)); d != "" {
			t.Errorf("into the %s one (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(want, dumped(t, path)); d != "" {
			t.Errorf("it changed the %s one:\n%s", name, d)
		}
	}
}

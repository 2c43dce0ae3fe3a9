package store_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/internal/testing/ledgertest"
	"github.com/reviewledger/reviewledger/ledger"
)

// rows opens the database itself.
func rows(t *testing.T, path string) *sql.DB {
	t.Helper()
	handle, err := db.Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = handle.Close() })
	return handle
}

// column returns the values of a query with one text column.
func column(t *testing.T, handle *sql.DB, query string) (values []string) {
	t.Helper()
	result, err := handle.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer result.Close()
	for result.Next() {
		var value string
		if err := result.Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

func texts[T ~string](words []T) []string {
	var list []string
	for _, word := range words {
		list = append(list, string(word))
	}
	return list
}

// constants returns all constants of a type in the package.
func constants[W ~string](t *testing.T) []string { return texts(ledgertest.Words[W](t, "..")) }

// The words in the lookup tables are the words of the package.
func TestLookupTables(t *testing.T) {
	t.Parallel()
	handle := rows(t, filepath.Join(t.TempDir(), "ledger.db"))
	for table, want := range map[string][]string{
		"run_kinds":          constants[ledger.RunKind](t),
		"run_statuses":       constants[ledger.RunStatus](t),
		"gate_statuses":      constants[ledger.GateStatus](t),
		"slot_statuses":      constants[ledger.SlotStatus](t),
		"violation_statuses": texts(ledger.Statuses()),
		"actors":             constants[ledger.Actor](t),
		"dispositions":       constants[ledger.Disposition](t),
		"transition_causes":  constants[ledger.Cause](t),
		"error_kinds":        constants[ledger.ErrorKind](t),
		"not_run_reasons":    constants[ledger.NotRunReason](t),
		"repository_kinds":   constants[ledger.RepositoryKind](t),
		"diff_sources":       append(constants[ledger.Source](t), texts(ledger.VerdictScopes())...),
	} {
		got := column(t, handle, "SELECT name FROM "+table)
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-package +table):\n%s", table, d)
		}
	}
	if d := cmp.Diff(texts(ledger.Priorities()), column(t, handle, "SELECT name FROM priorities ORDER BY rank")); d != "" {
		t.Errorf("priorities (-package +table):\n%s", d)
	}
	for i, p := range ledger.Priorities() {
		if p.Rank() != i {
			t.Errorf("rank of %s is %d, want %d", p, p.Rank(), i)
		}
	}
}

func TestMayChangeIsTheTable(t *testing.T) {
	t.Parallel()
	handle := rows(t, filepath.Join(t.TempDir(), "ledger.db"))
	got := column(t, handle, "SELECT actor || ' ' || from_status || ' ' || to_status FROM status_changes ORDER BY 1")
	var want []string
	for _, actor := range constants[ledger.Actor](t) {
		for _, from := range ledger.Statuses() {
			for _, to := range ledger.Statuses() {
				if ledger.MayChange(ledger.Actor(actor), from, to) {
					want = append(want, actor+" "+string(from)+" "+string(to))
				}
			}
		}
	}
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("status changes (-MayChange +table):\n%s", d)
	}
	if ledger.MayChange("nobody", ledger.StatusNew, ledger.StatusFixed) {
		t.Error("an unknown actor may change a status")
	}
}

// Only a reviewer verifies, and only a claim.
//
// Rule: A mark is not a fix.
func TestNobodyElseVerifies(t *testing.T) {
	t.Parallel()
	for _, actor := range []ledger.Actor{ledger.ActorAgent, ledger.ActorHuman} {
		for _, from := range ledger.Statuses() {
			if ledger.MayChange(ledger.Actor(actor), from, ledger.StatusVerified) || ledger.MayChange(actor, from, ledger.StatusReopened) {
				t.Errorf("%s may verify or reopen what is %s", actor, from)
			}
			if ledger.MayChange(actor, ledger.StatusVerified, from) {
				t.Errorf("%s may make %s of what is verified", actor, from)
			}
		}
	}
	for _, from := range []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.StatusSkipped, ledger.StatusVerified} {
		if ledger.MayChange(ledger.ActorReviewer, from, ledger.StatusVerified) {
			t.Errorf("a reviewer may verify what is %s", from)
		}
	}
}

func TestStatusWords(t *testing.T) {
	t.Parallel()
	want := map[ledger.Status]ledger.Status{
		ledger.StatusNew: ledger.StatusNew, ledger.StatusReopened: ledger.StatusNew, ledger.StatusFixed: ledger.StatusFixed,
		ledger.StatusSkipped: ledger.StatusSkipped, ledger.StatusVerified: ledger.StatusFixed,
		ledger.StatusDisputed: ledger.StatusDisputed, ledger.StatusWithdrawn: ledger.StatusDisputed,
		ledger.StatusDuplicate: ledger.StatusDuplicate,
	}
	for _, status := range ledger.Statuses() {
		if got := status.Exported(); got != want[status] {
			t.Errorf("%s is exported as %s", status, got)
		}
		if open := status == ledger.StatusNew || status == ledger.StatusReopened || status == ledger.StatusDisputed; status.Open() != open {
			t.Errorf("%s is open: %t", status, status.Open())
		}
	}
	for _, status := range ledger.RunStatuses() {
		if want := status == ledger.StatusPassed || status == ledger.StatusPassedWithWarnings; status.Passes() != want {
			t.Errorf("%s passes: %t", status, status.Passes())
		}
	}
	for _, status := range ledgertest.Words[ledger.SlotStatus](t, "..") {
		if want := status == pass || status == fail; status.Answered() != want {
			t.Errorf("%s is an answer: %t", status, status.Answered())
		}
	}
}

// Rule: Violations count, whatever the status says.
func TestParsePriority(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		want ledger.Priority
		ok   bool
	}{
		{"critical", ledger.Critical, true}, {" High ", ledger.High, true}, {"MEDIUM", ledger.Medium, true}, {"low", ledger.Low, true}, {"info", ledger.Info, true},
		{"", ledger.High, false}, {"urgent", ledger.High, false}, {"low!", ledger.High, false},
	}
	for _, tt := range tests {
		if got, ok := ledger.ParsePriority(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("ParsePriority(%q) = %s, %t", tt.text, got, ok)
		}
	}
}

func TestSanitize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"review:src:code-quality": "review_src_code-quality", "check:.:a.b_c-1": "check_._a.b_c-1",
		"../../etc/passwd": ".._.._etc_passwd", "a\x00b\nc": "a_b_c", "ünï": "_n_", "": "",
	} {
		if got := ledger.Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

// sqlc takes bytes for characters: with non-ASCII characters it cuts queries short.
func TestQueriesAreASCII(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../queries/*.sql")
	records, more := filepath.Glob("../../queries/record/*.sql")
	if names = append(names, records...); errors.Join(err, more) != nil || len(records) == 0 {
		t.Fatalf("no queries found: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range text {
			if b > 0x7e || b < ' ' && b != '\n' {
				t.Errorf("%s: byte %d is %#x", name, i, b)
				break
			}
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

var testNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// generated creates a ledger of 42 runs, two of which are recent.
func generated(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	size := storetest.Size{Runs: 42, Iterations: 3, Violations: 24}
	if err := storetest.Generate(t.Context(), path, size, testNow); err != nil {
		t.Fatal(err)
	}
	return path
}

// printed runs a command line on a ledger and returns its output.
func printed(t *testing.T, path string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := environment{
		args: append([]string{"--db", path}, args...), stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr,
		lookupenv: func(string) (string, bool) { return "", false }, dir: t.TempDir(),
	}
	if code := run(t.Context(), env); code != exitPassed || stderr.Len() > 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, &stderr)
	}
	return stdout.String()
}

// Each count of violations in a report comes with a command that lists as many. Of each kind of command,
// one that counts something is tried, and for the first report one that does not; which values they have
// makes no difference to the command, and package store tests the filters.
func TestReportCountsAreWhatTheirFiltersList(t *testing.T) {
	t.Parallel()
	path := generated(t)
	enrich(t, path)
	for n, args := range [][]string{
		{"report", "--since", "2026-01-25", "--until", "2026-03-05"},
		{"report", "--until", "2026-03-05"},
		{"report", "--repository", "github.com/a/b", "--until", "2026-03-05"},
		{"report", "--since", "2025-01-01", "--until", "2026-01-20", "--adapter", "codex"},
		{"report", "--branch", "feature-3", "--gate", "quality", "--until", "2026-03-05"},
		{"report", "--since", "2026-02-20T12:00:00Z", "--until", "2026-03-02T08:00:00Z"},
		{"report", "--model", "model-1", "--since", "2026-01-01"},
		{"report", "--repository", "unknown", "--until", "2026-02-27"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			var report any
			if err := json.Unmarshal([]byte(printed(t, path, append(args, "--format", "json", "--top", "3")...)), &report); err != nil {
				t.Fatal(err)
			}
			counts := map[string]int{}
			collectCounts(report, counts)
			if len(counts) < 15 {
				t.Errorf("only %d counts", len(counts))
			}
			lists := slices.Sorted(maps.Keys(counts))
			words := shellWords(t, lists)
			tried := map[string]bool{}
			positive := 0
			for i, list := range lists {
				want := counts[list]
				if want > 0 {
					positive++
				}
				kind := fmt.Sprint(flagsOf(words[i]), want > 0)
				if tried[kind] || n > 0 && want == 0 {
					continue
				}
				tried[kind] = true
				found := printed(t, path, append(words[i][1:], "--format", "ndjson")...)
				if got := strings.Count(found, "\n"); got != want {
					t.Errorf("%s lists %d, and the report counts %d", list, got, want)
				}
			}
			if positive == 0 {
				t.Error("nothing was counted")
			}
		})
	}
}

// flagsOf returns the flags of a command line without their values, except for the words of
// --status, --event and --disposition.
func flagsOf(words []string) (flags []string) {
	for n, word := range words {
		if strings.HasPrefix(word, "--") || slices.Contains([]string{"--status", "--event", "--disposition"}, words[max(n-1, 0)]) {
			flags = append(flags, word)
		}
	}
	return flags
}

// shellWords splits command lines as a POSIX shell does.
func shellWords(t *testing.T, lines []string) (words [][]string) {
	t.Helper()
	out, err := exec.Command("sh", "-c", "reviewledger() { printf '%s\n' reviewledger \"$@\" ''; }\n"+strings.Join(lines, "\n")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\n\n"), "\n\n") {
		words = append(words, strings.Split(line, "\n"))
	}
	if len(words) != len(lines) {
		t.Fatalf("%d command lines became %d", len(lines), len(words))
	}
	return words
}

func collectCounts(value any, counts map[string]int) {
	switch value := value.(type) {
	case map[string]any:
		if list, ok := value["list"].(string); ok {
			count, ok := value["count"].(float64)
			if !ok {
				count = value["reports"].(float64)
			}
			counts[list] = int(count)
		}
		for _, v := range value {
			collectCounts(v, counts)
		}
	case []any:
		for _, v := range value {
			collectCounts(v, counts)
		}
	}
}

// The rows of a generated ledger are consistent.
func TestDBCheckOfAGeneratedLedger(t *testing.T) {
	t.Parallel()
	path := generated(t)
	if out := printed(t, path, "db", "check"); !strings.Contains(out, "has no problems") {
		t.Error(out)
	}
}

// Queries work in a read-only folder and leave nothing behind. If a -wal has changes that cannot be
// read from there, they say so.
func TestQueriesOnReadOnlyFolder(t *testing.T) {
	t.Parallel()
	path := generated(t)
	frozen := filepath.Join(t.TempDir(), "frozen")
	if err := os.Mkdir(frozen, 0o700); err != nil {
		t.Fatal(err)
	}
	printed(t, path, "db", "backup", filepath.Join(frozen, "ledger.db"))
	if err := os.Chmod(frozen, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(frozen, 0o700) }()
	if got := strings.Count(printed(t, filepath.Join(frozen, "ledger.db"), "runs", "--format", "ndjson"), "\n"); got != 42 {
		t.Errorf("%d runs", got)
	}
}

// A table of runs is cut unless a limit is given, and says so. Formats for programs are never cut.
func TestRunsTableHasTheNewest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := storetest.Generate(t.Context(), path, storetest.Size{Runs: 52, Iterations: 1, Violations: 2}, testNow); err != nil {
		t.Fatal(err)
	}
	const title, footer = 1, 2
	for _, test := range []struct {
		args   []string
		lines  int
		footer bool
	}{
		{[]string{"runs"}, title + 50 + footer, true},
		{[]string{"runs", "--limit", "0"}, title + 52, false},
		{[]string{"runs", "--limit", "51"}, title + 51, false},
		{[]string{"runs", "--status", "abandoned"}, title + 1, false},
		{[]string{"runs", "--status", "passed_with_warnings"}, title + 50 + footer, true},
		{[]string{"runs", "--format", "ndjson"}, 52, false},
	} {
		out := printed(t, path, test.args...)
		if got := strings.Count(out, "\n"); got != test.lines {
			t.Errorf("%q prints %d lines, not %d", test.args, got, test.lines)
		}
		if got := strings.Contains(out, "\nThese are the newest 50 of 5"); got != test.footer {
			t.Errorf("%q says that there are more: %t", test.args, got)
		}
	}
}

package slotfiles_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

const (
	passJSON = `{"adapter": "x", "status": "pass", "violations": []}`
	failLog  = "--- Parsed Result (claude) ---\nStatus: FAIL\n1. a.go:1 - y\n"
)

// scanned is the tested part of a slot's file.
type scanned struct {
	Base, FileID, Adapter string
	Slot, Iteration       int
	Legacy                bool
	Status                ledger.SlotStatus
	Err                   string
}

// readAll reads what slots and checks left in a folder. Each check has the status "pass".
func readAll(t *testing.T, dir string, jobs ...string) ([]ledger.SlotFile, []ledger.CheckLog) {
	t.Helper()
	slots, checks, err := slotfiles.NewDir(dir, ".", func(io.Reader) ledger.GateStatus { return ledger.GatePassed }).ReadAll(jobs)
	if err != nil {
		t.Fatal(err)
	}
	return slots, checks
}

func summarise(t *testing.T, files []ledger.SlotFile) []scanned {
	t.Helper()
	var all []scanned
	for _, f := range files {
		s := scanned{filepath.Base(f.Path), f.FileID, f.Adapter, f.Slot, f.Iteration, f.Legacy, f.Document.Status, ""}
		if f.Path != "./"+s.Base {
			t.Errorf("path %q", f.Path)
		}
		if f.Err != nil {
			s.Err = strings.TrimSpace(f.Err.Error()[strings.LastIndex(f.Err.Error(), ": ")+1:])
		} else if f.Document.Slot != f.Slot || f.Document.Iteration != f.Iteration {
			t.Errorf("the document of %q has slot %d, iteration %d", f.Path, f.Document.Slot, f.Document.Iteration)
		}
		all = append(all, s)
	}
	return all
}

func TestReadSlotFiles(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"review_src_q_claude@1.10.json":               passJSON,
		"review_src_q_claude@1.2.json":                passJSON,
		"review_src_q_claude@1.2.log":                 failLog,
		"review_src_q_codex@2.2.log":                  strings.ReplaceAll(failLog, "claude", "codex"),
		"review_src_q_codex@2.3.log":                  strings.ReplaceAll(failLog, "claude", "codex"),
		"review_src_q_codex@2.3.json":                 `{"violations": [}`,
		"review_src_q_x@3.1.log":                      "Starting review\n",
		"review_api_s_claude.1.json":                  `{"status": "pass", "violations": []}`,
		"review_api_claude.2.log":                     failLog,
		"check_src_lint.1.log":                        "out",
		"console.1.log":                               "out",
		"notes.1.json":                                passJSON,
		".review_src_q_claude@1.9.json":               passJSON,
		"previous/review_src_q_claude@1.99.json":      passJSON,
		"review_src_q_folder@1.1.json/something.json": passJSON,
	})
	files, _ := readAll(t, dir, "review_src_q", "review_api_s")
	want := []scanned{
		{"review_api_s_claude.1.json", "review_api_s", "claude", 1, 1, false, "pass", ""},
		{"review_api_claude.2.log", "review_api_s", "claude", 1, 2, true, "fail", ""},
		{"review_src_q_claude@1.2.json", "review_src_q", "claude", 1, 2, false, "pass", ""},
		{"review_src_q_claude@1.10.json", "review_src_q", "claude", 1, 10, false, "pass", ""},
		{"review_src_q_codex@2.2.log", "review_src_q", "codex", 2, 2, true, "fail", ""},
		{"review_src_q_codex@2.3.json", "review_src_q", "codex", 2, 3, false, "", "invalid character '}' looking for beginning of value"},
		{"review_src_q_codex@2.3.log", "review_src_q", "codex", 2, 3, true, "fail", ""},
		{"review_src_q_x@3.1.log", "review_src_q", "x", 3, 1, true, "", "the log holds neither an answer nor a parsed result"},
	}
	if diff := cmp.Diff(want, summarise(t, files)); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
	if files[0].Document.Adapter != "claude" || files[2].Document.Adapter != "x" {
		t.Errorf("the adapter of the file's name, and the one in the file: %q, %q", files[0].Document.Adapter, files[2].Document.Adapter)
	}
}

// Older tools wrote the answers of several adapters to one log.
//
// Rule: Deleting the database loses history, never the loop.
func TestReadSlotFilesOfASharedLog(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"review_src_q.1.log":         failLog + "--- Parsed Result (gemini) ---\nStatus: PASS\n--- Review Output (bad) ---\nx\n",
		"review_src_q_claude.1.json": passJSON,
	})
	files, _ := readAll(t, dir, "review_src_q")
	want := []scanned{
		{"review_src_q.1.log", "review_src_q", "", 1, 1, true, "", "the log does not say how the review ended"},
		{"review_src_q_claude.1.json", "review_src_q", "claude", 1, 1, false, "pass", ""},
		{"review_src_q.1.log", "review_src_q", "gemini", 1, 1, true, "pass", ""},
	}
	if diff := cmp.Diff(want, summarise(t, files)); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
}

func TestReadCheckLogs(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"check_src_test.1.log": "", "check_src_lint.10.log": "", "check_src_lint.2.log": "",
		"check_src_lint.3.json": "", "review_src_q_a@1.1.log": "", "console.1.log": "", "previous/check_a.1.log": "",
	})
	_, got := readAll(t, dir)
	want := []ledger.CheckLog{
		{FileID: "check_src_lint", Iteration: 2, Status: ledger.GatePassed},
		{FileID: "check_src_lint", Iteration: 10, Status: ledger.GatePassed},
		{FileID: "check_src_test", Iteration: 1, Status: ledger.GatePassed},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

// Rule: The log directory decides between first run and rerun.
func TestLogDirectory(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		files   []string
		highest int
		logs    bool
	}{
		{"empty", nil, 0, false},
		{"not logs", []string{".gauntlet-run.lock", ".session_ref", ".debug.log", "a.txt"}, 0, false},
		{"only in previous", []string{"previous/check_a.3.log"}, 0, false},
		{"a folder", []string{"x.log/file"}, 0, false},
		{"JSON alone", []string{"review_a_b@1.4.json"}, 0, false},
		{"a log and JSON that is newer", []string{"anything.log", "review_a_b@1.4.json"}, 4, true},
		{"logs", []string{"check_a.9.log", "console.10.log", "review_a_b@1.4.json"}, 10, true},
		{"an interrupted archiving", []string{".archiving", "check_a.2.log"}, 0, false},
		{"without a number", []string{"anything.log"}, 0, true},
		{"huge number", []string{"check_a.1.log", "check_a.99999999999999999999.log"}, 1, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, name := range test.files {
				files[name] = ""
			}
			dir := exporttest.PutFiles(t, files)
			loop, err := slotfiles.NewDir(dir, ".", nil).ReadLoop()
			if err != nil || loop.Highest != test.highest || loop.HasLogs != test.logs {
				t.Errorf("ReadLoop = %+v, %v, want %d, %v", loop, err, test.highest, test.logs)
			}
		})
	}
}

func TestMissingLogDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "missing")
	if slots, checks := readAll(t, dir); len(slots)+len(checks) > 0 {
		t.Errorf("ReadAll = %v, %v", slots, checks)
	}
	if loop, err := slotfiles.NewDir(dir, ".", nil).ReadLoop(); loop.HasLogs || err != nil {
		t.Errorf("ReadLoop = %v, %v", loop, err)
	}
	if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
		t.Errorf("Archive: %v", err)
	}
}

func TestLogDirectoryIsAFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(exporttest.PutFiles(t, map[string]string{"logs": ""}), "logs")
	if _, err := slotfiles.NewDir(dir, ".", nil).ReadLoop(); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v does not name %q", err, dir)
	}
}

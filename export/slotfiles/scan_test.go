package slotfiles_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/exporttest"
	"github.com/reviewledger/reviewledger/export/slotfiles"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

const (
	passJSON = `{"adapter": "x", "status": "pass", "violations": []}`
	failLog  = "--- Parsed Result (claude) ---\nStatus: FAIL\n1. a.go:1 - y\n"
)

// scanned is what a test wants to know of a slot's file.
type scanned struct {
	Base, FileID, Adapter string
	Slot, Iteration       int
	Legacy                bool
	Status                ledger.SlotStatus
	Err                   string
}

func summarise(t *testing.T, dir string, files []ledger.SlotFile) []scanned {
	t.Helper()
	var all []scanned
	for _, f := range files {
		s := scanned{filepath.Base(f.Path), f.FileID, f.Adapter, f.Slot, f.Iteration, f.Legacy, f.Document.Status, ""}
		if f.Path != filepath.Join(dir, s.Base) {
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
		"review_api_s_claude.1.json":                  passJSON,
		"review_api_claude.2.log":                     failLog,
		"check_src_lint.1.log":                        "out",
		"console.1.log":                               "out",
		"notes.1.json":                                passJSON,
		".review_src_q_claude@1.9.json":               passJSON,
		"previous/review_src_q_claude@1.99.json":      passJSON,
		"review_src_q_folder@1.1.json/something.json": passJSON,
	})
	files, err := slotfiles.ReadSlotFiles(dir, []string{"review_src_q", "review_api_s"})
	if err != nil {
		t.Fatal(err)
	}
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
	if diff := cmp.Diff(want, summarise(t, dir, files)); diff != "" {
		t.Errorf("ReadSlotFiles (-want +got):\n%s", diff)
	}
}

// Older tools wrote the answers of several adapters into one log.
//
// Rule: Deleting the database loses history, never the loop.
func TestReadSlotFilesOfASharedLog(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"review_src_q.1.log":         failLog + "--- Parsed Result (gemini) ---\nStatus: PASS\n--- Review Output (bad) ---\nx\n",
		"review_src_q_claude.1.json": passJSON,
	})
	files, err := slotfiles.ReadSlotFiles(dir, []string{"review_src_q"})
	if err != nil {
		t.Fatal(err)
	}
	want := []scanned{
		{"review_src_q.1.log", "review_src_q", "", 1, 1, true, "", "the log does not say how the review ended"},
		{"review_src_q_claude.1.json", "review_src_q", "claude", 1, 1, false, "pass", ""},
		{"review_src_q.1.log", "review_src_q", "gemini", 1, 1, true, "pass", ""},
	}
	if diff := cmp.Diff(want, summarise(t, dir, files)); diff != "" {
		t.Errorf("ReadSlotFiles (-want +got):\n%s", diff)
	}
}

func TestReadCheckLogs(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"check_src_test.1.log": "", "check_src_lint.10.log": "", "check_src_lint.2.log": "",
		"check_src_lint.3.json": "", "review_src_q_a@1.1.log": "", "console.1.log": "", "previous/check_a.1.log": "",
	})
	got, err := slotfiles.ReadCheckLogs(dir)
	want := []slotfiles.CheckLog{
		{FileID: "check_src_lint", Iteration: 2, Path: filepath.Join(dir, "check_src_lint.2.log")},
		{FileID: "check_src_lint", Iteration: 10, Path: filepath.Join(dir, "check_src_lint.10.log")},
		{FileID: "check_src_test", Iteration: 1, Path: filepath.Join(dir, "check_src_test.1.log")},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ReadCheckLogs: %v (-want +got):\n%s", err, diff)
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
		{"JSON alone", []string{"review_a_b@1.4.json"}, 4, false},
		{"logs", []string{"check_a.9.log", "console.10.log", "review_a_b@1.4.json"}, 10, true},
		{"an interrupted archiving", []string{".archiving", "check_a.2.log"}, 2, false},
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
			highest, err := slotfiles.HighestIteration(dir)
			if err != nil || highest != test.highest {
				t.Errorf("HighestIteration = %d, %v, want %d", highest, err, test.highest)
			}
			logs, err := slotfiles.HasLogs(dir)
			if err != nil || logs != test.logs {
				t.Errorf("HasLogs = %v, %v, want %v", logs, err, test.logs)
			}
		})
	}
}

func TestMissingLogDirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "missing")
	files, err := slotfiles.ReadSlotFiles(dir, nil)
	if len(files) > 0 || err != nil {
		t.Errorf("ReadSlotFiles = %v, %v", files, err)
	}
	if logs, err := slotfiles.HasLogs(dir); logs || err != nil {
		t.Errorf("HasLogs = %v, %v", logs, err)
	}
	if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
		t.Errorf("Archive: %v", err)
	}
}

func TestLogDirectoryIsAFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(exporttest.PutFiles(t, map[string]string{"logs": ""}), "logs")
	if _, err := slotfiles.HasLogs(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v does not name %q", err, dir)
	}
}

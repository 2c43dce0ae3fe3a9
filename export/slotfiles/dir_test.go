package slotfiles_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/ledger"
)

// withLogs is a worktree with an empty log directory.
func withLogs(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

// The file of a slot is read as it was written. One that is missing is told from one that cannot be
// read.
func TestReadSlot(t *testing.T) {
	t.Parallel()
	root := withLogs(t)
	dir := slotfiles.NewDir(root, "logs", nil)
	document := failedSlot()
	document.Job, document.Slot, document.Iteration = "review:src:quality", 1, 2
	shown, err := dir.WriteSlot(document)
	if err != nil || shown != "logs/review_src_quality_claude@1.2.json" {
		t.Fatalf("written to %q, %v", shown, err)
	}
	absolute, name := dir.SlotJSON("review:src:quality", "claude", 1, 2)
	if absolute != filepath.Join(root, "logs", "review_src_quality_claude@1.2.json") || name != shown {
		t.Errorf("its place is %q, %q", absolute, name)
	}
	file, err := dir.ReadSlot("review:src:quality", "claude", 1, 2)
	if err != nil || file.Err != nil || file.Path != shown || file.FileID != "review_src_quality" || file.Adapter != "claude" || file.Slot != 1 || file.Iteration != 2 {
		t.Errorf("%+v, %v", file, err)
	}
	if n := len(file.Document.Violations); n != len(document.Violations) || file.Document.Status != ledger.SlotFail {
		t.Errorf("%d violations, %s", n, file.Document.Status)
	}
	if _, err := dir.ReadSlot("review:src:quality", "claude", 1, 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of another iteration: %v", err)
	}
	if err := os.WriteFile(absolute, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if file, err := dir.ReadSlot("review:src:quality", "claude", 1, 2); err != nil || file.Err == nil {
		t.Errorf("a file that is cut off: %+v, %v", file, err)
	}
}

// The log of a slot ends with what came of it, after the notes; what the reviewer printed is in it
// only if it was asked, and the parsed answer only if there is one.
func TestEndSlotLog(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end     ledger.SlotLogEnd
		has     []string
		hasNone []string
	}{
		"answered":  {ledger.SlotLogEnd{Asked: true, Raw: "raw words", Document: failedSlot(), Notes: []string{"a note"}, Status: ledger.SlotFail}, []string{"raw words", "Missing error handling", "a note"}, nil},
		"not asked": {ledger.SlotLogEnd{Raw: "raw words", Status: ledger.SlotError, Reason: "over budget"}, []string{"over budget"}, []string{"raw words", "Missing error handling"}},
	} {
		dir := slotfiles.NewDir(withLogs(t), "logs", nil)
		header := ledger.SlotLogHeader{Job: "review:src:quality", Adapter: "claude", Slot: 1, Iteration: 2}
		shown, err := dir.StartSlotLog(header)
		absolute, name2 := dir.SlotLog("review:src:quality", "claude", 1, 2)
		if err != nil || shown != name2 {
			t.Fatalf("%s: begun as %q, not %q, %v", name, shown, name2, err)
		}
		log, err := dir.EndSlotLog(header, test.end)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(log)
		if err := errors.Join(err, log.Close()); err != nil {
			t.Fatal(err)
		}
		if on, err := os.ReadFile(absolute); err != nil || string(on) != string(text) {
			t.Errorf("%s: the log is %q, and the file %q, %v", name, text, on, err)
		}
		for _, words := range test.has {
			if !strings.Contains(string(text), words) {
				t.Errorf("%s: %q is not in %s", name, words, text)
			}
		}
		for _, words := range test.hasNone {
			if strings.Contains(string(text), words) {
				t.Errorf("%s: %q is in %s", name, words, text)
			}
		}
	}
}

// The console's log is one file an iteration, which is closed once.
func TestConsoleLog(t *testing.T) {
	t.Parallel()
	root := withLogs(t)
	dir := slotfiles.NewDir(root, "logs", nil)
	if err := dir.Close(); err != nil {
		t.Errorf("nothing is open: %v", err)
	}
	log, err := dir.CreateConsoleLog(3)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(log, "said")
	if err := errors.Join(err, dir.Close(), dir.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(log, "more"); err == nil {
		t.Error("the log is open after it was closed")
	}
	if text, err := os.ReadFile(filepath.Join(root, "logs", slotfiles.ConsoleLogName(3))); err != nil || string(text) != "said" {
		t.Errorf("%q, %v", text, err)
	}
}

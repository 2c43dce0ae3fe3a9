package slotfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

// The checkout names the run that it has begun, whatever becomes of the log directory, until the run
// has ended.
//
// Rule: The log directory decides between first run and rerun.
func TestCheckout(t *testing.T) {
	t.Parallel()
	const run = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	root, git := t.TempDir(), t.TempDir()
	dir := NewDir(root, "logs", nil).InCheckout(git)
	begun := func() string {
		t.Helper()
		loop, err := dir.ReadLoop()
		if err != nil {
			t.Fatal(err)
		}
		return loop.Begun
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(dir.Create())
	do(dir.WriteRun(ledger.RunFile{Run: run, Iteration: 1}))
	if got := begun(); got != run {
		t.Errorf("begun: %q", got)
	}
	do(os.RemoveAll(dir.Path()))
	if got := begun(); got != run {
		t.Errorf("logs gone: %q", got)
	}
	do(dir.Archive())
	if got := begun(); got != "" {
		t.Errorf("ended: %q", got)
	}
	do(os.WriteFile(filepath.Join(git, checkoutName), []byte("../../etc/passwd"), 0o644))
	if got := begun(); got != "" {
		t.Errorf("not a run: %q", got)
	}
}

func TestRunFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if run, err := readRunFile(dir); run != nil || err != nil {
		t.Fatalf("an empty folder: %v, %v", run, err)
	}
	if run, err := readRunFile(filepath.Join(dir, "none")); run != nil || err != nil {
		t.Fatalf("no folder: %v, %v", run, err)
	}
	want := ledger.RunFile{Run: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Iteration: 3, BaseRef: "origin/\"main\"", Base: "4b825dc642cb6eb9a060e54bf8d69288fbee4904"}
	if err := NewDir(dir, ".", nil).WriteRun(want); err != nil {
		t.Fatal(err)
	}
	got, err := readRunFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&want, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
	data, err := os.ReadFile(filepath.Join(dir, runName))
	if err != nil {
		t.Fatal(err)
	}
	if text := `{"format":1,"run":"01ARZ3NDEKTSV4RRFFQ69G5FAV","iteration":3,"base_ref":"origin/\"main\"","base":"4b825dc642cb6eb9a060e54bf8d69288fbee4904"}` + "\n"; string(data) != text {
		t.Errorf("the file holds %s", data)
	}
}

func TestRunFileUnusable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "not valid JSON",
		"Run 01ARZ3NDEKTSV4RRFFQ69": "not valid JSON",
		`[]`:                        "not valid JSON",
		`{}`:                        "does not name a run",
		`{"format":1,"run":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}`:               "does not name a run",
		`{"format":0,"run":"01ARZ3NDEKTSV4RRFFQ69G5FAV","iteration":1}`: "does not name a run",
		`{"format":1,"run":"../../etc/passwd","iteration":1}`:           "does not name a run",
		`{"format":2,"run":"01ARZ3NDEKTSV4RRFFQ69G5FAV","iteration":1}`: "later version",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, runName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if run, err := readRunFile(dir); run != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", text, run, err)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, runName), 0o700); err != nil {
		t.Fatal(err)
	}
	if run, err := readRunFile(dir); run != nil || err == nil {
		t.Errorf("a folder: %v, %v", run, err)
	}
}

// A slot's log is continued at its end, even if it was removed in the meantime, and never through a
// symbolic link.
func TestDirSlotLog(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	d := NewDir(root, "logs", nil)
	if err := d.Create(); err != nil {
		t.Fatal(err)
	}
	h := ledger.SlotLogHeader{Job: "review:.:q", EntryPoint: ".", Adapter: "claude", Slot: 1, Iteration: 2, Base: "main",
		Plan: ledger.SlotPlan{Index: 1, Latch: true}, Notes: []string{"Reviewing 1 changed file"}}
	end := ledger.SlotLogEnd{Asked: true, Raw: "none", Status: ledger.SlotError, Reason: "exited"}
	shown, err := d.StartSlotLog(h)
	if err != nil || shown != "logs/review_._q_claude@1.2.log" {
		t.Fatalf("%q, %v", shown, err)
	}
	if _, err := d.EndSlotLog(h, end); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, filepath.FromSlash(shown))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "Starting review: review:.:q @1\nEntry point: .\nBase: main\nAdapter: claude\nRunning @1: safety latch (all slots previously passed)\n" +
		"Reviewing 1 changed file\n\n--- Review Output (claude) ---\nnone\nResult: error - exited\n"
	if d := cmp.Diff(want, string(data)); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := d.EndSlotLog(h, end); err != nil {
		t.Errorf("after it was removed: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "elsewhere"), file); err != nil {
		t.Fatal(err)
	}
	if _, err := d.EndSlotLog(h, end); err == nil {
		t.Error("wrote through a symbolic link")
	}
}

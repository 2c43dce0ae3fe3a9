package slotfiles_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/testing/exporttest"

	"github.com/google/go-cmp/cmp"
)

// loop returns the log directory of a loop that has ended.
func loop() map[string]string {
	return map[string]string{
		"check_src_lint.1.log":         "new lint",
		"review_src_q_claude@1.1.log":  "new log",
		"review_src_q_claude@1.1.json": "new json",
		"console.1.log":                "new console",
		"console.2.log":                "new console 2",
		"other.log":                    "new other",
		".session_ref":                 "new ref",
	}
}

// strangers returns files that archiving must not touch.
func strangers() map[string]string {
	return map[string]string{
		".gauntlet-run.lock":       "",
		"README.md":                "mine",
		"notes.1.json":             "mine",
		"sub/check_a.1.log":        "mine",
		"previous/mine.txt":        "mine",
		"previous/sub/old.1.log":   "mine",
		"previous/.something.conf": "mine",
	}
}

// archived returns the content of the log directory at the end.
func archived() map[string]string {
	want := strangers()
	for name, content := range loop() {
		want["previous/"+name] = content
	}
	return want
}

func TestArchive(t *testing.T) {
	t.Parallel()
	files := loop()
	maps.Copy(files, strangers())
	maps.Copy(files, map[string]string{
		"previous/check_src_lint.1.log":        "old lint",
		"previous/check_src_lint.7.log":        "old lint",
		"previous/review_src_q_codex@1.1.json": "old json",
		"previous/.session_ref":                "old ref",
		".reviewledger-tmp-ABC":                "half",
	})
	dir := exporttest.PutFiles(t, files)
	for range 2 { // a second call changes nothing
		if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(archived(), exporttest.Folder(t, dir)); diff != "" {
			t.Errorf("folder (-want +got):\n%s", diff)
		}
		if loop, err := slotfiles.NewDir(dir, ".", nil).ReadLoop(); loop.HasLogs || err != nil {
			t.Errorf("ReadLoop = %v, %v", loop, err)
		}
	}
}

// Rule: The log directory decides between first run and rerun.
func TestArchiveMovesSessionRef(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{".session_ref": "abc", "console.1.log": ""})
	if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"previous/.session_ref": "abc", "previous/console.1.log": ""}
	if diff := cmp.Diff(want, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

// An interrupted call is completed by the next one, wherever it was interrupted.
//
// Rule: The log directory decides between first run and rerun.
func TestArchiveAfterInterruption(t *testing.T) {
	t.Parallel()
	const mark = ".archiving"
	states := map[string]map[string]string{}
	state := func(name string, change func(files map[string]string)) {
		files := loop()
		maps.Copy(files, strangers())
		change(files)
		states[name] = files
	}
	state("while previous/ was emptied", func(files map[string]string) {
		files["previous/check_src_lint.7.log"] = "old"
	})
	state("before the mark", func(map[string]string) {})
	state("after the mark", func(files map[string]string) { files[mark] = "" })
	for name := range loop() {
		state("after moving "+name, func(files map[string]string) {
			files[mark] = ""
			files["previous/"+name] = files[name]
			delete(files, name)
		})
	}
	state("before the mark was removed", func(files map[string]string) {
		files[mark] = ""
		for name := range loop() {
			files["previous/"+name] = files[name]
			delete(files, name)
		}
	})
	for name, files := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := exporttest.PutFiles(t, files)
			if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(archived(), exporttest.Folder(t, dir)); diff != "" {
				t.Errorf("folder (-want +got):\n%s", diff)
			}
		})
	}
}

// Without logs, the files of the last loop are not replaced.
func TestArchiveKeepsPreviousWithoutLogs(t *testing.T) {
	t.Parallel()
	dir := exporttest.PutFiles(t, map[string]string{
		"previous/console.1.log": "last", ".reviewledger-tmp-ABC": "half", ".gauntlet-run.lock": "",
	})
	if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"previous/console.1.log": "last", ".gauntlet-run.lock": ""}
	if diff := cmp.Diff(want, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

func TestArchiveFollowsNoSymlink(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"../outside", "."} {
		base := exporttest.PutFiles(t, map[string]string{
			"outside/console.9.log": "kept", "logs/console.1.log": "new", "logs/real.txt": "x",
		})
		dir := filepath.Join(base, "logs")
		if err := os.Symlink(target, filepath.Join(dir, "previous")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("../outside/console.9.log", filepath.Join(dir, "check_a.1.log")); err != nil {
			t.Fatal(err)
		}
		if err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive(); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"outside/console.9.log":       "kept",
			"logs/previous/console.1.log": "new",
			"logs/previous/check_a.1.log": "-> ../outside/console.9.log",
			"logs/real.txt":               "x",
		}
		if diff := cmp.Diff(want, exporttest.Folder(t, base)); diff != "" {
			t.Errorf("previous -> %s: folder (-want +got):\n%s", target, diff)
		}
	}
}

func TestArchiveWithAFileInTheWay(t *testing.T) {
	t.Parallel()
	files := map[string]string{"previous": "mine", "console.1.log": "new"}
	dir := exporttest.PutFiles(t, files)
	err := slotfiles.NewDir(dir, ".", nil).Keep(1).Archive()
	if err == nil || !strings.Contains(err.Error(), `"previous" is in the way`) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(files, exporttest.Folder(t, dir)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
}

// Older loops move to the next folder and the oldest is removed. What an interrupted call left half
// done is completed without losing another loop.
//
// Rule: The log directory decides between first run and rerun.
func TestArchiveKeepsSeveral(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		keep        int
		files, want map[string]string
	}{
		{"the first", 3, map[string]string{"console.1.log": "a"}, map[string]string{"previous/console.1.log": "a"}},
		{"the second", 3, map[string]string{"console.1.log": "b", "previous/console.1.log": "a"},
			map[string]string{"previous/console.1.log": "b", "previous.1/console.1.log": "a"}},
		{"the fourth", 3, map[string]string{"console.1.log": "d", "previous/console.1.log": "c", "previous.1/console.1.log": "b", "previous.2/console.1.log": "a"},
			map[string]string{"previous/console.1.log": "d", "previous.1/console.1.log": "c", "previous.2/console.1.log": "b"}},
		{"interrupted in between", 3, map[string]string{"console.1.log": "d", "previous/console.1.log": "c", "previous.2/console.1.log": "b"},
			map[string]string{"previous/console.1.log": "d", "previous.1/console.1.log": "c", "previous.2/console.1.log": "b"}},
		{"interrupted before the new folder", 3, map[string]string{"console.1.log": "d", "previous.1/console.1.log": "c", "previous.2/console.1.log": "b"},
			map[string]string{"previous/console.1.log": "d", "previous.1/console.1.log": "c", "previous.2/console.1.log": "b"}},
		{"interrupted in moving", 3, map[string]string{"console.2.log": "d", ".archiving": "", "previous/console.1.log": "d", "previous.1/console.1.log": "c"},
			map[string]string{"previous/console.1.log": "d", "previous/console.2.log": "d", "previous.1/console.1.log": "c"}},
		{"fewer than before", 2, map[string]string{"console.1.log": "d", "previous/console.1.log": "c", "previous.1/console.1.log": "b", "previous.2/console.1.log": "a"},
			map[string]string{"previous/console.1.log": "d", "previous.1/console.1.log": "c"}},
		{"files of others", 2, map[string]string{"console.1.log": "d", "previous/console.1.log": "c", "previous.1/console.1.log": "b", "previous.1/notes.txt": "mine"},
			map[string]string{"previous/console.1.log": "d", "previous.1/notes.txt": "mine"}},
		{"none", 0, map[string]string{"console.1.log": "d", "previous/console.1.log": "c", "previous/notes.txt": "mine"},
			map[string]string{"previous/notes.txt": "mine"}},
	}
	for _, test := range tests {
		dir := exporttest.PutFiles(t, test.files)
		for range 2 { // the second time there is nothing to do
			if err := slotfiles.NewDir(dir, ".", nil).Keep(test.keep).Archive(); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if diff := cmp.Diff(test.want, exporttest.Folder(t, dir)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	}
}

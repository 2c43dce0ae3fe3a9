package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	used, err := Make(parent, "stage")
	if err != nil {
		t.Fatal(err)
	}
	removed, err := Make(parent, "stage")
	if err != nil {
		t.Fatal(err)
	}
	if err := removed.Remove(); err != nil {
		t.Fatal(err)
	}
	dead, alive := deadProcess(t), os.Getpid()
	put := func(name string, locked bool, age time.Duration) {
		t.Helper()
		path := filepath.Join(parent, name)
		if err := os.MkdirAll(filepath.Join(path, "deeper"), 0o700); err != nil {
			t.Fatal(err)
		}
		if age == 0 && !locked {
			if err := os.Remove(filepath.Join(path, "deeper")); err != nil {
				t.Fatal(err)
			}
		}
		if locked { // by a process that has ended: the file exists, but is not locked
			if err := os.WriteFile(filepath.Join(path, lockName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	put(fmt.Sprintf("reviewledger-stage-%d-1", dead), true, 0)
	put(fmt.Sprintf("reviewledger-review-%d-2", dead), false, 0)
	put(fmt.Sprintf("reviewledger-stage-%d-3", alive), true, 2*grace)
	put("reviewledger-index-4", false, 2*time.Hour)
	put("reviewledger-5", false, 2*time.Hour)
	put(fmt.Sprintf(".reviewledger-import-%d-9", dead), true, 0)
	put(fmt.Sprintf("reviewledger-%d-10", dead), true, 0)
	file := func(name string, age time.Duration) {
		t.Helper()
		path, then := filepath.Join(parent, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	file(fmt.Sprintf(".reviewledger-backup-%d-11", dead), 2*grace)
	file("reviewledger-diff-12", 2*time.Hour)
	file(fmt.Sprintf(".reviewledger-backup-%d-13", dead), 0)
	file(fmt.Sprintf(".reviewledger-backup-%d-14", alive), 2*grace)
	kept := []string{
		filepath.Base(used.Path),
		fmt.Sprintf("reviewledger-stage-%d-6", alive),
		"reviewledger-index-7", "reviewledger", "reviewledger-mine", "reviewledger-demo-x", "other-stage-1-1",
		fmt.Sprintf("reviewledger-stage-%d-15", dead),
	}
	put(kept[1], false, 0)
	put(kept[2], false, time.Minute)
	for _, name := range kept[3:] {
		put(name, false, grace/2)
	}
	put("reviewledger-demo-16", false, 2*time.Hour)
	kept = append(kept, "reviewledger-demo-16", fmt.Sprintf(".reviewledger-backup-%d-13", dead), fmt.Sprintf(".reviewledger-backup-%d-14", alive))
	link := fmt.Sprintf("reviewledger-stage-%d-8", dead)
	if err := os.Symlink(t.TempDir(), filepath.Join(parent, link)); err == nil {
		kept = append(kept, link)
	}
	if err := Sweep(parent, time.Now()); err != nil {
		t.Fatal(err)
	}
	var got []string
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	slices.Sort(kept)
	if !slices.Equal(got, kept) {
		t.Errorf("after the sweep:\n%q\nwant:\n%q", got, kept)
	}
	if err := used.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(filepath.Join(parent, "absent"), time.Now()); err != nil {
		t.Errorf("Sweep of no folder: %v", err)
	}
}

func TestLasting(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	path, err := Lasting(parent, "hooks-1")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		make func() error
		ok   bool
	}{
		"a folder": {func() error { return os.Mkdir(path, 0o700) }, true},
		"a file":   {func() error { return os.WriteFile(path, nil, 0o600) }, false},
		"a link":   {func() error { return os.Symlink(t.TempDir(), path) }, false},
	} {
		if err := test.make(); err != nil {
			t.Fatal(err)
		}
		if got, err := Lasting(parent, "hooks-1"); got != path || (err == nil) != test.ok {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err := Sweep(parent, time.Now().Add(365*24*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Errorf("%s: not there after a sweep: %v", name, err)
		}
	}
}

// deadProcess returns the id of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// Sweeping a shared folder must not take the lock of a folder that is just being made.
func TestMakeBesideSweeps(t *testing.T) {
	t.Parallel()
	parent, ended := t.TempDir(), make(chan struct{})
	var sweepers sync.WaitGroup
	for range 2 {
		sweepers.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
				}
				if err := Sweep(parent, time.Now()); err != nil {
					t.Errorf("sweep: %v", err)
				}
			}
		})
	}
	for range 50 {
		folder, err := Make(parent, "stage")
		if err != nil {
			t.Errorf("make a folder: %v", err)
			break
		}
		if _, err := os.Stat(filepath.Join(folder.Path, lockName)); err != nil {
			t.Errorf("a folder in use was swept: %v", err)
		}
		if err := folder.Remove(); err != nil {
			t.Errorf("remove the folder: %v", err)
		}
	}
	close(ended)
	sweepers.Wait()
}

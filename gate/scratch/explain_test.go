package scratch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestExplainsAFullFolder(t *testing.T) {
	t.Parallel()
	elsewhere := filepath.Join(os.TempDir(), "elsewhere")
	for _, test := range []struct {
		name, parent string
		errno        syscall.Errno
		want         []string
		wantNot      string
	}{
		{"full", os.TempDir(), syscall.ENOSPC, []string{"no space is left", "free some disk space", "TMPDIR", "no space left on device"}, ""},
		{"quota", os.TempDir(), syscall.EDQUOT, []string{"no space is left", "TMPDIR"}, ""},
		{"of the repository", elsewhere, syscall.ENOSPC, []string{"no space is left", elsewhere}, "TMPDIR"},
		{"other", os.TempDir(), syscall.EACCES, []string{"permission denied"}, "disk space"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := explain(&fs.PathError{Op: "mkdir", Path: test.parent, Err: test.errno}, test.parent).Error()
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q does not say %q", got, want)
				}
			}
			if test.wantNot != "" && strings.Contains(got, test.wantNot) {
				t.Errorf("%q says %q", got, test.wantNot)
			}
		})
	}
}

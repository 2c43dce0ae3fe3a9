package worktree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/diff"
)

// Of many files a message names the first ten, and says how many there are more.
func TestManyFilesAreNamed(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "f01", 10: "f09, f10", 11: "f10, and 1 more", 14: "f10, and 4 more"} {
		var files, tracked []string
		for i := range n {
			files = append(files, fmt.Sprintf("f%02d", i+1))
			tracked = append(tracked, "logs/"+files[i], fmt.Sprintf("logs/check_a.%d.log", i+1), "other")
		}
		if got := NotReviewed(diff.Change{Files: files, Branch: "b"}, "it ran"); !strings.HasSuffix(got, want+`; the branch "b" was checked out while it ran`) || !strings.HasPrefix(got, "changed while it ran, and not reviewed: f01") {
			t.Errorf("%d files: %s", n, got)
		}
		if got := NotReviewed(diff.Change{New: files, Head: "h"}, "it ran"); !strings.HasSuffix(got, want+")") || !strings.Contains(got, "the commit h was checked out") {
			t.Errorf("%d new files: %s", n, got)
		}
		quoted := strings.ReplaceAll(want, "f", `"logs/f`)
		for i := range n {
			name := fmt.Sprintf("%02d", i+1)
			quoted = strings.ReplaceAll(quoted, name, name+`"`)
		}
		if got := unreviewed("logs", tracked); !strings.HasSuffix(got, quoted+"; move them elsewhere") || strings.Contains(got, "check_a") || strings.Contains(got, "other") {
			t.Errorf("%d tracked files: %s, want %s", n, got, quoted)
		}
	}
	if got := unreviewed("logs", []string{"a", "logs/console.1.log"}); got != "" {
		t.Errorf("no such file: %s", got)
	}
}

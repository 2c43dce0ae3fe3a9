package worktree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
)

// If there are many files, a message names the first ten and the number of the others.
func TestManyFilesAreNamed(t *testing.T) {
	t.Parallel()
	logs := ownFolder{"the log directory", "logs", loopFiles}
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
		if got := strings.Join(logs.unreviewed("files", tracked), "\n"); !strings.HasSuffix(got, quoted+"; move them elsewhere") || strings.Contains(got, "check_a") || strings.Contains(got, "other") {
			t.Errorf("%d tracked files: %s, want %s", n, got, quoted)
		}
	}
	if got := NotReviewed(diff.Change{Branch: "b", Head: "h"}, "it ran"); got != `the branch "b" was checked out while it ran` {
		t.Errorf("no files: %s", got)
	}
	if got := logs.unreviewed("files", []string{"a", "logs/console.1.log"}); len(got) > 0 {
		t.Errorf("no such file: %s", got)
	}
}

// In folders that no diff shows, files that belong there are not named, and all others are.
//
// Rule: Nothing is left out without a word.
func TestUnreviewed(t *testing.T) {
	t.Parallel()
	w := Worktree{Config: &config.Config{LogDir: "logs"}}
	for file, named := range map[string]bool{
		"logs/console.1.log": false, "logs/previous/check_a.2.log": false, "logs/previous.2/console.1.log": false, "logs/previous.x/console.1.log": true, "logs/build.sh": true, "logs/previous/build.sh": true,
		".code-review/review-latest.json": false, ".code-review/review_src_a_b@1.2.json": false, ".code-review/abort-reason.md": false,
		".code-review/build.sh": true, ".code-review/sub/review-a.json": true,
		"docs/code-reviews/2026-11-22-changeset-0a.md": false, "docs/code-reviews/README.md": false,
		"docs/code-reviews/build.sh": true, "docs/code-reviews/2026-11-22-a.md.sh": true, "docs/code-reviews/a/2026-11-22-a.md": true,
		"docs/build.sh": false,
	} {
		var warnings []string
		for _, folder := range w.ownFolders() {
			warnings = append(warnings, folder.unreviewed("files", []string{file})...)
		}
		if (len(warnings) == 1) != named || len(warnings) > 1 {
			t.Errorf("%q: %q", file, warnings)
		}
	}
}

package diff

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// refPrefix starts the names of the refs by which earlier versions kept snapshots.
const refPrefix = "refs/reviewledger/"

// mayHaveRefs reports whether it is worth a git call to look for such refs.
func (r *Repo) mayHaveRefs() bool {
	if _, err := os.Lstat(filepath.Join(r.CommonDir, filepath.FromSlash(refPrefix))); err == nil {
		return true
	}
	if _, err := os.Lstat(filepath.Join(r.CommonDir, "reftable")); err == nil {
		return true
	}
	packed, err := os.ReadFile(filepath.Join(r.CommonDir, "packed-refs"))
	return err == nil && bytes.Contains(packed, []byte(" "+refPrefix))
}

// dropRefs deletes the refs of earlier versions, and what is left of their folder.
func (r *Repo) dropRefs(ctx context.Context) error {
	out, err := r.git.run(ctx, call{args: []string{"for-each-ref", "--format=delete %(refname)", refPrefix}})
	if err != nil {
		return fmt.Errorf("list the refs of snapshots: %w", err)
	}
	if commands := string(out.stdout); strings.TrimSpace(commands) != "" {
		if _, err := r.git.run(ctx, call{args: []string{"update-ref", "--no-deref", "--stdin"}, stdin: commands}); err != nil {
			return fmt.Errorf("delete the refs of snapshots: %w", err)
		}
	}
	// Git leaves empty folders. One that holds something else stays.
	_ = os.Remove(filepath.Join(r.CommonDir, filepath.FromSlash(refPrefix)))
	return nil
}

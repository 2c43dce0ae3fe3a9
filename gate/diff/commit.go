package diff

import (
	"context"
	"fmt"
)

// CommitPaths commits these paths of the working tree on the branch that is checked out, and
// nothing else that is staged. Hooks are not run, as in every call of git.
func (r *Repo) CommitPaths(ctx context.Context, paths []string, message string) error {
	if _, err := r.git.run(ctx, call{args: append([]string{"add", "--"}, paths...)}); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	reflog := []string{"core.logAllRefUpdates=true"} // it is a commit of the user's
	if _, err := r.git.run(ctx, call{config: reflog, args: append([]string{"commit", "--quiet", "--message=" + message, "--"}, paths...)}); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

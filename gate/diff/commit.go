package diff

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// CommitPaths commits these paths of the working tree to the branch that is checked out, and
// nothing else that is staged. As in every call of git, no hooks run.
func (r *Repo) CommitPaths(ctx context.Context, paths []string, message string) error {
	if _, err := r.git.run(ctx, call{args: append([]string{"add", "--"}, paths...)}); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	commit := call{
		args:   append([]string{"commit", "--quiet", "--message=" + message, "--"}, paths...),
		config: []string{"core.logAllRefUpdates=true", "advice.graftFileDeprecated=false"}, // as in a commit that the user makes
	}
	for _, variable := range os.Environ() { // the user is the author, too
		if strings.HasPrefix(variable, "GIT_AUTHOR_") || strings.HasPrefix(variable, "GIT_COMMITTER_") {
			commit.env = append(commit.env, variable)
		}
	}
	if _, err := r.git.run(ctx, commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

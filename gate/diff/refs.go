package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// RefPrefix starts the name of every ref that this package makes or deletes.
const RefPrefix = "refs/reviewledger/"

// DropRefs deletes refs that keep snapshots. A name that ends in a slash stands for
// all refs under it. A ref that does not exist is no error.
func (r *Repo) DropRefs(ctx context.Context, refs ...string) error {
	names, prefixes := []string{}, []string{}
	for _, ref := range refs {
		switch {
		case strings.HasSuffix(ref, "/") && isOwnRef(ref+"any"):
			prefixes = append(prefixes, ref)
		case isOwnRef(ref):
			names = append(names, ref)
		default:
			return fmt.Errorf("cannot delete the ref %q: not a name under %s", ref, RefPrefix)
		}
	}
	if len(prefixes) > 0 {
		out, err := r.git.run(ctx, call{args: append([]string{"for-each-ref", "--format=%(refname)"}, prefixes...)})
		if err != nil {
			return fmt.Errorf("list refs %q: %w", prefixes, err)
		}
		names = append(names, strings.Fields(string(out.stdout))...)
	}
	return r.deleteRefs(ctx, names)
}

// KeepCommit makes the ref name the commit, so that gc keeps it.
func (r *Repo) KeepCommit(ctx context.Context, ref, commit string) error {
	if !isOwnRef(ref) || !r.isObjectID(commit) {
		return fmt.Errorf("cannot make the ref %q of %q: not a name under %s, or no commit", ref, commit, RefPrefix)
	}
	if _, err := r.git.run(ctx, call{args: []string{"update-ref", "--no-deref", ref, commit}}); err != nil {
		return fmt.Errorf("keep commit %q: %w", commit, err)
	}
	return nil
}

func (r *Repo) deleteRefs(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	var commands strings.Builder
	for _, name := range slices.Compact(names) {
		fmt.Fprintf(&commands, "delete %s\x00\x00", name)
	}
	args := []string{"update-ref", "--no-deref", "--stdin", "-z"}
	if _, err := r.git.run(ctx, call{args: args, stdin: commands.String()}); err != nil {
		return fmt.Errorf("delete refs %q: %w", names, err)
	}
	return nil
}

// isOwnRef reports whether ref is a ref of this package. It allows fewer names than
// git does.
func isOwnRef(ref string) bool {
	name, ok := strings.CutPrefix(ref, RefPrefix)
	if !ok || !isRepoPath(name) || strings.Contains(name, "..") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") == ""
}

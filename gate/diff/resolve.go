package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// ResolveCommit returns the full id of the commit that rev names: a branch of that name if there is
// one, in this repository or on a remote, else a tag, else whatever git takes it for. Refs of that
// name at different commits are an error: git would choose the tag, and a diff would begin there.
func (r *Repo) ResolveCommit(ctx context.Context, rev string) (string, error) {
	if !isRevision(rev) {
		return "", unknownRevision(rev)
	}
	name, suffix := cutRevision(rev)
	if r.isObjectID(name) || !isRefName(name) {
		return r.parseRevision(ctx, rev, rev)
	}
	found, err := r.findRefs(ctx, name)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		commit, unknown := r.parseRevision(ctx, rev, rev)
		if unknown != nil { // a clone has no branches but the one that it checked out
			if _, err := r.parseRevision(ctx, rev, "refs/remotes/origin/"+rev); err == nil {
				return "", fmt.Errorf("revision %q does not name a commit in this repository, but %q does: give that, or create the branch", rev, "origin/"+rev)
			}
		}
		return commit, unknown
	}
	meant := found[0]
	commit, err := r.parseRevision(ctx, rev, meant.ref)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(name, "refs/") {
		// Git itself may take the name for a file in the git folder.
		plain, err := r.parseRevision(ctx, rev, name)
		if err != nil {
			return "", err
		}
		for _, other := range append(found[1:], namedRef{name + " as git reads it", plain}) {
			if other.commit != commit {
				return "", fmt.Errorf("revision %q is ambiguous: %s is at %.12s, and %s at %.12s; give the full name of the one that you mean, or delete the other",
					rev, meant.ref, commit, other.ref, other.commit)
			}
		}
	}
	if suffix == "" {
		return commit, nil
	}
	return r.parseRevision(ctx, rev, meant.ref+suffix)
}

// parseRevision asks git for the commit that text names; rev is what the user wrote, for errors.
func (r *Repo) parseRevision(ctx context.Context, rev, text string) (string, error) {
	out, err := r.git.run(ctx, call{args: []string{"rev-parse", "--verify", "--quiet", text + "^{commit}"}})
	if gitFailed(err) {
		return "", unknownRevision(rev)
	}
	if err != nil {
		return "", fmt.Errorf("resolve revision %q: %w", rev, err)
	}
	// "^main" is accepted too, but does not mean a commit.
	if id := out.line(); r.isObjectID(id) {
		return id, nil
	}
	return "", unknownRevision(rev)
}

// cutRevision splits a revision into a name and what follows it ("~2", "^{/text}", "@{upstream}").
func cutRevision(rev string) (name, suffix string) {
	end := len(rev)
	for _, mark := range []string{"~", "^", ":", "@{"} {
		if n := strings.Index(rev[:end], mark); n >= 0 {
			end = n
		}
	}
	return rev[:end], rev[end:]
}

// isRefName reports whether a ref can have the name. HEAD is not one.
func isRefName(name string) bool {
	return name != "HEAD" && name != "@" && isRepoPath(name) && !strings.Contains(name, "..") && !strings.ContainsAny(name, ` *?[\`)
}

type namedRef struct{ ref, commit string }

// refsCalled returns the refs that a name may mean, in order of preference.
func refsCalled(name string) []string {
	return []string{"refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD", "refs/tags/" + name, "refs/" + name}
}

// findRefs returns the existing refs that name may mean, in order of preference.
func (r *Repo) findRefs(ctx context.Context, name string) ([]namedRef, error) {
	full := refsCalled(name)
	if strings.HasPrefix(name, "refs/") {
		full = []string{name}
	}
	args := append([]string{"for-each-ref", "--format=%(refname) %(objectname) %(*objectname)"}, full...)
	out, err := r.git.run(ctx, call{args: args})
	if err != nil {
		return nil, fmt.Errorf("look for refs of the name %q: %w", name, err)
	}
	var found []namedRef
	for line := range strings.Lines(string(out.stdout)) {
		// For an annotated tag, the commit follows the tag object.
		fields := strings.Fields(line)
		if len(fields) >= 2 && slices.Contains(full, fields[0]) {
			found = append(found, namedRef{fields[0], fields[len(fields)-1]})
		}
	}
	slices.SortFunc(found, func(a, b namedRef) int { return slices.Index(full, a.ref) - slices.Index(full, b.ref) })
	return found, nil
}

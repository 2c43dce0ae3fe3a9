package diff

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Create makes a repository of the folder's files: they become the first commit of the branch main,
// and a new branch is checked out. It needs no git identity and no configuration, and runs no
// hooks.
func Create(ctx context.Context, dir, branch string) error {
	g := git{dir: dir, env: gitEnvironment(os.Environ())}
	identity := []string{
		"GIT_AUTHOR_NAME=reviewledger", "GIT_AUTHOR_EMAIL=reviewledger@localhost",
		"GIT_COMMITTER_NAME=reviewledger", "GIT_COMMITTER_EMAIL=reviewledger@localhost",
	}
	plain := []string{"commit.gpgSign=false", "core.autocrlf=false"}
	for _, args := range [][]string{
		{"init", "-q", "--template="},
		{"symbolic-ref", "HEAD", "refs/heads/main"},
		{"add", "-A", "."},
		{"commit", "-q", "--allow-empty", "-m", "Start"},
		{"checkout", "-q", "-b", branch},
	} {
		if _, err := g.run(ctx, call{args: args, config: plain, env: identity}); err != nil {
			return fmt.Errorf("make a repository in %q: %w", dir, err)
		}
	}
	return nil
}

// Version returns git's version, as in "2.39.5".
func Version(ctx context.Context) (string, error) {
	return git{dir: ".", env: gitEnvironment(os.Environ())}.version(ctx)
}

func (g git) version(ctx context.Context) (string, error) {
	out, err := g.run(ctx, call{args: []string{"version"}})
	if err != nil {
		return "", fmt.Errorf("ask git for its version: %w", err)
	}
	return readVersion(out.line())
}

// readVersion reads the line in which git says its version.
func readVersion(line string) (string, error) {
	fields := strings.Fields(line)
	if i := slices.Index(fields, "version"); i >= 0 && i+1 < len(fields) {
		return fields[i+1], nil
	}
	return "", fmt.Errorf("git calls its version %q, which cannot be read", line)
}

// IsSupported reports whether git of this version has all options that this package uses. Git 2.25
// is the oldest that does.
func IsSupported(version string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 2 || major == 2 && minor >= 25
}

package diff

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxUntracked is the largest size, in bytes, of an untracked file in a snapshot.
const maxUntracked = 50 << 20

// whyLeftOut returns the reason why an untracked file is not part of the snapshot; "" if it is. A
// name with a slash at its end is a folder whose files git does not list.
func (st *stage) whyLeftOut(name string) string {
	switch {
	case strings.HasSuffix(name, "/"):
		return "is a git repository of its own"
	case !st.includeSecrets && isSecretName(name):
		return "is untracked and named like a secret; `include_secrets: true` takes it in"
	}
	return whyNotStaged(filepath.Join(st.repo.Root, filepath.FromSlash(name)))
}

// whyNotStaged returns the reason why git cannot stage an untracked file; "" if it can.
func whyNotStaged(path string) string {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "" // gone by now, or a symbolic link, of which git stores only the target's name
	}
	if info.Size() > maxUntracked {
		return fmt.Sprintf("is untracked and larger than %d MB", maxUntracked>>20)
	}
	file, err := os.Open(path)
	if err == nil {
		err = file.Close()
	}
	if reason := (*fs.PathError)(nil); errors.As(err, &reason) {
		return fmt.Sprintf("cannot be read: %v", reason.Err)
	}
	return ""
}

// isSecretName reports whether a file is named like those in which programs keep secrets
// (environments, private keys and key stores, passwords of hosts), or like a copy of such a file.
func isSecretName(name string) bool {
	name = strings.ToLower(path.Base(name))
	for _, copied := range []string{"~", ".bak", ".old", ".orig", ".save"} {
		name = strings.TrimSuffix(name, copied)
	}
	switch name {
	case ".env", ".netrc", "_netrc", ".pgpass", ".git-credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "id_xmss":
		return true
	}
	switch path.Ext(name) {
	case ".pem", ".key", ".pfx", ".p12", ".p8", ".ppk", ".jks", ".keystore", ".kdbx":
		return true
	}
	return strings.HasPrefix(name, ".env.") && !strings.HasSuffix(name, ".example") && !strings.HasSuffix(name, ".sample")
}

// isWithin reports whether path is one of folders or lies in one of them.
func isWithin(path string, folders []string) bool {
	for _, folder := range folders {
		if rest, ok := strings.CutPrefix(path, folder); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// IgnoredOutside returns the untracked files that the latest snapshot leaves out only because of
// what is not in it itself: info/exclude of the clone, the user's core.excludesFile, or a .gitignore
// that is untracked and ignored. They are sorted.
//
// Rule: Nothing is left out without a word.
func (r *Repo) IgnoredOutside(ctx context.Context) ([]string, error) {
	st := r.shared.kept()
	if st == nil {
		return nil, nil
	}
	files, err := st.others(ctx, perFolder)
	if err != nil {
		return nil, err
	}
	hidden, err := st.hidden(ctx)
	files = slices.Compact(slices.Sorted(slices.Values(append(files, hidden...))))
	return slices.DeleteFunc(files, func(name string) bool {
		return isWithin(name, st.exclude) || slices.Contains(st.leftOut, name) || slices.Contains(st.refused, name)
	}), err
}

// others lists the untracked files that the arguments choose.
func (st *stage) others(ctx context.Context, args ...string) ([]string, error) {
	return st.git.list(ctx, "list ignored files", slices.Concat([]string{"ls-files", "-z", "--others"}, args)...)
}

// hidden lists the untracked files that a .gitignore ignores which is untracked and ignored too.
func (st *stage) hidden(ctx context.Context) ([]string, error) {
	ignored, err := st.others(ctx, "--ignored", perFolder, "--directory")
	if err != nil || !slices.ContainsFunc(ignored, isGitignore) {
		return nil, err
	}
	out, err := st.git.run(ctx, call{args: []string{"check-ignore", "-v", "-z", "--no-index", "--stdin"}, stdin: strings.Join(ignored, "\x00")})
	if err != nil {
		return nil, fmt.Errorf("find what ignores files: %w", err)
	}
	var files, folders []string
	// Each has four fields: the file with the pattern, its line, the pattern, the path.
	for rule := range slices.Chunk(strings.Split(string(out.stdout), "\x00"), 4) {
		switch {
		case len(rule) < 4 || !isGitignore(rule[0]) || !slices.Contains(ignored, rule[0]):
		case strings.HasSuffix(rule[3], "/"):
			folders = append(folders, ":(literal)"+rule[3])
		default:
			files = append(files, rule[3])
		}
	}
	for some := range slices.Chunk(folders, 500) { // a command line has a limit
		within, err := st.others(ctx, slices.Concat([]string{"--"}, some)...)
		if err != nil {
			return nil, err
		}
		files = append(files, within...)
	}
	return files, nil
}

// perFolder makes git ignore what a .gitignore names, and nothing else.
const perFolder = "--exclude-per-directory=.gitignore"

func isGitignore(name string) bool { return path.Base(name) == ".gitignore" }

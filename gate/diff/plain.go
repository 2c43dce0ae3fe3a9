package diff

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openPlain is [Open] without git, whose start takes as long as all else that is needed to
// find a repository. It reports false for everything but the ordinary repository whose
// working tree holds dir: then only git knows.
func openPlain(dir string, environ []string) (*Repo, bool) {
	gitDir, found := plainCommonDir(dir, isOwn)
	if !found || strings.ContainsAny(gitDir, "\n\r") || !isPlainLayout(gitDir) {
		return nil, false
	}
	text, ok := readPlain(filepath.Join(gitDir, "HEAD"))
	if !ok {
		return nil, false
	}
	r := &Repo{Root: filepath.Dir(gitDir), GitDir: gitDir, CommonDir: gitDir, objectFormat: "sha1", plain: true, Head: text, shared: &shared{}}
	if branch, on := strings.CutPrefix(text, "ref: refs/heads/"); on {
		if !isRefName(branch) {
			return nil, false
		}
		r.Branch, r.Head = branch, plainBranch(gitDir, branch)
	}
	r.isTold(gitEnvironment(environ))
	return r, r.isObjectID(r.Head)
}

// isPlainLayout reports whether nothing in the git folder, nor in its configuration, says
// that the working tree, the refs or the objects are elsewhere, of another format, or shared
// with other users. What it reads it understands as git does, or not at all.
func isPlainLayout(gitDir string) bool {
	for _, name := range []string{"commondir", "config.worktree", "reftable", "gitdir"} {
		if _, err := os.Lstat(filepath.Join(gitDir, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	text, err := os.ReadFile(filepath.Join(gitDir, "config"))
	if err != nil {
		return false
	}
	text = bytes.ToLower(text)
	for _, word := range []string{"extensions", "worktree", "include", "sharedrepository", "\\\n", "\\\r"} {
		if bytes.Contains(text, []byte(word)) {
			return false
		}
	}
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(string(line), "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		// A section may stand before a key on its line; then git is asked.
		if strings.Contains(key, "bare") && (key != "bare" || value != "false") ||
			strings.Contains(key, "repositoryformatversion") && (key != "repositoryformatversion" || value != "0") {
			return false
		}
	}
	return true
}

// plainBranch is the commit of a branch, or "" where that takes more than to read a line.
func plainBranch(gitDir, branch string) string {
	ref := "refs/heads/" + branch
	path := filepath.Join(gitDir, filepath.FromSlash(ref))
	if commit, ok := readPlain(path); ok {
		return commit
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	packed, err := os.ReadFile(filepath.Join(gitDir, "packed-refs"))
	if err != nil {
		return ""
	}
	before, _, found := bytes.Cut(packed, []byte(" "+ref+"\n"))
	if !found {
		return ""
	}
	return string(before[bytes.LastIndexByte(before, '\n')+1:])
}

// readPlain reads the only line of a file that is not a link.
func readPlain(path string) (line string, ok bool) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	line, ok = strings.CutSuffix(string(text), "\n")
	return line, ok && !strings.ContainsAny(line, "\n\r")
}

package diff

// This file finds files that git stores with other bytes than they have in the working tree.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Altered is a file that git stores with other bytes than it has in the working tree, by more than line
// endings. By says what does that.
type Altered struct{ Path, By string }

// Altered lists those of paths whose text in a diff is not what they have on disk: attributes that the
// change can edit may assign a clean filter that the configuration defines, such as one that stores a
// pointer to content kept elsewhere, an encoding, or the keyword $Id$. Binary files are left out, as a diff
// shows none of their lines anyway. Git is not called if no attributes name one of these.
func (r *Repo) Altered(ctx context.Context, paths []string) (list []Altered, err error) {
	if !r.mayAlter(paths) {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter", "working-tree-encoding", "ident"}, stdin: strings.Join(paths, "\x00")})
	if err != nil {
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	filters := map[string]string{}
	// The path, the attribute, its value, which may be empty.
	for part := range slices.Chunk(strings.Split(string(out.stdout), "\x00"), 3) {
		if len(part) < 3 || part[2] == "unspecified" || part[2] == "unset" {
			continue
		}
		switch name, value := part[0], part[2]; {
		case part[1] == "filter" && value != "set" && r.isTextFile(name):
			filters[name] = value
		case part[1] == "working-tree-encoding" && value != "set" && !strings.EqualFold(value, "UTF-8") && r.isFile(name):
			list = append(list, Altered{name, fmt.Sprintf("git's working-tree-encoding %q", value)})
		case part[1] == "ident" && value == "set" && r.hasKeyword(name):
			list = append(list, Altered{name, "git's ident"})
		}
	}
	if len(filters) == 0 {
		return list, nil
	}
	out, err = r.git.run(ctx, call{args: []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process)$`}})
	if err != nil && !exitedWith1(err) { // exit code 1: nothing is configured
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	defined := out.list()
	for _, name := range paths {
		key := "filter." + filters[name] + "."
		if filters[name] != "" && (slices.Contains(defined, key+"clean") || slices.Contains(defined, key+"process")) {
			list = append(list, Altered{name, fmt.Sprintf("the git clean filter %q", filters[name])})
			delete(filters, name)
		}
	}
	return list, nil
}

// keyword is what git makes of $Id$ in the working tree.
var keyword = regexp.MustCompile(`\$Id:[^$\n]*\$`)

// hasKeyword reports whether the file of the working tree has the keyword as git writes it there.
func (r *Repo) hasKeyword(name string) bool {
	if !r.isFile(name) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(name)))
	return err == nil && keyword.Match(text)
}

// isFile reports whether there is a regular file of that name, of a size that is shown.
func (r *Repo) isFile(name string) bool {
	info, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular() && info.Size() <= maxUntracked
}

// mayAlter reports whether the attributes of the clone, or those in a folder above one of the
// files, mention what alters files. The user's global attributes do not matter: no change can edit them.
func (r *Repo) mayAlter(paths []string) bool {
	files := map[string]bool{filepath.Join(r.CommonDir, "info", "attributes"): true}
	for _, file := range paths {
		for folder := path.Dir(file); ; folder = path.Dir(folder) {
			name := filepath.Join(r.Root, filepath.FromSlash(folder), ".gitattributes")
			if files[name] {
				break
			}
			files[name] = true
			if folder == "." {
				break
			}
		}
	}
	for name := range files {
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue // git does not follow links there either
		}
		if text, err := os.ReadFile(name); err == nil && alters.Match(text) {
			return true
		}
	}
	return false
}

// alters matches attributes that mention what alters files.
var alters = regexp.MustCompile("filter|working-tree-encoding|ident")

// isTextFile reports whether a file of the working tree is text.
func (r *Repo) isTextFile(name string) bool {
	if !r.isFile(name) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(name)))
	if err != nil || bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) < 0 {
		return err == nil
	}
	_, ok := isText(showNUL(text))
	return ok && len(text) <= maxOddText
}

package diff

// This file finds files whose text in a diff is the output of a git clean filter.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CleanFiltered is a file whose text in the diff was produced by a git clean filter.
type CleanFiltered struct {
	Path string
	// Filter is the filter's name in the attributes.
	Filter string
}

// CleanFiltered lists those of paths that git stores in the form that a clean filter gives them,
// such as a pointer to content kept elsewhere: attributes that the change can edit may assign a
// filter that the configuration defines. Binary files are left out, as a diff shows none of their
// lines anyway. Git is not called if no attributes name a filter.
func (r *Repo) CleanFiltered(ctx context.Context, paths []string) (list []CleanFiltered, err error) {
	if !r.mayFilter(paths) {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter"}, stdin: strings.Join(paths, "\x00")})
	if err != nil {
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	// The path, the attribute, its value, which may be empty.
	for part := range slices.Chunk(strings.Split(string(out.stdout), "\x00"), 3) {
		if len(part) == 3 && part[2] != "unspecified" && part[2] != "unset" && part[2] != "set" && r.isTextFile(part[0]) {
			list = append(list, CleanFiltered{part[0], part[2]})
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	out, err = r.git.run(ctx, call{args: []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process)$`}})
	if err != nil && !exitedWith1(err) { // exit code 1: nothing is configured
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	defined := out.list()
	return slices.DeleteFunc(list, func(file CleanFiltered) bool {
		key := "filter." + file.Filter + "."
		return !slices.Contains(defined, key+"clean") && !slices.Contains(defined, key+"process")
	}), nil
}

// mayFilter reports whether the attributes of the clone, or those in a folder above one of the
// files, mention a filter. The user's global attributes do not matter: no change can edit them.
func (r *Repo) mayFilter(paths []string) bool {
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
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte("filter")) {
			return true
		}
	}
	return false
}

// isTextFile reports whether a file of the working tree is text.
func (r *Repo) isTextFile(name string) bool {
	file := filepath.Join(r.Root, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxUntracked {
		return false
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) < 0 {
		return err == nil
	}
	_, ok := isText(showNUL(text))
	return ok && len(text) <= maxOddText
}

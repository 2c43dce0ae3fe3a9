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
	// Filter is the name that the attributes give to the filter.
	Filter string
}

// CleanFiltered lists the files among paths of which git stores what a clean filter makes of their
// text, such as the name of a text that is kept elsewhere: an attribute of the change may assign
// one that the configuration defines. A diff shows nothing of a file that is not text anyway. Git
// is not called if no attributes name filters.
func (r *Repo) CleanFiltered(ctx context.Context, paths []string) (list []CleanFiltered, err error) {
	if !r.mayFilter(paths) {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter"}, stdin: strings.Join(paths, "\x00")})
	if err != nil {
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	// The path, the attribute, its value.
	for part := range slices.Chunk(out.list(), 3) {
		if len(part) == 3 && part[2] != "unspecified" && part[2] != "unset" && part[2] != "set" && r.isTextFile(part[0]) {
			list = append(list, CleanFiltered{part[0], part[2]})
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	out, err = r.git.run(ctx, call{args: []string{"config", "-z", "--name-only", "--get-regexp", `^filter\..*\.(clean|process)$`}})
	if err != nil && !exitedWith1(err) { // 1 says that there is none
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	defined := out.list()
	return slices.DeleteFunc(list, func(file CleanFiltered) bool {
		key := "filter." + file.Filter + "."
		return !slices.Contains(defined, key+"clean") && !slices.Contains(defined, key+"process")
	}), nil
}

// mayFilter reports whether attributes of the clone, or of a folder that holds one of the
// files, name filters. Those that the user has set for all repositories are not looked at:
// no change can make them.
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
			continue // git follows no link there either
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

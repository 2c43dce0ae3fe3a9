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

// CleanFiltered lists the files among paths whose text is not what the latest snapshot has: a
// clean filter, which an attribute of the change may assign, stores something else, such as the
// name of a text that is kept elsewhere. A diff shows nothing of a file that is not text
// anyway. Git is not called if no attributes name filters.
func (r *Repo) CleanFiltered(ctx context.Context, paths []string) ([]CleanFiltered, error) {
	st := r.shared.kept()
	if st == nil || !r.mayFilter(paths) {
		return nil, nil
	}
	assigned, err := r.assignedFilters(ctx, paths)
	if err != nil || len(assigned) == 0 {
		return nil, err
	}
	out, err := st.git.run(ctx, call{args: []string{"ls-files", "-z", "--stage"}})
	if err != nil {
		return nil, fmt.Errorf("look for filtered files: %w", err)
	}
	var list []CleanFiltered
	for entry := range slices.Values(out.list()) {
		// Mode, object id and stage, a tab, the path.
		about, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(about)
		filter := assigned[name]
		if filter == "" || len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		if text, ok := r.textOf(name); ok && !r.isStoredAs(text, fields[1]) {
			list = append(list, CleanFiltered{name, filter})
		}
	}
	return list, nil
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

// assignedFilters returns the names of the filters that the attributes give to files.
func (r *Repo) assignedFilters(ctx context.Context, paths []string) (map[string]string, error) {
	out, err := r.git.run(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter"}, stdin: strings.Join(paths, "\x00")})
	if err != nil {
		return nil, fmt.Errorf("look for filters: %w", err)
	}
	assigned := map[string]string{}
	// The path, the attribute, its value.
	for part := range slices.Chunk(strings.Split(string(out.stdout), "\x00"), 3) {
		if len(part) == 3 && part[2] != "unspecified" && part[2] != "unset" && part[2] != "set" {
			assigned[part[0]] = part[2]
		}
	}
	return assigned, nil
}

// textOf reads a file of the working tree, if it is text.
func (r *Repo) textOf(name string) (text []byte, ok bool) {
	file := filepath.Join(r.Root, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxUntracked {
		return nil, false
	}
	if text, err = os.ReadFile(file); err != nil {
		return nil, false
	}
	if bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) >= 0 {
		if len(text) > maxOddText {
			return nil, false
		}
		_, ok = isText(showNUL(text))
		return text, ok
	}
	return text, true
}

// isStoredAs reports whether the object is the text, but for its line ends.
func (r *Repo) isStoredAs(text []byte, id string) bool {
	for _, text := range [][]byte{text, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))} {
		if r.hash(slices.Concat(fmt.Appendf(nil, "blob %d\x00", len(text)), text)) == id {
			return true
		}
	}
	return false
}

package diff

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TreeFile is a regular file of a tree.
type TreeFile struct {
	Path string
	blob string
}

// TreeFiles returns the regular files of a commit or tree, given by its full id, without those in
// exclude. Symbolic links and submodules are left out.
func (r *Repo) TreeFiles(ctx context.Context, tree string, exclude []string) ([]TreeFile, error) {
	if !r.isObjectID(tree) {
		return nil, fmt.Errorf("list files: %q is not a full object id", tree)
	}
	out, err := r.git.run(ctx, call{args: []string{"ls-tree", "-r", "-z", "--full-tree", tree}})
	if err != nil {
		return nil, fmt.Errorf("list files of %q: %w", tree, err)
	}
	var files []TreeFile
	for entry := range slices.Values(out.list()) {
		// Mode, type and object id, a tab, the path.
		about, path, _ := strings.Cut(entry, "\t")
		if !strings.HasPrefix(about, "100") || isWithin(path, exclude) {
			continue
		}
		files = append(files, TreeFile{Path: path, blob: about[strings.LastIndexByte(about, ' ')+1:]})
	}
	return files, nil
}

// Contents returns files as if they had been added: the text of each is its whole content, and all
// its lines count as changed. The text of a binary file says only that it is binary.
func (r *Repo) Contents(ctx context.Context, files []TreeFile) (*Diff, error) {
	d := &Diff{}
	if len(files) == 0 {
		return d, nil
	}
	var ids strings.Builder
	for _, file := range files {
		ids.WriteString(file.blob + "\n")
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch"}, stdin: ids.String()})
	if err != nil {
		return nil, fmt.Errorf("read files: %w", err)
	}
	rest := out.stdout
	for _, file := range files {
		var text []byte
		if text, rest, err = cutObject(rest); err != nil {
			return nil, fmt.Errorf("read %q: %w", file.Path, err)
		}
		f := File{New: file.Path, Kind: Added, Text: showNUL(text)}
		if bytes.IndexByte(text[:min(len(text), binaryProbe)], 0) >= 0 {
			wide, ok := isText(f.Text)
			if wide {
				f.narrow()
			}
			if len(text) > maxOddText || !ok {
				f.Binary, f.Text = true, fmt.Appendf(nil, "(a binary file of %d bytes)\n", len(text))
			}
		}
		d.Files = append(d.Files, f)
	}
	return d, nil
}

// FileIn returns the content of a file of a commit or tree, given by its full id. If the tree has
// no such file, there is false and the content nil.
func (r *Repo) FileIn(ctx context.Context, tree, path string) (content []byte, there bool, err error) {
	if !r.isObjectID(tree) || strings.Contains(path, "\n") {
		return nil, false, fmt.Errorf("read %q in %q: not a full object id and a path of one line", path, tree)
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch"}, stdin: tree + ":" + path + "\n"})
	if err != nil {
		return nil, false, fmt.Errorf("read %q in %q: %w", path, tree, err)
	}
	content, _, err = cutObject(out.stdout)
	return content, err == nil, nil
}

// maxFormer is the number of commits that are searched for a file's earlier texts.
const maxFormer = 100

// FormerTexts returns the distinct texts that a file has in the last commits of the branch, by
// first parents from HEAD, the latest first. It returns none if a partial clone cannot fetch them.
func (r *Repo) FormerTexts(ctx context.Context, path string) (texts [][]byte, err error) {
	var names strings.Builder
	for n := range maxFormer {
		fmt.Fprintf(&names, "%s~%d:%s\n", r.Head, n, path)
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch"}, stdin: names.String()})
	if gitFailed(err) && r.isPartial() {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %q in the last commits: %w", path, err)
	}
	for rest := out.stdout; len(rest) > 0; {
		text, after, err := cutObject(rest)
		if err != nil { // a commit without the file, or before the first one
			_, after, _ = bytes.Cut(rest, []byte("\n"))
		} else if !slices.ContainsFunc(texts, func(known []byte) bool { return bytes.Equal(known, text) }) {
			texts = append(texts, text)
		}
		rest = after
	}
	return texts, nil
}

// binaryProbe is how many bytes git examines to recognize a binary file.
const binaryProbe = 8000

// cutObject cuts one object off the output of git cat-file --batch: a line with id, type and size,
// the content, a line break.
func cutObject(out []byte) (content, rest []byte, err error) {
	header, rest, _ := bytes.Cut(out, []byte("\n"))
	fields := strings.Fields(string(header))
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, nil, fmt.Errorf("git says %q", header)
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size >= len(rest) {
		return nil, nil, fmt.Errorf("git says %q, and gives %d bytes", header, len(rest))
	}
	return rest[:size], rest[size+1:], nil
}

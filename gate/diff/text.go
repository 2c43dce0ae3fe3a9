package diff

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxOddText is the size in bytes up to which a file that git treats as binary is examined
// for text.
const maxOddText = 1 << 20

// showText shows files as text of which git shows no lines because a NUL byte is in
// them, though the rest is text: a change would hide behind that byte.
func (r *Repo) showText(ctx context.Context, d *Diff, from, to string) error {
	var hidden []int
	var paths []string
	var ids strings.Builder
	for n, f := range d.Files {
		blobs := f.blobs()
		if !f.Binary || f.Submodule || len(blobs) == 0 {
			continue
		}
		hidden = append(hidden, n)
		ids.WriteString(strings.Join(blobs, "\n") + "\n")
	}
	if len(hidden) == 0 {
		return nil
	}
	sizes, err := r.sizes(ctx, ids.String())
	if err != nil {
		return err
	}
	for _, n := range hidden {
		if f := d.Files[n]; fits(sizes, f.blobs()) {
			paths = append(paths, literalPathspecs(f.paths())...)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	text, err := r.compare(ctx, from, to, []string{"--text"}, paths)
	if err != nil {
		return err
	}
	shown, err := parse(text)
	if err != nil {
		return err
	}
	for _, n := range hidden {
		for _, f := range shown.Files {
			if f.Old != d.Files[n].Old || f.New != d.Files[n].New {
				continue
			}
			if isText(shownLines(f.Text)) {
				d.Files[n] = f
			}
		}
	}
	return nil
}

// showNUL makes NUL bytes visible: what comes after one may not be shown.
func showNUL(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, []byte("\u2400"))
}

// sizes returns the sizes of objects, given by their ids, a line each.
func (r *Repo) sizes(ctx context.Context, ids string) (map[string]int, error) {
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch-check=%(objectname) %(objectsize)"}, stdin: ids})
	if err != nil {
		return nil, fmt.Errorf("look up the sizes of files: %w", err)
	}
	sizes := map[string]int{}
	for line := range strings.Lines(string(out.stdout)) {
		id, size, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n, err := strconv.Atoi(size); err == nil {
			sizes[id] = n
		}
	}
	return sizes, nil
}

func fits(sizes map[string]int, blobs []string) bool {
	for _, id := range blobs {
		if size, known := sizes[id]; !known || size > maxOddText {
			return false
		}
	}
	return true
}

// shownLines are the lines that a file's part of a diff shows.
func shownLines(part []byte) (shown []byte) {
	for line := range Lines(part) {
		shown = append(shown, line.Text...)
	}
	return shown
}

// isBinary reports whether a file is one of which git shows no lines, and not text all the same.
func isBinary(content []byte) bool {
	return bytes.IndexByte(content[:min(len(content), binaryProbe)], 0) >= 0 && (len(content) > maxOddText || !isText(showNUL(content)))
}

// isText reports whether what was in a file, with its NUL bytes made visible, is text: at most a
// tenth of it are control characters and bytes that are not UTF-8. A visible NUL counts as one.
func isText(part []byte) bool {
	odd, all := 0, 0
	for ; len(part) > 0; all++ {
		c, size := utf8.DecodeRune(part)
		part = part[size:]
		if c == '\u2400' || c == utf8.RuneError && size == 1 || c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", c) || c == 0x7f {
			odd++
		}
	}
	return odd*10 <= all
}

package diff

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxOddText is the largest size, in bytes, of a file that is tested for text although git treats
// it as binary.
const maxOddText = 1 << 20

// showText shows files as text if git shows none of their lines only because of NUL bytes in
// otherwise plain text: a change would hide behind such a byte. Text in UTF-16 has one in each
// letter.
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
	text, err := r.compare(ctx, from, to, append(slices.Clip(patchArgs), "--text"), paths)
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
			wide, ok := isText(shownLines(f.Text))
			if wide {
				f.narrow()
			}
			if ok {
				d.Files[n] = f
			}
		}
	}
	return nil
}

// isText reports whether the content of a file, with its NUL bytes made visible, is text. wide
// means that it is text without these bytes, which are every other byte in UTF-16.
func isText(part []byte) (wide, ok bool) {
	if !isOdd(part) {
		return false, true
	}
	// A third to two thirds: a file of nothing but NUL bytes has no text to show.
	runes, marks := utf8.RuneCount(part), 3*bytes.Count(part, []byte("\u2400"))
	wide = marks >= runes && marks <= 2*runes && !isOdd(narrow(part))
	return wide, wide
}

// narrow removes the NUL bytes from all that is shown of the file.
func (f *File) narrow() {
	f.Text = narrow(f.Text)
	for i := range f.Hunks {
		f.Hunks[i].Text = narrow(f.Hunks[i].Text)
	}
}

// narrow removes NUL bytes made visible, and the byte order marks of UTF-16.
func narrow(text []byte) []byte {
	for _, mark := range []string{"\u2400", "\xff\xfe", "\xfe\xff"} {
		text = bytes.ReplaceAll(text, []byte(mark), nil)
	}
	return text
}

// showNUL makes NUL bytes visible, because a viewer may not show the text after one.
func showNUL(text []byte) []byte {
	if bytes.IndexByte(text, 0) < 0 {
		return text
	}
	return bytes.ReplaceAll(text, []byte{0}, []byte("\u2400"))
}

// sizes returns the sizes of objects, whose ids are given one a line.
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
	return !slices.ContainsFunc(blobs, func(id string) bool { return sizes[id] > maxOddText })
}

// shownLines returns the lines that a file's part of a diff shows.
func shownLines(part []byte) (shown []byte) {
	for line := range Lines(part) {
		shown = append(shown, line.Text...)
	}
	return shown
}

// isOdd reports whether more than a tenth of the characters do not belong in a text: control
// characters and bytes that are not UTF-8. A visible NUL counts as one.
func isOdd(text []byte) bool {
	odd, all := 0, 0
	for ; len(text) > 0; all++ {
		c, size := utf8.DecodeRune(text)
		text = text[size:]
		if c == '\u2400' || c == utf8.RuneError && size == 1 || c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", c) || c == 0x7f {
			odd++
		}
	}
	return odd*10 > all
}

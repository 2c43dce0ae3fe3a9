package diff

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxLine bounds the numbers in a hunk header, so that sums of them cannot
// overflow.
const maxLine = 1<<31 - 1

// parse parses the output of git for [Repo.Diff]: the list of changed files, which says what
// happened to each, and the patch, which has the lines, in the same order. NUL bytes in the patch
// are made visible, and the texts of the result are parts of the patch.
//
// Anything unexpected is an error that names the line of the patch: a part that is missing or not
// that of the next file in the list, a hunk that ends early, text between two files.
func parse(output []byte) (*Diff, error) {
	files, patch, err := cutList(output)
	if err != nil {
		return nil, fmt.Errorf("parse diff: %w", err)
	}
	p := &parser{text: showNUL(patch), line: 1}
	for i := range files {
		if err := p.file(&files[i]); err != nil {
			return nil, fmt.Errorf("parse diff: line %d: %w", p.line, err)
		}
	}
	if !p.done() {
		return nil, fmt.Errorf("parse diff: line %d: found %q after the last file", p.line, shorten(p.peek()))
	}
	return &Diff{Files: files}, nil
}

// parser walks over the lines of a patch. Its position is always the start of a line.
type parser struct {
	text []byte
	pos  int
	line int // number of the line at pos
	// blocks and hunks hold those of all files, so that a small file needs no allocation of its
	// own.
	blocks []Block
	hunks  []Hunk
}

func (p *parser) done() bool { return p.pos == len(p.text) }

// peek returns the line at the parser's position, without its line feed.
func (p *parser) peek() []byte {
	rest := p.text[p.pos:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return rest[:i]
	}
	return rest
}

// skip moves past the line that peek returned.
func (p *parser) skip(line []byte) {
	p.pos = min(p.pos+len(line)+1, len(p.text))
	p.line++
}

func (p *parser) at(prefix string) bool {
	return bytes.HasPrefix(p.text[p.pos:], []byte(prefix))
}

// file reads the part of the next file in the list. A file whose type changed has two parts, a
// deletion and an addition, whose lines do not count.
func (p *parser) file(f *File) error {
	start, firstBlock, firstHunk := p.pos, len(p.blocks), len(p.hunks)
	if f.Kind != TypeChanged {
		if err := p.part(f, f.ids); err != nil {
			return err
		}
		f.Blocks, f.Hunks = slices.Clip(p.blocks[firstBlock:]), slices.Clip(p.hunks[firstHunk:])
	} else {
		none := strings.Repeat("0", len(f.ids[0]))
		for _, ids := range [][2]string{{f.ids[0], none}, {none, f.ids[1]}} {
			if err := p.part(f, ids); err != nil {
				return err
			}
		}
	}
	f.Text = p.text[start:p.pos:p.pos]
	return nil
}

// part reads a header and the hunks after it. The header of a file whose content changed names the
// objects.
func (p *parser) part(f *File, ids [2]string) error {
	header, err := p.header()
	if err != nil {
		return err
	}
	changed := ids[0] != ids[1]
	binary := bytes.Contains(header, []byte("\nBinary files "))
	switch {
	case changed && !bytes.Contains(header, []byte("\nindex "+ids[0]+".."+ids[1])):
		return fmt.Errorf("found %q instead of the part of %q", shorten(header), f.Path())
	case changed && !binary && !p.at("@@ ") && strings.Trim(ids[0], "0") != "" && strings.Trim(ids[1], "0") != "":
		return fmt.Errorf("no changed lines of %q", f.Path())
	}
	f.Binary = f.Binary || binary
	last := Block{OldStart: 1, NewStart: 1}
	for p.at("@@ ") {
		if last, err = p.hunk(last); err != nil {
			return err
		}
	}
	return nil
}

// header returns the line "diff --git" and those that follow, up to the first hunk or the next
// file. Git quotes names with line breaks, so that none of these lines can begin like a hunk.
func (p *parser) header() ([]byte, error) {
	start, line := p.pos, p.peek()
	if !p.at("diff --git ") {
		return nil, fmt.Errorf("found %q instead of a line that starts with \"diff --git \"", shorten(line))
	}
	for p.skip(line); !p.done() && !p.at("@@ ") && !p.at("diff --git "); p.skip(p.peek()) {
	}
	return p.text[start:p.pos], nil
}

// hunk reads one hunk and records its blocks. known ends where the previous hunk ended; hunk
// returns a block that ends where this one does.
func (p *parser) hunk(known Block) (Block, error) {
	start, firstBlock, line := p.pos, len(p.blocks), p.peek()
	h, ok := parseHunkHeader(line)
	if !ok {
		return known, fmt.Errorf("malformed hunk header %q", shorten(line))
	}
	oldGap, newGap := h.OldStart-known.oldEnd(), h.NewStart-known.newEnd()
	if oldGap < 0 || oldGap != newGap {
		return known, fmt.Errorf("the hunk header %q does not fit the hunks before it", shorten(line))
	}
	p.skip(line)
	if err := p.body(h); err != nil {
		return known, err
	}
	p.hunks = append(p.hunks, Hunk{Block: h, Blocks: slices.Clip(p.blocks[firstBlock:]), Text: p.text[start:p.pos:p.pos]})
	return h, nil
}

// body reads the lines of the hunk h.
func (p *parser) body(h Block) error {
	at := Block{OldStart: h.OldStart, NewStart: h.NewStart} // the block that is being read
	for at.oldEnd() < h.oldEnd() || at.newEnd() < h.newEnd() || p.at("\\") {
		if p.done() {
			return errors.New("the diff ends within a hunk")
		}
		line := p.peek()
		switch {
		case len(line) == 0 || line[0] == ' ':
			p.endBlock(at)
			at = Block{OldStart: at.oldEnd() + 1, NewStart: at.newEnd() + 1}
		case line[0] == '-':
			at.OldCount++
		case line[0] == '+':
			at.NewCount++
		case line[0] != '\\':
			return fmt.Errorf("unexpected %q within a hunk", shorten(line))
		}
		if at.oldEnd() > h.oldEnd() || at.newEnd() > h.newEnd() {
			return errors.New("the hunk has other line counts than its header says")
		}
		p.skip(line)
	}
	p.endBlock(at)
	return nil
}

func (p *parser) endBlock(b Block) {
	if b.OldCount > 0 || b.NewCount > 0 {
		p.blocks = append(p.blocks, b)
	}
}

// shorten keeps an error message readable when a line is very long.
func shorten(line []byte) []byte {
	const limit = 200
	return line[:min(len(line), limit)]
}

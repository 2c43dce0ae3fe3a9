package diff

import (
	"bytes"
	"errors"
	"fmt"
)

// maxLine bounds the numbers in a hunk header, so that sums of them cannot
// overflow.
const maxLine = 1<<31 - 1

// parse reads a unified diff as [Repo.Diff] has git print it: with "diff --git"
// headers, the prefixes a/ and b/, and neither colours nor copies nor binary
// patches. The texts of the result are parts of text, which must not be changed
// afterwards.
//
// Whatever does not fit is an error that names the line: a hunk that ends early,
// names that disagree, a path outside the repository, text between two files.
func parse(text []byte) (*Diff, error) {
	p := &parser{text: text, line: 1}
	for !p.done() {
		if err := p.file(); err != nil {
			return nil, fmt.Errorf("parse diff: line %d: %w", p.line, err)
		}
	}
	return &Diff{Files: p.files}, nil
}

// parser walks over the lines of a diff. Its place is always the start of a line.
type parser struct {
	text  []byte
	pos   int
	line  int // number of the line at pos
	files []File
	start int // where the last of files begins
	// blocks holds the blocks of all files, so that a small file needs no
	// allocation of its own.
	blocks []Block
	// hunks holds the hunks of all files, likewise.
	hunks []Block
}

func (p *parser) done() bool { return p.pos == len(p.text) }

// peek returns the line at the parser's place, without its line feed.
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

func (p *parser) file() error {
	start, firstBlock, firstHunk := p.pos, len(p.blocks), len(p.hunks)
	h, err := p.header()
	if err != nil {
		return err
	}
	f, err := h.file()
	if err != nil {
		return err
	}
	switch {
	case p.at("Binary files "):
		f.Binary = true
		err = p.binary()
	case p.at("--- "):
		err = p.content(f)
	case f.Kind == Modified && h.modeChanged:
		f.Kind = ModeChanged
	case f.Kind == Modified:
		err = fmt.Errorf("no changed lines of %q", f.New)
	}
	if err != nil {
		return err
	}
	f.Blocks = p.blocks[firstBlock:len(p.blocks):len(p.blocks)]
	f.Hunks = p.hunks[firstHunk:len(p.hunks):len(p.hunks)]
	p.add(f, start)
	return nil
}

// add records f, whose part of the text is from start up to the parser's place.
// Git prints a change of type as a deletion followed by an addition of the same
// path, and prints nothing else like that: the two become one file.
func (p *parser) add(f File, start int) {
	if n := len(p.files); n > 0 && f.Kind == Added && p.files[n-1].Kind == Deleted && p.files[n-1].Old == f.New {
		deleted := p.files[n-1]
		f.Old, f.Kind, f.Blocks, f.Hunks = f.New, TypeChanged, nil, nil
		f.Binary = f.Binary || deleted.Binary
		f.Submodule = f.Submodule || deleted.Submodule
		start, p.files = p.start, p.files[:n-1]
	}
	f.Text = p.text[start:p.pos:p.pos]
	p.files, p.start = append(p.files, f), start
}

func (p *parser) binary() error {
	line := p.peek()
	if !bytes.HasSuffix(line, []byte(" differ")) {
		return fmt.Errorf("unexpected %q", line)
	}
	p.skip(line)
	return nil
}

// content reads the lines "---" and "+++", which must agree with the header, and
// the hunks.
func (p *parser) content(f File) error {
	if err := p.side("--- ", "a/", f.Old); err != nil {
		return err
	}
	if err := p.side("+++ ", "b/", f.New); err != nil {
		return err
	}
	if !p.at("@@ ") {
		return errors.New("no hunk follows")
	}
	last := Block{OldStart: 1, NewStart: 1}
	for p.at("@@ ") {
		var err error
		if last, err = p.hunk(last); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) side(marker, prefix, want string) error {
	line := p.peek()
	name, ok := bytes.CutPrefix(line, []byte(marker))
	if !ok {
		return fmt.Errorf("found %q instead of a line that starts with %q", line, marker)
	}
	// Git ends a name that has a space in it with a tab, and puts a name that
	// has a tab in it in quotes.
	path, err := unquote(bytes.TrimSuffix(name, []byte("\t")))
	if err != nil {
		return err
	}
	if want == "" {
		want = "/dev/null"
	} else {
		want = prefix + want
	}
	if path != want {
		return fmt.Errorf("found the name %q instead of %q", path, want)
	}
	p.skip(line)
	return nil
}

package diff

import (
	"bytes"
	"errors"
	"fmt"
)

// hunk reads one hunk and records its blocks. The argument holds the lines up to
// which the file is known, as a block that ends there; hunk returns the same for
// what comes after it.
func (p *parser) hunk(known Block) (Block, error) {
	line := p.peek()
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
	p.hunks = append(p.hunks, h)
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

// oldEnd and newEnd return the line that follows the block.
func (b Block) oldEnd() int { return b.OldStart + b.OldCount }
func (b Block) newEnd() int { return b.NewStart + b.NewCount }

// parseHunkHeader reads "@@ -10,7 +10,8 @@ anything" as a block that holds all
// lines of the hunk, context included.
func parseHunkHeader(line []byte) (Block, bool) {
	var b Block
	rest, ok := bytes.CutPrefix(line, []byte("@@ -"))
	if !ok {
		return b, false
	}
	if b.OldStart, b.OldCount, rest, ok = parseRange(rest); !ok {
		return b, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(" +")); !ok {
		return b, false
	}
	if b.NewStart, b.NewCount, rest, ok = parseRange(rest); !ok {
		return b, false
	}
	return b, bytes.HasPrefix(rest, []byte(" @@")) && b.OldCount+b.NewCount > 0
}

// parseRange reads "10,7", or "10" for one line. Of no lines at all git gives the
// line before the change as the start; parseRange returns the one after it.
func parseRange(text []byte) (start, count int, rest []byte, ok bool) {
	if start, rest, ok = parseNumber(text); !ok {
		return 0, 0, nil, false
	}
	count = 1
	if len(rest) > 0 && rest[0] == ',' {
		if count, rest, ok = parseNumber(rest[1:]); !ok {
			return 0, 0, nil, false
		}
	}
	if count == 0 {
		start++
	}
	return start, count, rest, start > 0
}

func parseNumber(text []byte) (n int, rest []byte, ok bool) {
	digits := 0
	for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
		if n = 10*n + int(text[digits]-'0'); n > maxLine {
			return 0, nil, false
		}
		digits++
	}
	return n, text[digits:], digits > 0
}

package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A fingerprint identifies a line of code across runs.

// fingerprintVersion is the version of [Fingerprint].
const fingerprintVersion = "1"

// Fingerprint returns a text that identifies the same problem in other runs. It depends on the job,
// the file, the normalized text of the offending line and its occurrence among equal lines, but not
// on the line's number or on the wording. It is empty if the line is not known.
//
// Rule: A place moves with its lines.
func Fingerprint(job, file string, at LineFact) string {
	if !at.Known {
		return ""
	}
	parts := []string{fingerprintVersion, job, file, evenlySpaced(at.Text), strconv.Itoa(at.Occurrence)}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// FingerprintLines returns, for each fingerprint that a report of the job in the file could have,
// its line from 1 on. Line 0 is the fingerprint of the whole file, which is also that of the first
// empty line.
func FingerprintLines(job, file string, content []byte) map[string]int {
	all := map[string]int{Fingerprint(job, file, LineFact{Known: true}): 0}
	seen, number := map[string]int{}, 0
	for line := range bytes.Lines(content) {
		number++
		text := string(bytes.TrimSpace(line))
		if print := Fingerprint(job, file, LineFact{Known: true, Text: text, Occurrence: seen[text]}); text != "" || seen[text] > 0 {
			all[print] = number
		}
		seen[text]++
	}
	return all
}

const (
	hashWindow = 100 // characters that the hash of a line covers, from the start of the line
	hashFactor = 37
	endOfText  = 65535
)

// LineHashes returns one hash for each line of the file, by which GitHub code scanning recognizes
// results ("primaryLocationLineHash"). A text that ends with a line break has an empty line after
// it.
//
// A line's hash covers 100 characters, in UTF-16 code units, from the start of the line, without
// spaces and tabs and with all line breaks treated alike. The number after the colon is how many
// lines up to this one have the same hash. The time is linear in the size of the file.
func LineHashes(content []byte) []string {
	h := lineHasher{counts: map[uint64]int{}, expiry: 1, lineStart: true}
	for range hashWindow {
		h.expiry *= hashFactor
	}
	for len(content) > 0 {
		r, size := decodeRune(content)
		content = content[size:]
		if r > 0xFFFF {
			r -= 0x10000
			h.read(0xD800 + uint64(r>>10))
			h.read(0xDC00 + uint64(r&0x3FF))
			continue
		}
		h.read(uint64(r))
	}
	h.read(endOfText)
	for range hashWindow {
		h.shift(0)
	}
	return h.hashes
}

// lineHasher is a rolling hash over the last characters of a text.
type lineHasher struct {
	sum    uint64
	window [hashWindow]uint64
	starts [hashWindow]bool // whether a line starts at the character in the window
	at     int
	expiry uint64 // the factor of a character in the sum when it leaves the window

	lineStart, afterCR bool
	counts             map[uint64]int
	hashes             []string
}

func (h *lineHasher) read(c uint64) {
	wasCR := h.afterCR
	h.afterCR = c == '\r'
	switch {
	case c == ' ', c == '\t', c == '\n' && wasCR:
		return
	case c == '\r':
		c = '\n'
	}
	starts := h.lineStart
	h.lineStart = c == '\n'
	at := h.at
	h.shift(c)
	h.starts[at] = starts
}

// shift moves a character into the window. If a line starts at the character that leaves the
// window, the line's hash is complete.
func (h *lineHasher) shift(c uint64) {
	if h.starts[h.at] {
		h.counts[h.sum]++
		h.hashes = append(h.hashes, strconv.FormatUint(h.sum, 16)+":"+strconv.Itoa(h.counts[h.sum]))
	}
	h.sum = hashFactor*h.sum + c - h.expiry*h.window[h.at]
	h.window[h.at] = c
	if h.at++; h.at == hashWindow {
		h.at = 0
	}
}

// decodeRune decodes a character. In invalid UTF-8, the longest part that could begin a character
// becomes U+FFFD, as in JavaScript.
func decodeRune(text []byte) (r rune, size int) {
	r, size = utf8.DecodeRune(text)
	if r != utf8.RuneError {
		return r, size
	}
	for size < len(text) && !utf8.FullRune(text[:size]) {
		if utf8.FullRune(text[:size+1]) {
			// The next byte either completes the character, which would then have been valid, or
			// does not belong to it.
			return r, size
		}
		size++
	}
	return r, size
}

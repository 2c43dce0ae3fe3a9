package ledger

// A fingerprint identifies a line of code across runs.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

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

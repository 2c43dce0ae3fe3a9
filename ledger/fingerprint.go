package ledger

// A fingerprint recognises the same line in other runs.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// fingerprintVersion is the version of [Fingerprint].
const fingerprintVersion = 1

// Fingerprint returns what recognises the same problem in other runs. It depends on job, file and the
// normalised text of the offending line with its occurrence among equal lines, but not on the line's
// number or the wording. It is empty if the line is not known.
//
// Rule: A place moves with its lines.
func Fingerprint(job, file string, at LineFact) string {
	if !at.Known {
		return ""
	}
	line := strings.Join(strings.Fields(at.Text), " ")
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%s\x00%d", fingerprintVersion, job, file, line, at.Occurrence))
	return hex.EncodeToString(sum[:16])
}

// FingerprintLines returns the lines, from 1, of the fingerprints that reports of the job in the file
// would have. The fingerprint of the whole file, which its first empty line shares, has line 0.
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

package prompt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxAgain bounds how much of an answer is shown to its reviewer, and maxMisfit the text about what
// does not fit, in bytes.
const (
	maxAgain  = 100_000
	maxMisfit = 2_000
)

// Again returns the prompt for a second call: the first prompt, then the answer so far as data,
// then what does not fit. It cuts the middle out of a long answer, and says so; also if the prompt
// would otherwise exceed the limit with which it was built. Without any of the answer, the prompt
// is less than 3,000 bytes longer than the first, and may still exceed the limit.
//
// Rule: Nothing is left out without a word.
func Again(p Prompt, answer, misfit string) []byte {
	digest := sha256.New()
	addToDigest(digest, p.Fence, answer)
	fence := p.Fence + "-" + hex.EncodeToString(digest.Sum(nil))[:16]
	misfit = oneLine(misfit)
	end := fmt.Sprintf("\n# What does not fit\n\n%s\n\nGive the same review in the form. Leave nothing out.\n", misfit[:cut(misfit, maxMisfit)])
	const begin = "\n# Your answer so far\n\n"
	room := maxAgain
	if p.limit > 0 {
		frame := len("BEGIN \nEND \n") + 2*len(fence) + len(leftOut(len(answer)))
		room = max(0, min(room, p.limit-len(p.Text)-len(begin)-frame-len(end)))
	}
	b := bytes.NewBuffer(bytes.Clone(p.Text))
	writeData(b, begin, fence, []byte(shortened(answer, room)))
	b.WriteString(end)
	return b.Bytes()
}

func leftOut(size int) string { return fmt.Sprintf("\n[… %d bytes left out …]\n\n", size) }

// shortened cuts the middle out of a text that is longer than room. The result ends with a line
// break.
func shortened(text string, room int) string {
	if len(text) > room {
		first, last := cut(text, room/2), len(text)-room/2
		for last < len(text) && !utf8.RuneStart(text[last]) {
			last++
		}
		text = text[:first] + strings.TrimSuffix(leftOut(last-first), "\n") + text[last:]
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// cut returns the length of the first whole characters of a text, at most size bytes.
func cut(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return size
}

package clients

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
)

// PromptInput is what one slot is to review.
type PromptInput struct {
	// Instructions are the review gate's own text. They come from the
	// configuration and are the one part of a prompt that may give orders.
	Instructions string
	EntryPoint   string
	Files        []FileDiff
	// Claims are to be verified. Known is listed only so that it is not reported
	// again, except at the place of a claim. What was skipped belongs in neither.
	Claims, Known []Earlier
	// Rerun reports whether the slot has answered before in this run, so that
	// the diff holds no more than what has changed since.
	Rerun bool
	// Threshold is the lowest priority that a new problem must have on a rerun, as in
	// "high"; empty means that every priority counts.
	Threshold string
	// CodeReview asks for a title, a range, a confidence and whether the
	// problem breaks the system, too.
	CodeReview bool
	// WholeFiles means that the files' texts are their content, not a diff:
	// their lines are numbered in the prompt, and all are under review.
	WholeFiles bool
	// Limit is the largest prompt, in bytes; 0 means none.
	Limit int
}

// FileDiff is one changed file. Its text is passed on as it is, invalid UTF-8
// included.
type FileDiff struct {
	Path string
	Text []byte
}

// Prompt is what one call puts to a reviewer.
type Prompt struct {
	Text []byte
	// Files and Claims (by ID) are what this prompt holds of the input's.
	Files, Claims []string
	// Fence marks the data in the prompt, alone or as the beginning of a longer word.
	// It occurs nowhere else, so an answer that holds it repeats the prompt.
	Fence string
	// input is what all prompts of the slot were made of.
	input *PromptInput
}

// TooLargeError says that a prompt cannot be split far enough.
type TooLargeError struct {
	// File is the one that alone exceeds the limit; it is empty if the
	// instructions do.
	File string
	// Size is that of the smallest possible prompt; both are in bytes.
	Size, Limit int
}

// Error returns one line that says what the user can do.
func (e *TooLargeError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("the review's instructions alone make a prompt of %d bytes, and the reviewer takes %d: shorten them",
			e.Size, e.Limit)
	}
	return fmt.Sprintf("%q alone makes a prompt of %d bytes, and the reviewer takes %d: exclude the file or use another reviewer",
		e.File, e.Size, e.Limit)
}

// BuildPrompts returns one prompt, or several where one would exceed the limit.
// They are split by file, and each claim and known violation goes with its
// file, also if nothing of that file is in the diff. Together they hold
// everything, except that no prompt is made of known violations only where
// there is another: it would ask for nothing. The only error is a
// *[TooLargeError].
func BuildPrompts(in PromptInput) ([]Prompt, error) {
	frame := newFrame(in)
	fixed := frame.size()
	if in.Limit > 0 && fixed > in.Limit {
		return nil, &TooLargeError{Size: fixed, Limit: in.Limit}
	}
	var parts [][]unit
	room := 0
	for _, u := range unitsOf(in) {
		size := u.size()
		if in.Limit > 0 && fixed+size > in.Limit {
			return nil, &TooLargeError{File: u.path, Size: fixed + size, Limit: in.Limit}
		}
		if len(parts) == 0 || in.Limit > 0 && size > room {
			parts = append(parts, nil)
			room = in.Limit - fixed
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], u)
		room -= size
	}
	if last := len(parts) - 1; last > 0 && !slices.ContainsFunc(parts[last], unit.asks) {
		parts = parts[:last]
	}
	if len(parts) == 0 {
		parts = [][]unit{nil}
	}
	var prompts []Prompt
	for i, units := range parts {
		prompt := frame.prompt(units, i+1, len(parts))
		prompt.input = &in
		prompts = append(prompts, prompt)
	}
	return prompts, nil
}

// unit is what must stay together in one prompt: all that concerns one file.
type unit struct {
	path     string
	changed  bool
	text     []byte
	claims   []byte
	claimIDs []string
	known    []byte
}

func (u unit) size() int { return len(u.text) + len(u.claims) + len(u.known) }

// asks reports whether there is something to review in it.
func (u unit) asks() bool { return u.changed || len(u.claimIDs) > 0 }

// unitsOf returns the changed files in their order, then the other files of
// claims, then those of known violations.
func unitsOf(in PromptInput) []unit {
	var units []unit
	index := map[string]int{}
	of := func(path string) *unit {
		if _, found := index[path]; !found {
			index[path] = len(units)
			units = append(units, unit{path: path})
		}
		return &units[index[path]]
	}
	claims := map[string][]Earlier{}
	for _, claim := range in.Claims {
		claims[claim.File] = append(claims[claim.File], claim)
	}
	shown := map[string]map[int]string{}
	for _, file := range in.Files {
		u := of(file.Path)
		u.changed = true
		u.text = append(u.text, fileText(file, in.WholeFiles)...)
		if len(claims[file.Path]) > 0 {
			shown[file.Path] = withLines(shown[file.Path], file, in.WholeFiles)
		}
	}
	for _, claim := range in.Claims {
		if u := of(claim.File); u.claimIDs == nil {
			w := claimWriter{diff: shown[claim.File], above: map[int]string{}}
			for _, c := range claims[claim.File] {
				u.claimIDs = append(u.claimIDs, c.ID)
				w.write(c)
			}
			u.claims = w.out.Bytes()
		}
	}
	for _, known := range in.Known {
		if !known.contradicts(claims[known.File]) {
			u := of(known.File)
			u.known = append(u.known, knownText(known)...)
		}
	}
	return units
}

// withLines adds the lines that the prompt shows of a file.
func withLines(lines map[int]string, file FileDiff, whole bool) map[int]string {
	found := diffLines
	if whole {
		found = fileLines
	}
	if lines == nil {
		lines = map[int]string{}
	}
	maps.Copy(lines, found(file.Text))
	return lines
}

// fences returns the words that mark data in a prompt: one for the diff, so that all
// reviews of the same diff begin alike, and a longer one that begins with it for what was
// said about it. Neither occurs in what it fences in: they are drawn from the data itself,
// so that the same input gives the same prompt, and nobody can write data that holds its
// own fence.
func fences(in PromptInput) (diff, all string) {
	digest := sha256.New()
	for _, f := range in.Files {
		addToDigest(digest, f.Path, string(f.Text))
	}
	diff = "DATA-" + hex.EncodeToString(digest.Sum(nil))[:16]
	for _, c := range in.Claims {
		addToDigest(digest, c.ID, c.File, c.Issue, c.Result, c.Priority)
		for _, line := range c.Lines {
			addToDigest(digest, line.Text)
		}
	}
	for _, k := range in.Known {
		addToDigest(digest, k.File, k.Issue, k.Priority)
	}
	return diff, diff + "-" + hex.EncodeToString(digest.Sum(nil))[:16]
}

func addToDigest(digest hash.Hash, texts ...string) {
	for _, text := range texts {
		_, _ = fmt.Fprintf(digest, "%d:%s", len(text), text) // a hash never fails
	}
}

// Package prompt writes the prompts for reviewers. It is pure: the same input gives the same bytes.
//
// What several slots and gates have in common comes first, byte for byte, because providers cache
// equal beginnings: the introduction, the change, the diff. Then come the gate's own text, earlier
// findings, and the form of the answer.
package prompt

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Line is a line of a file, without its line break. Lines are counted from 1.
type Line struct {
	Number int
	Text   string
}

// Excerpt has the present lines of a place and those around it, in ascending order. Of a very long
// place it has only the first lines, and Last is the number of the last; else Last is 0.
type Excerpt struct {
	Lines []Line
	Last  int
}

// Finding is a claim or a dispute, with an excerpt for each of its places. The prompt leaves out
// what the author says if more than two claims have the same text.
type Finding struct {
	ledger.Violation
	Now []Excerpt
	// Gone reports whether its lines no longer exist, and Again says why it is put a second time.
	Gone  bool
	Again string
}

// Known is a problem that a prompt lists without asking about it.
type Known struct {
	ledger.Violation
	// State is how it stands, in words. Own reports whether it is open and the slot reported it, and
	// Gone whether its lines no longer exist.
	State     string
	Own, Gone bool
}

// Check is how a check ended when it ran last.
type Check struct {
	Name string
	// Ended is how it ended, in words, and Excerpt the part of the output of a failed one that shows what
	// failed. Ended is empty if it has never ended.
	Ended, Excerpt string
	// Tree is the tree or commit that it ran on, or "" if that is not known. Pending reports that it has
	// not ended in this iteration, and may be running.
	Tree    string
	Pending bool
}

// Gate is a review gate, and the entry points that it covers.
type Gate struct {
	Name   string
	Covers []string
}

// Altered is a changed file that git stores with other bytes than it has in the working tree.
type Altered struct{ Path, By string }

// Change is what a prompt says about a change as a whole.
type Change struct {
	// Subjects are the subjects of its commits, the newest first, and Branch is the branch on which
	// it is made.
	Subjects []string
	Branch   string
	// Gates are the review gates that review it now.
	Gates []Gate
}

// Input is the input for the prompts of one slot.
type Input struct {
	// Instructions are the review gate's own text. They come from the configuration and are the
	// only part of a prompt that may give orders.
	Instructions string
	EntryPoint   string
	// Closed are folders that a reviewer must not read: the log directory, and the ledger's.
	Closed []string
	// Tree is the tree or commit that is reviewed, or "".
	Tree string
	// Gate is the name of the gate.
	Gate string
	Change
	// Answered reports that the diff is divided: New is what the slot has not seen, and Seen what it has
	// seen before. Else New is the whole diff. Invalid UTF-8 is passed on unchanged.
	Answered  bool
	New, Seen []diff.File
	// Named are changed files that are not shown, because this program wrote them.
	Named []string
	// Unchanged are changed files that are not shown, because they are as they were reviewed: in the run
	// that passed, or in an earlier iteration.
	Unchanged []string
	// Altered are files of the diff whose bytes git has changed by more than line endings.
	Altered []Altered
	Checks  []Check
	// Why says, as sentences, why the slot is asked although nothing is new to it, and what is expected.
	Why string
	// Claims and Disputed each ask for a verdict; Known does not. The caller chooses the content
	// and the order of the lists.
	Claims, Disputed []Finding
	Known            []Known
	// MoreKnown is how many known problems are not listed.
	MoreKnown int
	// CodeReview also asks for a title, a confidence and whether the problem breaks the system.
	// Verify means that only the claims decide.
	CodeReview, Verify bool
	// WholeFiles means that the texts are the files' content, and all of it is under review.
	WholeFiles bool
	// Limit is the largest size of a prompt, in bytes; 0 means no limit.
	Limit int
}

// Prompt is the text of one call to a reviewer.
type Prompt struct {
	Text []byte
	// Files (by path) and the others (by ID) are the parts of the input that this prompt has.
	Files, Claims, Disputed, Known []string
	// Fence marks the data in the prompt, alone or as the beginning of a longer word.
	Fence string
	limit int
}

// TooLargeError means that a prompt cannot be split far enough.
type TooLargeError struct {
	// File is the file that alone exceeds the limit; it is empty if the instructions do.
	File string
	// Size is the size of the smallest possible prompt, and Limit the limit, both in bytes.
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

// Build returns one prompt, or several if one would exceed the limit. The input is split by file,
// and each claim, dispute and known problem stays with its file, even if the file is not in the
// diff. Together the prompts have everything, except that no prompt has only known problems if
// there is another: it would not ask for anything. The only error is a *[TooLargeError].
//
// Rule: Nothing is left out without a word.
func Build(in Input) ([]Prompt, error) {
	f := newFrame(in)
	units := unitsOf(in)
	parts := [][]unit{units}
	if in.Limit > 0 {
		var err error
		if parts, err = split(units, f.size(), in.Limit); err != nil {
			return nil, err
		}
	}
	prompts := make([]Prompt, len(parts))
	for i, part := range parts {
		prompts[i] = f.prompt(part, i+1, len(parts))
	}
	return prompts, nil
}

// split divides the units into as few parts as their order allows. fixed is the size of the rest of
// each prompt.
func split(units []unit, fixed, limit int) ([][]unit, error) {
	if fixed > limit {
		return nil, &TooLargeError{Size: fixed, Limit: limit}
	}
	parts := [][]unit{nil}
	room := limit - fixed
	for _, u := range units {
		size := u.size()
		if fixed+size > limit {
			return nil, &TooLargeError{File: u.path, Size: fixed + size, Limit: limit}
		}
		if size > room {
			parts = append(parts, nil)
			room = limit - fixed
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], u)
		room -= size
	}
	for len(parts) > 1 && !slices.ContainsFunc(parts[len(parts)-1], unit.asks) {
		parts = parts[:len(parts)-1]
	}
	return parts, nil
}

// unit is what must stay together in one prompt: everything about one file.
type unit struct {
	path    string
	changed bool
	// summary is its line in the list of changed files.
	summary    []byte
	new, seen  shownPart
	shown      map[int]string
	claims     entries
	disputed   entries
	known      entries
	fromClaims map[string]map[int]bool // lines that were shown with claims, by file
}

// shownPart is what one part of the diff shows: the texts of files, and the lines of a list of these
// files with the number of changed lines.
type shownPart struct{ files, text []byte }

func (p *shownPart) join(other shownPart) {
	p.files, p.text = append(p.files, other.files...), append(p.text, other.text...)
}

func (p shownPart) size() int { return len(p.files) + len(p.text) }

// entries are the entries of one list.
type entries struct {
	text []byte
	ids  []string
}

func (e *entries) add(id string, text []byte) {
	e.ids = append(e.ids, id)
	e.text = append(e.text, text...)
}

func (e *entries) join(other entries) {
	e.ids = append(e.ids, other.ids...)
	e.text = append(e.text, other.text...)
}

// size returns how many bytes a unit adds to a prompt.
func (u unit) size() int {
	return len(u.summary) + u.new.size() + u.seen.size() + len(u.claims.text) + len(u.disputed.text) + len(u.known.text)
}

// asks reports whether the unit has something to review: a changed file, a claim or a dispute.
func (u unit) asks() bool { return u.changed || len(u.claims.ids)+len(u.disputed.ids) > 0 }

// unitsOf returns the changed files in their order, then the other files with claims and disputes,
// then those with known problems.
func unitsOf(in Input) []unit {
	units := []unit{}
	index := map[string]int{}
	of := func(path string) *unit {
		at, found := index[path]
		if !found {
			at = len(units)
			index[path] = at
			units = append(units, unit{path: path, shown: map[int]string{}, fromClaims: map[string]map[int]bool{}})
		}
		return &units[at]
	}
	for _, file := range in.New {
		u := of(file.Path())
		u.show(&u.new, file, in.WholeFiles)
	}
	for _, file := range in.Seen {
		u := of(file.Path())
		u.show(&u.seen, file, in.WholeFiles)
	}
	for i := range units {
		u := &units[i]
		if u.summary = u.new.files; in.Answered { // each part has its own counts
			u.summary = fileSummary(u.path, 0, 0, in.WholeFiles)
		}
	}
	repeated := repeatedWords(in.Claims)
	for _, claim := range in.Claims {
		author := strings.TrimSpace(claim.Author())
		if repeated[author] {
			author = ""
		}
		u := of(claim.Place.File)
		u.claims.add(claim.ShortID, u.entry(claim, author))
	}
	for _, disputed := range in.Disputed {
		u := of(disputed.Place.File)
		u.disputed.add(disputed.ShortID, u.entry(disputed, disputed.Author()))
	}
	for _, known := range in.Known {
		of(known.Place.File).known.add(known.ShortID, knownText(known))
	}
	return units
}

// frame has what all prompts of one input have in common.
type frame struct {
	in Input
	// fence marks the change and its diff, and more the findings about it.
	fence, more string
}

func newFrame(in Input) frame {
	f := frame{in: in}
	f.fence, f.more = fences(in)
	return f
}

// fences returns the words that mark data in a prompt: one for the change, so that all reviews of
// the same change begin with the same bytes, and a longer one that begins with it for the findings
// about the change. Neither occurs in the data that it marks: they are hashes of the data itself,
// so that the same input gives the same prompt, and nobody can write data that contains its own
// fence.
func fences(in Input) (change, all string) {
	digest := sha256.New()
	for _, files := range [][]diff.File{in.New, in.Seen} {
		for _, file := range files {
			addToDigest(digest, file.Path(), string(file.Text))
		}
		addToDigest(digest, "")
	}
	addToDigest(digest, in.Branch)
	addToDigest(digest, in.Subjects...)
	addToDigest(digest, in.Named...)
	addToDigest(digest, in.Unchanged...)
	for _, a := range in.Altered {
		addToDigest(digest, a.Path, a.By)
	}
	change = "DATA-" + hex.EncodeToString(digest.Sum(nil))[:16]
	for _, e := range slices.Concat(in.Claims, in.Disputed) {
		addToDigest(digest, e.ShortID, e.Place.File, string(e.Priority), e.Issue, e.Fix, e.Author(), e.Again)
		addToDigest(digest, e.EarlierWords...)
		for i, place := range e.Places() {
			addToDigest(digest, place.File)
			for _, line := range e.Now[i].Lines {
				addToDigest(digest, line.Text)
			}
		}
	}
	for _, c := range in.Checks {
		addToDigest(digest, c.Name, c.Ended, c.Excerpt)
	}
	for _, k := range in.Known {
		addToDigest(digest, k.ShortID, k.Place.File, k.State, k.Issue)
	}
	return change, change + "-" + hex.EncodeToString(digest.Sum(nil))[:16]
}

func addToDigest(digest hash.Hash, texts ...string) {
	for _, text := range texts {
		_, _ = fmt.Fprintf(digest, "%d:%s", len(text), text) // writing to a hash never fails
	}
}

//go:embed prompt.tmpl
var fixedText string

// fixed returns the template for the parts that are the same in all prompts, except for ids and for
// what does not apply.
var fixed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"oneLine": oneLine, "displayed": displayed, "trim": strings.TrimSpace}).Parse(fixedText))
})

// filled is the data for the fixed parts of a prompt.
type filled struct {
	Prompt
	In Input
	// Closed are the folders that a reviewer must not read.
	Closed string
	// Seen reports that parts of the diff were shown before.
	Seen bool
	// Own reports that the known problems include some that the slot reported and that are open.
	Own bool
	// Summary lists the changed files that are shown.
	Summary string
}

// write writes the fixed part with that name.
func (f filled) write(b *bytes.Buffer, name string) {
	if err := fixed().ExecuteTemplate(b, name, f); err != nil {
		panic(err) // the template is part of the program, and writing to memory cannot fail
	}
}

// Listed returns the ids of everything that the prompt lists.
func (f filled) Listed() []string { return slices.Concat(f.Claims, f.Disputed, f.Known) }

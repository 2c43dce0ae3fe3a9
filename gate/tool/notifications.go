package tool

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

type sarifNotification struct {
	Level      string
	Message    sarifMessage
	Descriptor struct{ ID string }
	Exception  struct{ Message string }
	Locations  []sarifLocation
}

// Unseen is what a tool says that it did not look at.
type Unseen struct {
	// Files are those that the change touches, sorted.
	Files []string
	Words string
}

// words returns what the notification says, on one line.
func (n *sarifNotification) words() string {
	text := cmp.Or(n.Message.Text, n.Message.Markdown, n.Exception.Message, n.Message.ID, n.Descriptor.ID)
	return clients.OneLine(withArguments(text, n.Message.Arguments))
}

// failed reports whether the notification says that the tool could not do its work.
func (n *sarifNotification) failed() bool {
	return !slices.Contains([]string{"", "none", "note", "warning"}, n.Level) // "error", or an unknown level
}

// ended returns an error if an invocation of the tool did not, by its own account, look at
// everything that it should.
//
// Rule: A tool that could not look has not passed.
func (r *reader) ended(in *sarifInvocation) error {
	failed, why, codes := false, "", r.paths.options.ExitCodes
	for _, n := range append(in.Tool, in.Configuration...) {
		if failed = failed || n.failed(); n.failed() && why == "" && n.words() != "" {
			why = ": " + n.words()
		}
	}
	switch {
	case in.ExecutionSuccessful != nil && !*in.ExecutionSuccessful:
		return errors.New(`the tool says that it failed ("executionSuccessful": false)` + why)
	case cmp.Or(in.StartFailure, in.ExitSignal) != "":
		return fmt.Errorf("the tool says that it did not end by itself: %q", cmp.Or(in.StartFailure, in.ExitSignal))
	case in.ExitCode != nil && codes != nil && codes.Refuse(*in.ExitCode) != "":
		return errors.New("the tool says that it " + codes.Refuse(*in.ExitCode))
	case failed:
		return errors.New("the tool says that an error occurred while it ran" + why)
	}
	return nil
}

// notify keeps what the tool of a run says besides its results: what it did not look at, and what
// names none of the files under review.
//
// Rule: A tool that could not look has not passed.
func (r *reader) notify(run *sarifRun) {
	type same struct {
		note         bool
		files, words string
	}
	said := map[same]bool{}
	for i := range run.notifications {
		n := &run.notifications[i]
		words, files := n.words(), r.named(run, n)
		is := same{n.Level == "note", strings.Join(files, "\x00"), words}
		if said[is] {
			continue
		}
		said[is] = true
		words = cmp.Or(words, "a notification without words")
		switch {
		case n.Level == "note":
			r.report.Notes = append(r.report.Notes, "the tool notes: "+words)
		case len(files) > 0:
			r.report.Unseen = append(r.report.Unseen, Unseen{files, words})
		default:
			r.report.Warnings = append(r.report.Warnings, "the tool says: "+words)
		}
	}
}

// named returns the files under review that a notification names, by a location or by their exact
// path in its words. A location that is a folder names what is in it.
func (r *reader) named(run *sarifRun, n *sarifNotification) (files []string) {
	for i := range n.Locations {
		at := r.paths.find(run.place(&n.Locations[i]))
		if !at.touched || at.file == clients.WholeChange {
			continue
		}
		if below := r.paths.below(at.file); len(below) > 0 {
			files = append(files, below...)
		} else { // it, or the folder that the change touches as a whole, such as a submodule
			files = append(files, at.file)
		}
	}
	for _, text := range []string{n.Message.Text, n.Message.Markdown, n.Exception.Message, strings.Join(n.Message.Arguments, "\n")} {
		files = append(files, r.paths.namedIn(text)...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// maxWords is how many bytes of a notification are searched for paths.
const maxWords = 16 << 10

// namedIn returns the touched files whose paths are in a text: relative to the root, or absolute.
func (p *paths) namedIn(text string) (files []string) {
	text = text[:min(len(text), maxWords)]
	for _, root := range p.roots {
		text = strings.ReplaceAll(text, strings.TrimSuffix(root, "/")+"/", " ")
	}
	text = " " + strings.ReplaceAll(text, `\`, "/")
	for at := 1; at < len(text); at++ {
		if !begins(text[:at]) {
			continue
		}
		for end := min(len(text), at+p.longest()); end > at; end-- {
			if file := text[at:end]; ends(text[end:]) && p.isTouched(file) {
				files = append(files, file)
				at = end - 1
				break
			}
		}
	}
	return files
}

// below returns the touched files in a folder.
func (p *paths) below(folder string) []string {
	from, _ := slices.BinarySearch(p.options.Touched, folder+"/")
	to := from
	for to < len(p.options.Touched) && strings.HasPrefix(p.options.Touched[to], folder+"/") {
		to++
	}
	return p.options.Touched[from:to]
}

// longest returns the length of the longest path of a touched file.
func (p *paths) longest() int {
	if p.mostBytes == 0 {
		for _, name := range p.options.Touched {
			p.mostBytes = max(p.mostBytes, len(name))
		}
	}
	return p.mostBytes
}

// begins reports whether a path may begin after the text, and ends whether one may end before it.
func begins(before string) bool {
	before = strings.TrimSuffix(before, "./")
	r, _ := utf8.DecodeLastRuneInString(before)
	return r != '/' && r != '.' && !ofName(r)
}

func ends(after string) bool {
	r, size := utf8.DecodeRuneInString(strings.TrimPrefix(after, "."))
	return size == 0 || r != '/' && r != '.' && !ofName(r)
}

// ofName reports whether a character beside a path makes it another path.
func ofName(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordsOn returns words on the claims in files that the tool did not look at.
//
// Rule: A tool that could not look has not passed.
func wordsOn(unseen []Unseen, claims []ledger.Violation) (words []ledger.ClaimWord) {
	said := map[string]string{}
	for _, u := range unseen {
		for _, file := range u.Files {
			said[file] = cmp.Or(said[file], u.Words)
		}
	}
	for _, c := range claims {
		for _, place := range c.Places() {
			if why := said[place.File]; why != "" {
				words = append(words, ledger.ClaimWord{ID: c.ShortID, Verdict: ledger.ClaimCannotTell, Evidence: "the tool says: " + why})
				break
			}
		}
	}
	return words
}

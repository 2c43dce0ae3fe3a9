// Package triage shows findings to a person one after another, and asks what to do with each. It
// reaches the terminal and the ledger only through the fields of [Session].
package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Input reads a person's answers. Both methods return [io.EOF] at the end of the input.
type Input interface {
	// Key returns the next key that is pressed.
	Key(context.Context) (rune, error)
	// Line returns the next line that is entered, without its line end.
	Line(context.Context) (string, error)
}

// Session is one triage by one person.
type Session struct {
	Input Input
	Out   io.Writer
	Style text.Style
	// Mark records a mark of the whole block of a violation, and returns what it marked.
	Mark func(context.Context, ledger.ListedViolation, ledger.Mark) (ledger.Marked, error)
	// Restore gives violations the status and words back that they had.
	Restore func(ctx context.Context, before []ledger.ListedViolation) error

	blocks  []*block
	answers []*block // that have one, in the order of the answers
}

// block is what is shown together and gets one answer.
type block struct {
	found  []ledger.ListedViolation
	answer ledger.Mark              // its status is empty while there is none
	before []ledger.ListedViolation // what the answer marked, as it was
}

// Done counts the blocks of a session by what was done with them.
type Done struct{ Fixed, Skipped, Disputed, Remaining int }

const (
	keys     = "[f] fixed [s] skip [d] dispute [n] next [b] back [u] undo [?] help [q] quit: "
	ctrlC    = 3
	ctrlD    = 4
	noReason = "none"
)

// What is printed for a question mark, at the keys and at each question.
const (
	helpKeys = `  f  mark it fixed: reviewers check that in the next run
  s  skip it, with words or a reason: reviewers are not asked about it
  d  dispute it, with words: who reported it withdraws it or insists
  n  leave it as it is, and show the next one
  b  show the one before it again
  u  take the last answer back, and show that one again
  q  leave the rest open, and end`
	helpFixed    = "  How it was fixed, in words that a reviewer can check."
	helpWords    = "  Why it is not a problem, or may stay, in your words. Summaries show them, and a later run in which it is reported again."
	helpDisputed = "  Why it is not a problem, with what shows it, such as a place in the code. The reviewer reads that in the next run."
	helpReason   = "  The number or the name of a reason. A skip for another reason than deferred and out_of_scope is remembered in later runs."
	helpLines    = "  q alone ends, and b alone goes back to the keys."
)

// Run goes through the violations, a block at a time. The end of the input counts as quitting. If a mark fails, the
// error is shown and the person is asked again.
func (s *Session) Run(ctx context.Context, found []ledger.ListedViolation, code map[string]ledger.Excerpt) (Done, error) {
	for _, list := range ledger.InBlocks(found, ledger.ListedViolation.Group) {
		s.blocks = append(s.blocks, &block{found: list})
	}
	for at := 0; at < len(s.blocks); {
		err := s.show(at, code)
		if err == nil {
			at, err = s.ask(ctx, at)
		}
		switch {
		case errors.Is(err, errQuit), errors.Is(err, io.EOF):
			return s.done(), s.say("")
		case err != nil:
			return s.done(), err
		}
	}
	return s.done(), nil
}

func (s *Session) done() (done Done) {
	for _, b := range s.blocks {
		switch b.answer.Status {
		case ledger.StatusFixed:
			done.Fixed++
		case ledger.StatusSkipped:
			done.Skipped++
		case ledger.StatusDisputed:
			done.Disputed++
		default:
			done.Remaining++
		}
	}
	return done
}

var (
	errQuit = errors.New("quit")
	errBack = errors.New("back to the keys")
)

func (s *Session) say(format string, args ...any) error {
	_, err := io.WriteString(s.Out, text.Fit(fmt.Sprintf(format, args...), s.Style.Width)+"\n")
	return err
}

// show shows a block, with the answer that it has.
func (s *Session) show(at int, code map[string]ledger.Excerpt) error {
	b := s.blocks[at]
	page := text.Page{Style: s.Style}
	page.Line("%d of %d", at+1, len(s.blocks))
	first := b.found[0]
	if b.answer.Status != "" {
		first.Status, first.Result, first.Reason = b.answer.Status, b.answer.Result, string(b.answer.Reason)
	}
	listings.WriteWide(&page, []ledger.ListedViolation{first}, code)
	for _, v := range b.found[1:] {
		reporter, place, words := v.Entry().Beside(first.Entry())
		page.Words("  also: %s", text.EscapeLine(strings.TrimSpace(fmt.Sprintf("%s %s %s %s", v.ShortID, reporter, place, words))))
	}
	_, err := page.WriteTo(s.Out)
	return err
}

// ask asks about a block until the person answers or leaves it, and returns which one is next.
func (s *Session) ask(ctx context.Context, at int) (next int, err error) {
	for {
		if _, err := io.WriteString(s.Out, keys); err != nil {
			return at, err
		}
		key, err := s.key(ctx)
		if err != nil {
			return at, err
		}
		switch key {
		case 'f', 'F', 's', 'S', 'd', 'D':
			answered, err := s.answer(ctx, s.blocks[at], key)
			if answered || err != nil {
				return at + 1, err
			}
		case 'n', 'N':
			return at + 1, s.say("")
		case 'b', 'B':
			if at > 0 {
				return at - 1, s.say("")
			}
			err = s.say("This is the first one.")
		case 'u', 'U':
			if last, undone, err := s.undoLast(ctx); undone || err != nil {
				return last, err
			}
		case 'q', 'Q', ctrlD:
			return at, errQuit
		case '?':
			err = s.say("%s", helpKeys)
		}
		if err != nil {
			return at, err
		}
	}
}

// answer asks for the words of a mark and records it. It returns false if there is none: because words
// are missing, the person goes back to the keys, or it was refused, which is shown.
func (s *Session) answer(ctx context.Context, b *block, key rune) (answered bool, err error) {
	mark := ledger.Mark{Actor: ledger.ActorHuman}
	lacks := ""
	switch key {
	case 'f', 'F':
		mark.Status = ledger.StatusFixed
		mark.Result, err = s.line(ctx, "How (may be empty): ", helpFixed)
	case 's', 'S':
		mark.Status = ledger.StatusSkipped
		if mark.Result, err = s.line(ctx, "Why (may be empty): ", helpWords); err == nil {
			mark.Reason, err = s.reason(ctx)
		}
		if mark.Result == "" && mark.Reason == "" {
			lacks = "A skip needs words or a reason."
		}
	default:
		mark.Status = ledger.StatusDisputed
		if mark.Result, err = s.line(ctx, "Why it is not a problem: ", helpDisputed); mark.Result == "" {
			lacks = "A dispute needs words."
		}
	}
	switch {
	case errors.Is(err, errBack):
		return false, nil
	case err != nil:
		return false, err
	case lacks != "":
		return false, s.say("%s", lacks)
	}
	if undone, err := s.undo(ctx, b); !undone { // an answer replaces the one before
		return false, err
	}
	return s.mark(ctx, b, mark)
}

// key returns the next key and echoes it after the question.
func (s *Session) key(ctx context.Context) (rune, error) {
	key, err := s.Input.Key(ctx)
	switch {
	case err != nil:
		return 0, err
	case key == ctrlC:
		return 0, context.Canceled
	case key < ' ' || key > '~':
		return key, s.say("")
	}
	return key, s.say("%c", key)
}

// line asks for a line, and again after a question mark. The error is errQuit or errBack if the line is
// one of these keys alone.
func (s *Session) line(ctx context.Context, question, help string) (string, error) {
	for {
		if _, err := io.WriteString(s.Out, question); err != nil {
			return "", err
		}
		line, err := s.Input.Line(ctx)
		if err != nil {
			return "", err
		}
		switch line = strings.TrimSpace(line); line {
		case "q", "Q":
			return "", errQuit
		case "b", "B":
			return "", errBack
		case "?":
		default:
			return line, nil
		}
		if err := s.say("%s\n%s", help, helpLines); err != nil {
			return "", err
		}
	}
}

// reasonsInLine is how many reasons fit beside each other on a terminal.
const reasonsInLine = 3

// reason asks for the reason of a skip, by its number or name.
func (s *Session) reason(ctx context.Context) (ledger.SkipReason, error) {
	reasons := ledger.SkipReasons()
	var choices strings.Builder
	for i, reason := range reasons {
		end := "\n"
		if i%reasonsInLine < reasonsInLine-1 && i < len(reasons)-1 {
			end = strings.Repeat(" ", 16-len(reason))
		}
		fmt.Fprintf(&choices, "  [%d] %s%s", i+1, reason, end)
	}
	for {
		answer, err := s.line(ctx, choices.String()+"Reason (may be empty): ", helpReason)
		if err != nil || answer == "" || answer == noReason {
			return "", err
		}
		for i, reason := range reasons {
			if answer == string(reason) || answer == fmt.Sprint(i+1) {
				return reason, nil
			}
		}
		if err := s.say("%q is not a reason.", text.EscapeLine(answer)); err != nil {
			return "", err
		}
	}
}

// mark records the mark and prints the result. An error is printed too; then marked is false.
func (s *Session) mark(ctx context.Context, b *block, mark ledger.Mark) (marked bool, err error) {
	done, err := s.Mark(ctx, b.found[0], mark)
	if err != nil {
		return false, s.complain(ctx, err)
	}
	b.answer, b.before, s.answers = mark, done.Violations, append(s.answers, b)
	line := b.names() + ": " + string(mark.Status)
	if done.Remembered[b.found[0].ID] {
		line += ", remembered in later runs"
	}
	return true, s.say("%s\n", line)
}

// undoLast takes the last answer back, and returns which block it was about.
func (s *Session) undoLast(ctx context.Context) (at int, undone bool, err error) {
	if len(s.answers) == 0 {
		return 0, false, s.say("There is no answer to take back.")
	}
	last := s.answers[len(s.answers)-1]
	if undone, err = s.undo(ctx, last); !undone {
		return 0, false, err
	}
	for s.blocks[at] != last {
		at++
	}
	return at, true, s.say("%s: as before\n", last.names())
}

// undo takes the answer of a block back, if it has one. An error is printed; then undone is false.
func (s *Session) undo(ctx context.Context, b *block) (undone bool, err error) {
	if b.answer.Status == "" {
		return true, nil
	}
	if err := s.Restore(ctx, b.before); err != nil {
		return false, s.complain(ctx, err)
	}
	b.answer, b.before = ledger.Mark{}, nil
	for i, answered := range s.answers {
		if answered == b {
			s.answers = append(s.answers[:i], s.answers[i+1:]...)
			break
		}
	}
	return true, nil
}

// names returns the ids of a block.
func (b *block) names() string {
	var ids []string
	for _, v := range b.found {
		ids = append(ids, v.ShortID)
	}
	return strings.Join(ids, ", ")
}

// complain prints an error line by line. After an interrupt it returns the error instead.
func (s *Session) complain(ctx context.Context, failed error) error {
	if ctx.Err() != nil {
		return failed
	}
	for line := range strings.SplitSeq(failed.Error(), "\n") {
		if err := s.say("%s", s.Style.Paint(text.Red, "error: ")+text.EscapeLine(line)); err != nil {
			return err
		}
	}
	return nil
}

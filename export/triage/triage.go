// Package triage shows findings to a person one after another, and asks what to do with each. It
// reaches the terminal and the ledger only through the fields of [Session].
package triage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
	// Mark records a mark of the whole block of a violation, and reports whether later runs will
	// remember a skip.
	Mark func(context.Context, ledger.ListedViolation, ledger.Mark) (remembered bool, err error)
}

// Done counts the blocks of a session by what was done with them.
type Done struct{ Fixed, Skipped, Remaining int }

const (
	keys     = "[f] fixed  [s] skip  [n] next  [?] help  [q] quit: "
	ctrlC    = 3
	ctrlD    = 4
	noReason = "none"
)

// What is printed for a question mark, at the keys and at each question.
const (
	helpKeys = `  f  mark it fixed: reviewers check that in the next run
  s  skip it, with words or a reason: reviewers are not asked about it
  n  leave it open, and show the next one
  q  leave the rest open, and end`
	helpFixed  = "  How it was fixed, in words that a reviewer can check."
	helpWords  = "  Why it is not a problem, or may stay, in your words. Summaries show them, and a later run in which it is reported again."
	helpReason = "  The number or the name of a reason. A skip for another reason than deferred and out_of_scope is remembered in later runs."
)

// Run goes through the violations, a block at a time. The end of the input counts as quitting. If a mark fails, the
// error is shown and the person is asked again.
func (s *Session) Run(ctx context.Context, found []ledger.ListedViolation, code map[string]ledger.Excerpt) (Done, error) {
	blocks := ledger.InBlocks(found, ledger.ListedViolation.Group)
	done := Done{Remaining: len(blocks)}
	for i, block := range blocks {
		if err := s.show(i+1, len(blocks), block, code[block[0].ID]); err != nil {
			return done, err
		}
		status, err := s.ask(ctx, block)
		switch {
		case errors.Is(err, errQuit), errors.Is(err, io.EOF):
			return done, s.say("")
		case err != nil:
			return done, err
		case status == ledger.StatusFixed:
			done.Fixed++
			done.Remaining--
		case status == ledger.StatusSkipped:
			done.Skipped++
			done.Remaining--
		}
	}
	return done, nil
}

var errQuit = errors.New("quit")

func (s *Session) say(format string, args ...any) error {
	_, err := fmt.Fprintf(s.Out, format+"\n", args...)
	return err
}

func (s *Session) show(n, all int, block []ledger.ListedViolation, code ledger.Excerpt) error {
	page := text.Page{Style: s.Style}
	page.Line("%d of %d", n, all)
	listings.WriteWide(&page, block[:1], map[string]ledger.Excerpt{block[0].ID: code})
	for _, v := range block[1:] {
		reporter, place, words := v.Entry().Beside(block[0].Entry())
		page.Line("%s", text.Cut("  also: "+text.EscapeLine(strings.TrimSpace(fmt.Sprintf("%s %s %s %s", v.ShortID, reporter, place, words))), s.Style.Width))
	}
	_, err := page.WriteTo(s.Out)
	return err
}

// ask asks until the person marks the block or goes on, and records the mark. The status is empty if
// there is none.
func (s *Session) ask(ctx context.Context, block []ledger.ListedViolation) (status ledger.Status, err error) {
	for {
		if _, err := io.WriteString(s.Out, keys); err != nil {
			return "", err
		}
		key, err := s.key(ctx)
		if err != nil {
			return "", err
		}
		mark := ledger.Mark{Actor: ledger.ActorHuman}
		switch key {
		case 'f', 'F':
			mark.Status = ledger.StatusFixed
			mark.Result, err = s.line(ctx, "How (may be empty): ", helpFixed)
		case 's', 'S':
			mark.Status = ledger.StatusSkipped
			if mark.Result, err = s.line(ctx, "Why (may be empty): ", helpWords); err == nil {
				mark.Reason, err = s.reason(ctx)
			}
			if err == nil && mark.Result == "" && mark.Reason == "" {
				mark.Status, err = "", s.say("A skip needs words or a reason.")
			}
		case 'n', 'N':
			return "", s.say("")
		case 'q', 'Q', ctrlD:
			return "", errQuit
		case '?':
			err = s.say("%s", helpKeys)
		}
		if err != nil || mark.Status == "" {
			if err != nil {
				return "", err
			}
			continue
		}
		marked, err := s.mark(ctx, block, mark)
		if err != nil || marked {
			return mark.Status, err
		}
	}
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

// line asks for a line, and again after a question mark.
func (s *Session) line(ctx context.Context, question, help string) (string, error) {
	for {
		if _, err := io.WriteString(s.Out, question); err != nil {
			return "", err
		}
		line, err := s.Input.Line(ctx)
		if line = strings.TrimSpace(line); line != "?" || err != nil {
			return line, err
		}
		if err := s.say("%s", help); err != nil {
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
func (s *Session) mark(ctx context.Context, block []ledger.ListedViolation, mark ledger.Mark) (marked bool, err error) {
	remembered, failed := s.Mark(ctx, block[0], mark)
	if failed != nil {
		if ctx.Err() != nil {
			return false, failed
		}
		return false, s.complain(failed)
	}
	var ids []string
	for _, v := range block {
		ids = append(ids, v.ShortID)
	}
	line := fmt.Sprintf("%s: %s", strings.Join(ids, ", "), mark.Status)
	if remembered {
		line += ", remembered in later runs"
	}
	return true, s.say("%s\n", line)
}

// complain prints an error line by line.
func (s *Session) complain(failed error) error {
	for _, line := range slices.Collect(strings.SplitSeq(failed.Error(), "\n")) {
		if err := s.say("%s", s.Style.Paint(text.Red, "error: ")+text.EscapeLine(line)); err != nil {
			return err
		}
	}
	return nil
}

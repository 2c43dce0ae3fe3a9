package gate

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// slotRun is one slot while it is reviewed.
type slotRun struct {
	*iteration
	job  plannedJob
	slot plannedSlot
	log  SlotLog
	call store.SlotCall
}

// executeSlot asks the slot's reviewer and records what it said: first the rows,
// then the files.
func (i *iteration) executeSlot(ctx context.Context, job plannedJob, slot plannedSlot) (ledger.SlotStatus, error) {
	log, err := i.createSlotLog(job, slot)
	if err != nil {
		return "", err
	}
	s := &slotRun{iteration: i, job: job, slot: slot, log: log}
	s.call = store.SlotCall{Job: job.id, Slot: slot.Index, Adapter: slot.adapter}
	answer, err := s.ask(ctx)
	switch {
	case err != nil:
		if i.collected != nil {
			i.collected.fail()
		}
		return s.fail(ctx, err)
	case i.collected != nil:
		i.collected.add(s, answer)
		return ledger.SlotRunning, nil
	}
	return s.settle(ctx, answer)
}

// createSlotLog begins a slot's log with what was decided about the slot.
func (i *iteration) createSlotLog(job plannedJob, slot plannedSlot) (SlotLog, error) {
	header := ledger.SlotLogHeader{
		Job: job.id, EntryPoint: job.Entry, Adapter: slot.adapter, Slot: slot.Index, Iteration: i.number,
		Base: i.state.Run.BaseRef,
	}
	log, err := i.LogDir.CreateSlotLog(header)
	if err != nil {
		return nil, err
	}
	log.Plan(slot.SlotPlan)
	switch {
	case slot.diff == nil:
	case i.wholeFiles:
		log.Note(fmt.Sprintf("Reviewing %s, %d bytes", count(len(slot.diff.Files), "file"), slot.diff.Size()))
	default:
		log.Note(fmt.Sprintf("Reviewing %s, %d bytes of diff", count(len(slot.diff.Files), "changed file"), slot.diff.Size()))
	}
	if n := len(slot.claims); n > 0 {
		log.Note("To verify: " + count(n, "claim"))
	}
	return log, nil
}

// ask builds the prompts and puts them to the reviewer.
func (s *slotRun) ask(ctx context.Context) (review.Answer, error) {
	prompts, err := review.BuildPrompts(s.promptInput())
	if err != nil {
		return review.Answer{}, err
	}
	for _, prompt := range prompts {
		s.call.Prompts = append(s.call.Prompts, prompt.Text)
	}
	outcome, err := review.Ask(ctx, s.slot.reviewer, prompts, review.Call{
		Dir: s.Repo.Root, Model: s.job.Review.Model, Timeout: s.timeout(),
	})
	for _, reply := range outcome.Replies {
		s.addReply(reply)
	}
	s.call.Usage, s.call.Duration = ledger.Usage(outcome.Usage()), outcome.Duration()
	return outcome.Answer, err
}

// timeout is the review's, else the adapter's; 0 leaves it to package review.
func (s *slotRun) timeout() (d time.Duration) {
	if s.job.Review.Timeout > 0 {
		return s.job.Review.Timeout
	}
	return s.Config.Adapters[s.slot.adapter].Timeout
}

func (s *slotRun) addReply(reply review.Reply) {
	text := reply.Text
	if text == "" {
		text = string(reply.Stdout)
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if s.call.Calls > 0 && s.call.Raw != "" {
		s.call.Raw += "\n"
	}
	s.call.Raw += text
	s.call.Stderr = append(s.call.Stderr, reply.Stderr...)
	s.call.Calls++
}

// settle records the answer and writes the slot's files.
func (s *slotRun) settle(ctx context.Context, answer review.Answer) (ledger.SlotStatus, error) {
	entries, warnings := s.entries(answer)
	result, err := s.recorder.RecordAnswer(ctx, store.SlotAnswer{
		SlotCall: s.call,
		Answer:   ledger.Answer{Fail: answer.Status == review.StatusFail, Entries: entries},
		Rules: ledger.Rules{
			Slot: s.slot.Index, AnsweredBefore: s.slot.answered,
			Threshold: ledger.Priority(s.Config.NewIssueThreshold),
		},
		Facts:      ledger.Facts{InDiff: s.inDiff(s.slot.diff), InFixLines: s.inDiff(s.slot.since)},
		NumReviews: s.job.Review.NumReviews, Before: s.state, Shown: s.shown(),
		Carry: s.carryFact(ctx), Line: newLines(s.Repo.Root).at,
	})
	if err != nil {
		return "", err
	}
	for _, warning := range append(warnings, result.Warnings...) {
		s.Console.Warn(fmt.Sprintf("%s (%s@%d): %s", s.job.id, s.slot.adapter, s.slot.Index, warning))
	}
	filtered := s.filtered(result.Evaluation)
	outcome := s.outcome(result.Status, strings.Join(append(nonEmpty(result.Reason), filtered...), ", "))
	outcome.Violations = len(result.Document.Violations)
	if result.Status != ledger.SlotError {
		path, err := s.LogDir.WriteSlot(result.Document)
		if err != nil {
			return "", err
		}
		if outcome.Violations > 0 {
			outcome.Path = path
		}
	}
	if err := s.finishLog(result.Document, result.Status, result.Reason, append(warnings, append(result.Warnings, filtered...)...)); err != nil {
		return "", err
	}
	s.Console.SlotDone(outcome)
	return result.Status, nil
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func (s *slotRun) outcome(status ledger.SlotStatus, reason string) ledger.SlotOutcome {
	return ledger.SlotOutcome{
		Job: s.job.id, Adapter: s.slot.adapter, Slot: s.slot.Index,
		Status: status, Reason: reason, Path: s.log.Path(), Duration: s.call.Duration,
	}
}

// finishLog writes the end of the slot's log. A slot without a reading of its
// answer has an empty document.
func (s *slotRun) finishLog(document ledger.SlotDocument, status ledger.SlotStatus, reason string, lines []string) error {
	s.log.Output(s.slot.adapter, s.call.Raw)
	if status.Answered() {
		s.log.Parsed(document)
	}
	for _, line := range lines {
		s.log.Note(line)
	}
	if reason == "" {
		reason = count(len(document.Violations), "violation")
	}
	s.log.Result(status, reason)
	return s.log.Close()
}

// fail records that the slot has no answer. Its other slots' results stay.
func (s *slotRun) fail(ctx context.Context, cause error) (ledger.SlotStatus, error) {
	status, reason := ledger.SlotError, cause.Error()
	e, isCall := callError(cause)
	switch {
	case isCall && e.Kind == review.KindInterrupted:
		status, reason = ledger.SlotInterrupted, "interrupted"
	case isCall && e.Kind == review.KindUsageLimit:
		if err := s.Ledger.SetCooldown(ctx, s.slot.adapter, reason, cooldown); err != nil {
			return "", err
		}
	}
	if err := s.recorder.RecordSlotError(ctx, s.call, status, reason); err != nil {
		return "", err
	}
	var lines []string
	if stderr := strings.TrimSpace(string(s.call.Stderr)); stderr != "" {
		lines = append(append(lines, "--- Stderr ---"), strings.Split(stderr, "\n")...)
	}
	if err := s.finishLog(ledger.SlotDocument{}, status, reason, lines); err != nil {
		return "", err
	}
	s.Console.SlotDone(s.outcome(status, reason))
	return status, nil
}

// filtered counts what was left out, for the log and the console.
//
// Requirement: Re-run Violation Priority Filter, "Below-threshold new violation
// discarded on re-run".
func (s *slotRun) filtered(e ledger.Evaluation) []string {
	var lines []string
	note := func(d ledger.Disposition, words string) {
		if n := e.Count(d); n > 0 {
			lines = append(lines, fmt.Sprintf("%d %s filtered", n, words))
		}
	}
	note(ledger.OutOfDiff, "outside the changed lines")
	note(ledger.BelowThreshold, fmt.Sprintf("below the threshold (%s)", s.Config.NewIssueThreshold))
	note(ledger.PreviouslySkipped, "previously skipped")
	if e.Status != ledger.SlotError { // then it is the reason
		note(ledger.Malformed, "malformed")
	}
	return lines
}

// entries turns the answer's entries into the ledger's.
func (s *slotRun) entries(answer review.Answer) (entries []ledger.Entry, warnings []string) {
	for _, e := range answer.Entries {
		place := ledger.Place{Start: e.Start, End: e.End}
		if e.File != "" {
			var line int
			place.File, line = s.resolve(e.File)
			if place.WholeFile() && line > 0 {
				place.Start, place.End = line, line
			}
		}
		priority, _ := ledger.ParsePriority(e.Priority)
		if e.PriorityUnknown {
			warnings = append(warnings, fmt.Sprintf("violation %d has the unknown priority %q; it counts as high", e.Position, e.PriorityGiven))
		}
		entries = append(entries, ledger.Entry{
			Position: e.Position, Place: place,
			Issue: e.Issue, Fix: e.Fix, Priority: priority, Title: e.Title, Confidence: e.Confidence,
			SystemBreaking: e.SystemBreaking, Missing: e.Missing,
		})
	}
	return entries, warnings
}

// resolve finds the file that a reviewer names, also one named relative to the
// entry point under review.
func (s *slotRun) resolve(file string) (name string, line int) {
	name, line = review.ResolvePath(file, s.Repo.Root, s.underReview)
	if s.underReview(name) {
		return name, line
	}
	inside, insideLine := review.ResolvePath(path.Join(s.job.Entry, file), s.Repo.Root, s.underReview)
	if s.underReview(inside) {
		return inside, insideLine
	}
	if alike, alikeLine, ok := s.resembling(file, name); ok {
		return alike, alikeLine
	}
	return name, line
}

// resembling finds the file under review that a reviewer means who leaves out its
// folders, adds some of another checkout, or errs in the letter case. A file that is
// there is meant by its name.
func (s *slotRun) resembling(file, plain string) (name string, line int, ok bool) {
	if filepath.IsLocal(plain) {
		if _, err := os.Lstat(filepath.Join(s.Repo.Root, plain)); err == nil {
			return "", 0, false
		}
	}
	paths := s.slot.diff.Paths()
	for _, v := range slices.Concat(s.slot.claims, s.slot.open, s.slot.context) {
		paths = append(paths, v.Place.File)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	name, line = review.ResolvePath(file, s.Repo.Root, func(path string) bool {
		_, found := review.Resembling(path, paths)
		return found
	})
	name, ok = review.Resembling(name, paths)
	return name, line, ok
}

// underReview reports whether the file is in the slot's diff, or has a claim or
// an open violation of it.
func (s *slotRun) underReview(file string) bool {
	here := func(v ledger.Violation) bool { return v.Place.File == file }
	return s.slot.diff.Contains(file, 0, 0) || slices.ContainsFunc(s.slot.claims, here) ||
		slices.ContainsFunc(s.slot.open, here) || slices.ContainsFunc(s.slot.context, here)
}

func (s *slotRun) inDiff(d *diff.Diff) func(ledger.Place) bool {
	return func(p ledger.Place) bool { return d != nil && d.Contains(p.File, p.Start, p.End) }
}

func (s *slotRun) shown() map[string]bool {
	shown := map[string]bool{}
	for _, v := range s.slot.claims {
		shown[v.ID] = true
	}
	return shown
}

// carryFact carries places through diffs that were made when the slot was
// planned, so that no process runs while the ledger is being written.
func (s *slotRun) carryFact(ctx context.Context) func(string, ledger.Place) ledger.Place {
	return func(tree string, place ledger.Place) ledger.Place {
		carried, err := s.carry(ctx, tree, s.slot.to, place)
		if err != nil {
			return ledger.Place{File: place.File} // the whole file: nothing slips past
		}
		return carried
	}
}

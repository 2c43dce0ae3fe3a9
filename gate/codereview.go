package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/review"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// VerdictDir is where the verdict and all that belongs to a code review lies,
// relative to the worktree's root.
const VerdictDir = ".code-review"

// VerdictFiles are the files of code reviews in a worktree.
type VerdictFiles interface {
	// Path is the current verdict as it is shown to the user.
	Path() string
	// Read reads the current verdict as somebody left it, with its bytes. It
	// returns fs.ErrNotExist if there is none.
	Read() (ledger.VerdictDocument, []byte, error)
	// Marshal is the file that shows the verdict.
	Marshal(ledger.VerdictDocument) ([]byte, error)
	// CheckArchive returns an error that names the archive of the review if it
	// exists with other bytes, or cannot exist.
	CheckArchive(reviewID string, data []byte) error
	// Archive writes the archive of the review, once.
	Archive(reviewID string, data []byte) error
	// CheckPlaces returns an error that names what stands where the verdict, the
	// reason of an ABORT, or the report, if it has a path, are to be written.
	CheckPlaces(reportPath string) error
	// WriteReport writes the markdown report to the verdict's ReportPath.
	WriteReport(ledger.Verdict) error
	// Write writes the current verdict, and the reason of an ABORT beside it.
	Write(ledger.Verdict) error
	// Update writes the current verdict after statuses of findings were marked.
	Update(ledger.Verdict) error
}

// ReviewOptions are what the user asks of a code review.
type ReviewOptions struct {
	Mode   ledger.VerdictMode
	Scope  ledger.VerdictScope // empty: changeset
	Target string              // empty: the scope's default
	// HandedIn means that Findings are the review, and nobody is asked.
	HandedIn bool
	Findings []ledger.NewFinding
}

// codeReview is one invocation of code-review.
type codeReview struct {
	*iteration
	review ReviewOptions
	scope  reviewScope
	diffs  *diffCache
	// previous is the verdict that is there; nil for none.
	previous *previousVerdict
	info     ledger.CodeReview
}

// CodeReview reviews a scope, or verifies the verdict that is there, and writes
// the verdict: the rows first, then the file from the rows. After an error the
// file is as it was.
//
// Requirement: Verdict Schema, Lifecycle Rules.
func (r *Runner) CodeReview(ctx context.Context, o ReviewOptions) (ledger.Verdict, error) {
	c := &codeReview{review: o, iteration: &iteration{Runner: r, number: 1, collected: &collection{}}}
	c.diffs = &diffCache{repo: r.Repo, exclude: excluded(r.Config.LogDir)}
	c.iteration.scope.diffs = c.diffs
	if o.Mode == ledger.VerdictVerify {
		return c.verify(ctx)
	}
	return c.start(ctx)
}

// start is a full or quick review.
func (c *codeReview) start(ctx context.Context) (v ledger.Verdict, err error) {
	if c.scope, err = c.findTarget(c.review); err != nil {
		return v, err
	}
	if c.previous, err = c.recallVerdict(ctx, false); err != nil {
		return v, err
	}
	if err := c.previous.checkArchive(c.Verdicts); err != nil {
		return v, err
	}
	id, err := c.Ledger.NewID()
	if err != nil {
		return v, err
	}
	c.state = &ledger.State{Run: ledger.Run{ID: id}}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, c.dropSnapshots(ctx, id))
		}
	}()
	if err := c.prepare(ctx); err != nil {
		return v, err
	}
	if err := c.record(ctx); err != nil {
		return v, err
	}
	if err := c.answer(ctx); err != nil {
		return v, err
	}
	if v, err = c.recorder.Conclude(ctx, c.review.Mode); err != nil {
		return v, err
	}
	v.Run, kept = id, true
	return v, c.publish(ctx, v)
}

// prepare takes the snapshot, finds what is reviewed, and plans who is asked.
func (c *codeReview) prepare(ctx context.Context) error {
	if err := c.takeSnapshot(ctx); err != nil {
		return err
	}
	if err := c.resolve(ctx); err != nil {
		return err
	}
	c.wholeFiles = c.scope.wholeFiles()
	c.iteration.scope.to = c.scope.to
	if c.review.HandedIn {
		return nil
	}
	if c.scope.diff.Empty() {
		return fmt.Errorf("there is nothing to review in %s %q", c.scope.scope, c.scope.target)
	}
	return c.planReviews(ctx)
}

func (c *codeReview) takeSnapshot(ctx context.Context) (err error) {
	c.snapshot, err = c.Repo.Snapshot(ctx, diff.SnapshotOptions{
		Exclude: excluded(c.Config.LogDir), Ref: snapshotRef(c.state.Run.ID, c.number),
	})
	for _, warning := range c.snapshot.Warnings {
		c.Console.Warn(warning)
	}
	return err
}

// planReviews plans the review gates that cover what is reviewed: all their slots,
// of a quick review the first.
func (c *codeReview) planReviews(ctx context.Context) error {
	jobs, err := c.Config.Jobs(c.scope.diff.Paths())
	if err != nil {
		return err
	}
	health, err := c.checkHealth(ctx)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if job.Kind != config.KindReview || !c.Config.Applies(job, c.CI) {
			continue
		}
		p := plannedJob{Job: job, id: job.ID()}
		slots := job.Review.NumReviews
		if c.review.Mode == ledger.VerdictQuick {
			slots = 1
		}
		part := c.scope.diff.Filter(job.Covers)
		for index := 1; index <= slots; index++ {
			slot := plannedSlot{SlotPlan: ledger.SlotPlan{Index: index}, diff: part, to: c.scope.to}
			if err := c.fill(&p, &slot, health); err != nil {
				return err
			}
			p.slots = append(p.slots, slot)
		}
		c.jobs = append(c.jobs, p)
	}
	if len(c.jobs) == 0 {
		return fmt.Errorf("no review gate covers %s %q; `reviewledger list` shows the gates and their entry points", c.scope.scope, c.scope.target)
	}
	return nil
}

// fill finds the slot's reviewer. A gate without one is broken.
func (c *codeReview) fill(p *plannedJob, slot *plannedSlot, health *health) (err error) {
	adapters, sick := health.of(p.Review.CLIPreference)
	if len(adapters) == 0 {
		p.broken = "no healthy adapters: " + strings.Join(sick, ", ")
		slot.adapter = p.Review.CLIPreference[0]
		return nil
	}
	slot.adapter = adapters[(slot.Index-1)%len(adapters)]
	slot.reviewer, err = c.Reviewers(slot.adapter)
	return err
}

// record opens the run and its iteration.
func (c *codeReview) record(ctx context.Context) error {
	reviewID, err := c.Ledger.NewReviewID(ctx)
	if err != nil {
		return err
	}
	c.info = ledger.CodeReview{ReviewID: reviewID, Scope: c.scope.scope, Target: c.scope.target}
	if c.review.Mode == ledger.VerdictFull {
		c.info.ReportPath = ledger.ReportPath(c.Now(), c.scope.scope, reviewID)
	}
	if err := c.Verdicts.CheckPlaces(c.info.ReportPath); err != nil {
		return err
	}
	run := c.newRun(c.scope.target, c.scope.from)
	run.ID = c.state.Run.ID
	if c.state.Run, err = c.Ledger.StartReview(ctx, run, c.info); err != nil {
		return err
	}
	if err := c.LogDir.Archive(); err != nil {
		return err
	}
	return c.beginReview(ctx, ledger.ModeFirst, string(c.scope.scope), c.scope.from, c.headlineOfReview())
}

func (c *codeReview) newRun(baseRef, base string) ledger.Run {
	return ledger.Run{
		Kind: ledger.KindCodeReview, Worktree: c.Repo.Root, LogDir: VerdictDir,
		Branch: c.Repo.Branch, BaseRef: baseRef, Base: base, Head: c.Repo.Head,
	}
}

func (c *codeReview) headlineOfReview() string {
	what := count(len(c.scope.diff.Files), "changed file")
	if c.scope.wholeFiles() {
		what = count(len(c.scope.diff.Files), "file")
	}
	if c.review.HandedIn {
		what = count(len(c.review.Findings), "finding") + " handed in"
	}
	return fmt.Sprintf("Code review %s (%s) of %s %s: %s", c.info.ReviewID, c.review.Mode, c.scope.scope, c.scope.target, what)
}

// beginReview records the iteration with all that it plans, and opens its log.
func (c *codeReview) beginReview(ctx context.Context, mode ledger.Mode, source, from, headline string) (err error) {
	plans := make([]store.GatePlan, 0, len(c.jobs))
	for _, job := range c.jobs {
		plans = append(plans, job.gatePlan())
	}
	if c.review.HandedIn {
		plans = store.FindingsPlan(c.review.Findings, c.scope.to)
	}
	c.recorder, err = c.Ledger.BeginIteration(ctx, c.state.Run.ID, ledger.Iteration{
		Number: c.number, Mode: mode, Source: source, From: from, To: c.iteration.scope.to,
		Snapshot: c.snapshot.Commit, Tree: c.snapshot.Tree, Head: c.Repo.Head,
	}, plans)
	if err != nil {
		return err
	}
	log, err := c.LogDir.CreateConsoleLog(c.number)
	if err != nil {
		return errors.Join(err, c.recorder.Fail(ctx, ledger.StatusError, err.Error()))
	}
	c.Console.AttachLog(log)
	c.Console.Line(headline)
	return nil
}

// answer asks the reviewers and records what they said.
func (c *codeReview) answer(ctx context.Context) error {
	if c.review.HandedIn {
		return c.ending(ctx, c.recorder.RecordFindings(ctx, c.review.Findings, newLines(c.Repo.Root).at))
	}
	if err := c.execute(ctx); err != nil {
		return c.ending(ctx, err)
	}
	slots := c.collected.sorted(c.jobs)
	answers, warnings := c.answers(slots)
	result, err := c.recorder.RecordReview(ctx, answers, c.domainOf)
	if err != nil {
		return c.ending(ctx, err)
	}
	erred := c.erred()
	for n, s := range slots {
		if err := s.report(result.Slots[n], warnings[n]); err != nil {
			return c.ending(ctx, err)
		}
		if result.Slots[n].Status == ledger.SlotError {
			erred++
		}
	}
	if err := c.finishGates(ctx, slots, result.Slots); err != nil {
		return c.ending(ctx, err)
	}
	return c.ending(ctx, c.errored(ctx, erred))
}

// erred counts what gave no answer: slots, and gates that nobody could be asked
// for.
func (c *codeReview) erred() int {
	n := c.collected.failed
	for _, job := range c.jobs {
		if job.broken != "" {
			n++
		}
	}
	return n
}

// errored is the error of a review in which somebody gave no answer.
func (c *codeReview) errored(ctx context.Context, n int) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case n == 0:
		return nil
	case c.previous == nil:
		return fmt.Errorf("%s in error, so there is no verdict; see the logs in %s", isAre(n, "reviewer"), VerdictDir)
	}
	return fmt.Errorf("%s in error, so %s stays as it was; see the logs in %s", isAre(n, "reviewer"), c.Verdicts.Path(), VerdictDir)
}

// ending closes the run after an error.
func (c *codeReview) ending(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	status := ledger.StatusError
	if ctx.Err() != nil {
		status = ledger.StatusInterrupted
	}
	return errors.Join(err, c.recorder.Fail(ctx, status, err.Error()))
}

func (c *codeReview) domainOf(job string) string {
	for _, p := range c.jobs {
		if p.id == job {
			return p.Name
		}
	}
	return job
}

func (c *codeReview) finishGates(ctx context.Context, slots []*collectedSlot, results []store.SlotResult) error {
	for _, job := range c.jobs {
		if job.broken != "" {
			continue
		}
		var ended []ledger.Slot
		took := int64(0)
		for n, s := range slots {
			if s.job.id == job.id {
				ended = append(ended, ledger.Slot{Status: results[n].Status})
				took += int64(s.call.Duration)
			}
		}
		for len(ended) < len(job.slots) {
			ended = append(ended, ledger.Slot{Status: ledger.SlotError})
		}
		if err := c.finishGate(ctx, job.id, ended, took); err != nil {
			return err
		}
	}
	return nil
}

// publish writes the files of a verdict: first the archive of the one before, then
// the report, and last the verdict itself.
func (c *codeReview) publish(ctx context.Context, v ledger.Verdict) error {
	if err := c.previous.archive(c.Verdicts); err != nil {
		return err
	}
	if v.ReportPath != "" {
		if err := c.Verdicts.WriteReport(v); err != nil {
			return err
		}
	}
	if err := c.Verdicts.Write(v); err != nil {
		return err
	}
	if c.previous != nil && c.previous.verdict.Run != "" && c.previous.verdict.Run != v.Run {
		return c.dropSnapshots(ctx, c.previous.verdict.Run)
	}
	return nil
}

// collection holds the answers of a code review until all are there.
type collection struct {
	mu     sync.Mutex
	slots  []*collectedSlot
	failed int
}

type collectedSlot struct {
	*slotRun
	answer review.Answer
	// judged is the answer to a verification, and warned the warnings about it.
	judged store.SlotAnswer
	warned []string
}

func (c *collection) add(s *slotRun, answer review.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slots = append(c.slots, &collectedSlot{slotRun: s, answer: answer})
}

func (c *collection) fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed++
}

// sorted are the answers in the order of the jobs and slots, whoever came first.
func (c *collection) sorted(jobs []plannedJob) []*collectedSlot {
	var sorted []*collectedSlot
	for _, job := range jobs {
		for _, slot := range job.slots {
			for _, s := range c.slots {
				if s.job.id == job.id && s.slot.Index == slot.Index {
					sorted = append(sorted, s)
				}
			}
		}
	}
	return sorted
}

package codereview

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// handedDomains returns the domains that the handed-in findings verify: those of the command line,
// else those of the findings. It rejects findings whose status does not mean that the problem still
// exists.
//
// Rule: A code review is apart from the loop.
func (c *codeReview) handedDomains() ([]string, error) {
	if problem := verdict.CheckReported(c.options.Findings, c.options.Domains); problem != "" {
		return nil, worktree.Usage("%s", problem)
	}
	if len(c.options.Domains) > 0 {
		return c.options.Domains, nil
	}
	return verdict.Domains(c.options.Findings), nil
}

// planFindings plans a slot for each domain of a review whose findings were handed in.
func (c *codeReview) planFindings() {
	for _, domain := range verdict.Domains(c.options.Findings) {
		c.jobs = append(c.jobs, c.handedJob(verdict.FindingsJob(domain), ".", domain))
	}
}

// handedJob returns a job with one slot, in which nobody is asked.
func (c *codeReview) handedJob(id, entry, domain string) slots.Job {
	return slots.Job{
		Job: config.Job{Kind: config.KindReview, Entry: entry, Name: domain, Review: &config.Review{NumReviews: 1}}, ID: id,
		Slots:   []slots.Slot{{SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: store.FindingsAdapter, To: c.to}},
		Fillers: []ledger.Filler{{ByAbsence: true}},
	}
}

// planHandedIn plans a slot for each job whose findings were verified outside of the program.
//
// Rule: The verdict counts what is open.
func (c *codeReview) planHandedIn(ctx context.Context) error {
	domains, err := c.handedDomains()
	if err != nil {
		return err
	}
	for _, domain := range domains {
		var jobs []slots.Job
		for _, id := range c.state.Jobs() {
			if gate := c.state.LatestGate(id); gate.Name == domain && len(c.state.ViolationsOf(id)) > 0 {
				jobs = append(jobs, c.handedJob(id, gate.EntryPoint, domain))
			}
		}
		if len(jobs) == 0 {
			c.Console.Warn(fmt.Sprintf("the verdict does not have a finding of the domain %q", domain))
			jobs = []slots.Job{c.handedJob(verdict.FindingsJob(domain), ".", domain)}
		}
		for _, job := range jobs {
			slot := &job.Slots[0]
			if slot.Since, err = c.show(ctx, job, slot); err != nil {
				return err
			}
			c.jobs = append(c.jobs, job)
		}
	}
	return nil
}

// takeHandedIn makes answers of the handed-in findings; no reviewer is asked.
func (c *codeReview) takeHandedIn(context.Context) error {
	ids := map[string]string{}
	if c.verifies() {
		for _, f := range c.previous.Findings {
			ids[f.ID] = f.Violation
		}
	}
	for _, job := range c.jobs {
		slot := job.Slots[0]
		claims := map[string]ledger.Violation{}
		for _, claim := range slot.Claims {
			claims[claim.ID] = claim
		}
		var entries []ledger.Entry
		for _, f := range c.options.Findings {
			if f.Domain == job.Name {
				entries = append(entries, verdict.ReportedEntries(f, claims[ids[f.ID]])...)
			}
		}
		for i := range entries {
			entries[i].Position = i + 1
		}
		answer, err := c.asker.HandedIn(job, slot, entries)
		if err != nil {
			return err
		}
		c.asked[job.ID].answers[0] = answer
	}
	return nil
}

// outside counts the problems that a verification reports and that are not in the verdict. A
// handed-in finding is in the verdict if one of its entries is.
func (c *codeReview) outside(results []store.SlotResult) (n int) {
	type problem struct {
		place ledger.Place
		issue string
	}
	inside, outside := map[problem]bool{}, map[problem]int{}
	for _, result := range results {
		for _, r := range result.Reports {
			if p := (problem{r.Place, r.Issue}); r.Disposition != ledger.OutsideVerify {
				inside[p] = true
			} else {
				outside[p]++
			}
		}
	}
	for p, times := range outside {
		switch {
		case !c.options.HandedIn:
			n += times
		case !inside[p]:
			n++
		}
	}
	return n
}

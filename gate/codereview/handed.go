package codereview

import (
	"context"
	"fmt"
	"slices"

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
	var domains []string
	for _, f := range c.options.Findings {
		if !slices.Contains(domains, f.Domain) {
			domains = append(domains, f.Domain)
		}
	}
	return domains, nil
}

// planHandedIn plans a slot for each job whose findings were verified outside of the program.
//
// Rule: The verdict counts what is open.
func (c *codeReview) planHandedIn(ctx context.Context) error {
	domains, err := c.handedDomains()
	if err != nil {
		return err
	}
	if err := c.forgetLostTrees(ctx); err != nil {
		return err
	}
	for _, domain := range domains {
		jobs := slices.DeleteFunc(c.state.Jobs(), func(job string) bool {
			return c.state.LatestGate(job).Name != domain || len(c.state.ViolationsOf(job)) == 0
		})
		if len(jobs) == 0 {
			c.Console.Warn(fmt.Sprintf("the verdict does not have a finding of the domain %q", domain))
			jobs = []string{verdict.FindingsJob(domain)}
		}
		for _, job := range jobs {
			if err := c.planHandedJob(ctx, domain, job); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *codeReview) planHandedJob(ctx context.Context, domain, job string) error {
	entry := "."
	if gate := c.state.LatestGate(job); gate != nil {
		entry = gate.EntryPoint
	}
	slot := slots.Slot{
		SlotPlan: ledger.SlotPlan{Index: 1}, Adapter: store.FindingsAdapter, To: c.to,
	}
	gate := config.Job{Kind: config.KindReview, Entry: entry, Name: domain, Review: &config.Review{NumReviews: 1}}
	planned := slots.Job{Job: gate, ID: job, Fillers: []ledger.Filler{{ByAbsence: true}}}
	if err := slot.Show(ctx, c.diffs, c.state, planned, nil, false); err != nil {
		return err
	}
	var err error
	if slot.Since, err = c.sinceReview(ctx, slot.Claims); err != nil {
		return err
	}
	planned.Slots = []slots.Slot{slot}
	c.jobs = append(c.jobs, planned)
	return nil
}

// takeHandedIn makes answers of the handed-in findings; no reviewer is asked.
func (c *codeReview) takeHandedIn() error {
	ids := map[string]string{}
	for _, f := range c.previous.verdict.Findings {
		ids[f.ID] = f.Violation
	}
	for _, job := range c.jobs {
		slot := job.Slots[0]
		claims := map[string]ledger.Violation{}
		for _, claim := range slot.Claims {
			claims[claim.ID] = claim
		}
		var entries []ledger.Entry
		for n, f := range c.options.Findings {
			if f.Domain != job.Name {
				continue
			}
			for _, entry := range verdict.ReportedEntries(f, claims[ids[f.ID]]) {
				entry.Position = len(entries) + 1
				entries = append(entries, entry)
				c.handed = append(c.handed, handedEntry{job: job.ID, position: entry.Position, finding: n})
			}
		}
		answer, err := c.asker.HandedIn(job, slot, entries)
		if err != nil {
			return err
		}
		c.answers = append(c.answers, answer)
	}
	return nil
}

// handedEntry identifies an entry of an answer, and the handed-in finding from which it was made.
type handedEntry struct {
	job               string
	position, finding int
}

// outside counts what was reported and is not in the verdict. A handed-in finding is in the verdict
// if one of its entries is.
func (c *codeReview) outside(answers []*slots.Answer, results []store.SlotResult) int {
	if !c.options.HandedIn {
		n := 0
		for _, result := range results {
			n += result.Count(ledger.OutsideVerify)
		}
		return n
	}
	inside := map[int]bool{}
	for i, result := range results {
		for _, r := range result.Reports {
			n := slices.IndexFunc(c.handed, func(h handedEntry) bool {
				return h.job == answers[i].Job.ID && h.position == r.Position
			})
			finding := c.handed[n].finding
			inside[finding] = inside[finding] || r.Disposition != ledger.OutsideVerify
		}
	}
	n := 0
	for _, is := range inside {
		if !is {
			n++
		}
	}
	return n
}

package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// Hash returns a hash of what the gates review: which files they cover, what the jobs run and ask,
// which adapters are asked, in how many slots, from which priority on a rerun accepts new
// violations, and what is reviewed after a pass. It does not cover settings that only affect when
// or how fast a gate runs. The hash has 64 hexadecimal digits and does not depend on the order of
// the jobs.
//
// Rule: Done means passed as it is now.
func (c *Config) Hash(jobs []Job) string {
	type reviewer struct {
		Name string
		clients.Options
	}
	type gate struct {
		Job, Command, Folder string
		Prompt, Model        string
		Slots                int
		Reviewers            []reviewer
		Files                []string `json:",omitempty"`
	}
	type entry struct {
		Path    string
		Exclude []string
	}
	entries := make([]entry, 0, len(c.EntryPoints))
	for _, e := range c.EntryPoints {
		entries = append(entries, entry{e.Path, e.Exclude})
	}
	gates := make([]gate, 0, len(jobs))
	for _, job := range jobs {
		g := gate{Job: job.ID(), Folder: job.WorkingDirectory(), Files: job.Gate().Files}
		if job.Check != nil {
			g.Command = job.Check.Command
		}
		if job.Review != nil {
			g.Prompt, g.Model, g.Slots = job.Review.Prompt, job.Review.Model, job.Review.NumReviews
			for _, name := range job.Review.CLIPreference {
				g.Reviewers = append(g.Reviewers, reviewer{name, c.Adapters[name].Options})
			}
		}
		gates = append(gates, g)
	}
	slices.SortFunc(gates, func(a, b gate) int { return cmp.Compare(a.Job, b.Job) })
	// Encoding strings and numbers cannot fail.
	data, _ := json.Marshal(struct {
		Entries   []entry
		Gates     []gate
		Threshold string
		AfterPass bool `json:",omitempty"`
	}{entries, gates, string(c.NewIssueThreshold), c.AfterPassChanges})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

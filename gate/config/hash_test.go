package config

import (
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// Rule: Done means passed as it is now.
func TestHash(t *testing.T) {
	t.Parallel()
	make := func(change func(*Config, *Check, *Review)) string {
		c := &Config{NewIssueThreshold: "high", Adapters: map[string]Adapter{"claude": {Options: clients.Options{Model: "m"}}}}
		check := Check{Command: "make lint"}
		review := Review{Prompt: "Look.", CLIPreference: []string{"claude"}, NumReviews: 2}
		change(c, &check, &review)
		return c.Hash([]Job{
			{Kind: KindReview, Entry: "src", Name: "quality", Review: &review},
			{Kind: KindCheck, Entry: "src", Name: "lint", Check: &check},
		})
	}
	same := make(func(*Config, *Check, *Review) {})
	if len(same) != 64 {
		t.Errorf("%q has not 64 characters", same)
	}
	for name, change := range map[string]func(*Config, *Check, *Review){
		"command":         func(_ *Config, c *Check, _ *Review) { c.Command = "true" },
		"prompt":          func(_ *Config, _ *Check, r *Review) { r.Prompt = "Look away." },
		"slots":           func(_ *Config, _ *Check, r *Review) { r.NumReviews = 1 },
		"reviewers":       func(_ *Config, _ *Check, r *Review) { r.CLIPreference = []string{"codex"} },
		"model of review": func(_ *Config, _ *Check, r *Review) { r.Model = "x" },
		"model":           func(c *Config, _ *Check, _ *Review) { c.Adapters["claude"] = Adapter{} },
		"adapter command": func(c *Config, _ *Check, _ *Review) {
			c.Adapters["claude"] = Adapter{Options: clients.Options{Model: "m", Command: []string{"x"}}}
		},
		"exclude": func(c *Config, _ *Check, _ *Review) {
			c.EntryPoints = []EntryPoint{{Path: "src", Exclude: []string{"x"}}}
		},
		"threshold": func(c *Config, _ *Check, _ *Review) { c.NewIssueThreshold = "low" },
	} {
		if make(change) == same {
			t.Errorf("another %s has the same hash", name)
		}
	}
	if make(func(c *Config, check *Check, r *Review) {
		c.MaxRetries, check.Timeout, r.Timeout, check.Parallel = 9, time.Hour, time.Hour, true
	}) != same {
		t.Error("limits and parallelism change the hash")
	}
	a, b := Job{Kind: KindCheck, Entry: "a", Name: "x", Check: &Check{Command: "1"}}, Job{Kind: KindCheck, Entry: "b", Name: "x", Check: &Check{Command: "2"}}
	c := &Config{}
	if c.Hash([]Job{a, b}) != c.Hash([]Job{b, a}) {
		t.Error("the order of jobs changes the hash")
	}
}

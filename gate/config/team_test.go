package config

import (
	"strings"
	"testing"
)

func TestTeam(t *testing.T) {
	t.Parallel()
	load := func(team string) files {
		return minimal().with(".gauntlet/config.yml", "cli: {default_preference: [claude]}\nentry_points: [{path: ., checks: [lint], reviews: [quality]}]\n"+team)
	}
	for _, tt := range []struct {
		yaml string
		want Team
	}{
		{"", Team{}},
		{"team: {url: \"postgres://ci@db.example.com/reviews?sslmode=verify-full\"}\n", Team{URL: "postgres://ci@db.example.com/reviews?sslmode=verify-full"}},
		{"team: {url: \"postgresql:///reviews\", ledger: CI on main, push: always}\n", Team{URL: "postgresql:///reviews", Ledger: "CI on main", Push: true}},
		{"team: {push: never}\n", Team{}},
	} {
		if got := load(tt.yaml).load(t).Team; got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.yaml, got, tt.want)
		}
	}
	for yaml, want := range map[string]string{
		"team: {url: \"https://db.example.com\"}\n":                          "team.url: must be postgres://USER@HOST/DATABASE",
		"team: {url: \"postgres://ci:hunter2@db/reviews\"}\n":                "team.url: must not have a password",
		"team: {url: \"postgres://ci@db/reviews?password=hunter2\"}\n":       "team.url: must not have a password",
		"team: {url: \"postgres://ci@db/reviews?sslpassword=hunter2\"}\n":    "team.url: must not have a password",
		"team: {url: \"postgres://ci:hunter2@db:port/reviews\"}\n":           "team.url: must be postgres://",
		"team: {ledger: \"" + strings.Repeat("a", maxLedgerName+1) + "\"}\n": "team.ledger: must have at most 100 characters",
		"team: {push: sometimes}\n":                                          "team.push: must be one of always, never, not \"sometimes\"",
		"team: {content: all}\n":                                             "team.content: must be one of words, full, not \"all\"",
		"team: {password: hunter2}\n":                                        "unknown key \"password\"; allowed: url, ledger, push",
	} {
		said := strings.Join(load(yaml).problems(t), "\n")
		if !strings.Contains(said, want) || strings.Contains(said, "hunter2") {
			t.Errorf("%s: %s", yaml, said)
		}
	}
}

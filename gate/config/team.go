package config

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Team configures the team store, to which runs are pushed and which commands with --team query.
type Team struct {
	// URL is postgres://USER@HOST/DATABASE, without a password. It is empty if there is no store,
	// or if the environment has the URL.
	URL string
	// Ledger is the name of this ledger in the store. If it is empty, the name is made from the
	// ledger's database id.
	Ledger string
	// Push means that every run is pushed when it ends.
	Push bool
	// Content is how much leaves the machine: words or full. Empty means words.
	Content string
}

const (
	teamPushAlways = "always"
	teamPushNever  = "never"
)

func teamPushes() []string { return []string{teamPushAlways, teamPushNever} }

// teamContents returns how much of a run may leave the machine.
func teamContents() []string { return []string{"words", "full"} }

// maxLedgerName is the largest number of characters in the name of a ledger.
const maxLedgerName = 100

func (m mapping) team() (t Team) {
	m.allow(teamKeys())
	t.URL = m.checked("url", checkTeamURL)
	if given := m.word("ledger", ""); utf8.RuneCountInString(given.value) > maxLedgerName {
		m.refuse(given.line, "ledger", "must have at most %d characters", maxLedgerName)
	} else {
		t.Ledger = given.value
	}
	t.Push = m.oneOf("push", teamPushNever, teamPushes()) == teamPushAlways
	t.Content = m.oneOf("content", "", teamContents())
	return t
}

// checkTeamURL returns the URL, or the problem with it. The problem does not quote the URL, because
// it may contain a password.
func checkTeamURL(text string) (checked, problem string) {
	const example = "must be postgres://USER@HOST/DATABASE"
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", example
	}
	_, password := u.User.Password()
	for key := range u.Query() {
		password = password || strings.Contains(strings.ToLower(key), "password")
	}
	if password {
		return "", "must not have a password, because everybody who can read the repository can read this file: put it into the password file (~/.pgpass) or PGPASSWORD, as for psql"
	}
	return text, ""
}

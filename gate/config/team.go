package config

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// Team configures the store that runs are pushed to, and that commands with --team ask.
type Team struct {
	// URL is postgres://USER@HOST/DATABASE, without a password; empty if there is no store,
	// or if the URL is in the environment.
	URL string
	// Ledger is the name of this ledger in the store; empty: a name is made from its
	// database id.
	Ledger string
	// Push says that every run is pushed when it ends.
	Push bool
	// Content is how much leaves the machine: none, words or full; empty: words.
	Content string
}

// maxLedgerName is how many characters the name of a ledger has at most.
const maxLedgerName = 100

func (m mapping) team() (t Team) {
	m.only([]string{"url", "ledger", "push", "content"}, nil)
	t.URL = m.checked("url", checkTeamURL)
	if given := m.word("ledger", ""); utf8.RuneCountInString(given.value) > maxLedgerName {
		m.refuse(given.line, "ledger", "must have at most %d characters", maxLedgerName)
	} else {
		t.Ledger = given.value
	}
	t.Push = m.oneOf("push", "never", []string{"always", "never"}) == "always"
	t.Content = m.oneOf("content", "", []string{"none", "words", "full"})
	return t
}

// checkTeamURL returns the URL, or says what is wrong with it, without quoting it, because it may
// have a password.
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

package team

import (
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// Home is what the team store calls a repository. A ledger has one that is not known, a team
// has one of each ledger: they are not the same.
type Home struct{ Kind, Key string }

// Name is the repository in figures.
func (h Home) Name() string {
	if ledger.RepositoryKind(h.Kind) == ledger.RepositoryUnknown {
		return ledger.UnknownRepository
	}
	return Clean(h.Key)
}

// Own returns the name of the repository, made distinct from others if it is not known.
func (h Home) Own() string {
	if name := h.Name(); name != ledger.UnknownRepository {
		return name
	}
	return statistics.UnknownOf(Clean(h.Key))
}

// Clean is a text that PostgreSQL takes: it refuses NUL and what is not UTF-8. Both
// become U+FFFD.
func Clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

package team

import (
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/statistics"
)

// Home identifies a repository in the team store. Each ledger has one unknown repository. Those of
// different ledgers are different.
type Home struct{ Kind, Key string }

// Name returns the name of the repository in figures.
func (h Home) Name() string {
	if ledger.RepositoryKind(h.Kind) == ledger.RepositoryUnknown {
		return ledger.UnknownRepository
	}
	return Clean(h.Key)
}

// Own returns the name of the repository. An unknown repository gets a name that differs from that
// of other unknown ones.
func (h Home) Own() string {
	if name := h.Name(); name != ledger.UnknownRepository {
		return name
	}
	return statistics.UnknownOf(Clean(h.Key))
}

// Clean returns the text in a form that PostgreSQL accepts: it refuses NUL bytes and invalid UTF-8,
// so both are replaced by U+FFFD.
func Clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

package clients

import (
	"slices"

	form "github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

// Subject is what a review is about, for a reviewer that reads no prompt: the built-in one and the
// analysis tools.
type Subject struct {
	// Files are the changed files.
	Files []diff.File
	// WholeFiles means that the files' texts are their content and not a diff.
	WholeFiles bool
	// EntryPoint is the folder under review, relative to the repository's root; "" and "." mean the
	// root.
	EntryPoint string
	// Claims are to be verified. Known are open violations: results in their files count, too.
	Claims, Known []ledger.Violation
}

// WholeChange is the file of a result without a place. No file has that name, so the result counts
// as about the change as a whole.
const WholeChange = "."

// Found writes the answer of a reviewer without a model: its findings without duplicates, because a
// claim and the diff may both lead to one, and its verdicts on claims that are not fixed. One of
// several equal findings has the further places of all.
func Found(entries []ledger.Entry, claims []ledger.ClaimWord) string {
	type same struct {
		place      ledger.Place
		issue, fix string
		priority   ledger.Priority
	}
	found := form.Form{Status: form.Pass, Claims: claims, Violations: make([]ledger.Entry, 0, len(entries))}
	seen := make(map[same]int, len(entries))
	for _, e := range entries {
		is := same{e.Place, e.Issue, e.Fix, e.Priority}
		if n, known := seen[is]; known {
			first := &found.Violations[n]
			first.Also, first.Flow = slices.Concat(first.Also, e.Also), slices.Concat(first.Flow, e.Flow)
			continue
		}
		seen[is], found.Violations = len(found.Violations), append(found.Violations, e)
	}
	if len(found.Violations)+len(claims) > 0 {
		found.Status = form.Fail
	}
	return form.Write(found)
}

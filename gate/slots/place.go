package slots

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// read turns the answer into the ledger's words, with warnings about what is not clear in it.
func (a *Answer) read(ctx context.Context, given clients.Answer) {
	a.Fail = given.Status == clients.StatusFail
	a.Warnings = append(a.Warnings, given.Warnings...)
	resolver, err := a.resolver(ctx, slices.Concat(given.Entries, given.Drafts))
	if err != nil {
		a.Warnings = append(a.Warnings, err.Error())
	}
	for _, e := range given.Entries {
		entry := ledger.Entry{
			Position: e.Position, Issue: e.Issue, Fix: e.Fix, Title: e.Title, Confidence: e.Confidence,
			SystemBreaking: e.SystemBreaking, Missing: e.Missing, Claim: e.Claim,
		}
		found := resolver.Resolve(e)
		entry.Place, entry.WholeChange = ledger.Place(found.Place), found.File != "" && !found.Known
		entry.Priority, _ = ledger.ParsePriority(e.Priority)
		if e.PriorityUnknown {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d has an unknown priority %q; it counts as high", e.Position, e.PriorityGiven))
		}
		if entry.WholeChange {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d names %q, which is not a file of the repository; it counts as about the whole change", e.Position, e.File))
		}
		a.name(&entry, e)
		if e.Claim != "" && !a.isClaim(e.Claim) {
			a.Warnings = append(a.Warnings, fmt.Sprintf("violation %d names the claim %q, which was not put to verification", e.Position, e.Claim))
		}
		a.Entries = append(a.Entries, entry)
	}
	a.Claims = append(a.Claims, claimWords(given.Claims, a.Slot.Claims)...)
	a.Claims = append(a.Claims, a.mentionedClaims(a.Call.Raw)...)
	a.refuseDrafts(resolver, given.Drafts)
}

// name finds the claims that an entry is about: those of its list, the one whose id it has
// itself, and those of which its words give the id without saying that they are fixed. All
// but the first get a word of their own.
func (a *Answer) name(entry *ledger.Entry, given clients.Entry) {
	var ids []string
	for _, id := range append([]string{given.Claim, given.ID}, given.Named...) {
		if a.isClaim(id) {
			ids = append(ids, id)
		}
	}
	text := strings.ToLower(given.Title + "\n" + given.Issue)
	for _, v := range a.Slot.Claims {
		if strings.Contains(text, strings.ToLower(v.ShortID)) && !confirmation().MatchString(withoutDenials(text)) {
			ids = append(ids, v.ShortID)
		}
	}
	for n, id := range ids {
		if n == 0 {
			entry.Claim = id
			continue
		}
		a.Claims = append(a.Claims, ledger.ClaimWord{ID: id, Evidence: fmt.Sprintf("violation %d names it", given.Position)})
	}
}

// isClaim reports whether the id is that of a claim that the slot was asked to verify.
func (a *Answer) isClaim(id string) bool {
	return slices.ContainsFunc(a.Slot.Claims, func(v ledger.Violation) bool { return hasID(v, id) })
}

// refuseDrafts makes an error of an answer beside which a violation stands that it does not
// list, in these words or at its place, if that is about a file of the repository: then it is
// no example, and nobody knows what the reviewer meant.
//
// Rule: Violations beside the answer are an error.
func (a *Answer) refuseDrafts(resolver *clients.Resolver, drafts []clients.Entry) {
	where, listed := "before", a.lists
	if !a.Fail {
		where, listed = "beside", a.mayPass
	}
	for _, draft := range drafts {
		if found := resolver.Resolve(draft); found.Known && !listed(ledger.Place(found.Place)) {
			a.refuse(&clients.AnswerError{
				Reason: fmt.Sprintf("ambiguous: %s the answer stands a violation of %q that the answer does not list", where, found.File),
				Offset: -1, Invalid: -1,
			})
			a.Entries = nil
			return
		}
	}
}

func (a *Answer) lists(place ledger.Place) bool {
	return slices.ContainsFunc(a.Entries, func(e ledger.Entry) bool { return e.Place.Meets(place) })
}

// mayPass reports whether a passing answer may speak of a problem at the place: outside of
// what is under review, and where the reviewer was told of one and has not left a claim
// without a word.
func (a *Answer) mayPass(place ledger.Place) bool {
	met := func(v ledger.Violation) bool { return v.Place.Meets(place) }
	if slices.ContainsFunc(a.Slot.Claims, func(v ledger.Violation) bool {
		return met(v) && !slices.ContainsFunc(a.Claims, func(w ledger.ClaimWord) bool { return hasID(v, w.ID) })
	}) {
		return false
	}
	return slices.ContainsFunc(a.Slot.shown(), met) || !holds(a.Slot.Diff, place)
}

// hasID reports whether the violation has the id, short or whole, in any letter case.
func hasID(v ledger.Violation, id string) bool {
	return strings.EqualFold(id, v.ShortID) || strings.EqualFold(id, v.ID)
}

// claimWords returns what the answer says of claims. A word that cannot be read and has no
// id may be about any claim that the slot was asked to verify: those on which there is no
// other word count as not fixed.
func claimWords(said []clients.ClaimWord, shown []ledger.Violation) (words []ledger.ClaimWord) {
	var unread *clients.ClaimWord
	for i, word := range said {
		if word.ID == "" {
			unread = &said[i]
			continue
		}
		given := ledger.ClaimWord(word)
		given.Fixed = given.Fixed && !contradiction().MatchString(strings.ToLower(given.Evidence))
		words = append(words, given)
	}
	if unread == nil {
		return words
	}
	given := words
	for _, v := range shown {
		if !slices.ContainsFunc(given, func(w ledger.ClaimWord) bool { return hasID(v, w.ID) }) {
			words = append(words, ledger.ClaimWord{ID: v.ShortID, Evidence: unread.Evidence})
		}
	}
	return words
}

// resolver finds the files that the entries name. The files of the tree are listed only
// if they may decide; without them a name that is not in the diff is about the whole change.
func (a *Answer) resolver(ctx context.Context, entries []clients.Entry) (*clients.Resolver, error) {
	files := clients.Files{Root: a.asker.Worktree.Repo.Root, Entry: a.Job.Entry}
	for _, c := range a.Slot.Diff.Changed() {
		changed := clients.ChangedFile{Old: c.Old, New: c.New, Whole: c.Whole, Folder: c.Folder}
		for _, lines := range c.Blocks {
			changed.Blocks = append(changed.Blocks, clients.ChangedBlock(lines))
		}
		files.Changed = append(files.Changed, changed)
	}
	for old, name := range a.Slot.renamed {
		files.Changed = append(files.Changed, clients.ChangedFile{Old: old, New: name})
	}
	for _, v := range a.Slot.shown() {
		files.Noted = append(files.Noted, clients.Place(v.Place))
	}
	resolver := clients.NewResolver(files)
	if !resolver.NeedsTree(entries) {
		return resolver, nil
	}
	tree, err := a.asker.Worktree.Repo.TreeFiles(ctx, a.Slot.To, nil)
	if err != nil {
		return resolver, fmt.Errorf("find the files that the reviewer names: %w", err)
	}
	var paths []string
	for _, file := range tree {
		paths = append(paths, file.Path)
	}
	resolver.AddTree(paths)
	return resolver, nil
}

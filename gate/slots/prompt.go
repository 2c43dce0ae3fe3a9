package slots

import (
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// promptInput is what the slot's reviewer is shown.
func (a *Answer) promptInput() clients.PromptInput {
	in := clients.PromptInput{
		Instructions: a.Job.Review.Prompt, EntryPoint: a.Job.Entry,
		Rerun: a.Slot.Answered, Limit: a.Slot.Reviewer.InputLimit(),
		CodeReview: a.asker.CodeReview, WholeFiles: a.asker.WholeFiles,
	}
	if !in.CodeReview { // a verdict takes every priority
		in.Threshold = string(a.asker.Worktree.Config.NewIssueThreshold)
	}
	for _, file := range a.Slot.Diff.Files {
		in.Files = append(in.Files, clients.FileDiff{Path: pathOf(file), Text: file.Text})
	}
	lines := NewLines(a.asker.Worktree.Repo.Root)
	for _, v := range a.Slot.Claims {
		claim := earlier(v)
		claim.Lines, claim.Last = lines.around(v.Place)
		in.Claims = append(in.Claims, claim)
	}
	for _, v := range slices.Concat(a.Slot.Open, a.Slot.Context) {
		in.Known = append(in.Known, earlier(v))
	}
	return in
}

func earlier(v ledger.Violation) clients.Earlier {
	return clients.Earlier{
		ID: v.ShortID, File: v.Place.File, Start: v.Place.Start, End: v.Place.End,
		Issue: v.Issue, Priority: string(v.Priority), Result: v.Result,
	}
}

func pathOf(file diff.File) string {
	if file.New != "" {
		return file.New
	}
	return file.Old
}

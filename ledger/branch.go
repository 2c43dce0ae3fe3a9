package ledger

import "fmt"

// OtherBranch is the error for a loop that was left when another branch was checked out.
type OtherBranch struct {
	// Began is the branch of the loop, or "" if HEAD was detached, then at Head.
	Began, Head string
	// Now is the branch that is checked out, or "" if HEAD is detached, at Commit.
	Now, Commit string
	// Open is the number of violations that are open or claimed.
	Open int
	// Underway is what git has not finished, such as "a rebase", or "".
	Underway string
}

// LeftBranch returns nil if the loop goes on with what is checked out: the branch of the latest
// iteration, or any HEAD that has that iteration's commit in its history. For another branch it is
// another loop. descends reports whether HEAD is that commit or a descendant of it.
//
// Rule: Every worktree has its own loop.
func (s *State) LeftBranch(branch, head string, descends func(commit string) (bool, error)) (*OtherBranch, error) {
	last := s.Iteration(s.LastIteration())
	if last == nil || last.Head == "" || last.Head == head || branch != "" && branch == last.Branch {
		return nil, nil
	}
	if goesOn, err := descends(last.Head); goesOn || err != nil {
		return nil, err
	}
	left := &OtherBranch{Began: last.Branch, Head: last.Head, Now: branch, Commit: head}
	for _, v := range s.Violations {
		if v.Fate().Open() || v.Claim() {
			left.Open++
		}
	}
	return left, nil
}

// BeganOn returns the branch of the latest iteration if another one is checked out, or "".
func (s *State) BeganOn(branch string) string {
	last := s.Iteration(s.LastIteration())
	if last == nil || last.Branch == branch {
		return ""
	}
	return last.Branch
}

// Error says which loop it is, and what to do.
func (o *OtherBranch) Error() string {
	text := fmt.Sprintf("the open loop is about %s (%d open), and %s is checked out", at(o.Began, o.Head), o.Open, at(o.Now, o.Commit))
	if o.Underway != "" {
		return text + ": " + o.Underway + " is in progress; finish or abort it, or give the loop up with `reviewledger clean`"
	}
	return text + ": switch back, or give the loop up with `reviewledger clean`"
}

func at(branch, commit string) string {
	if branch == "" {
		return fmt.Sprintf("the detached commit %.12s", commit)
	}
	return fmt.Sprintf("the branch %q", branch)
}

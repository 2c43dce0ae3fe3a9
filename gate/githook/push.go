// Package githook has what git and pre-commit call before a push: which commits are pushed, what
// becomes of each, and the text of the hook that asks. It decides; git, files and the ledger are its
// caller's.
package githook

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Ref is one line of what git writes to the hook: a ref of this repository, the commit that it names,
// and the ref of the remote that is to have it.
type Ref struct {
	// Local is "HEAD", a ref, or whatever the user typed.
	Local string
	// Commit is the id of what is pushed: zeros if the remote's ref is deleted. Pre-commit may give a
	// name.
	Commit string
	Remote string
}

// Read reads the refs that git writes to a pre-push hook.
func Read(in io.Reader) (refs []Ref, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if line == "" {
			continue
		}
		// What the user typed may have blanks.
		fields := strings.Split(line, " ")
		last := len(fields) - 1
		if last < 3 || !isID(fields[last]) || !isID(fields[last-2]) || !strings.HasPrefix(fields[last-1], "refs/") {
			return nil, fmt.Errorf("read what is pushed: line %d of stdin is %.80q, not `<local ref> <id> <remote ref> <id>`: let git call this as its pre-push hook", n, line)
		}
		refs = append(refs, Ref{Local: strings.Join(fields[:last-2], " "), Commit: fields[last-2], Remote: fields[last-1]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read what is pushed: %w", err)
	}
	return refs, nil
}

// HasID reports whether the ref gives the id of its commit, not a name.
func (r Ref) HasID() bool { return isID(r.Commit) }

func isID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// FromPreCommit returns what is pushed where pre-commit calls the hook, which has read stdin itself.
// Nothing is pushed in its stage manual. called is false elsewhere.
func FromPreCommit(getenv func(string) string) (refs []Ref, called bool) {
	if getenv("PRE_COMMIT") == "" {
		return nil, false
	}
	local, commit := getenv("PRE_COMMIT_LOCAL_BRANCH"), getenv("PRE_COMMIT_TO_REF")
	if commit == "" { // also where the whole history is pushed
		commit = local
	}
	if commit == "" {
		return nil, true
	}
	return []Ref{{Local: local, Commit: commit, Remote: getenv("PRE_COMMIT_REMOTE_BRANCH")}}, true
}

// Exempt reports whether nobody reviews what the ref is: it is deleted, or it is a tag or notes. Any
// other ref counts as a branch.
func (r Ref) Exempt() bool {
	return strings.Trim(r.Commit, "0") == "" || strings.HasPrefix(r.Remote, "refs/tags/") || strings.HasPrefix(r.Remote, "refs/notes/")
}

// IsBase reports whether the base branch itself is pushed, from the branch of its name to that of its
// name. base is how the configuration names it, remote the remote that is pushed to, and branch what
// is checked out.
func (r Ref) IsBase(base, remote, branch string) bool {
	local := r.Local
	if local == "HEAD" {
		local = "refs/heads/" + branch
	}
	base = strings.TrimPrefix(strings.TrimPrefix(base, "refs/heads/"), "refs/remotes/")
	names := []string{base}
	for _, of := range []string{remote, "origin"} {
		if name, ok := strings.CutPrefix(base, of+"/"); ok && of != "" {
			names = append(names, name)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		ref := "refs/heads/" + name
		return local == ref && (r.Remote == ref || r.Remote == "")
	})
}

// Name returns the ref for people.
func (r Ref) Name() string {
	if r.Local == "" {
		return "what is pushed"
	}
	return strings.TrimPrefix(r.Local, "refs/heads/")
}

// Tip is a commit that a branch of a remote is to have, with what is known about it.
type Tip struct {
	Ref
	// Contained reports whether the base branch has the commit already.
	Contained bool
	// Passed reports whether a run passed on exactly its tree, against its merge base, and Ungated
	// whether no gate applies to its change.
	Passed, Ungated bool
	// CheckedOut reports whether it is checked out, and Differs has the files in which the working
	// tree is another one; AsCommitted reports whether there are none.
	CheckedOut, AsCommitted bool
	Differs                 []string
}

// Verdict is what becomes of a tip.
type Verdict string

// The verdicts.
const (
	// Go: it may be pushed.
	Go Verdict = "go"
	// RunFirst: the gates decide.
	RunFirst Verdict = "run"
	// Refuse: it may not be pushed.
	Refuse Verdict = "refuse"
)

// Decide decides about a tip. What is checked out as it is committed is for the gates to decide, which
// do nothing if it has passed: they know the present configuration, and what is outstanding.
//
// Rule: Done means passed as it is now.
func Decide(t Tip) Verdict {
	switch {
	case t.Exempt(), t.Contained:
		return Go
	case t.CheckedOut && t.AsCommitted:
		return RunFirst
	case t.Passed, t.Ungated:
		return Go
	}
	return Refuse
}

// Step says why a tip is refused, and what to do. quote makes a list of names safe to print.
func (t Tip) Step(quote func([]string) string) string {
	const again = ", then push again"
	if t.CheckedOut {
		return fmt.Sprintf("it has not passed, and the working tree is not as it was committed: commit, stash or ignore %s%s", quote(t.Differs), again)
	}
	name := "--detach " + t.Commit
	if branch, ok := strings.CutPrefix(t.Local, "refs/heads/"); ok {
		name = quote([]string{branch})
	}
	return fmt.Sprintf("it has not passed, and is not checked out: `git switch %s`, `reviewledger run`%s", name, again)
}

package slots

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/prompt"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxKnown is how many known violations a prompt lists.
const maxKnown = 30

// findSettled finds out which violations are settled: verified, or called gone by a reporter of theirs, in
// a tree in which their lines were as they are now. If that tree is not known, they are not.
func (s *Slot) findSettled(ctx context.Context, diffs *worktree.Diffs, state *ledger.State) error {
	s.settled = map[string]bool{}
	for _, v := range s.Known {
		var at *ledger.Iteration
		switch {
		case v.Fate() == ledger.StatusVerified:
			at = state.IterationAt(v.FateAt())
		case v.Fate().Open() && v.SaidGone() && v.ReportedIn(v.Gone.Slot()):
			at = state.Iteration(v.Gone.Iteration)
		}
		if at == nil || at.To == "" {
			continue
		}
		changed, err := s.changedSince(ctx, diffs, at.To, v)
		if err != nil {
			return err
		}
		s.settled[v.ID] = !changed
	}
	return nil
}

// changedSince reports whether one of the lines of the violation, which is at its present place, is not as
// it was in the tree. It is true if git no longer has that tree.
func (s *Slot) changedSince(ctx context.Context, diffs *worktree.Diffs, tree string, v ledger.Violation) (bool, error) {
	since, err := diffs.Between(ctx, tree, s.To)
	if errors.Is(err, diff.ErrGone) {
		return true, nil
	}
	return slices.ContainsFunc(v.Places(), func(p ledger.Place) bool { return contains(since, p) }), err
}

// putAgain finds out why claims are put to the slot a second time. said are the words on all claims of the
// run.
func (s *Slot) putAgain(ctx context.Context, diffs *worktree.Diffs, state *ledger.State, said []ledger.ReviewerWord) error {
	s.again = map[string]string{}
	problem := map[string]string{}
	for _, v := range state.Violations {
		problem[v.ID] = v.Problem()
	}
	for _, claim := range s.Claims {
		own := slices.DeleteFunc(slices.Clone(said), func(w ledger.ReviewerWord) bool { return problem[w.Violation] != claim.Problem() })
		why, err := claim.PutAgain(s.Index, own, func(iteration int) (bool, error) {
			at := state.Iteration(iteration)
			if at == nil || at.To == "" {
				return false, nil
			}
			return s.changedSince(ctx, diffs, at.To, claim)
		})
		if err != nil {
			return err
		}
		s.again[claim.ID] = why
	}
	return nil
}

// ShowOthers keeps what other gates reported and is open, at its place in the tree that is reviewed: the
// slot's reviewer may find it, too.
func (s *Slot) ShowOthers(ctx context.Context, diffs *worktree.Diffs, state *ledger.State, job string) error {
	var open []ledger.Violation
	joined := map[string]bool{} // to what the gate reported itself
	for _, v := range state.Violations {
		if v.Job == job {
			joined[v.Problem()] = true
		} else if v.Status.Open() {
			open = append(open, v)
		}
	}
	open = slices.DeleteFunc(open, func(v ledger.Violation) bool { return joined[v.ID] })
	return diffs.Follow(ctx, s.To, open, func(v *ledger.Violation, since *diff.Diff, now []ledger.Whereabouts) {
		if since == nil || diffs.Missing(now[0].Here.File) || now[0].Gone {
			return
		}
		other := *v
		other.Place, other.Also = now[0].Here, nil
		for _, further := range now[1:] {
			other.Also = append(other.Also, further.Here)
		}
		s.Others = append(s.Others, other)
	})
}

// known returns the violations that the prompt lists without asking about them, and how many more there
// are: those that the gate, and open ones that other gates, know in the files under review, and open ones
// of the gate elsewhere, which a reviewer could report again, and only with their ids are they not out of
// range. Open ones come first, then the nearest to a changed line or a claim. What is verified, or was
// called gone by its reporter, is listed only if its lines have changed since; what the slot itself called
// gone, always.
//
// Rule: What is known is listed with its state.
func (s *Slot) known(lines *Lines) (list []prompt.Known, more int) {
	type item struct {
		prompt.Known
		rank, away int
	}
	var items []item
	add := func(k prompt.Known, open bool) {
		i := item{Known: k, rank: 1, away: math.MaxInt}
		if away, under := s.away(k.Place); under {
			i.away = away
		} else if !open {
			return
		}
		if open {
			i.rank = 0
		}
		items = append(items, i)
	}
	for _, v := range s.Known {
		own := s.own[v.ID]
		if s.settled[v.ID] && !(own && v.Fate().Open()) {
			continue
		}
		add(prompt.Known{Violation: v, State: s.stateOf(v), Own: own && v.Fate().Open(), Gone: s.carried[v.ID].Gone}, v.Fate().Open())
	}
	for _, v := range s.Others {
		if _, under := s.away(v.Place); under {
			add(prompt.Known{Violation: v, State: "open, another gate's"}, true)
		}
	}
	for _, e := range s.Earlier {
		if place, there := lines.still(e); there && !s.repeats(e, place) {
			add(prompt.Known{Violation: ledger.Violation{ShortID: e.ShortID, Issue: e.Issue, Priority: e.Priority, Place: place}, State: earlierState(e)}, false)
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Or(a.rank-b.rank, cmp.Compare(a.away, b.away)) })
	for _, i := range items[:min(len(items), maxKnown)] {
		list = append(list, i.Known)
	}
	return list, len(items) - len(list)
}

// repeats reports whether a violation of this run has the words of one of an earlier run, at its place.
func (s *Slot) repeats(e ledger.EarlierViolation, place ledger.Place) bool {
	for _, list := range [][]ledger.Violation{s.Known, s.Claims, s.Disputed} {
		for i := range list { // there may be many
			if v := &list[i]; v.Place.Meets(place) && ledger.SameText(v.Issue, e.Issue) {
				return true
			}
		}
	}
	return false
}

// stateOf returns how a violation of this run stands, in words.
func (s *Slot) stateOf(v ledger.Violation) string {
	own := s.own[v.ID]
	switch fate := v.Fate(); {
	case fate == ledger.StatusDisputed:
		return "open, disputed by the author"
	case fate.Open() && own && v.Gone.Slot() == s.Index:
		return "open, yours, and you called it gone"
	case fate.Open() && own:
		return "open, yours"
	case fate.Open():
		return "open"
	case fate == ledger.StatusFixed:
		return "claimed to be fixed"
	case fate == ledger.StatusVerified:
		return "verified, and its lines have changed since"
	default:
		return string(fate)
	}
}

// earlierState returns how something stands that an earlier run, or an earlier iteration, left.
func earlierState(e ledger.EarlierViolation) string {
	switch {
	case e.Reported():
		return "left for later"
	case e.Status == ledger.StatusSkipped, e.Status == ledger.StatusWithdrawn:
		return string(e.Status) + " in an earlier run"
	}
	return "left open in an earlier run"
}

// away returns how many lines a place is away from the nearest changed line, claim or dispute in
// its file. under is false if nothing in the file is under review.
func (s *Slot) away(place ledger.Place) (lines int, under bool) {
	if s.Diff != nil {
		lines, under = s.Diff.Distance(place.File, place.Start, place.End)
	}
	for _, claim := range slices.Concat(s.Claims, s.Disputed) {
		for _, at := range claim.Places() {
			if at.File != place.File {
				continue
			}
			if away := at.Distance(place); !under || away < lines {
				lines, under = away, true
			}
		}
	}
	return lines, under
}

// still returns the present place of a violation of an earlier run, if the file still has its line.
func (l *Lines) still(e ledger.EarlierViolation) (ledger.Place, bool) {
	f := l.of(e.Place.File)
	known, ok := f.byFingerprint[e.Job]
	if !ok && f.lines != nil {
		known = ledger.FingerprintLines(e.Job, e.Place.File, f.data)
		f.byFingerprint[e.Job] = known
	}
	line, there := known[e.Fingerprint]
	if !there || e.Fingerprint == "" {
		return ledger.Place{}, false
	}
	if line == 0 {
		return ledger.Place{File: e.Place.File}, true
	}
	return ledger.Place{File: e.Place.File, Start: line, End: line + max(0, e.Place.End-e.Place.Start)}, true
}

package ledger

import "slices"

// Look is a gate, and who looked at the change for it.
type Look struct {
	Gate string
	// Adapter is that of a reviewer, or "" for a check and for a review that rests on an earlier
	// pass.
	Adapter string
}

// BuiltinAdapter is the name of the adapter that needs no program.
const BuiltinAdapter = "builtin"

// Passed returns who looked at the change of a run that passed, as far as its rows say so, or nil.
func (s *State) Passed() *LookedAt {
	if !s.Run.Status.Passes() || s.Run.Kind == KindCodeReview {
		return nil
	}
	return new(s.Looked(nil, func(adapter string) bool { return adapter == BuiltinAdapter }))
}

// Sentence returns who looked, as a sentence.
func (l LookedAt) Sentence() string {
	var by []string
	for _, look := range l.By {
		if look.Adapter != "" {
			by = append(by, look.Adapter+" ("+look.Gate+")")
		} else {
			by = append(by, look.Gate)
		}
	}
	switch {
	case len(by) == 0:
		return "Nobody looked at the change."
	case l.OnlyBuiltin:
		return "Nothing but " + Some(by) + " looked at the change (white space, conflict markers)."
	}
	return "The change was looked at by " + Some(by) + "."
}

// LookedAt is who looked at a change that passed.
type LookedAt struct {
	// By has each gate and reviewer once, checks first. The built-in reviewer is in it only where
	// nobody else looked; then OnlyBuiltin is set.
	By          []Look
	OnlyBuiltin bool
	// NotBy are the gates for the change that did not look at it.
	NotBy []string
}

// Nothing reports whether nobody looked at the code itself.
func (l LookedAt) Nothing() bool { return l.OnlyBuiltin || len(l.By) == 0 }

// Looked returns who looked at the change of a run that passed. touched are the jobs for the change,
// whether or not they run here, and builtin reports whether an adapter is the built-in reviewer.
//
// Rule: A run passes only over code that its gates have seen.
func (s *State) Looked(touched []Planned, builtin func(adapter string) bool) LookedAt {
	var l LookedAt
	var checks, reviews, only []Look
	add := func(list *[]Look, look Look) {
		if !slices.Contains(*list, look) {
			*list = append(*list, look)
		}
	}
	looked := map[string]bool{}
	for _, job := range s.Jobs() {
		gate := s.LatestGate(job)
		switch {
		case gate.Kind == KindCheck && gate.Status == GatePassed:
			add(&checks, Look{Gate: gate.Name})
		case gate.CoveredByPass():
			add(&reviews, Look{Gate: gate.Name})
		case gate.Kind == KindReview:
			for _, slot := range gate.Slots {
				answer := s.LatestAnswer(job, slot.Index)
				if answer == nil {
					continue
				}
				to := &reviews
				if builtin(answer.Adapter) {
					to = &only
				}
				add(to, Look{gate.Name, answer.Adapter})
				looked[gate.Name] = true
			}
			continue
		default:
			continue
		}
		looked[gate.Name] = true
	}
	if l.By = append(checks, reviews...); len(l.By) == 0 {
		l.By, l.OnlyBuiltin = only, len(only) > 0
	}
	for _, p := range touched {
		if !looked[p.Name] && !slices.Contains(l.NotBy, p.Name) {
			l.NotBy = append(l.NotBy, p.Name)
		}
	}
	return l
}

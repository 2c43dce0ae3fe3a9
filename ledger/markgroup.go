package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParsePlace parses a place as commands print it: FILE:LINE or FILE:FIRST-LAST. ok is false if the
// text is not one.
func ParsePlace(text string) (place Place, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at <= 0 {
		return Place{}, false
	}
	first, last, isRange := strings.Cut(text[at+1:], "-")
	place.File = text[:at]
	var err, err2 error
	place.Start, err = strconv.Atoi(first)
	if place.End = place.Start; isRange {
		place.End, err2 = strconv.Atoi(last)
	}
	return place, err == nil && err2 == nil && place.Start >= 0 && place.End >= place.Start
}

// At returns the short id of the violation that the place stands for: the first of the only block
// with an open violation there. Of what is to be opened again, or back, it is that of the block that
// waits or is skipped there. Where nothing else is meant, a mark may be repeated at its place.
//
// Rule: A mark is not a fix.
func (m Mark) At(state *State, place Place) (id string, err error) {
	heads := state.headsAt(place, m.addresses)
	if len(heads) == 0 {
		heads = state.headsAt(place, func(s Status) bool { return s == m.Status })
	}
	if len(heads) == 1 {
		return heads[0].ShortID, nil
	}
	if len(heads) == 0 {
		return "", &MarkError{Lines: []string{fmt.Sprintf("nothing that can be marked %s is at %q: reviewledger violations --open lists what is open, with its place", m.Status, place)}}
	}
	lines := []string{fmt.Sprintf("%d problems are at %q: mark one by its ID", len(heads), place)}
	for _, v := range heads {
		lines = append(lines, fmt.Sprintf("  %s %s %s", v.ShortID, v.Place, firstLine(v.Issue)))
	}
	return "", &MarkError{Lines: lines}
}

// addresses reports whether the mark is meant for violations with this status.
func (m Mark) addresses(s Status) bool {
	if m.Status == StatusNew {
		return s == StatusFixed || s == StatusSkipped || s == StatusDisputed
	}
	return s.Open()
}

// headsAt returns the first violation of each block that has one with such a status at the place.
func (s *State) headsAt(place Place, meant func(Status) bool) (heads []*Violation) {
	for i := range s.Violations {
		v := &s.Violations[i]
		if !slices.ContainsFunc(v.Places(), func(p Place) bool {
			return p.File == place.File && p.WholeFile() == place.WholeFile() && p.Meets(place)
		}) || !meant(v.Fate()) {
			continue
		}
		if head := s.headOf(v, meant); !slices.Contains(heads, head) {
			heads = append(heads, head)
		}
	}
	return heads
}

// headOf returns the most important one of the violation's block that has such a status.
func (s *State) headOf(v *Violation, meant func(Status) bool) *Violation {
	head := v
	for i := range s.Violations {
		o := &s.Violations[i]
		if o.Group() == v.Group() && o.DuplicateOf == "" && meant(o.Status) && (head.DuplicateOf != "" || o.Priority.Higher(head.Priority) || o.ShortID == v.Group()) {
			head = o
		}
	}
	return head
}

// OfGroup returns the short ids of the violations that a mark of the named one's whole block is
// about: of the block that the latest iteration that ended has shown, all that are open or claimed,
// and of which the mark can change something. What was joined to them is marked with them. It
// refuses a skip of strangers by an agent: one sentence may leave out what was said in the same words,
// and nothing else.
//
// Rule: A mark is not a fix.
func (m Mark) OfGroup(state *State, named string) (ids []string, err error) {
	v := state.shortID(named)
	if v == nil {
		return []string{named}, nil // the mark of it alone says what is wrong
	}
	ended := 0
	for _, i := range state.Iterations {
		if !i.FinishedAt.IsZero() {
			ended = i.Number
		}
	}
	for i := range state.Violations {
		o := &state.Violations[i]
		useless := m.Status == StatusNew && !m.addresses(o.Status) || m.Status == StatusDisputed && !o.Status.ForAuthor()
		shown := o.First <= ended || o.ID == v.ID
		if o.Group() == v.Group() && shown && o.DuplicateOf == "" && o.Status.Outstanding() && !useless {
			ids = append(ids, o.ShortID)
		}
	}
	strangers := state.joinedInOtherWords(v, ids)
	if len(ids) > 1 || len(ids) == 1 && ids[0] != cmp.Or(v.DuplicateOf, v.ShortID) {
		strangers = append(strangers, ids...)
	}
	if m.Status == StatusSkipped && m.Actor != ActorHuman && len(strangers) > 0 {
		are := "are"
		if len(strangers) == 1 {
			are = "is"
		}
		return nil, &MarkError{Lines: []string{fmt.Sprintf("%s %s only perhaps the same, in other words: skip each with words of its own, or let a person skip them together with --as human", Some(strangers), are)}}
	}
	if len(ids) == 0 {
		return []string{named}, nil
	}
	return ids, nil
}

// joinedInOtherWords returns the short ids of the violations that are joined to one of these, shown or not,
// or that are in the block of v, and are outstanding, but were not joined because of their words.
func (s *State) joinedInOtherWords(v *Violation, ids []string) (strangers []string) {
	for i := range s.Violations {
		o := &s.Violations[i]
		goesAlong := o.DuplicateOf != "" && (o.Group() == v.Group() || slices.Contains(ids, o.DuplicateOf))
		if goesAlong && o.Fate().Outstanding() && !s.saysTheSame(o) {
			strangers = append(strangers, o.ShortID)
		}
	}
	return strangers
}

// saysTheSame reports whether a violation is joined to its original because of its words, and has them
// still: the original may have been joined to another one since, or have been reported in others.
func (s *State) saysTheSame(v *Violation) bool {
	original := s.shortID(v.DuplicateOf)
	return v.Status == StatusDuplicate && v.Reason == ReasonSameWords && original != nil && SameText(v.Issue, original.Issue)
}

// ResolveNames replaces the places among the IDs by the violations there, and with Group each ID by
// those of its whole block.
func (r *MarkRequest) ResolveNames(state *State) error {
	var ids []string
	for _, id := range r.IDs {
		if place, ok := ParsePlace(id); ok {
			var err error
			if id, err = r.At(state, place); err != nil {
				return err
			}
		}
		of := []string{id}
		if r.Group {
			var err error
			if of, err = r.OfGroup(state, state.fullID(id)); err != nil {
				return err
			}
		}
		for _, id := range of {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	r.IDs = ids
	return nil
}

// fullID returns the short id of the only violation that the text names: by its ULID, or by the
// beginning of its short id. Otherwise it returns the text.
func (s *State) fullID(text string) string {
	found := text
	for i := range s.Violations {
		switch v := &s.Violations[i]; {
		case v.ID == text || v.ShortID == strings.ToLower(text):
			return v.ShortID
		case len(text) >= shortestID && strings.HasPrefix(v.ShortID, strings.ToLower(text)):
			if found != text {
				return text
			}
			found = v.ShortID
		}
	}
	return found
}

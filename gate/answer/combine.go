package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Salvage returns what can be read from a text that does not fit. It looks at every JSON object
// with keys of the form anywhere in the text, complete, cut off or broken: behind a place that is
// not JSON, members of the form and elements of its lists are found by their keys. It takes each
// object with the required keys of a violation, wherever it is, each not_fixed and stands for an id
// that was asked about, and each entry of not_reviewed. Its status is the worst one that was declared, or empty: error is
// worse than fail, and fail than pass.
func Salvage(text string, asked Asked) Form {
	var f Form
	said, broken := map[string]bool{}, false
	s := scanner{text: valid(text)}
	var keys keysAt
	s.whole = func(path []step, value string) {
		n := len(path)
		if keys.whole(path) && value[0] == '{' {
			f.salvageObject(value, asked, said)
		}
		switch {
		case n == 0 && broken: // perhaps an element of a list that began before the broken place
			if strings.Contains(value, `"verdict"`) {
				f.salvageElement("claims", value, asked)
				f.salvageElement("disputes", value, asked)
			}
		case n == 0:
		case path[n-1].index < 0:
			f.salvageMember(path[n-1].key, value)
		default:
			f.salvageElement(path[n-2].key, value, asked)
		}
	}
	for {
		next := strings.IndexAny(s.text[s.at:], `{"`)
		if next < 0 {
			f.Claims, f.Disputes = onePerID(f.Claims), onePerID(f.Disputes)
			return f
		}
		s.at += next
		s.quote, s.path, keys = s.at, s.path[:0], keysAt{}
		isRead := false
		if s.next() == '{' {
			isRead = s.value()
			broken = broken || !isRead
		} else if broken {
			isRead = s.member()
		}
		if !isRead {
			// What looked like a string may not be one, so the search continues inside it. Objects
			// before it have been read already, so no byte is read more than a few times.
			s.at = s.quote + 1
		}
	}
}

// deepest is the depth down to which violations are looked for: each is read again.
const deepest = 64

// keysAt has, by depth, which keys of a violation the object that is being read there has.
type keysAt [deepest + 2]uint8

// Bits of [keysAt]. The others are keys of words on claims and on what is known.
const (
	hasFile = 1 << iota
	hasIssue
	hasPriority
	hasID
	hasWord

	violationKeys = hasFile | hasIssue | hasPriority
	wordKeys      = hasID | hasWord
)

// whole records that a value is complete, and reports whether it is an object with the keys of a
// violation, and no word on a claim or on what is known.
func (k *keysAt) whole(path []step) bool {
	n := len(path)
	if n > deepest {
		return false
	}
	has := k[n+1]
	k[n+1] = 0
	if n > 0 && path[n-1].index < 0 {
		switch path[n-1].key {
		case "file":
			k[n] |= hasFile
		case "issue", "description":
			k[n] |= hasIssue
		case "priority":
			k[n] |= hasPriority
		case "id":
			k[n] |= hasID
		case "verdict", "gone":
			k[n] |= hasWord
		}
	}
	return has&violationKeys == violationKeys && has&wordKeys != wordKeys
}

// salvageObject adds an object with the keys of a violation, unless it is the prompt's example.
//
// Rule: What is not an answer is an error.
func (f *Form) salvageObject(value string, asked Asked, said map[string]bool) {
	r := reader{asked: asked}
	e := r.entry("", value)
	if len(e.Missing) > 0 || strings.Trim(e.Issue, " .…") == "" {
		return
	}
	if f.add(e, said) {
		f.Warnings, f.Remarks = append(f.Warnings, r.form.Warnings...), append(f.Remarks, r.form.Remarks...)
	}
}

// member reads a member of the form, if the position is that of its key.
func (s *scanner) member() bool {
	for _, key := range []string{"status", "reason", "violations", "claims", "disputes", "not_reviewed"} {
		if rest, its := strings.CutPrefix(s.text[s.at+1:], key); its && strings.HasPrefix(rest, `"`) {
			s.at = len(s.text) - len(rest) + 1
			s.blanks()
			s.path = append(s.path, step{key, -1})
			return s.skip(':') && s.value()
		}
	}
	return false
}

func (f *Form) salvageMember(key, value string) {
	f.UsesClaims = f.UsesClaims || key == "claims" && value != "null"
	text, _ := textOf(value)
	if status := Status(strings.ToLower(strings.TrimSpace(text))); key == "status" && status.rank() > f.Status.rank() {
		f.Status = status
	}
	if key == "reason" {
		f.Reason = text
	}
}

func (f *Form) salvageElement(list, value string, asked Asked) {
	switch list {
	case "violations": // the complete ones are found by their keys
		r := reader{asked: asked}
		f.Incomplete = f.Incomplete || len(r.entry("", value).Missing) > 0
	case "claims":
		r := reader{}
		if w := r.word("", value, ledger.ClaimNotFixed); refutes(w) && has(asked.Claims, w.ID) {
			f.Claims = append(f.Claims, w)
		}
	case "disputes":
		r := reader{}
		if w := r.word("", value, ledger.DisputeStands); refutes(w) && has(asked.Disputes, w.ID) {
			f.Disputes = append(f.Disputes, w)
		}
	case "not_reviewed":
		if text, _ := textOf(value); !blank(text) {
			f.NotReviewed = append(f.NotReviewed, text)
		}
	}
}

func has(ids []string, id string) bool {
	return slices.ContainsFunc(ids, func(put string) bool { return normal(put) == id })
}

// Combine adds to the second answer what only the first one has, as returned by [Salvage]: each
// violation whose words and place, or id, are not in the second (the second may add the lines), each
// not_fixed and stands, and each entry of not_reviewed. What is in both has the higher priority and
// all places. With the form it returns an error if the first answer declared a fail or an
// error and the second reports nothing that supports it: the slot is then in error. So asking again
// never loses a finding.
func Combine(first, second Form) (Form, error) {
	var err error
	if first.Status.rank() > Pass.rank() && second.Status != Error && !second.supportsFail() {
		err = fmt.Errorf("the first answer said %q, and the second lists no problem", first.Status)
	}
	out := second
	out.Violations, out.Warnings, out.Remarks = slices.Clone(second.Violations), slices.Clone(second.Warnings), slices.Clone(second.Remarks)
	out.Claims, out.Disputes = slices.Clone(second.Claims), slices.Clone(second.Disputes)
	out.NotReviewed = slices.Clone(second.NotReviewed)
	said, both := map[string]bool{}, bothSay(out.Violations)
	for _, e := range second.Violations {
		isNew(e, said)
		e.Place.Start, e.Place.End = 0, 0 // the first may have a line that is not one
		isNew(e, said)
	}
	for _, file := range second.NotReviewed {
		said["\x00"+file] = true
	}
	for _, e := range first.Violations {
		if n, again := both.find(e, said); again {
			out.Violations[n] = united(out.Violations[n], e)
		} else if out.add(e, said) {
			out.Remarks = append(out.Remarks, fmt.Sprintf("only the first answer reports %s: %s", quote(e.Place.File), quote(e.Issue)))
		}
	}
	for _, remark := range slices.Concat(first.Warnings, first.Remarks) {
		out.Remarks = append(out.Remarks, "first answer: "+remark)
	}
	for _, w := range first.Claims {
		if w.Verdict == ledger.ClaimNotFixed {
			out.Claims = append(out.Claims, w)
		}
	}
	for _, w := range first.Disputes {
		if w.Verdict == ledger.DisputeStands {
			out.Disputes = append(out.Disputes, w)
		}
	}
	out.Claims, out.Disputes = onePerID(out.Claims), onePerID(out.Disputes)
	for _, file := range first.NotReviewed {
		if key := "\x00" + file; !said[key] {
			said[key] = true
			out.NotReviewed = append(out.NotReviewed, file)
		}
	}
	out.settle()
	return out, err
}

// sayings finds entries by what they say: their words and place, or the id that they name.
type sayings map[string]int

func bothSay(entries []ledger.Entry) sayings {
	s := sayings{}
	for i := len(entries) - 1; i >= 0; i-- { // the first of several
		e := entries[i]
		if e.SameAs != "" {
			s["\x00"+e.SameAs] = i
		}
		whole := e
		whole.Place.Start, whole.Place.End = 0, 0
		s[key(whole)+"\x00"] = i // the first answer may have a line that is not one
		s[key(e)+"\x00"] = i
	}
	return s
}

// find returns the entry that says the same, if there is one.
func (s sayings) find(e ledger.Entry, said map[string]bool) (int, bool) {
	if n, found := s["\x00"+e.SameAs]; e.SameAs != "" && found {
		return n, true
	}
	n, found := s[key(e)+"\x00"]
	return n, found && said[key(e)+"\x00"+e.SameAs]
}

// united returns the second answer's entry with what only the first answer says of the same: a
// higher priority, and further places.
//
// Rule: What is not an answer is an error.
func united(second, first ledger.Entry) ledger.Entry {
	if first.Priority.Higher(second.Priority) {
		second.Priority = first.Priority
	}
	second.Fix = cmp.Or(second.Fix, first.Fix)
	second.SystemBreaking = second.SystemBreaking || first.SystemBreaking
	places := second.Places()
	for _, p := range first.Places() {
		if !slices.Contains(places, p) && !(p.WholeFile() && p.File == second.Place.File) {
			places = append(places, p)
		}
	}
	if second.Also = places[1:]; len(second.Also) == 0 {
		second.Also = nil
	}
	return second
}

// add appends an entry if it is new, and reports whether it is.
func (f *Form) add(e ledger.Entry, said map[string]bool) bool {
	if !isNew(e, said) {
		return false
	}
	e.Position = len(f.Violations) + 1
	f.Violations = append(f.Violations, e)
	return true
}

// isNew reports whether no entry in said has the same words and place, and adds the entry to said.
// An entry with same_as differs from one without.
func isNew(e ledger.Entry, said map[string]bool) bool {
	same := key(e) + "\x00"
	if said[same+e.SameAs] {
		return false
	}
	said[same], said[same+e.SameAs] = true, true
	return true
}

// Merge joins the answers to the parts of a prompt that was split by file. It renumbers the
// entries. If two parts answer about the same id, the verdict that settles less counts, and of two
// statuses the worse one.
func Merge(parts []Form) Form {
	var out Form
	var reasons, notes []string
	for _, part := range parts {
		if part.Status.rank() > out.Status.rank() {
			out.Status = part.Status
		}
		for _, e := range part.Violations {
			e.Position = len(out.Violations) + 1
			out.Violations = append(out.Violations, e)
		}
		out.Claims, out.Disputes = append(out.Claims, part.Claims...), append(out.Disputes, part.Disputes...)
		for _, g := range part.Known {
			out.Known = upsertGone(out.Known, g)
		}
		out.NotReviewed = append(out.NotReviewed, part.NotReviewed...)
		out.Warnings, out.Remarks = append(out.Warnings, part.Warnings...), append(out.Remarks, part.Remarks...)
		reasons, notes = appendText(reasons, part.Reason), appendText(notes, part.Notes)
	}
	out.Claims, out.Disputes = onePerID(out.Claims), onePerID(out.Disputes)
	out.Reason, out.Notes = strings.Join(reasons, "; "), strings.Join(notes, "\n\n")
	out.settle()
	return out
}

func appendText(texts []string, text string) []string {
	if blank(text) {
		return texts
	}
	return append(texts, text)
}

// rank returns a number that is higher for a worse status, and lowest for an unknown word.
func (s Status) rank() int { return slices.Index([]Status{Pass, Fail, Error}, s) }

// verdictRank returns a number that is higher for a verdict that settles less.
func verdictRank(v ledger.ClaimVerdict) int {
	return slices.Index([]ledger.ClaimVerdict{ledger.ClaimFixed, ledger.DisputeWithdrawn, ledger.ClaimCannotTell, ledger.ClaimNotFixed, ledger.DisputeStands}, v)
}

// onePerID keeps one word for each id, in the position of the first: the one whose verdict settles
// least.
func onePerID(words []ledger.ClaimWord) []ledger.ClaimWord {
	at := make(map[string]int, len(words))
	kept := words[:0]
	for _, w := range words {
		i, known := at[w.ID]
		switch {
		case !known:
			at[w.ID] = len(kept)
			kept = append(kept, w)
		case verdictRank(w.Verdict) > verdictRank(kept[i].Verdict):
			kept[i] = w
		}
	}
	return kept
}

// upsertGone adds a word on a known violation. It replaces an earlier word on the same one if that
// says that it is gone.
func upsertGone(known []Gone, g Gone) []Gone {
	i := slices.IndexFunc(known, func(other Gone) bool { return other.ID == g.ID })
	switch {
	case i < 0:
		return append(known, g)
	case known[i].Gone:
		known[i] = g
	}
	return known
}

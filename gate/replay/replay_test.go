package replay

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	stillThere = 12 // findings of a pair that are still there
	movedThere = 4
	goneThere  = 4
)

// finding is one whose fate is known.
type finding struct {
	kind     int
	was, now lineAt // now is zero if it is gone
	text     string
}

// place draws findings of a change.
func (c *change) place(random *rand.Rand) (findings []finding) {
	var there, gone []finding
	for text, was := range c.oldText {
		f := finding{was: was, text: text}
		now, found := c.nowText[text]
		switch {
		case found:
			f.now = now
			there = append(there, f)
		case c.count(text) == 0 && len(c.old[was.file]) > 0:
			gone = append(gone, f)
		}
	}
	draw := func(list []finding, n int) (drawn []finding) {
		slices.SortFunc(list, func(a, b finding) int { return strings.Compare(a.was.String(), b.was.String()) })
		for _, i := range random.Perm(len(list))[:min(n, len(list))] {
			drawn = append(drawn, list[i])
		}
		return drawn
	}
	moved := slices.DeleteFunc(slices.Clone(there), func(f finding) bool { return !c.removes(f.was) })
	there = slices.DeleteFunc(there, func(f finding) bool { return c.removes(f.was) })
	findings = draw(moved, movedThere)
	findings = append(findings, draw(there, stillThere-len(findings))...)
	findings = append(findings, draw(gone, goneThere)...)
	for i := range findings {
		findings[i].kind = random.IntN(len(phrasings))
	}
	return findings
}

// way is how findings are reported again.
type way struct {
	name    string
	jitter  bool // the line is off by 1 to 3
	reword  bool
	oldLine bool
	oldName bool // only findings in renamed files
	other   bool // by slot 2, which has a claim of its own there
	ranges  bool
	generic bool
	medium  bool // below the threshold
	words   float64
}

func ways() []way {
	const often = 0.7
	return []way{
		{name: "exact line and words", words: often},
		{name: "line off by 1–3", jitter: true, words: often},
		{name: "other words", reword: true, words: often},
		{name: "both", jitter: true, reword: true, words: often},
		{name: "both, an identifier always named", jitter: true, reword: true, words: 1},
		{name: "both, an identifier never named", jitter: true, reword: true},
		{name: "both, below the threshold", jitter: true, reword: true, words: often, medium: true},
		{name: "old line number", oldLine: true, words: often},
		{name: "old file name after a rename", oldName: true, words: often},
		{name: "the same in other words", oldName: true, reword: true, words: often},
		{name: "by another slot with a claim of its own there", other: true, words: often},
		{name: "ranges", ranges: true, words: often},
		{name: "ranges in other words", ranges: true, reword: true, words: often},
		{name: "exact line, generic words", generic: true},
		{name: "line off by 1–3, generic words", generic: true, jitter: true},
	}
}

// score counts what became of findings.
type score struct {
	there, recognised, falselyVerified int
	gone, reopened                     int
	byHash, bySameLine                 int
}

func (s *score) add(o score) {
	s.there, s.recognised, s.falselyVerified = s.there+o.there, s.recognised+o.recognised, s.falselyVerified+o.falselyVerified
	s.gone, s.reopened = s.gone+o.gone, s.reopened+o.reopened
	s.byHash, s.bySameLine = s.byHash+o.byHash, s.bySameLine+o.bySameLine
}

// replay reports the findings of a change again.
type replay struct {
	*change
	way
	random   *rand.Rand
	findings []finding
	places   []ledger.Place // where they were reported first
	known    []ledger.Known
	answer   ledger.Answer
	facts    ledger.Facts
	entryOf  []int // by finding: its entry; -1 if it is gone
}

func (c *change) replay(w way, findings []finding, seed uint64) score {
	r := &replay{change: c, way: w, random: rand.New(rand.NewPCG(seed, 5)), findings: findings}
	if w.oldName {
		r.findings = slices.DeleteFunc(slices.Clone(findings), func(f finding) bool {
			return f.now.file != "" && (c.diff.NewName(f.was.file) == f.was.file || f.now.file != c.diff.NewName(f.was.file))
		})
	}
	r.claim()
	r.report()
	return r.judge()
}

// claim makes a claim of each finding, and places it in the new tree.
func (r *replay) claim() {
	s := speaker{r.random, r.words}
	var spans []diff.Span
	for _, f := range r.findings {
		place := ledger.Place{File: f.was.file, Start: f.was.line, End: f.was.line}
		if r.ranges {
			place.Start = max(1, place.Start-r.random.IntN(4))
			place.End = min(len(r.old[f.was.file]), place.End+r.random.IntN(4))
		}
		r.places, spans = append(r.places, place), append(spans, diff.Span(place))
	}
	followed := r.diff.Follow(spans)
	for i, f := range r.findings {
		issue := s.first(f.kind, f.text)
		if r.generic {
			issue = generic[f.kind%len(generic)]
		}
		r.addClaim(1, i, issue, followed[i])
		if r.other {
			r.addClaim(2, i, s.first((f.kind+1)%len(phrasings), f.text), followed[i])
		}
	}
}

func (r *replay) addClaim(slot, i int, issue string, followed diff.Followed) {
	id := fmt.Sprintf("%d@%d", i, slot)
	k := ledger.Known{Violation: ledger.Violation{
		ID: id, ShortID: id, Slot: slot, Place: r.places[i], Issue: issue, Priority: ledger.High, Status: ledger.StatusFixed,
	}, WasClaim: true}
	k.Here, k.Files = ledger.Place(followed.Here), followed.Files
	k.Rewritten, k.Shifted = followed.Rewritten, followed.Shifted
	for _, span := range followed.Moved {
		k.Moved = append(k.Moved, ledger.Place(span))
	}
	r.known = append(r.known, k)
}

// report makes the answer that reports again what is still there.
func (r *replay) report() {
	s := speaker{r.random, r.words}
	for i, f := range r.findings {
		r.entryOf = append(r.entryOf, -1)
		if f.now.file == "" {
			continue
		}
		r.entryOf[i] = len(r.answer.Entries)
		e := ledger.Entry{Position: len(r.answer.Entries) + 1, Place: r.again(f), Issue: r.knownOf(i).Issue, Priority: ledger.High}
		if r.reword {
			e.Issue = s.again(f.kind, f.text)
		}
		if r.medium {
			e.Priority = ledger.Medium
		}
		given := e.Place
		e.Place.File = r.diff.NewName(given.File)
		if r.oldName {
			e.Place.File = f.now.file
		}
		r.answer.Entries = append(r.answer.Entries, e)
		r.facts.Entries = append(r.facts.Entries, r.factsOf(given, e.Place))
	}
	r.answer.Fail = len(r.answer.Entries) > 0
}

// again is the place at which a finding is reported again.
func (r *replay) again(f finding) ledger.Place {
	place := ledger.Place{File: f.now.file, Start: f.now.line, End: f.now.line}
	switch {
	case r.ranges:
		place.Start -= r.random.IntN(4)
		place.End += r.random.IntN(4)
	case r.oldLine:
		place.Start, place.End = f.was.line, f.was.line
	case r.oldName:
		place.File = f.was.file
	}
	if r.jitter {
		off := (1 + r.random.IntN(3)) * (1 - 2*r.random.IntN(2))
		place.Start, place.End = place.Start+off, place.End+off
	}
	last := len(r.now[f.now.file])
	place.Start, place.End = min(last, max(1, place.Start)), min(last, max(1, place.End))
	return place
}

func (r *replay) factsOf(given, place ledger.Place) ledger.EntryFacts {
	lines := r.now[place.File]
	from := min(len(lines), max(0, place.Start-1-ledger.NearLines))
	to := max(from, min(len(lines), place.End+ledger.NearLines))
	contains := func(p ledger.Place) bool { return r.diff.Contains(p.File, p.Start, p.End) }
	return ledger.EntryFacts{
		InDiff:      contains(given) || contains(place),
		Identifiers: ledger.Words(strings.Join(lines[from:to], "\n")),
	}
}

func (r *replay) knownOf(finding int) *ledger.Known {
	if r.other {
		return &r.known[2*finding]
	}
	return &r.known[finding]
}

// judge evaluates the answer, and counts. Where slot 2 reports, slot 1 says nothing, and
// so verifies its claims; now before slot 2 answers, now after it.
func (r *replay) judge() (s score) {
	answers := []slotAnswer{{1, r.answer, r.facts}}
	if r.other {
		answers = []slotAnswer{{2, r.answer, r.facts}, {slot: 1}}
		if r.random.IntN(2) == 0 {
			slices.Reverse(answers)
		}
	}
	matched := map[string]string{}
	for _, a := range answers {
		for i := range r.known {
			r.known[i].Shown = r.known[i].Slot == a.slot
		}
		e := ledger.Evaluate(a.answer, r.known, a.facts, ledger.Rules{Slot: a.slot, AnsweredBefore: true, Threshold: ledger.High})
		r.set(e.Verified, ledger.StatusVerified)
		r.set(e.Reopened, ledger.StatusReopened)
		for _, report := range e.Reports {
			matched[fmt.Sprint(report.Position)] = report.Match
		}
	}
	for i, f := range r.findings {
		k := r.knownOf(i)
		if r.entryOf[i] < 0 {
			s.gone++
			if k.Status == ledger.StatusReopened {
				s.reopened++
			}
			continue
		}
		s.there++
		place := r.answer.Entries[r.entryOf[i]].Place
		if matched[fmt.Sprint(r.entryOf[i]+1)] == k.ID {
			s.recognised++
		} else if k.Status == ledger.StatusVerified {
			s.falselyVerified++
		}
		if !r.ranges && r.hash(r.old, f.was) == r.hash(r.now, lineAt{place.File, place.Start}) {
			s.byHash++
		}
		sameName := r.oldName || f.now.file == f.was.file
		if d := place.Start - r.places[i].Start; sameName && -3 <= d && d <= 3 {
			s.bySameLine++
		}
	}
	return s
}

type slotAnswer struct {
	slot   int
	answer ledger.Answer
	facts  ledger.Facts
}

func (r *replay) set(ids []string, status ledger.Status) {
	for i := range r.known {
		if slices.Contains(ids, r.known[i].ID) {
			r.known[i].Status = status
		}
	}
}

// hash is a line's hash, of which the occurrence is a part.
func (c *change) hash(files map[string][]string, at lineAt) string {
	lines := files[at.file]
	hashes := c.hashes[&lines[0]]
	if hashes == nil {
		hashes = ledger.LineHashes([]byte(strings.Join(lines, "\n") + "\n"))
		c.hashes[&lines[0]] = hashes
	}
	return hashes[at.line-1]
}

// histories are the git directories to replay.
func histories(b *testing.B) []string {
	if list := os.Getenv("REVIEWLEDGER_REPLAY"); list != "" {
		return filepath.SplitList(list)
	}
	dir, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	return []string{dir}
}

func BenchmarkReplay(b *testing.B) {
	for b.Loop() {
		scores := make([]score, len(ways()))
		pairs, renames := 0, 0
		for n, dir := range histories(b) {
			h := openHistory(b, dir)
			for p, pair := range h.pairs() {
				c, ok := h.load(pair)
				if !ok {
					continue
				}
				findings := c.place(rand.New(rand.NewPCG(uint64(n), uint64(p))))
				if len(findings) == 0 {
					continue
				}
				pairs++
				if slices.ContainsFunc(c.diff.Files, func(f diff.File) bool { return f.Kind == diff.Renamed }) {
					renames++
				}
				for i, w := range ways() {
					scores[i].add(c.replay(w, findings, uint64(1000*n+p)))
				}
			}
		}
		if pairs == 0 {
			b.Skip("no history to replay: set REVIEWLEDGER_REPLAY")
		}
		fmt.Println(table(pairs, renames, scores)) // b.Log cuts long texts
	}
}

// table prints the scores in Markdown.
func table(pairs, renames int, scores []score) string {
	var t strings.Builder
	fmt.Fprintf(&t, "%d pairs of commits, %d with renames, %d findings still there, %d gone\n\n", pairs, renames, scores[0].there, scores[0].gone)
	t.WriteString("| reported again | findings | recognised | verified although still there | gone and reopened | line hash | same line ± 3 |\n|---|---|---|---|---|---|---|\n")
	for i, w := range ways() {
		s := scores[i]
		fmt.Fprintf(&t, "| %s | %d | %s | %s | %s | %s | %s |\n", w.name, s.there, percent(s.recognised, s.there),
			percent(s.falselyVerified, s.there), percent(s.reopened, s.gone), percent(s.byHash, s.there), percent(s.bySameLine, s.there))
	}
	return t.String()
}

func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

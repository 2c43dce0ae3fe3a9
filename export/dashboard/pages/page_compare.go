package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Compare) content(f Frame, l links) content {
	c := content{Tab: "/compare", Name: "Compare", Head: head{
		Title: "Compare two runs",
		Sub:   words("Violations are the same where they are about the same line (fingerprint), else by file and words."),
	}}
	if len(p.Recent) == 0 && (p.A == nil || p.B == nil) {
		c.Sections = []section{below(noRuns())}
		return c
	}
	if len(p.Recent) == 1 && (p.A == nil || p.B == nil) {
		c.Sections = []section{below(panel{Empty: &emptiness{
			Title: "There is one run so far.",
			Text:  phrase{plain("A comparison takes two. Look at "), link(runName(p.Recent[0]), l.run(p.Recent[0].ID)), plain(" meanwhile.")},
		}})}
		return c
	}
	c.Form = p.form(f, l)
	if p.A == nil || p.B == nil {
		c.Sections = []section{below(panel{Empty: &emptiness{Title: "Choose two runs.", Text: words("Their violations are set side by side.")}})}
		return c
	}
	if p.Found.Problem != "" {
		c.Sections = []section{below(failed("What they share", p.Found.Problem), p.measures(f, l))}
		return c
	}
	s := p.Found.Value
	c.Head.Actions = []action{{Text: "JSON", Href: l.to("/compare", param{"a", p.A.Run.ID}, param{"b", p.B.Run.ID}, param{"format", "json"})}}
	c.Sections = []section{
		below(p.split(s), p.measures(f, l)),
		beside(onlyIn(l, "only-a", "Only in A", s.OnlyA), onlyIn(l, "only-b", "Only in B", s.OnlyB)),
		below(inBoth(l, s.Both)),
	}
	return c
}

func (p Compare) form(f Frame, l links) *comparison {
	form := &comparison{}
	runs := slices.Clone(p.Recent)
	for _, side := range []struct {
		run *RunRow
		id  *string
	}{{p.B, &form.B}, {p.A, &form.A}} {
		if side.run == nil {
			continue
		}
		*side.id = side.run.Run.ID
		if !slices.ContainsFunc(runs, func(r ledger.Run) bool { return r.ID == side.run.Run.ID }) {
			runs = slices.Insert(runs, 0, side.run.Run)
		}
	}
	for _, r := range runs {
		form.Options = append(form.Options, choice{Text: fmt.Sprintf("%s · %s · %s", runName(r), shortRun(r.ID), shownTime(r.StartedAt, f.Now)), Href: r.ID})
	}
	if form.A != "" && form.B != "" {
		form.Swap = l.to("/compare", param{"a", form.B}, param{"b", form.A})
	}
	// By default, the newest run is compared with the one before it.
	other := func(not string, first int) string {
		for _, r := range p.Recent[min(first, len(p.Recent)):] {
			if r.ID != not {
				return r.ID
			}
		}
		return ""
	}
	if form.A == "" && form.B == "" {
		form.B = other("", 0)
	}
	if form.A == "" {
		form.A = other(form.B, 0)
	}
	if form.B == "" {
		form.B = other(form.A, 0)
	}
	return form
}

func (p Compare) split(s ledger.Comparison) panel {
	a, b, both := len(s.OnlyA), len(s.OnlyB), len(s.Both)
	if a+b+both == 0 {
		return panel{Title: "What they share", Empty: &emptiness{Title: "Neither has a violation."}}
	}
	parts := []chart.Part{
		{Value: float64(a), Paint: chart.Paint{Tone: chart.Accent}},
		{Value: float64(both), Paint: chart.Paint{Tone: chart.Muted}},
		{Value: float64(b), Paint: chart.Paint{Tone: chart.Accent, Fill: chart.Hatched}},
	}
	label := fmt.Sprintf("%s only in A, %s in both, %s only in B", count(a), count(both), count(b))
	return panel{
		Title: "What they share",
		Legend: []legend{
			{Swatch: parts[0].Paint.Swatch(), Part: jump(a, " only in A", "#only-a")},
			{Swatch: parts[1].Paint.Swatch(), Part: jump(both, " in both", "#both")},
			{Swatch: parts[2].Paint.Swatch(), Part: jump(b, " only in B", "#only-b")},
		},
		Split: &drawing{Label: label, Height: "12", Marks: chart.Row(parts, float64(a+b+both))},
	}
}

// jump returns a number linked to the list on the page that it counts. Zero has no link.
func jump(n int, words, href string) part {
	if n == 0 {
		href = ""
	}
	return link(count(n)+words, href)
}

// measures compares figures of the two runs side by side.
func (p Compare) measures(f Frame, l links) panel {
	a, b := p.A, p.B
	side := func(letter string, r *RunRow) column {
		return column{Title: letter + " · " + runName(r.Run)}
	}
	t := &table{Label: "Side by side", Class: "cmpt", Columns: []column{{Title: "Measure", Hidden: true}, side("A", a), side("B", b), {Title: "B against A"}}}
	add := func(name string, inA, inB part, difference string) {
		t.Rows = append(t.Rows, []cell{rowHead(plain(name)), textual(inA), textual(inB), textual(muted(difference))})
	}
	add("Run", link(shortRun(a.Run.ID), l.run(a.Run.ID)), link(shortRun(b.Run.ID), l.run(b.Run.ID)), "")
	add("Began", at(a.Run.StartedAt, f.Now), at(b.Run.StartedAt, f.Now), "")
	add("Status", badgeOfRun(a.Run).part(), badgeOfRun(b.Run).part(), "")
	add("Iterations", plain(count(a.Run.Iterations)), plain(count(b.Run.Iterations)), difference(b.Run.Iterations-a.Run.Iterations))
	for _, m := range []struct {
		name  string
		tally ledger.Tally
	}{
		{"Verified", ledger.TallyVerified}, {"Claimed fixed", ledger.TallyClaimed}, {"Skipped", ledger.TallySkipped},
		{"Withdrawn", ledger.TallyWithdrawn}, {"Open", ledger.TallyOpen}, {"Abandoned", ledger.TallyAbandoned},
	} {
		add(m.name, l.tally(a.Run, m.tally), l.tally(b.Run, m.tally), difference(b.Run.Count(m.tally)-a.Run.Count(m.tally)))
	}
	tookA, knownA := wallTime(a.Run)
	tookB, knownB := wallTime(b.Run)
	longer := ""
	if knownA && knownB && elapsed(tookA) == elapsed(tookB) {
		longer = signed(0, "")
	} else if knownA && knownB {
		longer = signed(cmp.Compare(tookB, tookA), elapsed((tookB - tookA).Abs()))
	}
	add("From start to end", wallWords(tookA, knownA), wallWords(tookB, knownB), longer)
	dearer := ""
	switch known := func(c ledger.Cost) bool { return c.Calls > 0 && c.Known == c.Calls }; {
	case !known(a.Cost) || !known(b.Cost):
	case dollars(a.Cost.USD) == dollars(b.Cost.USD):
		dearer = signed(0, "")
	default:
		dearer = signed(cmp.Compare(b.Cost.USD, a.Cost.USD), dollars(math.Abs(b.Cost.USD-a.Cost.USD)))
	}
	add("Cost", plain(costWords(a.Cost)), plain(costWords(b.Cost)), dearer)
	return panel{Title: "Side by side", Table: t}
}

// wallTime returns how long a run took. This is only known for a closed run.
func wallTime(r ledger.Run) (took time.Duration, known bool) {
	if !r.Closed() || r.StartedAt.IsZero() {
		return 0, false
	}
	return r.FinishedAt.Sub(r.StartedAt), true
}

func wallWords(took time.Duration, known bool) part {
	if !known {
		return plain(unknown)
	}
	return plain(elapsed(took))
}

func difference(n int) string { return signed(n, count(max(n, -n))) }

// signed formats a difference of the given size with its sign.
func signed(sign int, size string) string {
	switch {
	case sign > 0:
		return "+" + size
	case sign < 0:
		return "−" + size
	}
	return "same"
}

// comparedRows is how many rows of each list a comparison shows.
const comparedRows = 100

func onlyIn(l links, id, title string, found []ledger.ListedViolation) panel {
	made := panel{ID: id, Title: title, Badge: count(len(found))}
	if len(found) == 0 {
		made.Empty = &emptiness{Title: "None."}
		return made
	}
	t := &table{Label: title, Class: "stack", Columns: []column{{Title: "ID"}, {Title: "Status"}, {Title: "Priority"}, {Title: "Violation, place"}, {Title: "First by"}}}
	for _, v := range found[:min(len(found), comparedRows)] {
		t.Rows = append(t.Rows, []cell{
			idCell(v.ShortID), textual(badgeOf(v.Shown()).part()), textual(priorityBadge(v.Priority).part()),
			finding(v.Issue, l.violation(v.ShortID), v.Place), {Class: "nw", Parts: words(v.Adapter)},
		})
	}
	made.Table, made.Footnote = t, cutNote(len(found))
	return made
}

// both returns two names, or one if they are equal.
func both(a, b string) string {
	if a == b {
		return a
	}
	return a + ", " + b
}

func cutNote(n int) string {
	if n <= comparedRows {
		return ""
	}
	return fmt.Sprintf("The first %d are shown; the JSON has all %s.", comparedRows, count(n))
}

func inBoth(l links, found []ledger.Pair) panel {
	made := panel{ID: "both", Title: "In both", Badge: count(len(found))}
	if len(found) == 0 {
		made.Empty = &emptiness{Title: "None."}
		return made
	}
	t := &table{Label: "In both", Class: "stack", Columns: []column{{Title: "In A"}, {Title: "In B"}, {Title: "Priority"}, {Title: "Violation, place"}, {Title: "First by"}}}
	for _, v := range found[:min(len(found), comparedRows)] {
		t.Rows = append(t.Rows, []cell{
			{Label: "A", Parts: phrase{badgeOf(v.A.Shown()).linked(l.violation(v.A.ShortID))}, Path: plain(v.A.ShortID)},
			{Label: "B", Parts: phrase{badgeOf(v.B.Shown()).linked(l.violation(v.B.ShortID))}, Path: plain(v.B.ShortID)},
			textual(priorityBadge(v.B.Priority).part()), finding(v.B.Issue, l.violation(v.B.ShortID), v.B.Place),
			{Class: "nw", Parts: words(both(v.A.Adapter, v.B.Adapter))},
		})
	}
	made.Table, made.Footnote = t, cutNote(len(found))
	return made
}

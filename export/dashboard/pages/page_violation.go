package pages

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func (p Violation) content(f Frame, l links) content {
	v := p.History.Violation
	first, _, _ := strings.Cut(strings.TrimSpace(v.Issue), "\n") // the rest is below
	page := thingPage{
		list: "Violations", path: "/violations", id: v.ShortID, title: headline(first), main: []panel{p.words()}, aside: []panel{p.why(), p.facts(f, l)},
		sub: phrase{
			badgeOf(v.Shown()).strong(), plain(" · "), priorityBadge(v.Priority).part(), plain(" · "),
			{Text: placeWords(v.Place), Class: "mono", Href: l.violations(ledger.ViolationFilter{File: ledger.EscapePattern(v.Place.File)})},
			plain(fmt.Sprintf(" · first reported by %s in iteration %d of ", v.Adapter, v.First)), link(runName(p.Run), l.run(v.Run)),
		},
	}
	if code, shown := p.excerpt(); shown {
		page.main = append(page.main, code)
	}
	marks, possible := p.marks(l)
	if possible {
		page.main = append(page.main, marks)
	}
	page.name, page.lead = p.answer(marks.Form != nil)
	if problem, joined := p.problem(l); joined {
		page.main = append(page.main, problem)
	}
	page.main = append(page.main, p.claims()...)
	page.main = append(page.main, p.timeline(l))
	for i, e := range p.History.Events {
		if i == 0 || p.History.Events[i-1].Status != e.Status {
			page.life = append(page.life, badgeOf(e.Status))
		}
	}
	return page.content(l)
}

// words shows the full text of the report, and the fix that it proposes.
func (p Violation) words() panel {
	v := p.History.Violation
	made := panel{Title: "What was reported"}
	made.Body = paragraphs(v.Issue)
	if strings.TrimSpace(v.Fix) != "" {
		made.Body = append(made.Body, phrase{bold("What to do about it")})
		made.Body = append(made.Body, paragraphs(v.Fix)...)
	}
	for _, side := range bothSides(v.Violation) {
		made.Body = append(made.Body, phrase{bold(side.who)})
		made.Body = append(made.Body, paragraphs(side.words)...)
	}
	if v.Gone.By != "" {
		made.Body = append(made.Body, phrase{bold("Perhaps gone"), plain(": " + cut(v.Gone.String(), mostQuoted) + " Nobody claims so: mark it.")})
	}
	return made
}

// side is what one side says about a claim or dispute.
type side struct{ who, words string }

// bothSides returns what was said about a dispute that is pending or was withdrawn, or about a
// claim or dispute whose violation is open again.
func bothSides(v ledger.Violation) (sides []side) {
	author, reviewer := "Claimed or disputed", "Its reviewer answered"
	switch v.Status {
	case ledger.StatusDisputed:
		return []side{{"Disputed, and not answered yet", v.Result}}
	case ledger.StatusWithdrawn:
		author, reviewer = "Disputed", "Its reviewer withdrew it"
	}
	if v.Answers != "" {
		sides = append(sides, side{author, v.Answers})
	}
	if v.Evidence != "" {
		sides = append(sides, side{reviewer, v.Evidence})
	}
	return sides
}

// problem shows the other reports of the same problem, each in its own words.
func (p Violation) problem(l links) (panel, bool) {
	made := panel{Title: "Other reports of this problem", More: words("fixed, skipped or withdrawn together")}
	if p.Problem.Problem != "" {
		made.Body = append(made.Body, words(p.Problem.Problem))
	}
	for _, v := range p.Problem.Value {
		how := "joined to this one"
		switch of := p.History.Violation.DuplicateOf; {
		case of == v.ShortID:
			how = "this one was joined to it"
		case of != "":
			how = "joined to it, too"
		}
		made.Body = append(made.Body, phrase{
			link(v.ShortID, l.violation(v.ShortID)), plain(fmt.Sprintf(" by %s@%d at ", v.Adapter, v.Slot)), classed("mono", placeWords(v.Place)), muted(", " + how),
		})
		made.Body = append(made.Body, paragraphs(cut(v.Issue, mostQuoted))...)
	}
	return made, len(made.Body) > 0
}

// mostWords is how many characters of a reviewer's text a page shows. JSON has all of it.
const mostWords = 20_000

// paragraphs splits a foreign text into paragraphs and keeps their line breaks.
func paragraphs(foreign string) []phrase {
	var list []phrase
	for _, paragraph := range strings.Split(strings.ReplaceAll(cut(foreign, mostWords), "\r\n", "\n"), "\n\n") {
		var lines phrase
		for i, line := range strings.Split(strings.Trim(paragraph, "\n"), "\n") {
			if i > 0 {
				lines = append(lines, part{Tag: "br"})
			}
			lines = append(lines, plain(line))
		}
		if strings.TrimSpace(paragraph) != "" {
			list = append(list, lines)
		}
	}
	return list
}

// excerpt shows the code that was reviewed, from the latest report that has it.
func (p Violation) excerpt() (panel, bool) {
	for i := len(p.History.Reports) - 1; i >= 0; i-- {
		r := p.History.Reports[i]
		if r.Excerpt.First == 0 {
			continue
		}
		block := &codeBlock{Label: "Code"}
		for n, line := range strings.Split(strings.TrimSuffix(r.Excerpt.Text, "\n"), "\n") {
			number := r.Excerpt.First + n
			l := codeLine{Old: fmt.Sprint(number), Text: strings.TrimSuffix(line, "\r")}
			if !r.Place.WholeFile() && number >= r.Place.Start && number <= max(r.Place.Start, r.Place.End) {
				l.Class = "hit"
			}
			block.Lines = append(block.Lines, l)
		}
		return panel{Title: "As it was reported", Note: fmt.Sprintf("iteration %d", r.Iteration), More: phrase{classed("mono", r.Place.File)}, Code: block}, true
	}
	return panel{}, false
}

// claims shows each claim with the code that was changed for it and the reviewer's answer. The
// hunks of a claim are stored with the event that answers it.
func (p Violation) claims() []panel {
	var list []panel
	claim, n := 0, 0 // iteration of the report that the last claim answers
	for _, e := range p.History.Events {
		switch e.Status {
		case ledger.StatusFixed:
			claim = e.Iteration
			n++
		case ledger.StatusVerified, ledger.StatusReopened:
			if e.Hunks == "" {
				continue
			}
			outcome := "contradicted"
			if e.Status == ledger.StatusVerified {
				outcome = "confirmed"
			}
			list = append(list, panel{
				Title: ordinal(n) + " claim", Note: fmt.Sprintf("iteration %d to %d, %s", claim, e.Iteration, outcome),
				More: phrase{badgeOf(e.Status).part()},
				Code: &codeBlock{Label: "Diff of the " + strings.ToLower(ordinal(n)) + " claim", Diff: true, Lines: diffLines(e.Hunks)},
			})
		}
	}
	return list
}

func ordinal(n int) string {
	names := []string{"First", "Second", "Third", "Fourth", "Fifth"}
	if n >= 1 && n <= len(names) {
		return names[n-1]
	}
	return fmt.Sprintf("%d.", n)
}

// diffLines formats hunks with line numbers.
func diffLines(hunks string) []codeLine {
	var lines []codeLine
	before, after := 0, 0
	shown, left := beginning(hunks)
	for _, line := range strings.Split(strings.TrimSuffix(shown, "\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.HasPrefix(line, "@@"):
			_, rest, _ := strings.Cut(line, "+")
			_, _ = fmt.Sscanf(line, "@@ -%d", &before) // in the form that the diff was written in
			_, _ = fmt.Sscanf(rest, "%d", &after)
			lines = append(lines, codeLine{Class: "hunk", Text: line})
		case strings.HasPrefix(line, "+"):
			lines = append(lines, codeLine{Class: "add", New: fmt.Sprint(after), Sign: "+", Text: line[1:]})
			after++
		case strings.HasPrefix(line, "-"):
			lines = append(lines, codeLine{Class: "del", Old: fmt.Sprint(before), Sign: "−", Text: line[1:]})
			before++
		case strings.HasPrefix(line, `\`):
			lines = append(lines, codeLine{Text: line})
		default:
			lines = append(lines, codeLine{Old: fmt.Sprint(before), New: fmt.Sprint(after), Text: strings.TrimPrefix(line, " ")})
			before, after = before+1, after+1
		}
	}
	if left > 0 {
		lines = append(lines, codeLine{Class: "hunk", Text: count(int(left)) + " more bytes"})
	}
	return lines
}

func (p Violation) why() panel {
	status := p.History.Violation.Shown()
	word := badgeOf(status).Word
	if status == ledger.StatusDuplicate {
		word = "a " + word
	}
	made := panel{Title: "Why it is " + word}
	for _, s := range p.Why.Sentences {
		made.Body = append(made.Body, explained(cut(s, mostQuoted)))
	}
	return made
}

func (p Violation) facts(f Frame, l links) panel {
	v := p.History.Violation
	facts := []fact{{"Status", phrase{badgeOf(v.Shown()).part()}}}
	if v.DuplicateOf != "" {
		facts = append(facts, fact{"Duplicate of", phrase{link(v.DuplicateOf, l.violation(v.DuplicateOf))}})
	} else if answer := strings.TrimSpace(v.Result); answer != "" && len(bothSides(v.Violation)) == 0 {
		facts = append(facts, fact{"Answer", words(cut(answer, mostQuoted))})
	}
	if v.Reason != "" {
		facts = append(facts, fact{"Reason", words(strings.ReplaceAll(v.Reason, "_", " "))})
	}
	if len(v.Also) > 0 {
		facts = append(facts, fact{"Also at", alsoAt(l, v.Also)})
	}
	if others := p.perhapsTheSame(); len(others) > 0 {
		facts = append(facts, fact{"Perhaps the same", violationLinks(l, others)})
	}
	if v.SeenBefore != "" {
		facts = append(facts, fact{"Seen before", phrase{link(v.SeenBefore, l.violation(v.SeenBefore))}})
	}
	others := ", no other"
	if v.Shared {
		others = " and others"
	}
	log := l.log(v.Run, ledger.SlotRef{Job: v.ReporterJob(), Slot: v.Slot, Iteration: v.First}, param{"kind", "answer"})
	facts = append(facts,
		fact{"Gate", phrase{link(v.ReporterJob(), l.violations(ledger.ViolationFilter{EntryPoint: v.EntryPoint, Gate: v.Gate}))}},
	)
	if to := v.HandedTo(); to != "" {
		facts = append(facts, fact{"Answered by", words(to + ", because its gate is gone")})
	}
	facts = append(facts,
		fact{"Reported by", phrase{link(fmt.Sprintf("%s@%d", v.Adapter, v.Slot), l.to("/reviewers", param{"adapter", v.Adapter})), plain(others)}},
		fact{"Its answer", phrase{link(fmt.Sprintf("iteration %d", v.First), log)}},
		fact{"Run", phrase{link(runName(p.Run), l.run(v.Run))}},
		fact{"First seen", phrase{at(v.FirstSeen, f.Now)}},
		fact{"Last seen", phrase{at(v.LastSeen, f.Now)}},
		fact{"Same line", p.sameLine(l)},
	)
	if v.InFixLines {
		facts = append(facts, fact{"Lines", words("changed by the fix before")})
	}
	return panel{Title: "Facts", Facts: append(facts, fact{"In a terminal", phrase{l.command(listings.Command("history", v.ShortID))}})}
}

// perhapsTheSame returns the short IDs of violations that are close in place and wording but not
// joined to this one.
func (p Violation) perhapsTheSame() []string {
	return slices.DeleteFunc(slices.Clone(p.History.Violation.Related), func(id string) bool {
		return slices.ContainsFunc(p.Problem.Value, func(v ledger.ListedViolation) bool { return v.ShortID == id })
	})
}

func violationLinks(l links, ids []string) (list phrase) {
	for i, id := range ids {
		if i > 0 {
			list = append(list, plain(", "))
		}
		list = append(list, part{Text: id, Class: "mono", Href: l.violation(id)})
	}
	return list
}

// alsoAt links to more places of the problem.
func alsoAt(l links, places []ledger.Place) (list phrase) {
	for i, place := range places {
		if i == mostPlaces {
			return append(list, plain(fmt.Sprintf(" and %d more", len(places)-mostPlaces)))
		}
		if i > 0 {
			list = append(list, part{Tag: "br"})
		}
		list = append(list, part{Text: placeWords(place), Class: "mono", Href: l.violations(ledger.ViolationFilter{File: ledger.EscapePattern(place.File)})})
	}
	return list
}

// mostPlaces is how many more places of a problem a page shows.
const mostPlaces = 20

func (p Violation) sameLine(l links) phrase {
	v := p.History.Violation
	switch {
	case p.SameLine.Problem != "":
		return words(p.SameLine.Problem)
	case v.Fingerprint == "":
		return words("not known")
	case p.SameLine.Value.Violations <= 1:
		return phrase{plain("in no other run "), classed("path", v.Fingerprint)}
	}
	n := p.SameLine.Value
	return phrase{l.counted(n, plural(n.Violations, "violation")), plain(" with this one "), classed("path", v.Fingerprint)}
}

// timeline shows events and reports by iteration.
func (p Violation) timeline(l links) panel {
	h := p.History
	made := panel{Title: "Timeline", More: words(plural(len(h.Events), "event") + ", " + plural(len(h.Reports), "report") + "; times since iteration 1 began")}
	var start time.Time
	for _, it := range p.Iterations {
		if start.IsZero() {
			start = it.StartedAt.In(l.now.Location())
		}
		told := p.momentsOf(it.Number, start)
		if len(told) == 0 {
			continue
		}
		line := phrase{l.iteration("Iteration", h.Violation.Run, it.Number), muted(" "), since(it.StartedAt, start)}
		if it.Tree != "" {
			line = append(line, muted(" · tree "), classed("mono muted", it.Tree[:min(7, len(it.Tree))]))
		}
		made.Timeline = append(made.Timeline, moment{Badge: badge{Class: "c-skipped", Icon: "i-said"}, Iteration: true, Parts: line})
		made.Timeline = append(made.Timeline, told...)
	}
	return made
}

// iteration returns a link to the column of an iteration on the run's page.
func (l links) iteration(words, run string, n int) part {
	return link(fmt.Sprintf("%s %d", words, n), fmt.Sprintf("%s#it-%d", l.run(run), n))
}

// since formats the time since the first iteration started.
func since(t, start time.Time) part {
	if t.IsZero() || start.IsZero() {
		return muted(unknown)
	}
	return part{Text: "+" + elapsed(max(0, t.Sub(start))), Class: "muted", At: *text.Timestamp(t), Full: fullTime(t.In(start.Location()))}
}

// momentsOf returns what happened in one iteration, followed by the answers to its reports.
func (p Violation) momentsOf(iteration int, start time.Time) []moment {
	var list []moment
	of := map[ledger.Status]*ledger.Event{} // what reviewers changed in the iteration
	for i := range p.History.Events {
		if e := &p.History.Events[i]; e.Iteration == iteration && e.Actor == ledger.ActorReviewer && of[e.Status] == nil {
			of[e.Status] = e
		}
	}
	for i, r := range p.History.Reports {
		if r.Iteration == iteration {
			m := reportMoment(r, i == 0, of, start)
			if i > 0 && p.History.Reports[i-1].Issue == r.Issue {
				m.Quote = "" // as before
			}
			list = append(list, m)
		}
	}
	words := p.wordsIn(iteration)
	for i, e := range p.History.Events {
		who := fmt.Sprintf("%s@%d", p.History.Violation.Adapter, p.History.Violation.Slot)
		if n := slices.IndexFunc(words, func(w ledger.ReviewerWord) bool { return e.Actor == ledger.ActorReviewer && w.Evidence == e.Result }); n >= 0 && e.Iteration == iteration {
			who = fmt.Sprintf("%s@%d", words[n].Adapter, words[n].Slot)
			words = slices.Delete(words, n, n+1) // shown with the event
		}
		switch {
		case e.Iteration != iteration:
		case e.Actor != ledger.ActorReviewer:
			list = append(list, answerMoment(e, start))
		case e.Status == ledger.StatusVerified:
			list = append(list, quoted(e, eventMoment(e, who, confirmed(e), start)))
		case e.Status == ledger.StatusWithdrawn:
			list = append(list, quoted(e, eventMoment(e, who, " was asked about the dispute and took it back", start)))
		case of[e.Status] == &p.History.Events[i] && e.Status == ledger.StatusReopened:
			list = append(list, quoted(e, eventMoment(e, who, contradicted(p.History.Events[:i]), start)))
		case of[e.Status] == &p.History.Events[i]:
			list = append(list, eventMoment(e, who, " reported it", start))
		}
	}
	for _, w := range words {
		list = append(list, moment{
			Badge: badge{Class: "c-skipped", Icon: "i-said"}, Quote: cut(w.Evidence, mostQuoted),
			Parts: phrase{bold(fmt.Sprintf("%s@%d", w.Adapter, w.Slot)), plain(" said of it: " + strings.ReplaceAll(string(w.Verdict), "_", " "))},
		})
	}
	return list
}

// wordsIn returns what reviewers answered about a claim or dispute in one iteration.
func (p Violation) wordsIn(iteration int) (words []ledger.ReviewerWord) {
	for _, w := range p.History.Words {
		if w.Iteration == iteration {
			words = append(words, w)
		}
	}
	return words
}

// mostQuoted is how many characters of a text are quoted.
const mostQuoted = 500

// reportMoment returns the entry of a report. It includes the event that the report caused, and
// removes that from of, so that it is shown only once, unless the event has words of its own: what the
// reviewer answered to the claim. The first report of a violation that was taken up caused no event.
func reportMoment(r ledger.Report, first bool, of map[ledger.Status]*ledger.Event, start time.Time) moment {
	m := moment{Badge: badge{Class: "c-skipped", Icon: "i-said"}, Quote: cut(r.Issue, mostQuoted), Place: placeWords(r.Place) + ", " + string(r.Priority)}
	words := " reported it again"
	if first {
		words = " reported it"
	}
	var event *ledger.Event
	for _, change := range []struct {
		status ledger.Status
		words  string
	}{{ledger.StatusNew, " reported it"}, {ledger.StatusReopened, " saw the claim and reported it again"}} {
		if e := of[change.status]; e != nil && e.Result == "" && r.Counts() {
			event, words = e, change.words
			delete(of, change.status)
			break
		}
	}
	if !r.Counts() {
		words += ", which was removed: " + dispositionWord(r.Disposition)
	}
	m.Parts = phrase{bold(fmt.Sprintf("%s@%d", r.Adapter, r.Slot)), plain(words)}
	if event == nil {
		m.Parts = append(m.Parts, muted(" · "), since(r.At, start))
		return m
	}
	b := badgeOf(event.Status)
	m.Badge = b
	m.Parts = append(m.Parts, muted(" → "+b.Word+" · "), since(event.At, start))
	return m
}

func eventMoment(e ledger.Event, who, words string, start time.Time) moment {
	b := badgeOf(e.Status)
	return moment{Badge: b, Parts: phrase{bold(who), plain(words), muted(" → " + b.Word + " · "), since(e.At, start)}}
}

// quoted adds the text of an event.
func quoted(e ledger.Event, m moment) moment {
	m.Quote = cut(e.Result, mostQuoted)
	return m
}

// confirmed says how a reviewer confirmed a claim: by its answer, by a pass or, if it lists everything
// each time, by not reporting the violation again.
func confirmed(e ledger.Event) string {
	switch {
	case e.Confirmed == ledger.ConfirmedByPass:
		return " was asked about the claim and " + ledger.PassedWithoutWord
	case e.Result == "":
		return " did not report it again after the claim"
	}
	return " was asked about the claim and says that it is fixed"
}

// contradicted says how the reviewer reopened a violation that had these events before.
func contradicted(before []ledger.Event) string {
	if n := len(before); n > 0 && before[n-1].Status == ledger.StatusDisputed {
		return " was asked about the dispute and says that it stands"
	}
	return " was asked about it and says that it is not fixed"
}

// answerMoment returns the entry of an event that no reviewer caused.
func answerMoment(e ledger.Event, start time.Time) moment {
	who := map[ledger.Actor]string{ledger.ActorAgent: "The agent", ledger.ActorHuman: "A person", ledger.ActorSystem: "reviewledger"}[e.Actor]
	words := " " + e.Status.Facts().Done
	if e.Status == ledger.StatusDuplicate {
		words += " " + e.Result
	}
	switch {
	case e.Actor == ledger.ActorSystem:
		words = " restored it"
	case e.Reason == ledger.ReasonTakenUp:
		words, e.Reason = " took it up", ""
	}
	m := eventMoment(e, who, words, start)
	if e.Status != ledger.StatusDuplicate {
		m = quoted(e, m)
	}
	if e.Reason != "" {
		m.Place = strings.ReplaceAll(e.Reason, "_", " ")
	}
	return m
}

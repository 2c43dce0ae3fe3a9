package interop

import (
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// MaxMarkdown is the length limit of a comment, in characters. GitHub and GitLab accept a little
// more.
const MaxMarkdown = 60_000

// maxIssueText is how many characters of a finding, or of its fix, a comment shows.
const maxIssueText = 2000

// CommentMarker begins a comment that is found again, to be updated in place.
const CommentMarker = "<!-- reviewledger -->"

// Comment writes the run as [Run.Markdown] does, after the [CommentMarker].
func (r Run) Comment(limit int) []byte {
	const first = CommentMarker + "\n"
	return append([]byte(first), r.Markdown(limit-len(first))...)
}

// maxUnfolded is how many items a section of a comment shows without being unfolded.
const maxUnfolded = 5

// section is a part of a comment: the findings of a file, or what was skipped.
type section struct {
	title string // in HTML; "" for a section that is never folded
	items []string
}

// ends returns what begins and what ends the section.
func (s section) ends() (begin, end string) {
	switch {
	case s.title == "":
		return "", ""
	case len(s.items) <= maxUnfolded:
		return "\n" + s.title + ":\n\n", ""
	}
	return fmt.Sprintf("\n<details><summary>%s: %d</summary>\n\n", s.title, len(s.items)), "\n</details>\n"
}

// Markdown writes the run as a comment for a pull request: its result, and what keeps it from
// passing, by file, the most important first. What is perhaps the same stands together, and a long list is
// folded. The comment has at most limit characters.
func (r Run) Markdown(limit int) []byte {
	head := r.markdownHead()
	const room = 120 // for the last lines
	var b strings.Builder
	b.WriteString(head)
	left, more := limit-utf8.RuneCountInString(head)-room, 0
	for _, s := range r.sections() {
		begin, end := s.ends()
		left -= utf8.RuneCountInString(begin) + utf8.RuneCountInString(end)
		for n, item := range s.items {
			if left -= utf8.RuneCountInString(item); left < 0 {
				more += len(s.items) - n
				s.items = s.items[:n]
				break
			}
		}
		if len(s.items) > 0 {
			b.WriteString(begin + strings.Join(s.items, "") + end)
		}
	}
	if more > 0 {
		fmt.Fprintf(&b, "\n%d more are not shown here.\n", more)
	}
	return []byte(b.String())
}

func (r Run) sections() []section {
	var gates section
	for _, g := range r.State.FailingChecks() {
		gates.items = append(gates.items, fmt.Sprintf("- **check** `%s`: %s\n", ruleText(g.EntryPoint, g.Name), markdown(cut(checkText(g), maxIssueText))))
	}
	for _, p := range r.errored() {
		gates.items = append(gates.items, fmt.Sprintf("- **no result** %s\n", markdown(cut(p.text, maxIssueText))))
	}
	all := []section{gates}
	blocks := ledger.InBlocks(r.Outstanding(), ledger.ListedViolation.Group)
	for _, of := range ledger.InBlocks(blocks, func(block []ledger.ListedViolation) string { return block[0].Place.File }) {
		file := section{title: "<code>" + html.EscapeString(text.EscapeLine(of[0][0].Place.File)) + "</code>"}
		for _, block := range of {
			item := r.markdownItem(block[0])
			for _, v := range block[1:] {
				item += r.markdownBeside(v, block[0])
			}
			file.items = append(file.items, item)
		}
		all = append(all, file)
	}
	skipped := section{title: "Skipped"}
	for _, v := range r.Skipped() {
		item := fmt.Sprintf("- %s `%s` %s: %s\n  Reason: %s\n", text.MarkdownCode(v.Place.String()), v.ShortID,
			text.MarkdownCode(ruleID(v.EntryPoint, v.Gate)), markdown(cut(v.Issue, maxIssueText)), markdown(cut(v.SkipInFull(), maxIssueText)))
		skipped.items = append(skipped.items, item+markdownDuplicates(v))
	}
	return append(all, skipped, r.withdrawn(), r.notCounted())
}

// withdrawn is the section of what its reporters withdrew, with the words of both sides.
//
// Rule: Only its reporter withdraws a finding.
func (r Run) withdrawn() section {
	s := section{title: "Withdrawn"}
	for _, v := range r.Withdrawn() {
		s.items = append(s.items, fmt.Sprintf("- %s `%s` %s: %s\n  Disputed: %s\n  Answer: %s\n", text.MarkdownCode(v.Place.String()), v.ShortID, text.MarkdownCode(ruleID(v.EntryPoint, v.Gate)),
			markdown(cut(v.Issue, maxIssueText)), markdown(cut(v.Author(), maxIssueText)), markdown(cut(v.Evidence, maxIssueText)))+markdownDuplicates(v))
	}
	return s
}

// notCounted is the section of the filtered reports because of which the run passes only with warnings.
//
// Rule: What is filtered is counted and kept.
func (r Run) notCounted() section {
	s := section{title: "Not counted"}
	for _, f := range r.Warnings() {
		s.items = append(s.items, fmt.Sprintf("- **%s** %s `%s`: %s (%s)\n", f.Priority, text.MarkdownCode(f.Place().String()), f.ID, markdown(cut(f.Issue, maxIssueText)), f.Why()))
	}
	return s
}

func (r Run) markdownHead() string {
	count := map[ledger.Tally]int{}
	open := map[ledger.Priority]int{}
	for _, v := range r.Violations {
		count[v.Status.Tally()]++
		if v.Status.Open() {
			open[v.Priority]++
		}
	}
	var b strings.Builder
	run := r.State.Run
	fmt.Fprintf(&b, "## reviewledger: %s\n\n", strings.ReplaceAll(string(run.Status), "_", " "))
	titles, rule, row := "|", "|", "|"
	for _, c := range []struct {
		title string
		n     int
		shown bool
	}{
		{"open", count[ledger.TallyOpen], true}, {"claimed", count[ledger.TallyClaimed], true}, {"verified", count[ledger.TallyVerified], true},
		{"skipped", count[ledger.TallySkipped], true}, {"withdrawn", count[ledger.TallyWithdrawn], count[ledger.TallyWithdrawn] > 0},
		{"failed checks", len(r.State.FailingChecks()), true}, {"without a result", len(r.errored()), true},
	} {
		if c.shown {
			titles, rule, row = titles+" "+c.title+" |", rule+"---|", row+fmt.Sprintf(" %d |", c.n)
		}
	}
	fmt.Fprintf(&b, "%s\n%s\n%s\n\n", titles, rule, row)
	var priorities []string
	for _, p := range ledger.Priorities() {
		if open[p] > 0 {
			priorities = append(priorities, fmt.Sprintf("%d %s", open[p], p))
		}
	}
	if len(priorities) > 0 {
		fmt.Fprintf(&b, "Open: %s.\n\n", strings.Join(priorities, ", "))
	}
	fmt.Fprintf(&b, "Run `%s`, %s.\n\n", run.ID, ledger.Plural(len(r.State.Iterations), "iteration"))
	return b.String()
}

func (r Run) markdownItem(v ledger.ListedViolation) string {
	place := text.MarkdownCode(v.Place.String())
	if link := r.permalink(v.Place); link != "" {
		place = "[" + place + "](" + link + ")"
	}
	state := ""
	if v.Claim() {
		state = " (claimed as fixed, not yet verified)"
	}
	item := fmt.Sprintf("- **%s** %s `%s` %s%s: %s\n", v.Priority, place, v.ShortID, text.MarkdownCode(ruleID(v.EntryPoint, v.Gate)), state, markdown(cut(v.Issue, maxIssueText)))
	if strings.TrimSpace(v.Fix) != "" {
		item += "  Fix: " + markdown(cut(v.Fix, maxIssueText)) + "\n"
	}
	return item + markdownDuplicates(v)
}

// markdownBeside is the line of a violation under the first one of its block.
func (r Run) markdownBeside(v, first ledger.ListedViolation) string {
	reporter, place, words := v.Entry().Beside(first.Entry())
	line := fmt.Sprintf("  - perhaps the same: `%s` %s %s", v.ShortID, markdown(reporter), text.MarkdownCode(place.String()))
	if words != "" {
		line += ": " + markdown(cut(words, maxIssueText))
	}
	return line + "\n" + markdownDuplicates(v)
}

func markdownDuplicates(v ledger.ListedViolation) (lines string) {
	for _, d := range v.Duplicates {
		lines += "  " + markdown(cut(duplicateText(d), maxIssueText)) + "\n"
	}
	return lines
}

// permalink returns the address of the place in the commit of the last iteration, or else of the
// start of the run. It is "" if no web server is known.
func (r Run) permalink(p ledger.Place) string {
	head := r.State.Run.Head
	if i := r.State.Iteration(r.State.LastIteration()); i != nil && i.Head != "" {
		head = i.Head
	}
	if r.Remote == "" || head == "" || strings.HasPrefix(r.Remote, "/") {
		return ""
	}
	blob := "/blob/"
	if host, _, _ := strings.Cut(r.Remote, "/"); strings.Contains(host, "gitlab") {
		blob = "/-/blob/"
	}
	lines := ""
	if !p.WholeFile() {
		lines = fmt.Sprintf("#L%d", p.Start)
		if lastLine(p) > p.Start {
			lines += fmt.Sprintf("-L%d", lastLine(p))
		}
	}
	address := remoteURI(r.Remote) + blob + url.PathEscape(head) + "/" + fileURI(p.File) + lines
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
}

func ruleText(entryPoint, gate string) string {
	return strings.ReplaceAll(text.EscapeLine(ruleID(entryPoint, gate)), "`", "'")
}

// mentions breaks @-mentions, so that a comment does not notify people.
var mentions = strings.NewReplacer("@", "@&#8203;")

func markdown(foreign string) string { return mentions.Replace(text.Markdown(foreign)) }

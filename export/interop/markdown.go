package interop

import (
	"fmt"
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

// Markdown writes the run as a comment for a pull request: its result, and what keeps it from
// passing, the most important first. The comment has at most limit characters.
func (r Run) Markdown(limit int) []byte {
	head := r.markdownHead()
	var items []string
	for _, g := range r.State.FailingChecks() {
		items = append(items, fmt.Sprintf("- **check** `%s`: %s\n", ruleText(g.EntryPoint, g.Name), markdown(cut(checkText(g), maxIssueText))))
	}
	for _, p := range r.errored() {
		items = append(items, fmt.Sprintf("- **no result** %s\n", markdown(cut(p.text, maxIssueText))))
	}
	for _, block := range ledger.InBlocks(r.Outstanding(), ledger.ListedViolation.Group) {
		item := r.markdownItem(block[0])
		for _, v := range block[1:] {
			item += r.markdownBeside(v, block[0])
		}
		items = append(items, item)
	}
	for i, v := range r.Skipped() {
		item := fmt.Sprintf("- %s `%s` %s: %s\n  Reason: %s\n", text.MarkdownCode(v.Place.String()), v.ShortID,
			text.MarkdownCode(ruleID(v.EntryPoint, v.Gate)), markdown(cut(v.Issue, maxIssueText)), markdown(cut(v.SkipInFull(), maxIssueText)))
		item += markdownDuplicates(v)
		if i == 0 {
			item = "\nSkipped:\n\n" + item
		}
		items = append(items, item)
	}
	const room = 100 // for the last line
	var b strings.Builder
	b.WriteString(head)
	left := limit - utf8.RuneCountInString(head) - room
	for i, item := range items {
		if left -= utf8.RuneCountInString(item); left < 0 {
			fmt.Fprintf(&b, "\n%d more are not shown here.\n", len(items)-i)
			break
		}
		b.WriteString(item)
	}
	return []byte(b.String())
}

func (r Run) markdownHead() string {
	count := map[ledger.Status]int{}
	open := map[ledger.Priority]int{}
	for _, v := range r.Violations {
		count[v.Status]++
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
		{"open", count[ledger.StatusNew] + count[ledger.StatusReopened] + count[ledger.StatusDisputed], true},
		{"claimed", count[ledger.StatusFixed], true}, {"verified", count[ledger.StatusVerified], true}, {"skipped", count[ledger.StatusSkipped], true},
		{"withdrawn", count[ledger.StatusWithdrawn], count[ledger.StatusWithdrawn] > 0},
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

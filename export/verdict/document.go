package verdict

import (
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// MarkdownDocument writes the review document for people: the verdict, a table of the findings by
// severity, and each finding with its place, confidence, recommendation and status. Foreign text
// cannot add headings, tables, links or HTML.
func MarkdownDocument(v verdict.Verdict) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Code review %s: %s\n\n", v.ReviewID, v.Word)
	meaning := verdict.Meaning(v.Word)
	fmt.Fprintf(&b, "%s.\n\n", strings.ToUpper(meaning[:1])+meaning[1:])
	fmt.Fprintf(&b, "- Scope: %s %s\n", v.Scope, text.MarkdownCode(v.Target))
	fmt.Fprintf(&b, "- Mode: %s\n", v.Mode)
	fmt.Fprintf(&b, "- Time: %s\n\n", v.At.UTC().Format(verdict.TimeForm))
	writeSeverities(&b, v)
	left := ledger.CountFiltered(v.Filtered)
	switch {
	case left != "":
		fmt.Fprintf(&b, "\nLeft out, and not in the verdict: %s.\n", left)
	case len(v.Findings) == 0:
		b.WriteString("\nNothing was found.\n")
	}
	last := ""
	for _, f := range v.Findings {
		if severity := verdict.SeverityOf(f.Priority); severity != last {
			fmt.Fprintf(&b, "\n## %s\n", severity)
			last = severity
		}
		writeFinding(&b, f)
	}
	writeOutside(&b, v)
	return []byte(b.String())
}

// writeOutside lists important findings outside of what was reviewed.
//
// Rule: What is filtered is counted and kept.
func writeOutside(b *strings.Builder, v verdict.Verdict) {
	heading := "\n## Outside what was reviewed\n\n"
	for _, r := range v.Filtered {
		if !r.Warns() {
			continue
		}
		fmt.Fprintf(b, "%s- %s (%s, %s): %s\n", heading, text.MarkdownCode(r.Place.String()), verdict.SeverityOf(r.Priority), text.Markdown(r.Gate),
			text.Markdown(text.FirstLine(r.Issue, maxLeftOut)))
		heading = ""
	}
}

// maxLeftOut is how many characters of a filtered report are shown.
const maxLeftOut = 300

// writeSeverities writes a table of findings by severity and status.
func writeSeverities(b *strings.Builder, v verdict.Verdict) {
	b.WriteString("| Severity | Findings | open | reopened | fixed | verified | wont_fix |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|\n")
	statuses := []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.StatusFixed, ledger.StatusVerified, ledger.StatusSkipped}
	for _, p := range ledger.Priorities() {
		n := map[ledger.Status]int{}
		total := 0
		for _, f := range v.Findings {
			if f.Priority == p {
				n[f.Status]++
				total++
			}
		}
		fmt.Fprintf(b, "| %s | %d |", verdict.SeverityOf(p), total)
		for _, s := range statuses {
			fmt.Fprintf(b, " %d |", n[s])
		}
		b.WriteString("\n")
	}
}

func writeFinding(b *strings.Builder, f verdict.Finding) {
	fmt.Fprintf(b, "\n### %s\n\n", text.Markdown(f.Title))
	fmt.Fprintf(b, "- Location: %s\n", text.MarkdownCode(f.Place.String()))
	fmt.Fprintf(b, "- Status: %s\n", verdict.FindingStatusOf(f.Status))
	fmt.Fprintf(b, "- Domain: %s\n", text.Markdown(f.Domain))
	fmt.Fprintf(b, "- Confidence: %.2f\n", f.Confidence)
	if f.Breaking() {
		b.WriteString("- Breaks the system: yes\n")
	}
	if f.Held() {
		fmt.Fprintf(b, "- Settled: no, only an agent set it to wont\\_fix; a person does with %s\n", text.MarkdownCode(f.SettleCommand()))
	}
	fmt.Fprintf(b, "- Id: %s\n\n", text.MarkdownCode(f.ID))
	b.WriteString("Recommendation:\n\n")
	for line := range strings.Lines(strings.TrimSpace(text.Escape(f.Recommendation))) {
		shown := text.Markdown(line)
		if strings.HasPrefix(shown, "-") || strings.HasPrefix(shown, "=") || strings.HasPrefix(shown, "+") {
			shown = `\` + shown // neither a list nor the underline of a heading
		}
		b.WriteString(strings.TrimRight("> "+shown, " ") + "\n")
	}
}

// abortReason explains why an agent should not go on by itself.
func abortReason(v verdict.Verdict) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# ABORT: code review %s\n\n", v.ReviewID)
	b.WriteString("Do not continue to fix on your own. These Blockers break the system as a whole; a\nperson has to decide what to do about them.\n")
	for _, f := range v.Counting() {
		if f.Breaking() {
			writeFinding(&b, f)
		}
	}
	fmt.Fprintf(&b, "\nAll findings are in %s.\n", verdictName)
	if v.ReviewDocument != "" {
		fmt.Fprintf(&b, "The review document is %s.\n", text.MarkdownCode(v.ReviewDocument))
	}
	return []byte(b.String())
}

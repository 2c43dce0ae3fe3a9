package slotfiles

import (
	"errors"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger"
)

// UnparsedIssue is the issue of the violation that stands for those of a failed review if its log
// does not say what they were. The file of that violation is "unknown".
const UnparsedIssue = "Previous run failed but specific violations could not be parsed"

const unknownFile = "unknown"

// ParseSlotLog parses the log of a slot, written by reviewledger or by an older tool, which wrote
// the answers of several adapters to one log. It returns one document for each adapter, in the
// order in which they first appear. If an adapter appears several times, its last answer counts.
//
// A line may begin with a timestamp in brackets. A violation is "1. file:line - issue", where the
// line may be "?" or "NaN". The lines after it, up to an empty line, continue its issue or its
// "Fix: …". A log has no priorities, so the priority is high; the status is new. PASS with
// violations is read as FAIL, and FAIL without violations gets one with [UnparsedIssue].
//
// Without a parsed result, the violations are those of the largest JSON object in the answer. If
// there are none, it is unknown how the review ended, which is an error and never a pass. With an
// error, the documents that could be read are returned too.
//
// Rule: Deleting the database loses history, never the loop.
func ParseSlotLog(data []byte) ([]ledger.SlotDocument, error) {
	if len(data) > files.MaxFileSize {
		return nil, files.TooLarge(files.MaxFileSize)
	}
	preamble, answers := readSections(strings.TrimPrefix(string(data), "\uFEFF"))
	if len(answers) == 0 {
		return parsePreamble(preamble)
	}
	var docs []ledger.SlotDocument
	var faults []error
	for _, answer := range answers {
		doc, err := answer.document()
		if err != nil {
			faults = append(faults, fmt.Errorf("adapter %q: %w", answer.adapter, err))
			continue
		}
		if doc.Status == ledger.SlotSkipped {
			doc.PassIteration = passIterationIn(preamble)
		}
		docs = append(docs, doc)
	}
	return docs, errors.Join(faults...)
}

// answer is the last answer of one adapter with its parsed result.
type answer struct {
	adapter string
	outputs []string
	parsed  *string
}

// readSections splits a log into the text before the first section and the answers, in the order in
// which their adapters first appear.
func readSections(log string) (preamble string, answers []*answer) {
	byAdapter := map[string]*answer{}
	var title, adapter string
	start := 0
	finish := func(end int) {
		text := log[start:end]
		if title == "" {
			preamble = text
			return
		}
		a := byAdapter[adapter]
		if a == nil {
			a = &answer{adapter: adapter}
			byAdapter[adapter] = a
			answers = append(answers, a)
		}
		a.add(title, text)
	}
	offset := 0
	for line := range strings.Lines(log) {
		next, of, ok := parseHeader(stripTimestamp(strings.TrimRight(line, "\r\n")))
		if ok {
			finish(offset)
			if of == "" {
				of = adapter // the section belongs to the answer before it
			}
			title, adapter, start = next, of, offset+len(line)
		}
		offset += len(line)
	}
	finish(len(log))
	return preamble, answers
}

// add adds a section. An answer after a parsed result starts a new pair.
func (a *answer) add(title, text string) {
	if title == parsedResult {
		a.parsed = &text
		return
	}
	if a.parsed != nil {
		a.outputs, a.parsed = nil, nil
	}
	a.outputs = append(a.outputs, text)
}

func (a *answer) document() (ledger.SlotDocument, error) {
	doc := ledger.SlotDocument{Adapter: a.adapter, RawOutput: a.rawOutput()}
	if a.parsed != nil {
		status, entries := parseResult(*a.parsed)
		switch {
		case len(entries) > 0 && status != ledger.SlotError:
			doc.Status, doc.Violations = ledger.SlotFail, entries
			return doc, nil
		case status == ledger.SlotFail:
			doc.Status = ledger.SlotFail
			doc.Violations = []ledger.SlotEntry{newLogEntry(unknownFile, 0, 0, UnparsedIssue)}
			return doc, nil
		case status != "":
			doc.Status, doc.Violations = status, entries
			return doc, nil
		}
	}
	if entries := entriesInAnswer(doc.RawOutput); len(entries) > 0 {
		doc.Status, doc.Violations = ledger.SlotFail, entries
		return doc, nil
	}
	return ledger.SlotDocument{}, errors.New("the log does not say how the review ended")
}

// rawOutput returns the reviewer's answer without what the log added to it.
func (a *answer) rawOutput() string {
	outputs := make([]string, 0, len(a.outputs))
	for _, output := range a.outputs {
		lines := strings.Split(strings.TrimRight(output, "\r\n"), "\n")
		for n, line := range lines {
			lines[n] = unshield(stripTimestamp(strings.TrimSuffix(line, "\r")))
		}
		outputs = append(outputs, strings.Join(lines, "\n"))
	}
	return strings.TrimRight(strings.Join(outputs, "\n\n"), "\n")
}

// parsePreamble parses a log without sections, which can only be that of a skipped slot.
func parsePreamble(preamble string) ([]ledger.SlotDocument, error) {
	for line := range strings.SplitSeq(preamble, "\n") {
		if parseStatus(stripTimestamp(line)) == ledger.SlotSkipped {
			doc := ledger.SlotDocument{Status: ledger.SlotSkipped, PassIteration: passIterationIn(preamble)}
			return []ledger.SlotDocument{doc}, nil
		}
	}
	return nil, errors.New("the log holds neither an answer nor a parsed result")
}

// passIterationIn returns the iteration in "Skipping @1: previously passed in iteration 2
// (num_reviews > 1)", or 0.
func passIterationIn(preamble string) int {
	for line := range strings.SplitSeq(preamble, "\n") {
		line = stripTimestamp(line)
		_, rest, found := strings.Cut(line, PassedInIteration)
		if !found || !strings.HasPrefix(line, "Skipping @") {
			continue
		}
		number, _, _ := strings.Cut(rest, " ")
		n, _ := parseNumber(strings.TrimSpace(number))
		return n
	}
	return 0
}

// resultReader parses the violations of a parsed result line by line.
type resultReader struct {
	status  ledger.SlotStatus
	entries []ledger.SlotEntry
	issue   []string // lines of the last entry's issue
	fix     []string
	// If open, a line of free text continues the fix (inFix) or the issue of the last entry.
	inFix, open bool
}

func parseResult(section string) (ledger.SlotStatus, []ledger.SlotEntry) {
	var r resultReader
	for line := range strings.SplitSeq(section, "\n") {
		r.line(stripTimestamp(strings.TrimSuffix(line, "\r")))
	}
	r.finish()
	return r.status, r.entries
}

func (r *resultReader) line(line string) {
	text := strings.TrimSpace(line)
	entry, isEntry := parseEntryLine(line, len(r.entries)+1)
	status := parseStatus(text)
	fix, isFix := strings.CutPrefix(text, "Fix:")
	switch {
	case isEntry:
		r.finish()
		r.entries = append(r.entries, entry)
		r.issue, r.fix, r.inFix, r.open = []string{entry.Issue}, nil, false, true
	case len(r.entries) == 0:
		if r.status == "" {
			r.status = status
		}
	case isFix && !r.inFix:
		r.fix, r.inFix, r.open = append(r.fix, strings.TrimSpace(fix)), true, true
	case text == "" || strings.HasPrefix(line, "Result: "):
		r.open = false
	case r.open && r.inFix:
		r.fix = append(r.fix, text)
	case r.open:
		r.issue = append(r.issue, text)
	}
}

// finish sets the issue and fix of the last entry.
func (r *resultReader) finish() {
	if len(r.entries) == 0 {
		return
	}
	last := &r.entries[len(r.entries)-1]
	last.Issue = strings.TrimSpace(strings.Join(r.issue, "\n"))
	last.Fix = strings.TrimSpace(strings.Join(r.fix, "\n"))
}

func newLogEntry(file string, start, end int, issue string) ledger.SlotEntry {
	if file == "" {
		file = unknownFile
	}
	return ledger.SlotEntry{
		File: file, Line: start, EndLine: end, Issue: issue,
		Priority: string(ledger.High), Status: string(ledger.StatusNew),
	}
}

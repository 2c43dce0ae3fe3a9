package interop

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Time     string       `xml:"time,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitOutcome `xml:"skipped"`
	Error   *junitOutcome `xml:"error"`
	Failure *junitOutcome `xml:"failure"`
	// SystemOut lists what was skipped, with the reasons.
	SystemOut string `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes the run as a test report in the dialect of Jenkins: a suite for the latest execution
// of each job, with a case for each check or slot.
func (r Run) JUnit() ([]byte, error) {
	all := junitSuites{Name: toolName}
	var took time.Duration
	open, left := r.bySlot(r.Outstanding()), r.bySlot(r.Skipped())
	for _, g := range r.State.LatestGates() {
		suite := junitSuiteOf(g, open, left)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
		took += g.Duration
	}
	all.Time = seconds(took)
	var out bytes.Buffer
	out.WriteString(xml.Header)
	encoder := xml.NewEncoder(&out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// slotOf identifies the slot that is responsible for a violation.
type slotOf struct {
	job   string
	index int
}

func (r Run) bySlot(found []ledger.ListedViolation) map[slotOf][]ledger.ListedViolation {
	by := map[slotOf][]ledger.ListedViolation{}
	for _, v := range found {
		slots := 0
		if g := r.State.LatestGate(v.Job); g != nil {
			slots = len(g.Slots)
		}
		at := slotOf{v.Job, ledger.ResponsibleSlot(v.Slot, max(1, slots))}
		by[at] = append(by[at], v)
	}
	return by
}

func junitSuiteOf(g ledger.Gate, open, left map[slotOf][]ledger.ListedViolation) junitSuite {
	suite := junitSuite{Name: xmlText(g.Job), Time: seconds(g.Duration)}
	if !g.StartedAt.IsZero() {
		suite.Timestamp = g.StartedAt.UTC().Format("2006-01-02T15:04:05")
	}
	if len(g.Slots) == 0 {
		c := junitCase{Name: xmlText(g.Name), Class: xmlText(g.Job), Time: seconds(g.Duration)}
		setOutcome(&c, gateOutcome(g), g.Reason, open[slotOf{g.Job, 1}])
		c.SystemOut = skippedLines(left[slotOf{g.Job, 1}])
		suite.Cases = append(suite.Cases, c)
	}
	for _, s := range g.Slots {
		c := junitCase{Name: xmlText(fmt.Sprintf("%s@%d", s.Adapter, s.Index)), Class: xmlText(g.Job), Time: seconds(s.Duration)}
		reason := s.Reason
		if s.Status == ledger.SlotSkipped {
			reason = fmt.Sprintf("passed in iteration %d", s.PassIteration)
		}
		setOutcome(&c, slotOutcome(s), reason, open[slotOf{g.Job, s.Index}])
		c.SystemOut = skippedLines(left[slotOf{g.Job, s.Index}])
		suite.Cases = append(suite.Cases, c)
	}
	for _, c := range suite.Cases {
		suite.Tests++
		switch {
		case c.Failure != nil:
			suite.Failures++
		case c.Error != nil:
			suite.Errors++
		case c.Skipped != nil:
			suite.Skipped++
		}
	}
	return suite
}

// outcome is the result of a test case.
type outcome int

const (
	passed outcome = iota
	failed
	errored
	skipped
)

func gateOutcome(g ledger.Gate) outcome {
	switch g.Status {
	case ledger.GatePassed:
		return passed
	case ledger.GateFailed:
		if g.Kind == ledger.KindReview { // its open violations decide whether it fails
			return passed
		}
		return failed
	case ledger.GateNotRun:
		return skipped
	}
	return errored
}

func slotOutcome(s ledger.Slot) outcome {
	switch {
	case s.Status.Unanswered():
		return errored
	case s.Status == ledger.SlotSkipped:
		return skipped
	}
	return passed
}

// setOutcome sets the one outcome of the case. Without an answer it is in error, even if violations
// are open.
func setOutcome(c *junitCase, o outcome, reason string, open []ledger.ListedViolation) {
	var lines []string
	for _, v := range open {
		lines = append(lines, fmt.Sprintf("%s: [%s] %s (%s, %s)", v.Place, v.Priority, fixText(v), v.ShortID, v.Status))
	}
	listed := xmlText(strings.Join(lines, "\n"))
	switch {
	case o == errored:
		c.Error = &junitOutcome{Message: xmlText(text.OrElse(reason, "no result")), Type: "error", Text: listed}
	case len(open) > 0:
		c.Failure = &junitOutcome{Message: ledger.Plural(len(open), "violation"), Type: "violation", Text: listed}
	case o == failed:
		c.Failure = &junitOutcome{Message: xmlText(reason), Type: "check", Text: xmlText(reason)}
	case o == skipped:
		c.Skipped = &junitOutcome{Message: xmlText(reason)}
	}
}

// skippedLines returns a line for each skipped violation, with the reason.
func skippedLines(found []ledger.ListedViolation) string {
	var lines []string
	for _, v := range found {
		lines = append(lines, xmlText(fmt.Sprintf("skipped: %s: [%s] %s (%s): %s", v.Place, v.Priority, text.OnOneLine(v.Issue), v.ShortID, text.OnOneLine(v.SkipInFull()))))
		for _, d := range v.Duplicates {
			lines = append(lines, xmlText(duplicateText(d)))
		}
	}
	return strings.Join(lines, "\n")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// xmlText removes the control characters that XML 1.0 forbids, and escapes those that act on a
// terminal.
func xmlText(foreign string) string {
	kept := strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ReplaceAll(strings.ToValidUTF8(foreign, "\uFFFD"), "\r\n", "\n"))
	return text.Escape(kept)
}

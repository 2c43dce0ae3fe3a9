package check

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// These begin the lines of a log that the runner itself writes. The command's output is between two
// lines with a boundary that the command cannot know, so that none of its output is mistaken for
// the runner's lines.
const (
	checkLine  = "Check: "
	outputLine = "--- Output "
	endLine    = "--- End of output "
	lineEnd    = " ---"
	resultLine = "Result: "
	fixLine    = "--- Fix Instructions ---"
	failedLine = "Command failed:"
)

// headerLines is the number of lines of [header]; the last has the boundary.
const headerLines = 4

// header returns the log's text before the output.
func header(r Request, boundary string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n", checkLine, text.Visible(r.JobID))
	fmt.Fprintf(&b, "Command: %s\n", text.Visible(r.Command))
	fmt.Fprintf(&b, "Working directory: %s\n", text.Visible(r.Dir))
	fmt.Fprintf(&b, "%s%s%s\n", outputLine, boundary, lineEnd)
	return b.String()
}

// trailer returns the log's text after the output. The instructions are indented, to distinguish
// them from the runner's lines.
func trailer(r ledger.CheckResult, fixInstructions, boundary string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s\n", endLine, boundary, lineEnd)
	b.WriteString(resultLine + words()[r.Status])
	if r.Reason != "" {
		b.WriteString(" - " + text.Visible(r.Reason))
	}
	b.WriteString("\n")
	if instructions := strings.TrimSpace(fixInstructions); instructions != "" && r.Status != ledger.GatePassed {
		b.WriteString("\n" + fixLine + "\n")
		for line := range strings.Lines(instructions) {
			b.WriteString("  " + text.Visible(strings.TrimRight(line, "\r\n")) + "\n")
		}
	}
	return b.String()
}

// words returns the words of logs for the statuses. A command that was interrupted has no result,
// which is an error.
func words() map[ledger.GateStatus]string {
	return map[ledger.GateStatus]string{
		ledger.GatePassed: "pass", ledger.GateFailed: "fail", ledger.GateError: "error", ledger.GateInterrupted: "error",
	}
}

// endsLine reports whether the output in the log, from start to end, is empty or ends with
// a newline.
func endsLine(log *os.File, start, end int64) bool {
	if end <= start {
		return true
	}
	last := make([]byte, 1)
	_, err := log.ReadAt(last, end-1)
	return err == nil && last[0] == '\n'
}

// ParseResult reads a check's log and returns the status that the runner wrote at its end: passed,
// failed or error. It returns "" if the log does not give a clear answer, for example after a crash.
// The check has then not passed, and an older log must not be used instead.
//
// In a log of this package the result is on the line after the one that closes the output. Any
// other log is assumed to be of the tool that the layout comes from. Its lines may begin with
// `[timestamp] `, and the last line with `Result:`, or a later one with `Command failed:`, counts.
// A pass must be the log's last line that is not blank, and must not follow a `Command failed:`,
// because the output can contain the same words. Instructions after a failure are not a result.
func ParseResult(r io.Reader) ledger.GateStatus {
	lines := newLineReader(r)
	var head []string
	for len(head) < headerLines {
		line, more := lines.next()
		if !more {
			break
		}
		head = append(head, line)
	}
	if boundary, ok := boundaryOf(head); ok {
		return parseBounded(lines, boundary)
	}
	lines.pending = head
	return parsePlain(lines)
}

// boundaryOf returns the boundary in a header.
func boundaryOf(head []string) (string, bool) {
	if len(head) < headerLines || !strings.HasPrefix(head[0], checkLine) {
		return "", false
	}
	rest, begins := strings.CutPrefix(head[headerLines-1], outputLine)
	boundary, ends := strings.CutSuffix(rest, lineEnd)
	return boundary, begins && ends && boundary != ""
}

func parseBounded(lines *lineReader, boundary string) ledger.GateStatus {
	end := endLine + boundary + lineEnd
	for {
		line, more := lines.next()
		if !more {
			return ""
		}
		if line == end {
			result, _ := lines.next()
			return statusOf(result)
		}
	}
}

func parsePlain(lines *lineReader) (status ledger.GateStatus) {
	last, failed := false, false // whether status was the last word so far
	for {
		line, more := lines.next()
		if !more {
			break
		}
		line = withoutTimestamp(line)
		found := statusOf(line)
		switch {
		case found != "":
			status, last = found, true
		case line == fixLine && last && status != ledger.GatePassed:
			return status
		case strings.HasPrefix(line, failedLine):
			status, last, failed = ledger.GateFailed, false, true
		case strings.TrimSpace(line) != "":
			last = false
		}
	}
	if status == ledger.GatePassed && (failed || !last) {
		return ""
	}
	return status
}

// withoutTimestamp cuts a leading `[timestamp] ` off the line.
func withoutTimestamp(line string) string {
	rest, found := strings.CutPrefix(line, "[")
	if !found {
		return line
	}
	stamp, rest, found := strings.Cut(rest, "]")
	if !found || stamp == "" || strings.Trim(stamp, "0123456789TZ:.,+- ") != "" {
		return line
	}
	return strings.TrimPrefix(rest, " ")
}

// statusOf returns the status of a `Result:` line, or "".
func statusOf(line string) ledger.GateStatus {
	rest, found := strings.CutPrefix(line, resultLine)
	if !found {
		return ""
	}
	word, _, _ := strings.Cut(strings.TrimRight(rest, " \t\r"), " ")
	for _, status := range []ledger.GateStatus{ledger.GatePassed, ledger.GateFailed, ledger.GateError} {
		if words()[status] == word {
			return status
		}
	}
	return ""
}

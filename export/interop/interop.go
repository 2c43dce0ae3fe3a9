// Package interop writes the state of a run in the formats of other tools: SARIF, reviewdog,
// workflow commands of GitHub, GitLab Code Quality, JUnit, and Markdown for a pull request.
//
// Text of reviewers and names of files is treated as hostile in all of them: it cannot end a line,
// an element or a command, and cannot act on the reader's terminal or page. The package is pure: it
// turns a [Run] into bytes.
package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Name and address of the program in other tools.
const (
	toolName = "reviewledger"
	toolURL  = "https://github.com/reviewledger/reviewledger"
)

// Run is a run with facts about it that the ledger does not have.
type Run struct {
	*ledger.RunFindings
	// Remote is the address of the repository as "host/path", without credentials. It is empty if
	// the repository has none.
	Remote string
	// Security has the jobs whose findings are security alerts.
	Security map[string]bool
	// Checks has the place of the first problem of each failed check, by job.
	Checks map[string]ledger.Place
	// Version is the version of the program, or empty if unknown.
	Version string
}

// ruleID returns the name of a gate in other tools. It is the same in every run.
func ruleID(entryPoint, gate string) string { return entryPoint + "/" + gate }

// problem says why a gate or slot has no result.
type problem struct {
	gate ledger.Gate
	text string
}

// errored returns the latest executions without a result: slots without an answer, and gates that
// are themselves in error.
func (r Run) errored() []problem {
	var problems []problem
	for _, g := range r.State.LatestGates() {
		before := len(problems)
		for _, s := range g.Slots {
			if s.Status.Unanswered() {
				problems = append(problems, problem{g, withReason(fmt.Sprintf("%s@%d (%s): %s", g.Job, s.Index, s.Adapter, s.Status), s.Reason)})
			}
		}
		ended := g.Status == ledger.GatePassed || g.Status == ledger.GateFailed || g.Status == ledger.GateNotRun
		if !ended && len(problems) == before {
			problems = append(problems, problem{g, withReason(fmt.Sprintf("%s: %s", g.Job, g.Status), g.Reason)})
		}
	}
	return problems
}

func withReason(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

func checkText(g ledger.Gate) string {
	text := withReason("The check "+g.Name+" failed", g.Reason)
	if g.Problems > 1 {
		text += fmt.Sprintf(" (%d problems)", g.Problems)
	}
	return text
}

// level is what other tools call a priority. Most have three levels.
type level struct {
	sarif, github, rdjson, gitlab string
	rank, security                float64 // for SARIF and for GitHub's security alerts
}

// levels has the level of each priority, by rank.
var levels = []level{
	{"error", "error", "ERROR", "blocker", 95, 9.5},
	{"error", "error", "ERROR", "critical", 80, 8},
	{"warning", "warning", "WARNING", "major", 50, 5.5},
	{"note", "notice", "INFO", "minor", 20, 2},
	{"note", "notice", "INFO", "info", 5, 2},
}

func levelOf(p ledger.Priority) level { return levels[p.Rank()] }

// fixText returns a finding with its fix and a line for each of its duplicates, as plain text.
func fixText(v ledger.ListedViolation) string {
	out := v.Issue
	if strings.TrimSpace(v.Fix) != "" {
		out += "\nFix: " + v.Fix
	}
	for _, d := range v.Duplicates {
		out += "\n" + duplicateText(d)
	}
	return out
}

// duplicateText describes a duplicate in one line, to be shown below its original.
func duplicateText(v ledger.ListedViolation) string {
	return fmt.Sprintf("Duplicate: %s: %s (%s, %s of %s)", v.Place, text.OnOneLine(v.Issue), v.ShortID, v.Adapter, ruleID(v.EntryPoint, v.Gate))
}

// identity returns what identifies a problem across runs, as far as possible: it does not depend on
// the line number nor, if the line is known, on the wording.
func identity(v ledger.ListedViolation) string {
	if v.Fingerprint != "" {
		return v.Fingerprint
	}
	return digest(v.Job, v.Place.File, v.Issue)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// lastLine returns the last line of a place that has lines.
func lastLine(p ledger.Place) int { return max(p.Start, p.End) }

// cut shortens a text to limit characters, the last of which is then an ellipsis.
func cut(whole string, limit int) string {
	if text.Truncate(whole, limit) == whole {
		return whole
	}
	return text.Truncate(whole, limit-1) + "…"
}

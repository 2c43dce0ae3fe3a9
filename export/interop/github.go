package interop

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// MaxStepSummary is the size limit, in bytes, of the summary of a step on GitHub.
const MaxStepSummary = 1 << 20

// GitHubCommands writes what keeps the run from passing as workflow commands of GitHub Actions, the
// most important first. What is perhaps the same is one annotation.
func (r Run) GitHubCommands() []byte {
	var out bytes.Buffer
	// GitHub shows 10 annotations of each kind per step and silently drops the rest. The last
	// notice is reserved for the number of those.
	left := map[string]int{"error": 10, "warning": 10, "notice": 9}
	more := 0
	for _, block := range ledger.InBlocks(r.Outstanding(), ledger.ListedViolation.Group) {
		v := block[0]
		kind := levelOf(v.Priority).github
		if left[kind] == 0 {
			more++
			continue
		}
		left[kind]--
		fmt.Fprintf(&out, "::%s %s::%s\n", kind, commandProperties(v), commandText(commandMessage(block)))
	}
	if more > 0 {
		fmt.Fprintf(&out, "::notice::%d more: see the summary\n", more)
	}
	return out.Bytes()
}

func commandProperties(v ledger.ListedViolation) string {
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+commandProperty(value)) }
	add("file", v.Place.File)
	if !v.Place.WholeFile() {
		add("line", fmt.Sprint(v.Place.Start))
		add("endLine", fmt.Sprint(lastLine(v.Place)))
	}
	add("title", fmt.Sprintf("%s (%s)", ruleID(v.EntryPoint, v.Gate), v.Priority))
	return strings.Join(properties, ",")
}

func commandMessage(block []ledger.ListedViolation) string {
	first := block[0]
	message := fixText(first)
	if first.Claim() {
		message += "\nClaimed as fixed, and not yet verified."
	}
	for _, v := range block[1:] {
		reporter, place, words := v.Entry().Beside(first.Entry())
		message += fmt.Sprintf("\nPerhaps the same: %s %s %s", v.ShortID, reporter, place)
		if words != "" {
			message += ": " + words
		}
	}
	return message
}

var (
	textEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func commandText(foreign string) string { return textEscapes.Replace(text.Escape(foreign)) }

// commandProperty also escapes what could control a terminal. GitHub then does not find a file
// whose name has such characters, which is the lesser evil.
//
// Rule: Text from others is data.
func commandProperty(foreign string) string { return propertyEscapes.Replace(text.Escape(foreign)) }

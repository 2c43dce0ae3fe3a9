package interop

import (
	"bytes"
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

type rdSource struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type rdResult struct {
	Source      rdSource       `json:"source"`
	Severity    string         `json:"severity,omitempty"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdDiagnostic struct {
	Message  string     `json:"message"`
	Location rdLocation `json:"location"`
	Severity string     `json:"severity"`
	// Source is only set in a diagnostic that is not part of an rdResult.
	Source   *rdSource `json:"source,omitempty"`
	Code     rdCode    `json:"code"`
	Original string    `json:"original_output"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition `json:"start"`
	End   rdPosition `json:"end"`
}

type rdPosition struct {
	Line int `json:"line"`
}

type rdCode struct {
	Value string `json:"value"`
	URL   string `json:"url"`
}

// RDJSON writes what keeps the run from passing in reviewdog's format, as one object.
func (r Run) RDJSON() ([]byte, error) {
	out := rdResult{Source: rdSource{toolName, toolURL}, Diagnostics: []rdDiagnostic{}}
	for i, v := range r.Outstanding() {
		if i == 0 { // the most important one comes first
			out.Severity = levelOf(v.Priority).rdjson
		}
		out.Diagnostics = append(out.Diagnostics, diagnostic(v))
	}
	return text.MarshalJSON(out, "  ")
}

// RDJSONL writes what keeps the run from passing in reviewdog's format, one object per line.
func (r Run) RDJSONL() ([]byte, error) {
	var out bytes.Buffer
	for _, v := range r.Outstanding() {
		d := diagnostic(v)
		d.Source = &rdSource{toolName, toolURL}
		if err := text.WriteJSON(&out, d, ""); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// diagnostic converts a violation. Its range has no columns, so it covers whole lines, including
// the last one.
func diagnostic(v ledger.ListedViolation) rdDiagnostic {
	d := rdDiagnostic{
		Message: fixText(v), Location: rdLocation{Path: v.Place.File}, Severity: levelOf(v.Priority).rdjson,
		Code:     rdCode{ruleID(v.EntryPoint, v.Gate), toolURL},
		Original: fmt.Sprintf("%s: [%s] %s (%s, %s)", v.Place, v.Priority, v.Issue, v.ShortID, v.Status),
	}
	if !v.Place.WholeFile() {
		d.Location.Range = &rdRange{rdPosition{v.Place.Start}, rdPosition{lastLine(v.Place)}}
	}
	return d
}

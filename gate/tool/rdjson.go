package tool

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// rdDiagnostic is one of reviewdog's diagnostics. The JSON of protocol buffers allows two spellings
// of keys; for these keys they are the same.
type rdDiagnostic struct {
	Message  string `json:"message"`
	Location struct {
		Path  string  `json:"path"`
		Range rdRange `json:"range"`
	} `json:"location"`
	Severity json.RawMessage `json:"severity"`
	Code     struct {
		Value string `json:"value"`
	} `json:"code"`
	Suggestions []struct {
		Text string `json:"text"`
	} `json:"suggestions"`
}

// rdRange is a range of which no value makes a report unreadable.
type rdRange struct{ region }

// UnmarshalJSON implements [json.Unmarshaler]. It never returns an error.
func (r *rdRange) UnmarshalJSON(data []byte) error {
	var in struct {
		Start, End struct{ Line, Column number }
	}
	if json.Unmarshal(data, &in) != nil {
		in.Start.Line.nonsense = clients.OneLine(string(data))
	}
	r.region = region{StartLine: in.Start.Line, StartColumn: in.Start.Column, EndLine: in.End.Line, EndColumn: in.End.Column}
	return nil
}

// rdjson reads a report in reviewdog's format. The severity of the whole report may follow the
// diagnostics.
func (r *reader) rdjson() error {
	var severity json.RawMessage
	var without []int // results without a severity of their own
	there := false
	err := r.document(func(s *stream) error {
		return s.object("the report", func(key string) error {
			switch key {
			case "severity":
				return s.dec.Decode(&severity)
			case "diagnostics":
				there = true
				return s.array("diagnostics", func() error {
					n := len(r.report.Results)
					own, err := r.diagnostic(s)
					if !own && len(r.report.Results) > n {
						without = append(without, n)
					}
					return err
				})
			}
			return s.skip()
		})
	})
	switch {
	case err != nil:
		return err
	case !there:
		return errors.New(`it has no "diagnostics"`)
	}
	for _, n := range without {
		r.report.Results[n].Priority = rdPriority(severity)
	}
	return nil
}

// diagnostic keeps a diagnostic, and reports whether it has its own severity.
func (r *reader) diagnostic(s *stream) (own bool, err error) {
	var d rdDiagnostic
	if err := s.dec.Decode(&d); err != nil {
		return false, err
	}
	r.report.All++
	at := place{uri: d.Location.Path, plain: true}
	at.start, at.end, at.nonsense = d.Location.Range.lines()
	result := ledger.Entry{Issue: withRule(d.Code.Value, d.Message), Priority: rdPriority(d.Severity)}
	if len(d.Suggestions) > 0 {
		result.Fix = "Replace it by: " + d.Suggestions[0].Text
	}
	r.keep(result, []place{at}, nil)
	return d.Severity != nil && string(d.Severity) != "null", nil
}

// rdPriority returns the priority for a severity, which is a word or its number.
func rdPriority(severity json.RawMessage) ledger.Priority {
	switch strings.ToUpper(strings.Trim(string(severity), `"`)) {
	case "ERROR", "1":
		return ledger.High
	case "INFO", "3":
		return ledger.Low
	}
	return ledger.Medium // WARNING, or unknown
}

// withRule puts the id of a rule before a text.
func withRule(rule, text string) string {
	rule, text = strings.TrimSpace(rule), strings.TrimSpace(text)
	switch {
	case rule == "" || text == "":
		return rule + text
	case strings.HasPrefix(text, rule+":"):
		return text
	}
	return rule + ": " + text
}

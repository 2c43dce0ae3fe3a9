package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// eachEvent calls handle for each line of stdout that is a JSON object with a type. Other lines are
// notices. A line that begins like an object and is not valid is a fault: it could be the answer,
// cut off.
func eachEvent(stdout []byte, handle func(kind string, event []byte) error) *fault {
	for line := range bytes.Lines(stdout) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		var head struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return badAnswer("a line of stdout is not an event: %v", err)
		}
		if err := handle(head.Type, line); err != nil {
			return badAnswer("event %q: %v", head.Type, err)
		}
	}
	return nil
}

// stderrFault returns the last lines on stderr as the client's error, without lines that repeat the
// prompt. It returns nil if there are none.
func stderrFault(out output) *fault {
	if words := lastWords(out.stderr, out.prompt); words != "" {
		return &fault{message: words}
	}
	return nil
}

// unfinished returns the fault of events that end too early. If there are no events, it is what the
// client says on stderr.
func unfinished(out output, what string) *fault {
	if len(bytes.TrimSpace(out.stdout)) == 0 {
		return stderrFault(out)
	}
	return badAnswer("%s", what)
}

// aside is a part of a client's output on which the answer does not depend, such as what a call cost.
// If it does not have the expected type, it is as if the client had not given it.
type aside[T any] struct{ value T }

// UnmarshalJSON implements [json.Unmarshaler].
func (a *aside[T]) UnmarshalJSON(data []byte) error {
	var value T
	if json.Unmarshal(data, &value) == nil {
		a.value = value
	}
	return nil
}

// stringValue returns the value of a JSON string.
func stringValue(raw json.RawMessage) (value string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &value) != nil {
		return "", false
	}
	return value, true
}

// anyText returns the value of a JSON string, and any other value as it was written.
func anyText(raw json.RawMessage) string {
	if value, ok := stringValue(raw); ok {
		return strings.TrimSpace(value)
	}
	return string(raw)
}

// isError reports whether the value of a client's key for errors means an error.
func isError(raw json.RawMessage) bool {
	switch strings.ToLower(anyText(raw)) {
	case "", "null", "none", "no", "n/a", "false", "0", "{}", "[]":
		return false
	}
	return true
}

// tokens are one model's counts, with the meaning that they have in [ledger.Usage].
type tokens struct{ input, cached, output int64 }

// usageOf adds up the counts of all models. It names the model with the most output: clients use
// small models for side jobs.
func usageOf(models map[string]tokens) ledger.Usage {
	if len(models) == 0 {
		return ledger.Usage{}
	}
	var sum tokens
	for _, t := range models {
		sum.input += t.input
		sum.cached += t.cached
		sum.output += t.output
	}
	names := slices.Sorted(maps.Keys(models))
	model := slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(models[a].output, models[b].output) })
	return ledger.Usage{Model: model, InputTokens: &sum.input, CachedTokens: &sum.cached, OutputTokens: &sum.output}
}

// maxCost, in US dollars, and maxTokens are more than any call can need.
const (
	maxCost   = 1e6
	maxTokens = 1e12
)

// plausible leaves out figures that cannot be true: a negative one would give back what a budget
// has counted.
func plausible(u ledger.Usage) ledger.Usage {
	if u.CostUSD != nil && (*u.CostUSD < 0 || *u.CostUSD > maxCost) {
		u.CostUSD = nil
	}
	for _, count := range []**int64{&u.InputTokens, &u.CachedTokens, &u.OutputTokens} {
		if *count != nil && (**count < 0 || **count > maxTokens) {
			*count = nil
		}
	}
	return u
}

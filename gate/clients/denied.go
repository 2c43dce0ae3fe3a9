package clients

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// maxDenied is how many tools are named that a client was not allowed to use, or that failed.
const maxDenied = 10

// claudeDenial is a use of a tool that Claude Code did not allow.
type claudeDenial struct {
	Tool  string `json:"tool_name"`
	Input aside[struct {
		File    string `json:"file_path"`
		Path    string `json:"path"`
		Command string `json:"command"`
		Pattern string `json:"pattern"`
	}] `json:"tool_input"`
}

// denied names the uses of tools that were not allowed, or returns "".
func (r claudeResult) denied() string {
	var names []string
	for _, d := range r.Denials.value {
		name := cmp.Or(OneLine(d.Tool), "a tool")
		in := d.Input.value
		if about := OneLine(cmp.Or(in.File, in.Path, in.Command, in.Pattern)); about != "" {
			name += " (" + about + ")"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return named("not allowed: ", names)
}

// geminiTools counts the uses of tools.
type geminiTools struct {
	TotalFail int
	ByName    aside[map[string]struct{ Fail int }]
}

// failed names the tools that failed, or returns "".
func (t geminiTools) failed() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(t.ByName.value)) {
		if n := t.ByName.value[name].Fail; n > 0 {
			names = append(names, OneLine(name)+" ("+ledger.Plural(n, "time")+")")
		}
	}
	if len(names) == 0 && t.TotalFail > 0 {
		names = []string{ledger.Plural(t.TotalFail, "use") + " of a tool"}
	}
	return named("failed: ", names)
}

// named joins names after a word, if there are any.
func named(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	if more := len(names) - maxDenied; more > 0 {
		names = append(names[:maxDenied], fmt.Sprintf("%d more", more))
	}
	return what + strings.Join(names, ", ")
}

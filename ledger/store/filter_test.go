package store_test

import (
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Each condition of a filter leaves out what it is about.
func TestViolationFilterMatches(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	v := ledger.ListedViolation{
		Violation: ledger.Violation{
			Status: ledger.StatusSkipped, Priority: ledger.Low, Adapter: "claude", First: 2, Place: ledger.Place{File: "src/a/b.go"},
			FirstSeen: at, StatusAt: at,
		},
		Run: "R", Gate: "g", EntryPoint: "e", Fingerprint: "f", Shared: true,
	}
	later := ledger.Period{Since: at.Add(1)}
	for name, test := range map[string]struct {
		filter ledger.ViolationFilter
		want   bool
	}{
		"nothing":          {ledger.ViolationFilter{}, true},
		"run":              {ledger.ViolationFilter{Run: "R"}, true},
		"other run":        {ledger.ViolationFilter{Run: "S"}, false},
		"status":           {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusSkipped}}, true},
		"other status":     {ledger.ViolationFilter{Statuses: []ledger.Status{ledger.StatusNew}}, false},
		"other priority":   {ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.High}}, false},
		"path":             {ledger.ViolationFilter{File: "src/a/b.go"}, true},
		"pattern":          {ledger.ViolationFilter{File: "src/**"}, true},
		"one star":         {ledger.ViolationFilter{File: "src/*"}, false},
		"braces":           {ledger.ViolationFilter{File: "src/a/{b,c}.go"}, true},
		"other gate":       {ledger.ViolationFilter{Gate: "h"}, false},
		"other entry":      {ledger.ViolationFilter{EntryPoint: "x"}, false},
		"other adapter":    {ledger.ViolationFilter{Adapter: "codex"}, false},
		"no reason":        {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.NoReason}}, true},
		"other reason":     {ledger.ViolationFilter{Reasons: []ledger.SkipReason{ledger.StyleOnly}}, false},
		"iteration":        {ledger.ViolationFilter{Iteration: 2}, true},
		"other iteration":  {ledger.ViolationFilter{Iteration: 1}, false},
		"changed":          {ledger.ViolationFilter{Changed: ledger.Period{Since: at, Until: at.Add(1)}}, true},
		"changed until":    {ledger.ViolationFilter{Changed: ledger.Period{Until: at}}, false},
		"changed later":    {ledger.ViolationFilter{Changed: later}, false},
		"reported later":   {ledger.ViolationFilter{Reported: later}, false},
		"fingerprint":      {ledger.ViolationFilter{Fingerprint: "f"}, true},
		"other print":      {ledger.ViolationFilter{Fingerprint: "x"}, false},
		"recurring":        {ledger.ViolationFilter{Recurring: true}, false},
		"alone":            {ledger.ViolationFilter{Alone: true}, false},
		"in lines of fix":  {ledger.ViolationFilter{InFixLines: true}, false},
		"escaped own name": {ledger.ViolationFilter{File: ledger.EscapePattern("src/a/b.go")}, true},
	} {
		if got := store.Matches(test.filter, v); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, file := range []string{"a*b", "a?b", "a[b]", "{a,b}", `a\b`, "a b"} {
		v.Place.File = file
		if f := (ledger.ViolationFilter{File: ledger.EscapePattern(file)}); !store.Matches(f, v) {
			t.Errorf("%q does not match itself as %q", file, f.File)
		}
	}
}

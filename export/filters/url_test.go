package filters

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/ledger"
)

// finder knows one run and three files.
type finder struct{}

const knownRun = "01KB0000000000000000000000"

func (finder) FindRunByPrefix(_ context.Context, prefix string) (ledger.Run, error) {
	if prefix != "01KB" {
		return ledger.Run{}, &ledger.IDError{Kind: "run", ID: prefix}
	}
	return ledger.Run{ID: knownRun}, nil
}

func (finder) Runs(_ context.Context, f ledger.RunFilter) ([]ledger.Run, error) {
	if f.Branch != "" {
		return nil, nil
	}
	return []ledger.Run{{ID: knownRun}}, nil
}

func (finder) Here(context.Context) string { return "" }

func (finder) Files(_ context.Context, prefix string, _ int) ([]string, error) {
	for _, file := range []string{"src/main.go", "app/[id]/page.tsx", "b}.go"} {
		if strings.HasPrefix(file, prefix) {
			return []string{file}, nil
		}
	}
	return nil, nil
}

// asked returns the filter that the parameters of a URL describe.
func asked(t *testing.T, query string) (ledger.ViolationFilter, error) {
	t.Helper()
	parameters, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	var list ViolationList
	flags := pflag.NewFlagSet("violations", pflag.ContinueOnError)
	list.Add(flags)
	if err := Parse(flags, parameters); err != nil {
		return ledger.ViolationFilter{}, err
	}
	return list.Resolve(t.Context(), finder{})
}

func TestParametersOfViolations(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]ledger.ViolationFilter{
		"":                                    {},
		"status=&gate=&since=":                {}, // a form without scripts sends its empty fields
		"open=1":                              {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusReopened, ledger.StatusDisputed}},
		"status=new&status=fixed":             {Statuses: []ledger.Status{ledger.StatusNew, ledger.StatusFixed}},
		"priority=high,low&alone=1":           {Priorities: []ledger.Priority{"high", "low"}, Alone: true},
		"no-duplicates=1":                     {NoDuplicates: true},
		"run=last":                            {Run: knownRun},
		"run=01KB&iteration=2&slot=3":         {Run: knownRun, Iteration: 2, Slot: 3},
		"file=src/main.go":                    {File: "src/main.go"},
		"file=src":                            {File: "src/**"},
		"file=app/[id]/page.tsx":              {File: `app/\[id]/page.tsx`},
		"file=./app/[id]/":                    {File: `app/\[id]/**`},
		"file=app/[ab]/*":                     {File: "app/[ab]/*"},
		"file=b}.go":                          {File: `b\}.go`},
		"event=reopened":                      {Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusReopened}}},
		"reported-since=2026-01-31T00:00:00Z": {Reported: ledger.Period{Since: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}},
		"discarded=1&since=2026-01-31T00:00:00Z": {
			Changed:  ledger.Period{Since: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
			Reported: ledger.Period{Since: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)},
		},
	} {
		want.Sort = ledger.SortNewest
		got, err := asked(t, query)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", query, err, diff)
		}
	}
}

func TestParametersThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"statsu=new":                       `unknown parameter "statsu" (did you mean "status"?)`,
		"status=newe":                      `invalid status "newe": use new, fixed, skipped, verified, reopened, duplicate, disputed, withdrawn or abandoned`,
		"iteration=0":                      `invalid iteration "0": use a number, 1 or greater`,
		"open=maybe":                       `invalid open "maybe": use true or false`,
		"limit=many":                       `invalid limit "many": use a number`,
		"limit=-1":                         `invalid limit -1: use 0 or greater`,
		"sort=best":                        `invalid sort "best": use newest, oldest, priority, file, status or changed`,
		"since=yesterday":                  `invalid since "yesterday": use how long ago (30m, 12h, 7d, 2w), a day (2026-01-31) or RFC 3339 (2026-01-31T15:04:05Z)`,
		"gate=a&gate=b":                    `gate is given 2 times: give it once`,
		"open=1&status=new":                `open and status cannot be used together`,
		"no-duplicates=1&status=duplicate": `no-duplicates and status duplicate cannot be used together`,
		"file=%5B":                         `file: "[" is not a valid pattern`,
		"since=7d&until=8d":                `until must be later than since`,
		"event-since=7d":                   `event-since, event-until and event-iteration need event`,
		"disposition=merged":               `disposition needs discarded`,
		"discarded=1&alone=1":              `discarded lists reports, which have no status, events, reason or fingerprint: omit those filters`,
	} {
		_, err := asked(t, query)
		refused, ok := err.(*Error)
		if !ok {
			t.Errorf("%q: %v", query, err)
		} else if got := refused.Say(""); got != want {
			t.Errorf("%q:\n%s\nnot\n%s", query, got, want)
		}
	}
	if _, err := asked(t, "run=zz"); err == nil || err.Error() != `no run matches "zz" (see: reviewledger runs)` {
		t.Errorf("an unknown run: %v", err)
	}
}

// The pattern of a file's name can be asked for, whatever the name is.
func TestEscapedNames(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"a*b", "pages/[id].js", "a{b,c}.js", "{{cookiecutter.name}}/x.py", "a}", "a]", `a\b`, "**"} {
		pattern := ledger.EscapePattern(file)
		if f, err := asked(t, url.Values{"file": {pattern}}.Encode()); err != nil || !doublestar.MatchUnvalidated(f.File, file) {
			t.Errorf("%q as %q: %+v, %v", file, pattern, f.File, err)
		}
	}
}

// On a command line, the same flags have dashes.
func TestErrorNamesFlags(t *testing.T) {
	t.Parallel()
	_, err := asked(t, "open=1&status=new")
	if got, want := err.Error(), "--open and --status cannot be used together"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

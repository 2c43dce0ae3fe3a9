package pages

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{count(0), "0"}, {count(999), "999"}, {count(1012), "1,012"}, {count(-1234567), "−1,234,567"},
		{percent(0, 0), "–"}, {percent(0, 9), "0%"}, {percent(1, 1000), "1%"}, {percent(999, 1000), "99%"}, {percent(9, 9), "100%"}, {percent(759, 914), "83%"},
		{dollars(0), "$0"}, {dollars(12.4), "$12.40"}, {dollars(.037), "$0.037"}, {dollars(.351), "$0.35"}, {dollars(1234.5), "$1,234.50"}, {dollars(.00012), "$0.00012"},
		{elapsed(25 * time.Millisecond), "25 ms"}, {elapsed(6400 * time.Millisecond), "6.4 s"}, {elapsed(9960 * time.Millisecond), "10 s"}, {elapsed(38 * time.Second), "38 s"},
		{elapsed(59900 * time.Millisecond), "1 m 00 s"}, {elapsed(72 * time.Second), "1 m 12 s"}, {elapsed(184 * time.Minute), "3 h 04 m"},
		{elapsed(26 * time.Hour), "1 d 02 h"}, {elapsed(-1), "–"}, {took(0), "–"},
		{plural(1, "run"), "1 run"}, {plural(1200, "run"), "1,200 runs"}, {difference(3), "+3"}, {difference(-1), "−1"},
		{folderName("/home/ada/shop/"), "shop"}, {folderName(`C:\src\shop`), "shop"}, {folderName("/"), "/"},
		{costWords(ledger.Cost{Calls: 3}), "–"}, {costWords(ledger.Cost{USD: 2, Known: 1, Calls: 3}), "$2.00+"}, {costWords(ledger.Cost{USD: 2, Known: 3, Calls: 3}), "$2.00"},
		{costCoverage(ledger.Cost{USD: 2, Known: 412, Calls: 500}), "known for 412 of 500 calls, a lower bound"},
		{costCoverage(ledger.Cost{Calls: 1}), "not known (1 call)"}, {difference(0), "same"}, {sentence("known for all"), "Known for all."}, {sentence(""), ""},
		{tokens(figures.Reviewer{InputTokens: 5}), "–"}, {tokens(figures.Reviewer{InputTokens: 12_400, WithTokens: 1}), "12k"},
		{tokens(figures.Reviewer{InputTokens: 1_280_000_000, OutputTokens: 1, WithTokens: 1}), "1,280M"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTimesInWords(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("", 9*3600)
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{now.Add(-6 * time.Minute), "22:44"}, {now.Add(-6 * time.Minute).In(east), "22:44"}, {time.Date(2026, 11, 19, 14, 2, 0, 0, time.UTC), "19 Nov 14:02"},
		{time.Date(2025, 2, 21, 9, 0, 0, 0, time.UTC), "2025-02-21"}, {time.Time{}, "–"},
	} {
		if got := shownTime(c.at, now); got != c.want {
			t.Errorf("%v is shown as %q, want %q", c.at, got, c.want)
		}
	}
	if got := shownTime(now, now.In(east)) + ", " + asOf(now, now.In(time.FixedZone("JST", 9*3600))); got != "07:50, 22 Nov 2026, 07:50 JST" {
		t.Errorf("in another zone the time is shown as %q", got)
	}
	if got := at(now, now.In(time.FixedZone("JST", 9*3600))); got.Full != "2026-11-22 07:50:00 JST" || got.At != "2026-11-21T22:50:00.000Z" {
		t.Errorf("a time is %+v", got)
	}
	local := links{now: now.In(east)}
	for value, want := range map[string]string{
		"2026-11-20T15:00:00.000Z": "since: 2026-11-21", "2026-11-20T00:00:00.000Z": "since: 2026-11-20 UTC", "2026-11-20T15:01:00.000Z": "since: 2026-11-21 00:01", "7d": "since: 7d",
	} {
		if got := local.chipWords(param{"since", value}); got != want {
			t.Errorf("%s is the chip %q, want %q", value, got, want)
		}
	}
	if got, want := exampleScope().words(now, nil), "29 Aug to 21 Nov 2026, 12 weeks"; got != want {
		t.Errorf("the period is %q, want %q", got, want)
	}
	if got, want := (Scope{}).words(now, nil), "all time"; got != want {
		t.Errorf("all time is %q, want %q", got, want)
	}
	if got, want := (Scope{}).words(now, exampleWeeks(30)), "27 Apr to 21 Nov 2026, 30 weeks"; got != want {
		t.Errorf("all time with weeks is %q, want %q", got, want)
	}
}

func TestLinksSayTheFlagsOfTheCommand(t *testing.T) {
	t.Parallel()
	f := ledger.ViolationFilter{
		Run: runID, Branch: "--x y&z", Statuses: ledger.OpenStatuses(), File: "api/**", Recurring: true, Alone: true, Slot: 2, Sort: ledger.SortFile,
		Events: ledger.EventFilter{Statuses: []ledger.Status{ledger.StatusSkipped}, At: ledger.Period{Since: time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC)}},
	}
	want := "/violations?run=" + runID + "&branch=--x+y%26z&status=new&status=reopened&status=disputed&file=api%2F%2A%2A&slot=2&event=skipped" +
		"&event-since=2026-08-31T00%3A00%3A00.000Z&recurring=1&alone=1&sort=file"
	if got := (links{}).violations(f); got != want {
		t.Errorf("address\n%s, want\n%s", got, want)
	}
	discards := ledger.ViolationFilter{Adapter: "codex", Discards: []ledger.Disposition{ledger.OutOfDiff, ledger.Merged}}
	if got, want := (links{}).violations(discards), "/violations?discarded=1&adapter=codex&disposition=out_of_diff&disposition=merged"; got != want {
		t.Errorf("address %s, want %s", got, want)
	}
	if got := (links{none: true}).violations(f); got != "" {
		t.Errorf("a document without a server has the address %q", got)
	}
	if got, want := (links{}).log(runID, ledger.SlotRef{Job: "review:a/b:c", Slot: 2, Iteration: 3}), "/log/"+runID+"/3/review:a/b:c@2"; got != want {
		t.Errorf("log %s, want %s", got, want)
	}
	if got, want := listings.CommandIn("/home/a; rm -rf x'", "run"), `cd '/home/a; rm -rf x'\''' && reviewledger run`; got != want {
		t.Errorf("command %s, want %s", got, want)
	}
}

func TestChipsTakeOneFilterAway(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		params []param
		want   string
	}{
		{exampleViolationsPage().listing(links{}).params,
			"[status: new /violations?status=reopened&status=disputed] [status: reopened /violations?status=new&status=disputed] " +
				"[status: disputed /violations?status=new&status=reopened] [Clear all /violations]"},
		{[]param{{"discarded", "1"}, {"disposition", "malformed"}, {"gate", "a"}},
			"[discarded /violations?gate=a] [disposition: malformed /violations?discarded=1&gate=a] [gate: a /violations?discarded=1&disposition=malformed] [Clear all /violations]"},
		{[]param{{"event", "new"}, {"event", "fixed"}, {"event-iteration", "1"}},
			"[event: new /violations?event=fixed&event-iteration=1] [event: fixed /violations?event=new&event-iteration=1] " +
				"[event iteration: 1 /violations?event=new&event=fixed] [Clear all /violations]"},
		{[]param{{"status", "duplicate"}, {"status", "new"}, {"no-duplicates", "1"}},
			"[status: duplicate /violations?status=new&no-duplicates=1] [status: new /violations?status=duplicate] " +
				"[no duplicates /violations?status=duplicate&status=new] [Clear all /violations]"},
		{[]param{{"event", "new"}, {"event-since", "7d"}}, "[event: new /violations] [event since: 7d /violations?event=new] [Clear all /violations]"},
	} {
		var got []string
		for _, c := range (listing{path: "/violations", params: tt.params}).chips() {
			got = append(got, fmt.Sprintf("[%s %s]", c.Text, c.Href))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%v: chips %v, want %s", tt.params, got, tt.want)
		}
	}
}

func TestWhatIsLeftAfterEachIteration(t *testing.T) {
	t.Parallel()
	// a: claimed, contradicted, claimed, confirmed. b: not addressed in 2, then skipped. c: claimed
	// and never answered. d: new in 2 and left open. e: disputed, and withdrawn in 2.
	told := append(exampleEvents(), event("e", 1, 1, ledger.StatusNew, ledger.ActorReviewer),
		event("e", 2, 1, ledger.StatusDisputed, ledger.ActorAgent), event("e", 3, 2, ledger.StatusWithdrawn, ledger.ActorReviewer))
	left := leftAfterEach(told, exampleState().Iterations)
	type events = map[ledger.Status]int
	want := []leftAfter{
		{isNew: 4, events: events{ledger.StatusNew: 4, ledger.StatusFixed: 2, ledger.StatusDisputed: 1}},
		{isNew: 1, reopened: 1, carried: 1, unanswered: 1, events: events{
			ledger.StatusNew: 1, ledger.StatusReopened: 1, ledger.StatusFixed: 1, ledger.StatusSkipped: 1, ledger.StatusWithdrawn: 1,
		}},
		{carried: 1, unanswered: 1, events: events{ledger.StatusVerified: 1}},
	}
	if diff := cmp.Diff(want, left, cmp.AllowUnexported(leftAfter{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSlotsSayWhatTheyReported(t *testing.T) {
	t.Parallel()
	for want, counts := range map[string]ledger.SlotCounts{
		"nothing new":             {},
		"1 new, 2 reported again": {Accepted: 3, New: 1},
		"1 reopened, 4 verified":  {Accepted: 1, Reopened: 1, Verified: 4},
		"1 reported again":        {Accepted: 1},
		"2 carried, 3 filtered":   {Carried: 2, BelowThreshold: 2, OutOfDiff: 1},
	} {
		if cell := slotCell(ledger.Slot{Status: ledger.SlotFail, Counts: counts}, Frame{}, ""); cell.Small != want {
			t.Errorf("%+v: %q, want %q", counts, cell.Small, want)
		}
	}
}

func TestDiffsAreNumbered(t *testing.T) {
	t.Parallel()
	var got []string
	for _, l := range diffLines("@@ -8,2 +9,3 @@ f\n a\r\n-b\n+c\n+d\n\\ No newline") {
		got = append(got, l.Class+"|"+l.Old+"|"+l.New+"|"+l.Sign+"|"+l.Text)
	}
	want := "hunk||||@@ -8,2 +9,3 @@ f;|8|9||a;del|9||−|b;add||10|+|c;add||11|+|d;||||\\ No newline"
	if strings.Join(got, ";") != want {
		t.Errorf("lines %q, want %q", strings.Join(got, ";"), want)
	}
}

func TestLogsAreShownInWholeLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, log string
		shown     int
	}{
		{"short", "a\nb", 3}, {"many lines", strings.Repeat("x\n", 5000), 2 * logLines}, {"long lines", strings.Repeat("x", 40_000) + "\n" + strings.Repeat("y", 40_000), 40_001},
		{"one line", strings.Repeat("é", 40_000), logBytes}, {"odd", "a" + strings.Repeat("é", 40_000), logBytes - 1}, {"empty", "", 0},
	} {
		shown, left := beginning(c.log)
		if len(shown) != c.shown || int(left) != len(c.log)-c.shown {
			t.Errorf("%s: %d bytes shown, %d left; want %d", c.name, len(shown), left, c.shown)
		}
	}
}

func TestIterationsToPass(t *testing.T) {
	t.Parallel()
	median, mean, longest := toPassFigures(map[int]int{1: 1, 2: 18, 3: 42, 4: 31, 5: 10, 6: 7})
	if median != 3 || math.Abs(mean-3.48) > .01 || longest != 6 {
		t.Errorf("median %d, mean %v, longest %d", median, mean, longest)
	}
}

// TestColorsAreReadable computes the contrast of the colors in both themes.
func TestColorsAreReadable(t *testing.T) {
	t.Parallel()
	css, err := staticFiles.ReadFile("static/app.css")
	if err != nil {
		t.Fatal(err)
	}
	tokens := map[string][2]float64{}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(string(css), -1) {
		if _, twice := tokens[m[1]]; twice {
			t.Errorf("--%s is defined twice", m[1])
		}
		tokens[m[1]] = [2]float64{luminance(t, m[2]), luminance(t, m[3])}
	}
	check := func(on string, least float64, names ...string) {
		for _, name := range names {
			for theme := range 2 {
				a, b := tokens[name][theme], tokens[on][theme]
				if ratio := (max(a, b) + .05) / (min(a, b) + .05); ratio < least {
					t.Errorf("--%s on --%s, theme %d: contrast %.2f, want %.1f", name, on, theme, ratio, least)
				}
			}
		}
	}
	for _, on := range []string{"bg", "bg-subtle", "bg-inset", "accent-bg"} {
		check(on, 4.5, "fg", "fg-muted")
	}
	check("bg", 4.5, "accent", "open", "reopened", "claimed", "verified", "skipped", "error")
	check("bg", 3, "line-strong", "f-open", "f-reopened", "f-claimed", "f-verified", "f-skipped", "f-accent")
	for _, on := range []string{"heat-1", "heat-2", "heat-3", "heat-4", "warm-1", "warm-2", "warm-3", "warm-4", "add-bg", "del-bg"} {
		check(on, 4.5, "fg")
	}
}

// luminance returns the relative luminance of a color according to WCAG.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if v <= .04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func TestOpenLoopsSayWhatKeepsThemFromPassing(t *testing.T) {
	t.Parallel()
	state := exampleState()
	state.Gates[len(state.Gates)-2].Status = ledger.GateFailed // the check, in its latest execution
	state.Gates[len(state.Gates)-1].Slots[0].Status = ledger.SlotError
	shown := fmt.Sprint(loopStep(Frame{Now: now}, links{}, OpenLoop{state, 2}))
	for _, want := range []string{", iteration 3 ", " · failing: ", "check:api:lint", " · no result: ", "review:api:security"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the step lacks %q: %s", want, shown)
		}
	}
}

// The script opens the nth tab for the nth letter in the list of keys.
func TestLettersOfTabs(t *testing.T) {
	t.Parallel()
	seen, ended := map[string]bool{"g": true, "j": true, "k": true}, false
	for _, tab := range tabs(Frame{}, links{}, "/") {
		switch {
		case tab.Letter == "":
			ended = true
		case ended || seen[tab.Letter]:
			t.Errorf("%s has the letter %q", tab.Name, tab.Letter)
		}
		seen[tab.Letter] = true
	}
}

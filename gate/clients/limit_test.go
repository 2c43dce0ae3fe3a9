package clients

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // so that the test does not depend on the machine's

	"github.com/reviewledger/reviewledger/ledger"
)

func TestLimitEnd(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("here", 2*3600)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, zone) // 10:00 UTC, a Wednesday
	at := func(text string) time.Time {
		end, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	tests := []struct {
		message string
		want    time.Time
	}{
		{"Please try again in 1s.", now.Add(time.Second)},
		{"Rate limit reached for gpt-5. Please try again in 1.25s. Visit x", now.Add(1250 * time.Millisecond)},
		{"try again in 20ms", now.Add(20 * time.Millisecond)},
		{"Please retry in 43.5s.", now.Add(43500 * time.Millisecond)},
		{"Retry after 30 seconds", now.Add(30 * time.Second)},
		{"retry-after: 7", now.Add(7 * time.Second)},
		{"or try again in 3 days 4 hours 5 minutes.", now.Add(76*time.Hour + 5*time.Minute)},
		{"Your limit resets in 2h 5m", now.Add(2*time.Hour + 5*time.Minute)},
		{"wait 2 minutes and 3 seconds", now.Add(123 * time.Second)},
		{`{"error":{"type":"usage_limit_reached","resets_in_seconds":5400}}`, now.Add(90 * time.Minute)},
		{`{"error":"{\\"resets_in_seconds\\": 60}"}`, now.Add(time.Minute)},
		{`"retryDelay": "34s"`, now.Add(34 * time.Second)},
		{"You've hit your limit · resets 12:40pm (UTC)", at("2026-03-04T12:40:00Z")},
		{"resets 9:30am (UTC)", at("2026-03-05T09:30:00Z")},
		{"resets 9:55am (UTC)", at("2026-03-04T09:55:00Z")}, // just passed
		{"resets 3pm (Europe/Berlin)", at("2026-03-04T14:00:00Z")},
		{"resets Mar 7, 3pm (America/New_York)", at("2026-03-07T20:00:00Z")},
		{"resets Mar 7 at 3pm (UTC)", at("2026-03-07T15:00:00Z")},
		{"You’ve hit your usage limit. Upgrade to Pro or try again at 12:05 PM.", at("2026-03-04T12:05:00+02:00")},
		{"try again at Mar 25th, 2026 3:05 PM.", at("2026-03-25T15:05:00+02:00")},
		{"try again at 14:30", at("2026-03-04T14:30:00+02:00")},
		{"resets at 12am (UTC)", at("2026-03-05T00:00:00Z")},
		{"", time.Time{}},
		{"You have exhausted your daily quota on this model.", time.Time{}},
		{"resets 12:40pm (Nowhere/Atall)", time.Time{}},
		{"try again at 25:00", time.Time{}},
		{"resets 13pm (UTC)", time.Time{}},
		{"try again 5 times", time.Time{}},
		{"try again in 5 milliseconds", now.Add(5 * time.Millisecond)},
		{"try again in 2 weeks", now.AddDate(0, 0, 14)},
		{"retry after 0 seconds", now},
		{"try again in 366 days", now.Add(366 * 24 * time.Hour)},
		{"try again in 366 days and 1 second", time.Time{}},
		{"try again in " + strings.Repeat("9", 400) + " seconds", time.Time{}},
		{`"resets_in_seconds":` + strings.Repeat("9", 400), time.Time{}},
		{strings.Repeat("x", 1<<16-len(" again in 5s")) + " again in 5s", now.Add(5 * time.Second)},
		{strings.Repeat("x", 1<<16) + " again in 5s", time.Time{}},
		{"resets 9:50am (UTC)", at("2026-03-04T09:50:00Z")},
		{"resets 9:49am (UTC)", at("2026-03-05T09:49:00Z")},
		{"resets 1am (UTC)", at("2026-03-05T01:00:00Z")},
		{"resets 12pm (UTC)", at("2026-03-04T12:00:00Z")},
		{"resets 0am (UTC)", time.Time{}},
		{"try again at 23:59", at("2026-03-04T23:59:00+02:00")},
		{"try again at 23:60", time.Time{}},
		{"try again at 24:00", time.Time{}},
		{"resets Mar 1, 3pm (UTC)", at("2026-03-01T15:00:00Z")},
		{"resets Mar 31, 3pm (UTC)", at("2026-03-31T15:00:00Z")},
		{"resets Mar 0, 3pm (UTC)", time.Time{}},
		{"resets Mar 32, 3pm (UTC)", time.Time{}},
		{"try again in 99999999999999 days", time.Time{}},
		{`"resets_in_seconds":` + strings.Repeat("9", 400), time.Time{}},
	}
	for _, test := range tests {
		if got := limitEnd(test.message, now); !got.Equal(test.want) {
			t.Errorf("%q ends at %v, want %v", test.message, got, test.want)
		}
	}
	if december := time.Date(2026, 12, 30, 0, 0, 0, 0, time.UTC); !limitEnd("resets Jan 2, 3pm (UTC)", december).Equal(at("2027-01-02T15:00:00Z")) {
		t.Error("January after December is not the next year's")
	}
	december := time.Date(2026, 12, 30, 0, 0, 0, 0, time.UTC)
	for month, year := range map[string]string{"May": "2027-05", "Jun": "2026-06"} {
		if got := limitEnd("resets "+month+" 2, 3pm (UTC)", december).Format("2006-01"); got != year {
			t.Errorf("%s after December is %s", month, got)
		}
	}
}

func FuzzLimitEnd(f *testing.F) {
	f.Add("resets Jan 2, 3pm (UTC)")
	f.Add(`"resets_in_seconds":5400`)
	f.Add("try again in 3 days 4 hours")
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, message string) {
		limitEnd(message, now)
		for _, kind := range []ledger.ErrorKind{ledger.ErrorUsageLimit, ledger.ErrorRateLimit} {
			e := &CallError{Kind: kind, Until: limitEnd(message, now)}
			if d := e.Cooldown(now); d < minCooldown || d > maxCooldown {
				t.Errorf("after %q an adapter is left alone for %s", message, d)
			}
		}
	})
}

func TestCooldown(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		err  CallError
		want time.Duration
	}{
		{CallError{Kind: ledger.ErrorUsageLimit}, 10 * time.Minute},
		{CallError{Kind: ledger.ErrorUsageLimit, Until: now.Add(3 * time.Hour)}, 3*time.Hour + time.Second},
		{CallError{Kind: ledger.ErrorUsageLimit, Until: now.Add(-time.Hour)}, 10 * time.Second},
		{CallError{Kind: ledger.ErrorUsageLimit, Until: now.Add(9999 * time.Hour)}, 8 * 24 * time.Hour},
		{CallError{Kind: ledger.ErrorRateLimit}, time.Minute},
		{CallError{Kind: ledger.ErrorRateLimit, Until: now.Add(90 * time.Second)}, 91 * time.Second},
		{CallError{Kind: ledger.ErrorAuth, Until: now.Add(time.Hour)}, 0},
		{CallError{Kind: ledger.ErrorCrashed}, 0},
	}
	for _, test := range tests {
		if got := test.err.Cooldown(now); got != test.want {
			t.Errorf("%+v is cooled down for %s, want %s", test.err, got, test.want)
		}
	}
}

func TestPatience(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		kind    ledger.ErrorKind
		until   time.Duration // 0: not named
		attempt int
		left    time.Duration
		want    time.Duration // 0: not again
	}{
		{ledger.ErrorRateLimit, time.Second, 0, time.Minute, time.Second},
		{ledger.ErrorRateLimit, -time.Second, 0, time.Minute, 20 * time.Millisecond},
		{ledger.ErrorRateLimit, time.Second, 1, time.Minute, time.Second},
		{ledger.ErrorRateLimit, time.Second, 2, time.Minute, 0},
		{ledger.ErrorRateLimit, 31 * time.Second, 0, time.Minute, 0},
		{ledger.ErrorRateLimit, 30 * time.Second, 0, time.Minute, 30 * time.Second},
		{ledger.ErrorRateLimit, 0, 0, time.Hour, 10 * time.Second},
		{ledger.ErrorRateLimit, 0, 1, time.Hour, 30 * time.Second},
		{ledger.ErrorRateLimit, 0, 0, 15 * time.Second, 0},
		{ledger.ErrorUsageLimit, time.Second, 0, time.Hour, 0},
		{ledger.ErrorAuth, 0, 0, time.Hour, 0},
	}
	for _, test := range tests {
		failure := &CallError{Kind: test.kind}
		if test.until != 0 {
			failure.Until = now.Add(test.until)
		}
		wait, again := patience(failure, test.attempt, now, test.left)
		if again != (test.want > 0) || again && wait != test.want {
			t.Errorf("%+v: waits %s, again %t", test, wait, again)
		}
	}
}

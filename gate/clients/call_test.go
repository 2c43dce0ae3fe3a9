package clients

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestTailBufferKeepsTheEnd(t *testing.T) {
	t.Parallel()
	b := &tailBuffer{limit: 10}
	var all string
	for i := range 100 {
		part := strings.Repeat(string(rune('a'+i%26)), i%17)
		all += part
		if n, err := b.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
		if got, want := string(b.bytes()), all[max(0, len(all)-10):]; got != want {
			t.Fatalf("after %d writes the end is %q, want %q", i+1, got, want)
		}
	}
}

func TestChildEnvironment(t *testing.T) {
	t.Parallel()
	base := []string{"A=1", "GIT_DIR=/x", "GIT_CONFIG_COUNT=1", "SET=theirs", "GONE=1", "GONER=1"}
	before := slices.Clone(base)
	got := childEnvironment(base, "/repo", environment{
		set: map[string]string{"SET": "ours", "OTHER": "ours"}, unset: []string{"GONE"},
	})
	want := []string{"A=1", "GIT_CONFIG_COUNT=1", "GONER=1",
		"GIT_OPTIONAL_LOCKS=0", "OTHER=ours", "PWD=/repo", "REVIEWLEDGER_INSIDE=1", "SET=ours"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, base); diff != "" {
		t.Errorf("the base was changed (-before +after):\n%s", diff)
	}
}

func TestCallErrorText(t *testing.T) {
	t.Parallel()
	tests := map[string]*CallError{
		"timed out after 60s":                   {Kind: ledger.ErrorTimeout, Timeout: time.Minute},
		"exited with code 3":                    {Kind: ledger.ErrorCrashed, What: "exited with code 3"},
		"usage limit reached: try later":        {Kind: ledger.ErrorUsageLimit, Message: "try later"},
		"rate limit reached: slow down":         {Kind: ledger.ErrorRateLimit, What: "exited with code 1", Message: "slow down"},
		"not authenticated":                     {Kind: ledger.ErrorAuth},
		"refused to answer: no":                 {Kind: ledger.ErrorRefused, What: "reported an error", Message: "no"},
		"empty answer":                          {Kind: ledger.ErrorBadAnswer, What: "empty answer"},
		"interrupted":                           {Kind: ledger.ErrorInterrupted},
		"input limit exceeded: 11 bytes for 10": {Kind: ledger.ErrorInputLimit, Message: "11 bytes for 10"},
		"crashed":                               {Kind: ledger.ErrorCrashed},
	}
	for want, err := range tests {
		if got := err.Error(); got != want {
			t.Errorf("error %q, want %q", got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got := OneLine(" a\n\tb\xff  c\r\n"); got != "a b\uFFFD c" {
		t.Errorf("one line is %q", got)
	}
	for _, most := range []string{strings.Repeat("x", 300), strings.Repeat("ü", 300)} {
		if got := OneLine(most); got != most {
			t.Errorf("%d bytes become %q", len(most), got)
		}
	}
	for _, long := range []string{strings.Repeat("x", 1000), strings.Repeat("ü ", 50_000), strings.Repeat(" ", 100_000) + "x"} {
		if got := OneLine(long); utf8.RuneCountInString(got) > 301 || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
			t.Errorf("%d bytes become %q", len(long), got)
		}
	}
}

func TestKindOfMessage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		status  int
		message string
		want    ledger.ErrorKind
	}{
		{429, "", ledger.ErrorRateLimit},
		{402, "", ledger.ErrorUsageLimit},
		{0, "YOU’VE HIT YOUR USAGE LIMIT.", ledger.ErrorUsageLimit},
		{0, "You've hit your limit · resets 12:40pm (UTC)", ledger.ErrorUsageLimit},
		{429, "You exceeded your current quota, please check your plan. Please retry in 1s.", ledger.ErrorRateLimit},
		{429, "You exceeded your current quota, please check your plan. Please retry in 3h.", ledger.ErrorUsageLimit},
		{429, "You have exhausted your daily quota on this model. Please retry in 20s.", ledger.ErrorUsageLimit},
		{429, "insufficient_quota: you exceeded your current quota", ledger.ErrorUsageLimit},
		{429, "Rate limit reached for gpt-5 on tokens per min. Please try again in 1.2s.", ledger.ErrorRateLimit},
		{429, "Rate limit reached. Try again in 4 hours.", ledger.ErrorUsageLimit},
		{429, `{"type":"usage_limit_reached","resets_in_seconds":86400}`, ledger.ErrorUsageLimit},
		{429, "Server is temporarily limiting requests (not your usage limit) · x", ledger.ErrorRateLimit},
		{0, "API Error: Request rejected (429) · x", ledger.ErrorRateLimit},
		{0, "exceeded retry limit, last status: 429 Too Many Requests", ledger.ErrorRateLimit},
		{401, "x", ledger.ErrorAuth},
		{403, "x", ledger.ErrorAuth},
		{0, "unexpected status 403 Forbidden: no access", ledger.ErrorAuth},
		{403, "You have exhausted your daily quota", ledger.ErrorUsageLimit},
		{0, `{"error":{"code":401,"status":"UNAUTHENTICATED"}}`, ledger.ErrorAuth},
		{0, "Not logged in", ledger.ErrorAuth},
		{400, "prompt is too long: 250000 tokens > 200000 maximum", ledger.ErrorInputLimit},
		{0, "The model rejected the prompt as too long", ledger.ErrorInputLimit},
		{413, "x", ledger.ErrorInputLimit},
		{0, "Incomplete response returned, reason: content_filter", ledger.ErrorRefused},
		{500, "internal error", ledger.ErrorCrashed},
		{429, "Rate limit reached. Try again in 5 minutes.", ledger.ErrorRateLimit},
		{429, "You exceeded your current quota. Please retry in 5 minutes.", ledger.ErrorRateLimit},
		{429, "You exceeded your current quota. Please retry in 301s.", ledger.ErrorUsageLimit},
		{0, "Try again in 4 hours.", ledger.ErrorCrashed},
		{0, "", ledger.ErrorCrashed},
	}
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for _, test := range tests {
		var wait time.Duration
		if end := limitEnd(test.message, now); !end.IsZero() {
			wait = end.Sub(now)
		}
		if got := kindOf(test.status, test.message, wait); got != test.want {
			t.Errorf("%d %q is of kind %q, want %q", test.status, test.message, got, test.want)
		}
	}
}

func TestLastWords(t *testing.T) {
	t.Parallel()
	prompt := []byte("+ usage limit\nreview")
	tests := []struct{ printed, want string }{
		{"", ""},
		{"\n \n", ""},
		{"one\n\ntwo\n", "one\ntwo"},
		{"banner\n+ usage limit\nreview\nError: no\n", "banner\nError: no"},
		{strings.Repeat("old\n", 20) + strings.Repeat("new\n", 8), strings.TrimSpace(strings.Repeat("new\n", 8))},
		{strings.Repeat("x", 2000) + "\nend", "end"},
	}
	for _, test := range tests {
		if got := lastWords([]byte(test.printed), prompt); got != test.want {
			t.Errorf("the last words of %.50q are %q, want %q", test.printed, got, test.want)
		}
	}
}

// Of several messages the last is the answer, and the others are kept in part.
func TestSay(t *testing.T) {
	t.Parallel()
	many := make([]string, maxBefore+2)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	long := strings.Repeat("ü", maxMessage)
	tests := []struct {
		name, text string
		said       []string
		before     []string
	}{
		{"one", "a", []string{"a"}, nil},
		{"another", "b", []string{"a", "b"}, []string{"a"}},
		{"repeated", "b", []string{"a", "b", "b"}, []string{"a"}},
		{"blank", "b", []string{" \n", "b"}, nil},
		{"nothing at last", "", []string{"a", ""}, []string{"a"}},
		{"answers before the last", `{"status":"pass"}`, []string{`{"status":"fail"}`, `{"status":"pass"}`}, []string{`{"status":"fail"}`}},
		{"too many", many[maxBefore+1], many, many[1 : maxBefore+1]},
		{"as long as may be", "b", []string{long[:maxMessage], "b"}, []string{long[:maxMessage]}},
		{"too long", "b", []string{"x" + long, "b"}, []string{("x" + long)[:maxMessage-1] + "…"}},
	}
	for _, test := range tests {
		said := answer{}
		for _, text := range test.said {
			said.say(text)
		}
		if diff := cmp.Diff(test.before, said.before); said.text != test.text || diff != "" {
			t.Errorf("%s: the answer is %.50q, want %.50q; before it (-want +got):\n%s", test.name, said.text, test.text, diff)
		}
	}
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text, stderr, prompt, want string
	}{
		{name: "for an answer", text: "Claude usage limit reached. Try again in 5 hours.",
			want: "usage_limit usage limit reached: Claude usage limit reached. Try again in 5 hours."},
		{name: "for a moment", text: "Rate limit exceeded. Try again in 2s.", want: "rate_limit rate limit reached: Rate limit exceeded. Try again in 2s."},
		{name: "beside it", text: "Sorry.", stderr: "You've hit your limit\n", want: "usage_limit usage limit reached: You've hit your limit"},
		{name: "an answer", text: `{"status":"pass"}`},
		{name: "nothing"},
		{name: "prose on limits", text: strings.Repeat("The code handles a usage limit well. ", 30)},
		{name: "words of the prompt", text: "+ usage limit reached", prompt: "diff\n+ usage limit reached\n"},
		{name: "no limit", text: "I cannot do this: it violates our usage policy"},
	} {
		got := ""
		err := Refusal(Reply{Text: test.text, Stderr: []byte(test.stderr)}, []byte(test.prompt))
		var failure *CallError
		if errors.As(err, &failure) {
			got = string(failure.Kind) + " " + failure.Error()
		} else if err != nil {
			t.Errorf("%s: %T", test.name, err)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

package pages

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// unknown stands for an unknown figure, which is never shown as zero.
const unknown = "–"

// count formats an integer with thousands separators, as in 1,012.
func count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// plural is [ledger.Plural] with thousands separators.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// sentence adds a capital letter and a full stop.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.ContainsAny(s[len(s)-1:], ".?!:") {
		s += "."
	}
	return s
}

// percent formats a share as an integer. It is 100% only for all, and 0% only for none.
func percent(part, whole int) string {
	if whole <= 0 {
		return unknown
	}
	p := int(math.Round(100 * float64(part) / float64(whole)))
	if part > 0 {
		p = max(1, p)
	}
	if part < whole {
		p = min(99, p)
	}
	return strconv.Itoa(p) + "%"
}

// dollars formats an amount in dollars and cents, or below ten cents with two significant digits.
func dollars(usd float64) string {
	switch {
	case usd == 0:
		return "$0"
	case usd < .1:
		return "$" + strconv.FormatFloat(usd, 'f', max(2, 1-int(math.Floor(math.Log10(usd)))), 64)
	case usd < 1000:
		return "$" + strconv.FormatFloat(usd, 'f', 2, 64)
	}
	whole, cents := math.Modf(math.Round(usd*100) / 100)
	return "$" + count(int(whole)) + strconv.FormatFloat(cents, 'f', 2, 64)[1:]
}

// elapsed formats a duration, as in 25 ms, 6.4 s, 38 s, 1 m 12 s, 3 h 04 m and 2 d 03 h.
func elapsed(d time.Duration) string {
	seconds := int(math.Round(d.Seconds()))
	switch {
	case d < 0:
		return unknown
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d m %02d s", seconds/60, seconds%60)
	}
	if minutes := int(math.Round(d.Minutes())); minutes < 24*60 {
		return fmt.Sprintf("%d h %02d m", minutes/60, minutes%60)
	}
	hours := int(math.Round(d.Hours()))
	return fmt.Sprintf("%d d %02d h", hours/24, hours%24)
}

// took formats a duration that is 0 if unknown.
func took(d time.Duration) string {
	if d <= 0 {
		return unknown
	}
	return elapsed(d)
}

// shownTime formats a time in the zone of now: without the day if it is today, without the year if it
// is this year, and otherwise only the date.
func shownTime(t, now time.Time) string {
	if t.IsZero() {
		return unknown
	}
	switch t = t.In(now.Location()); {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format(time.DateOnly)
}

// fullTime formats a time with its zone.
func fullTime(t time.Time) string { return t.Format("2006-01-02 15:04:05 MST") }

// shownDay formats the day of a time in its own zone, because weeks begin in UTC and days that somebody
// chose do not, with the year unless it is the present one.
func shownDay(t, now time.Time) string {
	if t.Year() != now.In(t.Location()).Year() {
		return t.Format("2 Jan 2006")
	}
	return t.Format("2 Jan")
}

// shortRun returns the part of a run's ID that encodes its time, which is enough to tell runs
// apart.
func shortRun(id string) string { return id[:min(len(id), 10)] }

// runName returns the name of a run: its branch.
func runName(r ledger.Run) string { return text.OrElse(r.Branch, "detached HEAD") }

// runTitle returns the title of a run's page: its branch and, if it began with a commit, the subject
// of the first.
func runTitle(r ledger.Run) string {
	if r.Subject == "" {
		return runName(r)
	}
	return runName(r) + ": " + headline(r.Subject)
}

// folderName returns the last element of a path of any system.
func folderName(path string) string {
	trimmed := strings.TrimRight(path, `/\`)
	return text.OrElse(trimmed[strings.LastIndexAny(trimmed, `/\`)+1:], path)
}

// placeOfRun returns where a run took place: its worktree or, if that is unknown, its repository.
func placeOfRun(r ledger.Run) string { return text.OrElse(r.Worktree, r.Repository.Key) }

func placeWords(p ledger.Place) string {
	p.File = shownPath(p.File)
	return text.OrElse(p.String(), unknown)
}

// shownPath returns a path, or only its end if it is too long for a row.
func shownPath(path string) string { return cutFront(path, 200) }

// cutFront returns the last characters of a text.
func cutFront(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return "…" + string(runes[len(runes)-limit:])
}

// cut returns the first characters of a text.
func cut(s string, limit int) string {
	if kept := text.Truncate(s, limit); kept != s {
		return kept + "…"
	}
	return s
}

// iterationSpan returns the iterations in which a violation was reported, as in 1–3.
func iterationSpan(v ledger.Violation) string {
	if v.Last <= v.First {
		return strconv.Itoa(v.First)
	}
	return fmt.Sprintf("%d–%d", v.First, v.Last)
}

// headline returns the first line of a reviewer's text, shortened for a row.
func headline(issue string) string {
	const limit = 300
	return text.OrElse(text.FirstLine(issue, limit), "(no words)")
}

// badge is a status with its symbol, color and word.
type badge struct{ Class, Icon, Word string }

// badges has the badges of verdicts and of runs, gates and slots whose symbol, color or word differs from
// the name of the status.
var badges = map[string]badge{
	string(ledger.StatusPassed):             {"c-passed", "i-verified", "passed"},
	string(ledger.StatusPassedWithWarnings): {"c-passed_w", "i-passed_w", "passed with warnings"},
	string(ledger.StatusFailed):             {"c-fail", "i-fail", "failed"},
	string(ledger.StatusRetryLimitExceeded): {"c-limit", "i-limit", "retry limit exceeded"},
	string(ledger.SlotSkipped):              {"c-skip", "i-skip", "not asked"},
	string(ledger.GateNotRun):               {"c-not_run", "i-not_run", "not run"},
	string(ledger.VerdictPass):              {"c-passed", "i-verified", "PASS"},
	string(ledger.VerdictWarn):              {"c-warn", "i-warn", "WARN"},
	string(ledger.VerdictFail):              {"c-fail", "i-fail", "FAIL"},
	string(ledger.VerdictAbort):             {"c-limit", "i-limit", "ABORT"},
	"":                                      {"c-not_run", "i-not_run", unknown},
}

// badgeOf returns the badge of a verdict, or of the status of a violation, run or slot.
func badgeOf[Status ~string](s Status) badge {
	if b, special := badges[string(s)]; special {
		return b
	}
	facts := ledger.Status(s).Facts()
	look := cmp.Or(facts.Look, string(s))
	return badge{"c-" + look, "i-" + look, cmp.Or(facts.Word, string(s))}
}

// gateBadge returns the badge of a gate's status. It uses the shorter words of slots.
func gateBadge(s ledger.GateStatus) badge {
	switch s {
	case ledger.GatePassed:
		return badgeOf(ledger.SlotPass)
	case ledger.GateFailed:
		return badgeOf(ledger.SlotFail)
	}
	return badgeOf(s)
}

// badgeOfRun returns the badge of a run's verdict, which says more than its status, or else of its
// status. Other listings do the same.
func badgeOfRun(r ledger.Run) badge {
	if r.Verdict != "" && r.Status == r.Verdict.RunStatus() {
		return badgeOf(r.Verdict)
	}
	return badgeOf(r.Status)
}

func priorityBadge(p ledger.Priority) badge {
	return badge{"p-" + string(p), "i-p-" + string(p), string(p)}
}

// dispositionWord describes a disposition in words.
func dispositionWord(d ledger.Disposition) string {
	switch d {
	case ledger.OutOfDiff:
		return "not in the diff"
	case ledger.BelowThreshold:
		return "below the threshold"
	case ledger.PreviouslySkipped:
		return "skipped before"
	case ledger.RememberedSkip:
		return "skipped in an earlier run"
	case ledger.OutsideVerify:
		return "outside what was asked"
	}
	return strings.ReplaceAll(string(d), "_", " ")
}

package clients

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// shortLimit is the longest wait for which a limit counts as a rate limit and not as the limit of a
// plan.
const shortLimit = 5 * time.Minute

// limitEnd returns when the limit in a client's error ends. It understands the messages of the
// clients and their servers: "try again in 1.5s", "resets 12:40pm (UTC)", "try again at Nov 25th,
// 2025 3:05 PM", `"resets_in_seconds":1234`. It returns the zero time if the error does not say. A
// time of day without a zone is the next such time in now's location.
func limitEnd(message string, now time.Time) time.Time {
	message = strings.ReplaceAll(message, "’", "'")
	if len(message) > 1<<16 {
		message = message[:1<<16]
	}
	for _, read := range []func(string, time.Time) time.Time{endInJSON, endAfter, endAtClock} {
		if end := read(message, now); !end.IsZero() {
			return end
		}
	}
	return time.Time{}
}

// after adds seconds to a time; it returns the zero time if there are implausibly many.
func after(now time.Time, seconds float64) time.Time {
	if seconds > 366*24*3600 {
		return time.Time{}
	}
	return now.Add(time.Duration(seconds * float64(time.Second)))
}

// endInJSON reads members of the servers' error bodies, which may be quoted a second time inside a
// string, and the header Retry-After.
func endInJSON(message string, now time.Time) time.Time {
	const quote = `\\*"?`
	relative := regexp.MustCompile(`(?i)` + quote + `(?:resets_in_seconds|retry[-_]?after(?:_seconds)?|retryDelay)` + quote +
		`\s*[:=]\s*` + quote + `([0-9]+(?:\.[0-9]+)?)s?` + `(?:\\*"|[\s,}\]]|$)`)
	if m := relative.FindStringSubmatch(message); m != nil {
		seconds, _ := strconv.ParseFloat(m[1], 64) // infinite if there are too many digits
		return after(now, seconds)
	}
	return time.Time{}
}

// endAfter reads a duration: "try again in 3 days 4 hours", "Please retry in
// 43.5s", "retry after 30 seconds", "resets in 2h 5m".
func endAfter(message string, now time.Time) time.Time {
	const number = `[0-9]+(?:\.[0-9]+)?\s*(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw])\b`
	phrase := regexp.MustCompile(`(?i)\b(?:again|retry|retrying|resets?|wait|available)(?:\s+again)?(?:\s+(?:in|after))?\s+((?:` +
		number + `(?:\s*,?\s*(?:and\s+)?)?)+)`)
	m := phrase.FindStringSubmatch(message)
	if m == nil {
		return time.Time{}
	}
	var seconds float64
	part := regexp.MustCompile(`(?i)([0-9]+(?:\.[0-9]+)?)\s*([a-z]+)`)
	for _, one := range part.FindAllStringSubmatch(m[1], -1) {
		n, _ := strconv.ParseFloat(one[1], 64) // infinite if there are too many digits
		seconds += n * unitSeconds(strings.ToLower(one[2]))
	}
	return after(now, seconds)
}

func unitSeconds(unit string) float64 {
	switch {
	case unit == "ms", strings.HasPrefix(unit, "milli"):
		return 0.001
	case strings.HasPrefix(unit, "s"):
		return 1
	case strings.HasPrefix(unit, "m"):
		return 60
	case strings.HasPrefix(unit, "h"):
		return 3600
	case strings.HasPrefix(unit, "d"):
		return 24 * 3600
	}
	return 7 * 24 * 3600
}

// endAtClock reads "resets 12:40pm (UTC)", "resets Oct 7, 3pm (Europe/Berlin)",
// "try again at 12:05 PM" and "try again at Nov 25th, 2025 3:05 PM".
func endAtClock(message string, now time.Time) time.Time {
	phrase := regexp.MustCompile(`(?i)\b(?:again|resets?)(?:\s+(?:at|on))?\s+` +
		`(?:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?(?:,?\s+([0-9]{4}))?(?:,?\s+(?:at\s+)?|\s+))?` +
		`([0-9]{1,2})(?::([0-9]{2}))?(?::[0-9]{2})?\s*([ap])?\.?(?:m\b)?\.?(?:\s*\(([A-Za-z0-9_+\-/]{1,40})\))?`)
	m := phrase.FindStringSubmatch(message)
	if m == nil || m[5] == "" && m[6] == "" { // a bare number is not a time of day
		return time.Time{}
	}
	zone := now.Location()
	if m[7] != "" {
		named, err := time.LoadLocation(m[7])
		if err != nil {
			return time.Time{}
		}
		zone = named
	}
	hour, minute, ok := clock(m[4], cmp.Or(m[5], "0"), m[6])
	if !ok {
		return time.Time{}
	}
	here := now.In(zone)
	if m[1] == "" {
		return nextClock(here, hour, minute)
	}
	return onDate(here, m[1], m[2], m[3], hour, minute)
}

func clock(hours, minutes, half string) (hour, minute int, ok bool) {
	hour, _ = strconv.Atoi(hours) // each is one or two digits
	minute, _ = strconv.Atoi(minutes)
	if half != "" {
		if hour < 1 || hour > 12 {
			return 0, 0, false
		}
		hour %= 12
		if strings.EqualFold(half, "p") {
			hour += 12
		}
	}
	return hour, minute, hour < 24 && minute < 60
}

// nextClock returns the next time with this hour and minute. A time that has just passed counts as
// today's: clocks differ, and the client's message is a moment old.
func nextClock(now time.Time, hour, minute int) time.Time {
	const justPassed = 10 * time.Minute
	end := time.Date(now.Year(), now.Month(), now.Day(), hour, minute, 0, 0, now.Location())
	if now.Sub(end) > justPassed {
		end = time.Date(now.Year(), now.Month(), now.Day()+1, hour, minute, 0, 0, now.Location())
	}
	return end
}

func onDate(now time.Time, monthName, dayText, yearText string, hour, minute int) time.Time {
	month, _ := time.Parse("Jan", strings.ToUpper(monthName[:1])+strings.ToLower(monthName[1:3])) // one of the twelve
	day, _ := strconv.Atoi(dayText)                                                               // one or two digits
	if day < 1 || day > 31 {
		return time.Time{}
	}
	year := now.Year()
	if yearText != "" {
		year, _ = strconv.Atoi(yearText) // four digits
	} else if month.Month() < now.Month()-6 { // in December, January is next year's
		year++
	}
	return time.Date(year, month.Month(), day, hour, minute, 0, 0, now.Location())
}

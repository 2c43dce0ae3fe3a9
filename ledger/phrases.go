package ledger

import (
	"fmt"
	"strings"
	"time"
)

// Plural formats a count with its noun, as in "1 violation" and "2 violations".
func Plural(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, choose(n, "", "s"))
}

// PluralVerb is [Plural] with a verb that agrees, as in "1 reviewer is" and
// "2 reviewers are".
func PluralVerb(n int, noun, one, several string) string {
	return Plural(n, noun) + " " + choose(n, one, several)
}

// OneOf joins words for a sentence: "a, b or c".
func OneOf[W ~string](words []W) string {
	list, last := make([]string, len(words)), len(words)-1
	for i, word := range words {
		list[i] = string(word)
	}
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// maxNamed is how many names [Some] lists.
const maxNamed = 40

// Some lists names, at most [maxNamed] of them.
func Some(names []string) string {
	more := ""
	if n := len(names) - maxNamed; n > 0 {
		names, more = names[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ") + more
}

func choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// Ago formats a duration as in "12 minutes ago".
func Ago(d time.Duration) string { return Age(d) + " ago" }

// Age formats a duration in seconds below one minute, in minutes below one hour, in hours below two
// days, and in days above that.
func Age(d time.Duration) string {
	switch days := int(d.Hours() / 24); {
	case days >= 2:
		return Plural(days, "day")
	case d >= time.Hour:
		return Plural(int(d.Hours()), "hour")
	case d >= time.Minute:
		return Plural(int(d.Minutes()), "minute")
	}
	return Plural(int(max(0, d).Seconds()), "second")
}

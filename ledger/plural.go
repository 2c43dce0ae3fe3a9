package ledger

import "fmt"

// Plural says how many there are of what the noun names, as in "1 violation" and
// "2 violations".
func Plural(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, choose(n, "", "s"))
}

// PluralVerb is [Plural] with a verb that agrees, as in "1 reviewer is" and
// "2 reviewers are".
func PluralVerb(n int, noun, one, several string) string {
	return Plural(n, noun) + " " + choose(n, one, several)
}

func choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

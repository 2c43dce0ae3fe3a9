package ledger

import (
	"fmt"
	"slices"
	"strings"
)

// LeftBehind reports whether the violation was open or claimed when its run was abandoned, and is
// neither skipped nor otherwise settled since.
func (v ListedViolation) LeftBehind() bool {
	return v.RunStatus == StatusAbandoned && v.Status.Outstanding()
}

// LeftBehind returns those of the violations of a branch, newest first, that abandoned runs left
// behind. If a later run has one with the same words on the same line, only that one counts,
// whatever became of it.
//
// Rule: Done means passed as it is now.
func LeftBehind(newestFirst []ListedViolation) (left []ListedViolation) {
	for n, v := range newestFirst {
		again := func(later ListedViolation) bool {
			return later.Run != v.Run && later.Fingerprint == v.Fingerprint && SameText(later.Issue, v.Issue)
		}
		if v.LeftBehind() && !slices.ContainsFunc(newestFirst[:n], again) {
			left = append(left, v)
		}
	}
	return left
}

// maxLeftNamed is how many violations the line of a pass names.
const maxLeftNamed = 10

// SayLeftBehind returns a sentence that names what abandoned runs left behind, or "".
func SayLeftBehind(left []ListedViolation) string {
	if len(left) == 0 {
		return ""
	}
	ids := make([]string, 0, maxLeftNamed+1)
	for _, v := range left[:min(len(left), maxLeftNamed)] {
		ids = append(ids, v.ShortID)
	}
	if more := len(left) - len(ids); more > 0 {
		ids = append(ids, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("An abandoned run of this branch left %s open or unverified whose lines are still there (%s): look at them with `reviewledger why ID`, or end this with `reviewledger mark ID skipped --result ...`",
		Plural(len(left), "violation"), strings.Join(ids, ", "))
}

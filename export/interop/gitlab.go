package interop

import (
	"strconv"

	"github.com/reviewledger/reviewledger/internal/text"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes what keeps the run from passing as a GitLab Code Quality report.
func (r Run) GitLab() ([]byte, error) {
	issues := []gitlabIssue{}
	seen := map[string]int{}
	for _, v := range r.Outstanding() {
		// GitLab would merge issues with equal fingerprints, so they are numbered.
		fingerprint := identity(v)
		seen[fingerprint]++
		issues = append(issues, gitlabIssue{
			Description: fixText(v), CheckName: ruleID(v.EntryPoint, v.Gate),
			Fingerprint: digest(fingerprint, strconv.Itoa(seen[fingerprint])), Severity: levelOf(v.Priority).gitlab,
			Location: gitlabLocation{Path: v.Place.File, Lines: gitlabLines{max(1, v.Place.Start)}},
		})
	}
	return text.MarshalJSON(issues, "  ")
}

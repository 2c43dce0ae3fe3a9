package interop

import (
	"cmp"
	"crypto/sha1"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
	// DefaultCategory is the default category of a SARIF file. It keeps the results apart from
	// those of other tools.
	DefaultCategory = "reviewledger"
	// sourceRoot is the base that paths in a SARIF file are relative to.
	sourceRoot = "%SRCROOT%"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Details     sarifDetails      `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Provenance  []sarifProvenance `json:"versionControlProvenance,omitempty"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Short      sarifText      `json:"shortDescription"`
	Full       sarifText      `json:"fullDescription"`
	Help       sarifText      `json:"help"`
	Properties map[string]any `json:"properties,omitempty"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifDetails struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Start         string              `json:"startTimeUtc,omitempty"`
	End           string              `json:"endTimeUtc,omitempty"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
	Rule    struct {
		ID    string `json:"id"`
		Index int    `json:"index"`
	} `json:"associatedRule"`
}

type sarifProvenance struct {
	Repository string `json:"repositoryUri"`
	Revision   string `json:"revisionId,omitempty"`
	Branch     string `json:"branch,omitempty"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Kind         string             `json:"kind"`
	Rank         float64            `json:"rank"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	GUID         string             `json:"guid,omitempty"`
	Fingerprints map[string]string  `json:"fingerprints,omitempty"`
	Partial      map[string]string  `json:"partialFingerprints"`
	Baseline     string             `json:"baselineState,omitempty"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI  string `json:"uri"`
			Base string `json:"uriBaseId"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	} `json:"physicalLocation"`
	// Message says what is at a related location.
	Message *sarifText `json:"message,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification,omitempty"`
}

// SARIF writes the whole state of the run as SARIF 2.1.0: what is open, claimed, skipped and
// verified, and how it compares with the previous iteration.
func (r Run) SARIF(category string) ([]byte, error) {
	return text.MarshalJSON(r.sarif(category, r.Problems(), false), "  ")
}

// sarif returns the violations as a SARIF log, in full or as GitHub accepts it.
func (r Run) sarif(category string, violations []ledger.ListedViolation, github bool) sarifLog {
	var run sarifRun
	rules := newRules(r, violations)
	run.Tool.Driver = sarifDriver{Name: toolName, Version: r.Version, InformationURI: toolURL, Rules: rules.list}
	run.Details.ID = cmp.Or(category, DefaultCategory) + "/" + r.State.Run.ID
	run.Invocations = []sarifInvocation{r.invocation(rules)}
	run.ColumnKind = "utf16CodeUnits"
	if r.Remote != "" {
		run.Provenance = []sarifProvenance{{Repository: remoteURI(r.Remote), Revision: r.State.Run.Head, Branch: r.State.Run.Branch}}
	}
	run.Results = []sarifResult{}
	for _, g := range r.State.FailingChecks() {
		run.Results = append(run.Results, r.checkResult(g, rules, github))
	}
	for _, v := range violations {
		run.Results = append(run.Results, r.result(v, rules, github))
	}
	return sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}}
}

// invocation says whether every gate had a result, and what failed.
func (r Run) invocation(rules *rules) sarifInvocation {
	in := sarifInvocation{Notifications: []sarifNotification{}, Start: sarifTime(r.State.Run.StartedAt), End: sarifTime(r.State.Run.FinishedAt)}
	add := func(level, text string, g ledger.Gate) {
		n := sarifNotification{Level: level, Message: sarifText{Text: text}}
		n.Rule.ID, n.Rule.Index = rules.of(g.EntryPoint, g.Name)
		in.Notifications = append(in.Notifications, n)
	}
	errored := r.errored()
	for _, p := range errored {
		add("error", p.text, p.gate)
	}
	for _, g := range r.State.FailingChecks() {
		add("warning", checkText(g), g)
	}
	in.Successful = len(errored) == 0 && len(r.State.Gates) > 0
	return in
}

func sarifTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// result converts a violation.
func (r Run) result(v ledger.ListedViolation, rules *rules, github bool) sarifResult {
	id, index := rules.of(v.EntryPoint, v.Gate)
	res := sarifResult{
		RuleID: id, RuleIndex: index, Level: levelOf(v.Priority).sarif, Kind: "fail", Rank: levelOf(v.Priority).rank,
		Message:   sarifText{Text: v.Issue, Markdown: markdownText(v)},
		Locations: []sarifLocation{location(v.Place, github)},
		GUID:      guid(v.ID), Fingerprints: map[string]string{"reviewledgerId/v1": v.ID},
		Partial:    map[string]string{"primaryLocationLineHash": r.lineHash(v)},
		Baseline:   string(r.Baseline(v)),
		Properties: map[string]any{"priority": v.Priority, "status": v.Status, "shortId": v.ShortID, "adapter": v.Adapter},
	}
	if v.Fix != "" {
		res.Properties["fix"] = v.Fix
	}
	for _, d := range v.Duplicates {
		related := location(d.Place, github)
		related.Message = &sarifText{Text: duplicateText(d)}
		res.Related = append(res.Related, related)
	}
	if as := v.Fate().Facts().Suppressed; as != "" {
		res.Suppressions = []sarifSuppression{{"external", as, v.WhySkipped()}}
	}
	return res
}

// checkResult converts a failed check. If its output does not name a place, the place is the file
// that defines the check.
func (r Run) checkResult(g ledger.Gate, rules *rules, github bool) sarifResult {
	id, index := rules.of(g.EntryPoint, g.Name)
	place, told := r.Checks[g.Job]
	if !told {
		place = ledger.Place{File: path.Join(".gauntlet/checks", g.Name+".yml")}
	}
	return sarifResult{
		RuleID: id, RuleIndex: index, Level: "error", Kind: "fail", Rank: levelOf(ledger.High).rank,
		Message:    sarifText{Text: checkText(g)},
		Locations:  []sarifLocation{location(place, github)},
		Partial:    map[string]string{"primaryLocationLineHash": hashOf("check", g.Job)},
		Properties: map[string]any{"priority": ledger.High, "problems": g.Problems},
	}
}

// lineHash returns the fingerprint by which GitHub recognizes a result. If the line is unknown, it
// is computed from other properties that stay the same.
func (r Run) lineHash(v ledger.ListedViolation) string {
	if hash := r.LineHashes[v.ID]; hash != "" {
		return hash
	}
	return hashOf(identity(v))
}

func hashOf(parts ...string) string { return digest(parts...)[:16] + ":1" }

// guid returns a UUID for a ULID: version 5 in the URL namespace.
func guid(id string) string {
	namespace := []byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	sum := sha1.Sum(append(namespace, toolURL+"/"+id...))
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// location converts a place. Its region ends where the line after the last one begins. A place
// without lines is on the first line, for GitHub with an end and columns too.
func location(p ledger.Place, github bool) (at sarifLocation) {
	at.Physical.Artifact.URI, at.Physical.Artifact.Base = fileURI(p.File), sourceRoot
	switch {
	case !p.WholeFile():
		at.Physical.Region = sarifRegion{p.Start, 1, lastLine(p) + 1, 1}
	case github:
		at.Physical.Region = sarifRegion{1, 1, 1, 1}
	default:
		at.Physical.Region = sarifRegion{StartLine: 1}
	}
	return at
}

// fileURI returns a path of the repository as a relative URI.
func fileURI(file string) string {
	parts := strings.Split(file, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.PathEscape(part), ":", "%3A")
	}
	return cmp.Or(strings.Join(parts, "/"), ".")
}

func remoteURI(remote string) string {
	if strings.HasPrefix(remote, "/") {
		return (&url.URL{Scheme: "file", Path: remote}).String()
	}
	host, path, _ := strings.Cut(remote, "/")
	return (&url.URL{Scheme: "https", Host: host, Path: "/" + path}).String()
}

func markdownText(v ledger.ListedViolation) string {
	if strings.TrimSpace(v.Fix) == "" {
		return ""
	}
	return markdown(v.Issue) + "\n\n**Fix:** " + markdown(v.Fix)
}

// rules are the gates of the run, checks and reviews, as one SARIF rule each.
type rules struct {
	list []sarifRule
	at   map[string]int
}

func newRules(r Run, violations []ledger.ListedViolation) *rules {
	rs := &rules{list: []sarifRule{}, at: map[string]int{}}
	for _, g := range r.State.LatestGates() {
		rs.add(g.EntryPoint, g.Name, string(g.Kind))
	}
	for _, v := range violations { // the worst one first: it decides the severity of the rule
		rs.add(v.EntryPoint, v.Gate, string(ledger.KindReview))
		if rule := &rs.list[rs.at[ruleID(v.EntryPoint, v.Gate)]]; r.Security[v.Job] && rule.Properties == nil {
			rule.Properties = map[string]any{
				"tags":              []string{"security"},
				"security-severity": strconv.FormatFloat(levelOf(v.Priority).security, 'f', 1, 64),
			}
		}
	}
	return rs
}

// GitHub's limits for a name and a description, in characters.
const (
	maxRuleName    = 255
	maxDescription = 1024
)

func (rs *rules) add(entryPoint, gate, kind string) {
	id := ruleID(entryPoint, gate)
	if _, there := rs.at[id]; there {
		return
	}
	rs.at[id] = len(rs.list)
	where := "the repository"
	if entryPoint != "." {
		where = entryPoint
	}
	rs.list = append(rs.list, sarifRule{
		ID: id, Name: cut(gate, maxRuleName),
		Short: sarifText{Text: cut(fmt.Sprintf("The %s gate %s of %s", kind, gate, where), maxDescription)},
		Full:  sarifText{Text: cut(fmt.Sprintf("What the %s gate %s found in the changes to %s.", kind, gate, where), maxDescription)},
		Help:  sarifText{Text: "Fix the finding or skip it with a reason, then run `reviewledger run`: a reviewer confirms each fix."},
	})
}

// of returns the ID of a gate's rule and its index in the list.
func (rs *rules) of(entryPoint, gate string) (id string, index int) {
	id = ruleID(entryPoint, gate)
	return id, rs.at[id]
}

package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// sarifRun has the parts of a run that its results refer to.
type sarifRun struct {
	tool struct {
		Driver     sarifComponent
		Extensions []sarifComponent
	}
	rules     map[string]*sarifRule
	artifacts []sarifArtifact
	bases     map[string]base
	folder    base
	// results reports that the run has a list of results.
	results       bool
	notifications []sarifNotification
}

type sarifComponent struct {
	Name, GUID string
	Rules      []sarifRule
}

type sarifRule struct {
	ID                   string
	Name                 string
	ShortDescription     sarifMessage
	FullDescription      sarifMessage
	MessageStrings       map[string]sarifMessage
	DefaultConfiguration struct{ Level string }
	Properties           sarifProperties
}

type sarifProperties struct {
	Severity json.RawMessage `json:"security-severity"`
}

type sarifMessage struct {
	Text, Markdown, ID string
	Arguments          []string
}

type sarifArtifact struct {
	URI, URIBaseID string
	Index          *int
}

type sarifResult struct {
	RuleID    string
	RuleIndex *int
	Rule      *struct {
		ID            string
		Index         *int
		ToolComponent *struct {
			Name, GUID string
			Index      *int
		}
	}
	Kind, Level, BaselineState string
	Message                    sarifMessage
	Locations                  []sarifLocation
	RelatedLocations           []sarifLocation
	CodeFlows                  []struct {
		ThreadFlows []struct {
			Locations []struct{ Location sarifLocation }
		}
	}
	Suppressions []struct{ Status string }
	Fixes        []struct{ Description sarifMessage }
	Properties   sarifProperties
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation sarifArtifact
		Region           anyRegion
	}
}

type sarifInvocation struct {
	ExecutionSuccessful *bool
	// ExitSignal and StartFailure say why the tool did not end by itself, if it did not.
	ExitSignal       string `json:"exitSignalName"`
	StartFailure     string `json:"processStartFailureMessage"`
	ExitCode         *int
	WorkingDirectory base
	Tool             []sarifNotification `json:"toolExecutionNotifications"`
	Configuration    []sarifNotification `json:"toolConfigurationNotifications"`
}

// sarif reads a report in SARIF 2.1.0: first what results refer to, because that may follow them,
// then the results.
func (r *reader) sarif() error {
	var runs []*sarifRun
	if err := r.document(func(s *stream) (err error) {
		runs, err = r.sarifRuns(s)
		return err
	}); err != nil {
		return err
	}
	return r.document(func(s *stream) error {
		return s.object("the report", func(key string) error {
			if key != "runs" {
				return s.skip()
			}
			n := -1
			return s.array("runs", func() error {
				if n++; n == len(runs) {
					return errors.New("it changed while it was read")
				}
				return r.sarifResults(s, runs[n])
			})
		})
	})
}

// sarifRuns reads everything except the results. A report that says nothing about the code is an
// error.
func (r *reader) sarifRuns(s *stream) (runs []*sarifRun, err error) {
	version := ""
	err = s.object("the report", func(key string) error {
		switch key {
		case "version":
			return s.dec.Decode(&version)
		case "inlineExternalProperties":
			return errors.New("it holds external properties, which are not read")
		case "runs":
			return s.array("runs", func() error {
				run := &sarifRun{bases: map[string]base{}}
				runs = append(runs, run)
				return r.sarifMeta(s, run)
			})
		}
		return s.skip()
	})
	switch {
	case err != nil:
		return nil, err
	case version != "2.1.0":
		return nil, fmt.Errorf("its version is %q: only SARIF 2.1.0 is read", version)
	case len(runs) == 0:
		return nil, errors.New("it has no runs")
	}
	for _, run := range runs {
		if !run.results {
			return nil, errors.New(`a run has no "results": the tool did not look`)
		}
		run.indexRules()
	}
	return runs, nil
}

// sarifMeta reads everything in a run except its results.
func (r *reader) sarifMeta(s *stream, run *sarifRun) error {
	return s.object("a run", func(key string) error {
		switch key {
		case "tool":
			return s.dec.Decode(&run.tool)
		case "originalUriBaseIds":
			return s.dec.Decode(&run.bases)
		case "artifacts":
			return s.array("artifacts", func() error {
				var artifact struct{ Location sarifArtifact }
				err := s.dec.Decode(&artifact)
				run.artifacts = append(run.artifacts, artifact.Location)
				return err
			})
		case "invocations":
			return s.array("invocations", func() error { return r.invocation(s, run) })
		case "externalPropertyFileReferences":
			var references map[string]json.RawMessage
			if err := s.dec.Decode(&references); err != nil || references["results"] == nil {
				return err
			}
			return errors.New("its results are in other files, which are not read")
		case "results":
			run.results = true
			return s.array(`"results"`, s.skip)
		}
		return s.skip()
	})
}

func (r *reader) invocation(s *stream, run *sarifRun) error {
	var in sarifInvocation
	if err := s.dec.Decode(&in); err != nil {
		return err
	}
	if err := r.ended(&in); err != nil {
		return err
	}
	run.notifications = append(append(run.notifications, in.Tool...), in.Configuration...)
	if run.folder == (base{}) {
		run.folder = in.WorkingDirectory
	}
	return nil
}

// component returns the extension with the index, or the driver.
func (run *sarifRun) component(index int) *sarifComponent {
	if index < 0 || index >= len(run.tool.Extensions) {
		return &run.tool.Driver
	}
	return &run.tool.Extensions[index]
}

func (run *sarifRun) indexRules() {
	run.rules = map[string]*sarifRule{}
	for i := -1; i < len(run.tool.Extensions); i++ {
		c := run.component(i)
		for n := range c.Rules {
			if rule := &c.Rules[n]; run.rules[rule.ID] == nil {
				run.rules[rule.ID] = rule
			}
		}
	}
}

// rule returns the id and the rule of a result. The rule is nil if the report does not define it.
func (run *sarifRun) rule(result *sarifResult) (id string, rule *sarifRule) {
	index, component := result.RuleIndex, -1
	id = result.RuleID
	if of := result.Rule; of != nil {
		if of.ID != "" {
			id = of.ID
		}
		if of.Index != nil {
			index = of.Index
		}
		if c := of.ToolComponent; c != nil {
			component = run.extension(c.Name, c.GUID, c.Index)
		}
	}
	if index != nil {
		if rules := run.component(component).Rules; *index >= 0 && *index < len(rules) {
			if rule = &rules[*index]; id == "" {
				id = rule.ID
			}
			return id, rule
		}
	}
	for at := id; ; {
		if rule = run.rules[at]; rule != nil {
			return id, rule
		}
		last := strings.LastIndexByte(at, '/')
		if last < 0 {
			return id, nil
		}
		at = at[:last]
	}
}

// extension returns the index of the extension that defines a rule, or -1 for the driver.
func (run *sarifRun) extension(name, guid string, index *int) int {
	if index != nil {
		return *index
	}
	for i, e := range run.tool.Extensions {
		if guid != "" && strings.EqualFold(e.GUID, guid) || guid == "" && name != "" && e.Name == name {
			return i
		}
	}
	return -1
}

func (r *reader) sarifResults(s *stream, run *sarifRun) error {
	r.paths.forget()
	r.paths.bases = run.bases
	if run.folder.URI != "" {
		r.paths.setFolder(run.folder.URI, run.folder.Base)
	}
	r.notify(run)
	return s.object("a run", func(key string) error {
		if key != "results" {
			return s.skip()
		}
		return s.array(`"results"`, func() error { return r.sarifResult(s, run) })
	})
}

func (r *reader) sarifResult(s *stream, run *sarifRun) error {
	var in sarifResult
	if err := s.dec.Decode(&in); err != nil {
		return err
	}
	r.report.All++
	undecided := in.Kind == "open" || in.Kind == "review"
	switch {
	case slices.Contains([]string{"pass", "informational", "notApplicable"}, in.Kind):
		r.report.NotFailed++
		return nil
	case undecided:
		r.report.NotFailed++
	case in.BaselineState == "absent":
		r.report.Absent++
		return nil
	}
	where := run.places(in.Locations)
	id, rule := run.rule(&in)
	if run.notLooked(id) {
		if at := r.paths.choose(where); at.elsewhere {
			return fmt.Errorf("it could not check the types of the code, so it did not look at all of it: %q does not compile, or what it imports", at.File)
		}
	}
	result := ledger.Entry{Issue: withRule(id, resultText(&in, rule)), Priority: sarifPriority(&in, rule)}
	if len(in.Fixes) > 0 {
		result.Fix = strings.TrimSpace(in.Fixes[0].Description.Text)
	}
	if undecided {
		r.setAside(&r.report.Undecided, result, where)
		return nil
	}
	if !in.suppressed() {
		r.keep(result, where, run.flow(&in))
		return nil
	}
	r.report.AllSuppressed++
	r.setAside(&r.report.Suppressed, result, where)
	return nil
}

// setAside adds what is not a result to a list, if it is in a file that the change touches.
func (r *reader) setAside(list *[]ledger.Entry, result ledger.Entry, where []place) {
	if at := r.paths.choose(where); at.File != "" && !at.elsewhere {
		result.Place = at.Place
		*list = append(*list, result)
	}
}

// notLooked reports whether a result of the rule means that the tool did not look: golangci-lint
// reports errors of the compiler as results, often in a file that only imports the faulty one, and
// then reports nothing else about either.
func (run *sarifRun) notLooked(rule string) bool {
	return rule == "typecheck" && run.tool.Driver.Name == "golangci-lint"
}

// suppressed reports whether all suppressions of the result are accepted. A suppression without a
// status counts as accepted.
func (in *sarifResult) suppressed() bool {
	for _, s := range in.Suppressions {
		if s.Status != "" && s.Status != "accepted" {
			return false
		}
	}
	return len(in.Suppressions) > 0
}

// places returns the places of a result.
func (run *sarifRun) places(locations []sarifLocation) []place {
	where := make([]place, 0, len(locations))
	for i := range locations {
		where = append(where, run.place(&locations[i]))
	}
	return where
}

func (run *sarifRun) place(location *sarifLocation) place {
	artifact := location.PhysicalLocation.ArtifactLocation
	if i := artifact.Index; artifact.URI == "" && i != nil && *i >= 0 && *i < len(run.artifacts) {
		artifact = run.artifacts[*i]
	}
	at := place{uri: artifact.URI, base: artifact.URIBaseID}
	at.start, at.end, at.nonsense = location.PhysicalLocation.Region.lines()
	return at
}

// flow returns the places through which the tool says that a result leads, or that belong to it.
func (run *sarifRun) flow(in *sarifResult) (where []place) {
	where = run.places(in.RelatedLocations)
	for _, code := range in.CodeFlows {
		for _, thread := range code.ThreadFlows {
			for i := range thread.Locations {
				where = append(where, run.place(&thread.Locations[i].Location))
			}
		}
	}
	return where
}

// resultText returns the message of a result, else that of its rule.
func resultText(in *sarifResult, rule *sarifRule) string {
	text := in.Message.Text
	if text == "" && rule != nil && in.Message.ID != "" {
		text = rule.MessageStrings[in.Message.ID].Text
	}
	if text != "" {
		return withArguments(text, in.Message.Arguments)
	}
	if rule == nil {
		return in.Message.Markdown
	}
	for _, text := range []string{in.Message.Markdown, rule.ShortDescription.Text, rule.FullDescription.Text, rule.Name} {
		if text != "" {
			return text
		}
	}
	return ""
}

// withArguments replaces {0}, {1} and so on by the arguments.
func withArguments(text string, arguments []string) string {
	if len(arguments) == 0 {
		return text
	}
	var pairs []string
	for i, argument := range arguments {
		pairs = append(pairs, "{"+strconv.Itoa(i)+"}", argument)
	}
	return strings.NewReplacer(append(pairs, "{{", "{", "}}", "}")...).Replace(text)
}

// sarifPriority returns the priority for the severity that a security alert would have, else for
// the level.
func sarifPriority(in *sarifResult, rule *sarifRule) ledger.Priority {
	severity := in.Properties.Severity
	if severity == nil && rule != nil {
		severity = rule.Properties.Severity
	}
	if score, err := strconv.ParseFloat(strings.Trim(string(severity), `" `), 64); err == nil && score > 0 {
		switch {
		case score >= 9:
			return ledger.Critical
		case score >= 7:
			return ledger.High
		case score >= 4:
			return ledger.Medium
		}
		return ledger.Low
	}
	level := in.Level
	if level == "" && rule != nil {
		level = rule.DefaultConfiguration.Level
	}
	switch level {
	case "", "warning":
		return ledger.Medium
	case "note":
		return ledger.Low
	case "none":
		return ledger.Info
	}
	return ledger.High // "error", or an unknown level
}

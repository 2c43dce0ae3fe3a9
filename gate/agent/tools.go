package agent

// This file defines the tools of the MCP server: their names, descriptions and schemas, the limits
// on their arguments, and how the answers of a [Ledger] are cut to what a model can read.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// Limits of one call.
const (
	maxPage     = 100
	defaultPage = 20
	maxLines    = 400
	maxMarks    = 100
	// maxText is the longest argument, in bytes.
	maxText = 10_000
	// maxTextRead is how many bytes of a log one call returns at most, however long its
	// lines are.
	maxTextRead = 200_000
)

// tool is a definition and what answers it.
type tool struct {
	definition *mcp.Tool
	handle     mcp.ToolHandler
}

// codedErrorOf is the error with its code, which is [Internal] where it has none.
func codedErrorOf(err error) *CodedError {
	if coded := (*CodedError)(nil); errors.As(err, &coded) {
		return coded
	}
	return &CodedError{Internal, err}
}

func invalid(format string, args ...any) error {
	return &CodedError{InvalidArgument, fmt.Errorf(format, args...)}
}

// newTool makes a tool whose arguments are read into an In: an unknown key is an error.
// The schemas are written by hand, for they are sent to the model of each client.
func newTool[In any](name, description, input, output string, writes bool, do func(context.Context, In) (any, error)) tool {
	never := false
	return tool{
		definition: &mcp.Tool{
			Name: name, Description: description,
			InputSchema: json.RawMessage(object(input)), OutputSchema: json.RawMessage(output),
			Annotations: &mcp.ToolAnnotations{
				ReadOnlyHint: !writes, IdempotentHint: true, DestructiveHint: &never, OpenWorldHint: &never,
			},
		},
		handle: func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in In
			if err := readArguments(r.Params.Arguments, &in); err != nil {
				return failure(err), nil
			}
			out, err := do(ctx, in)
			if err != nil {
				return failure(err), nil
			}
			return answer(out), nil
		},
	}
}

func readArguments(data json.RawMessage, in any) error {
	if data = bytes.TrimSpace(data); len(data) == 0 || bytes.Equal(data, []byte("null")) {
		data = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return invalid("invalid arguments: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return invalid("invalid arguments: more than one value")
	}
	return nil
}

// object is the schema of an object with these properties. A part after "|" lists those
// that are required.
func object(properties string) string {
	properties, required, _ := strings.Cut(properties, "|")
	schema := `{"type":"object","properties":{` + properties + `},"additionalProperties":false`
	if required != "" {
		schema += `,"required":[` + required + `]`
	}
	return schema + "}"
}

// fields is the schema of an answer: names with their types, of which all are present. An
// object's own keys are described in docs/json.md.
func fields(pairs ...string) string {
	var properties, required []string
	for i := 0; i < len(pairs); i += 2 {
		kind := `{"type":` + pairs[i+1] + `}`
		if pairs[i+1] == "list" {
			kind = `{"type":"array","items":{"type":"object"}}`
		}
		properties, required = append(properties, `"`+pairs[i]+`":`+kind), append(required, `"`+pairs[i]+`"`)
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]}`
}

const (
	typeText   = `"string"`
	typeObject = `"object"`
	orNullText = `["string","null"]`
)

// words writes a list of words as JSON, for the enum of a schema.
func words[W ~string](list []W) string {
	data, _ := json.Marshal(list)
	return string(data)
}

// list joins the words for a description or an error.
func list[W ~string](of []W) string {
	var all []string
	for _, word := range of {
		all = append(all, string(word))
	}
	return strings.Join(all, ", ")
}

func tools(l Ledger) []tool {
	page := fmt.Sprintf(`"limit":{"type":"integer","minimum":1,"maximum":%d,"default":%d},"after":{"type":"string","description":"next of the page before"}`, maxPage, defaultPage)
	return []tool{
		newTool("status", "Whether anything is left to do in the review loop: state, done, open findings, claims to verify, failing checks, errors, the next command, and filtered reports: mark one new to take it up. Words are cut: get_violation has all.", "",
			fields("state", typeText, "done", `"boolean"`, "reason", typeText, "run", orNullText, "iteration", `["integer","null"]`, "status", orNullText,
				"iterations_left", `["integer","null"]`, "tree_changed", `"boolean"`, "open", "list", "unverified", "list", "failing", "list", "errors", "list", "filtered", "list", "next", typeText),
			false, func(ctx context.Context, _ struct{}) (any, error) { return brief(ctx, l) }),
		newTool("list_violations", "List violations (findings of reviewers), newest first, or best first with text. Filters are combined with \"and\".",
			`"status":{"type":["string","array"],"items":{"type":"string"},"description":"one or more of `+list(ledger.ShownStatuses())+`"},`+
				`"file":{"type":"string","description":"file, folder or pattern such as src/**"},"gate":{"type":"string"},`+
				`"run":{"type":"string","description":"ID, prefix, last or branch"},"text":{"type":"string","description":"words to search for; -word excludes"},`+page,
			fields("violations", "list", "next", orNullText), false,
			func(ctx context.Context, in violationsInput) (any, error) { return listViolations(ctx, l, in) }),
		newTool("get_violation", "Show a violation: what was reported, every status change, and why it has its status.",
			`"id":{"type":"string","description":"ID or unique prefix"}|"id"`,
			fields("violation", `["object","null"]`, "events", "list", "reports", "list", "why", typeObject), false,
			func(ctx context.Context, in idInput) (any, error) { return getViolation(ctx, l, in) }),
		newTool("list_runs", "List runs, newest first.", page, fields("runs", "list", "next", orNullText), false,
			func(ctx context.Context, in pageInput) (any, error) { return listRuns(ctx, l, in) }),
		newTool("read_log", "Read lines of a check's log, or of what a reviewer was asked (prompt), answered (answer, also log) or wrote to stderr.",
			`"address":{"type":"string","description":"RUN/ITERATION/JOB@SLOT, where run and iteration can be omitted, or a violation ID"},`+
				`"kind":{"enum":["log","prompt","answer","stderr"],"default":"log"},"offset":{"type":"integer","minimum":0,"default":0,"description":"first line, from 0"},`+
				fmt.Sprintf(`"lines":{"type":"integer","minimum":1,"maximum":%d,"default":%d}|"address"`, maxLines, maxLines),
			fields("text", typeText, "total", `"integer"`), false,
			func(ctx context.Context, in logInput) (any, error) { return readLog(ctx, l, in) }),
		newTool("mark", "Mark violations of the open run, all or none: fixed (a claim that a reviewer checks), skipped (say why in result), disputed (say in result why it is not a problem; its reviewer answers), new (opens it again, or takes up a filtered report) or duplicate (of another one that related names: one problem, which both reviewers have to confirm).",
			fmt.Sprintf(`"ids":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":%d},"status":{"enum":["fixed","skipped","disputed","new","duplicate"]},`, maxMarks)+
				`"result":{"type":"string","description":"how it was fixed, or why it is skipped or disputed; required with these"},`+
				`"of":{"type":"string","description":"with duplicate: the ID of the other violation"},`+
				`"reason":{"enum":`+words(ledger.SkipReasons())+`}|"ids","status"`,
			fields("changed", "list", "unchanged", "list"), true,
			func(ctx context.Context, in markInput) (any, error) { return mark(ctx, l, in) }),
	}
}

type pageInput struct {
	Limit *int   `json:"limit"`
	After string `json:"after"`
}

// size is how many rows the page has.
func (p pageInput) size() (int, error) { return within("limit", p.Limit, defaultPage, 1, maxPage) }

// within returns the given number, or otherwise if none is given, and refuses a number that
// is out of bounds.
func within(name string, given *int, otherwise, least, most int) (int, error) {
	if given == nil {
		return otherwise, nil
	}
	if *given < least || *given > most {
		return 0, invalid("invalid %s %d: use %d to %d", name, *given, least, most)
	}
	return *given, nil
}

// short refuses arguments longer than [maxText].
func short(arguments ...string) error {
	for _, argument := range arguments {
		if len(argument) > maxText {
			return invalid("an argument has %d bytes: at most %d are allowed", len(argument), maxText)
		}
	}
	return nil
}

type violationsInput struct {
	pageInput
	Status oneOrMore `json:"status"`
	File   string    `json:"file"`
	Gate   string    `json:"gate"`
	Run    string    `json:"run"`
	Text   string    `json:"text"`
}

// oneOrMore is a status or a list of them.
type oneOrMore []ledger.Status

// UnmarshalJSON implements [json.Unmarshaler].
func (o *oneOrMore) UnmarshalJSON(data []byte) error {
	var one ledger.Status
	if json.Unmarshal(data, &one) == nil {
		*o = nil
		if one != "" {
			*o = oneOrMore{one}
		}
		return nil
	}
	return json.Unmarshal(data, (*[]ledger.Status)(o))
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func listViolations(ctx context.Context, l Ledger, in violationsInput) (any, error) {
	limit, err := in.size()
	if err != nil {
		return nil, err
	}
	for _, status := range in.Status {
		if !slices.Contains(ledger.ShownStatuses(), status) {
			return nil, invalid("invalid status %q: use %s", status, list(ledger.ShownStatuses()))
		}
	}
	if err := short(in.File, in.Gate, in.Run, in.Text, in.After); err != nil {
		return nil, err
	}
	found, next, err := l.Violations(ctx, ViolationsQuery{
		Statuses: in.Status, File: in.File, Gate: in.Gate, Run: in.Run, Text: in.Text, Limit: limit, After: in.After,
	})
	if err != nil {
		return nil, err
	}
	return struct {
		Violations []listings.ViolationJSON `json:"violations"`
		Next       *string                  `json:"next"`
	}{append([]listings.ViolationJSON{}, found...), orNil(next)}, nil
}

type idInput struct {
	ID string `json:"id"`
}

func getViolation(ctx context.Context, l Ledger, in idInput) (any, error) {
	if in.ID == "" {
		return nil, invalid("missing id: give the ID of a violation")
	}
	if err := short(in.ID); err != nil {
		return nil, err
	}
	history, why, err := l.Violation(ctx, in.ID)
	return struct {
		listings.HistoryJSON
		Why listings.WhyJSON `json:"why"`
	}{history, why}, err
}

func listRuns(ctx context.Context, l Ledger, in pageInput) (any, error) {
	limit, err := in.size()
	if err != nil {
		return nil, err
	}
	if err := short(in.After); err != nil {
		return nil, err
	}
	found, next, err := l.Runs(ctx, limit, in.After)
	return struct {
		Runs []listings.RunJSON `json:"runs"`
		Next *string            `json:"next"`
	}{append([]listings.RunJSON{}, found...), orNil(next)}, err
}

type logInput struct {
	Address string `json:"address"`
	Kind    string `json:"kind"`
	Offset  *int   `json:"offset"`
	Lines   *int   `json:"lines"`
}

func readLog(ctx context.Context, l Ledger, in logInput) (any, error) {
	kinds := map[string]ledger.TextKind{"": "", "log": "", "prompt": ledger.TextPrompt, "answer": ledger.TextAnswer, "stderr": ledger.TextStderr}
	kind, known := kinds[in.Kind]
	if !known {
		return nil, invalid("invalid kind %q: use log, prompt, answer or stderr", in.Kind)
	}
	if in.Address == "" {
		return nil, invalid("missing address: give RUN/ITERATION/JOB@SLOT or the ID of a violation")
	}
	if err := short(in.Address); err != nil {
		return nil, err
	}
	offset, err := within("offset", in.Offset, 0, 0, 1<<31-1)
	if err != nil {
		return nil, err
	}
	count, err := within("lines", in.Lines, maxLines, 1, maxLines)
	if err != nil {
		return nil, err
	}
	whole, err := l.Text(ctx, in.Address, kind)
	if err != nil {
		return nil, err
	}
	part, total := cutLines(whole, offset, count)
	return struct {
		Text  string `json:"text"`
		Total int    `json:"total"`
	}{part, total}, nil
}

// cutLines returns at most count lines of a text, from line offset on, and how many lines
// the text has. The part ends early at [maxTextRead] bytes.
func cutLines(whole string, offset, count int) (part string, total int) {
	total = strings.Count(whole, "\n")
	if whole != "" && !strings.HasSuffix(whole, "\n") {
		total++
	}
	rest := whole
	for ; offset > 0 && rest != ""; offset-- {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for ; count > 0 && end < len(rest); count-- {
		line := strings.IndexByte(rest[end:], '\n') + 1
		if line == 0 {
			line = len(rest) - end
		}
		end += line
	}
	if end > maxTextRead {
		end = maxTextRead
	}
	return strings.ToValidUTF8(rest[:end], "\uFFFD"), total
}

type markInput struct {
	IDs    []string          `json:"ids"`
	Status ledger.Status     `json:"status"`
	Result string            `json:"result"`
	Of     string            `json:"of"`
	Reason ledger.SkipReason `json:"reason"`
}

func (in markInput) check() error {
	switch {
	case len(in.IDs) == 0:
		return invalid("missing ids: name the violations to mark")
	case len(in.IDs) > maxMarks:
		return invalid("%d ids: at most %d can be marked at a time", len(in.IDs), maxMarks)
	case slices.Contains(in.IDs, ""):
		return invalid("an ID is empty")
	case !slices.Contains(ledger.MarkStatuses(), in.Status):
		return invalid("invalid status %q: use fixed, skipped, disputed, new or duplicate", in.Status)
	case in.Status == ledger.StatusDisputed && strings.TrimSpace(in.Result) == "":
		return invalid("missing result: say why the violations are not problems")
	case (in.Status == ledger.StatusDuplicate) != (strings.TrimSpace(in.Of) != ""):
		return invalid("of is the ID of the other violation of a duplicate: give it with duplicate, and omit it with any other status")
	case in.Status == ledger.StatusDuplicate && in.Result != "":
		return invalid("result cannot be used with duplicate: the result of the other violation applies")
	case in.Status == ledger.StatusSkipped && strings.TrimSpace(in.Result) == "":
		return invalid("missing result: say why the violations are skipped")
	case in.Status == ledger.StatusNew && in.Result != "":
		return invalid("result cannot be used with new, which removes the mark")
	case in.Reason != "" && in.Status != ledger.StatusSkipped:
		return invalid("reason is for skipped violations: with %s, use result", in.Status)
	case in.Reason != "" && !slices.Contains(ledger.SkipReasons(), in.Reason):
		return invalid("invalid reason %q: use %s", in.Reason, list(ledger.SkipReasons()))
	}
	return short(append(slices.Clone(in.IDs), in.Result, in.Of)...)
}

func mark(ctx context.Context, l Ledger, in markInput) (any, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return l.Mark(ctx, in.IDs, ledger.Mark{Status: in.Status, Result: cmp.Or(in.Of, in.Result), Reason: in.Reason, Actor: ledger.ActorAgent})
}

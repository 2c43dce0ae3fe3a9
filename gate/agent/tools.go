package agent

// This file has the tools of the MCP server: the limits on their arguments, and how the answers of
// a [Ledger] are cut to what a model can read. The descriptions for clients are in tools.json.tmpl.

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
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
	// maxTextRead is how many bytes of a log one call returns at most, however long its lines are.
	maxTextRead = 200_000
	// maxWords is how many characters of each text of one violation are returned, and listedWords
	// how many of each text of a list.
	maxWords    = 20_000
	listedWords = 1_000
)

// tool is a definition with its handler.
type tool struct {
	definition *mcp.Tool
	handle     mcp.ToolHandler
}

// codedErrorOf returns the error with its code, or with [Internal] if it has none.
func codedErrorOf(err error) *CodedError {
	if coded := (*CodedError)(nil); errors.As(err, &coded) {
		return coded
	}
	return &CodedError{Internal, err}
}

func invalid(format string, args ...any) error {
	return &CodedError{InvalidArgument, fmt.Errorf(format, args...)}
}

// definition is the description of a tool for clients. The schemas are written by hand, because
// they are sent to the model of each client: all keys of an answer are present, and the keys of
// objects in it are described in docs/json.md.
type definition struct {
	Name, Description string
	Input, Output     json.RawMessage
	Writes            bool
}

//go:embed tools.json.tmpl
var toolsText string

func definitions() (all []definition) {
	reasons, _ := json.Marshal(ledger.SkipReasons()) // encoding words cannot fail
	marks, _ := json.Marshal(ledger.MarkStatuses())
	var filled bytes.Buffer
	err := template.Must(template.New("").Parse(toolsText)).Execute(&filled, map[string]any{
		"Statuses": list(ledger.ShownStatuses()), "Marks": string(marks), "Reasons": string(reasons),
		"MaxPage": maxPage, "DefaultPage": defaultPage, "MaxLines": maxLines, "MaxMarks": maxMarks,
	})
	if err == nil {
		err = json.Unmarshal(filled.Bytes(), &all)
	}
	if err != nil {
		panic(err) // the definitions are part of the program
	}
	return all
}

// handler returns a handler that parses the arguments of a tool into an In. An unknown key is an
// error.
func handler[In any](do func(context.Context, In) (any, error)) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		if err := readArguments(r.Params.Arguments, &in); err != nil {
			return failure(err), nil
		}
		out, err := do(ctx, in)
		if err != nil {
			return failure(err), nil
		}
		return answer(out), nil
	}
}

func readArguments(data json.RawMessage, in any) error {
	if data = bytes.TrimSpace(data); len(data) == 0 || bytes.Equal(data, []byte("null")) {
		data = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		return invalid("invalid arguments: %s", strings.TrimPrefix(inWords(err).Error(), "json: "))
	}
	return nil
}

// list joins the words for a description or an error.
func list[W ~string](of []W) string {
	var all []string
	for _, word := range of {
		all = append(all, string(word))
	}
	return strings.Join(all, ", ")
}

func tools(l Ledger) (all []tool) {
	handlers := map[string]mcp.ToolHandler{
		"status":          handler(func(ctx context.Context, _ struct{}) (any, error) { return brief(ctx, l) }),
		"list_violations": handler(func(ctx context.Context, in violationsInput) (any, error) { return listViolations(ctx, l, in) }),
		"get_violation":   handler(func(ctx context.Context, in idInput) (any, error) { return getViolation(ctx, l, in) }),
		"list_runs":       handler(func(ctx context.Context, in pageInput) (any, error) { return listRuns(ctx, l, in) }),
		"read_log":        handler(func(ctx context.Context, in logInput) (any, error) { return readLog(ctx, l, in) }),
		"mark":            handler(func(ctx context.Context, in markInput) (any, error) { return mark(ctx, l, in) }),
	}
	never := false
	for _, d := range definitions() {
		all = append(all, tool{handle: handlers[d.Name], definition: &mcp.Tool{
			Name: d.Name, Description: d.Description, InputSchema: d.Input, OutputSchema: d.Output,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !d.Writes, IdempotentHint: true, DestructiveHint: &never, OpenWorldHint: &never},
		}})
	}
	return all
}

type pageInput struct {
	Limit *number `json:"limit"`
	After string  `json:"after"`
}

// number is a whole number. Some clients send it as JSON in a text.
type number int

// UnmarshalJSON implements [json.Unmarshaler].
func (n *number) UnmarshalJSON(data []byte) error {
	if text, ok := inText(data); ok {
		data = text
	}
	if json.Unmarshal(data, (*int)(n)) != nil {
		return &json.UnmarshalTypeError{Value: "text", Type: reflect.TypeFor[int]()} // its field is added
	}
	return nil
}

// ids are texts. Some clients send a list as JSON in a text; any other text is one ID.
type ids []string

// UnmarshalJSON implements [json.Unmarshaler].
func (i *ids) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil && data[0] == '"' {
		list, _ := inText(data)
		if json.Unmarshal(list, (*[]string)(i)) != nil || *i == nil {
			*i = ids{one}
		}
		return nil
	}
	if json.Unmarshal(data, (*[]string)(i)) != nil {
		return &json.UnmarshalTypeError{Value: "value", Type: reflect.TypeFor[[]string]()}
	}
	return nil
}

// inText returns the content of a JSON text. ok is false if the value is none.
func inText(data []byte) (content []byte, ok bool) {
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return nil, false
	}
	return []byte(text), true
}

// size returns the number of rows in the page.
func (p pageInput) size() (int, error) { return within("limit", p.Limit, defaultPage, 1, maxPage) }

// within returns the given number, or otherwise if none is given. A number that is out of bounds is
// an error.
func within(name string, given *number, otherwise, least, most int) (int, error) {
	if given == nil {
		return otherwise, nil
	}
	if n := int(*given); n < least || n > most {
		return 0, invalid("invalid %s %d: use %d to %d", name, n, least, most)
	}
	return int(*given), nil
}

// short returns an error if an argument is longer than [maxText].
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

// oneOrMore is a status or a list of them, which some clients send as JSON in a text.
type oneOrMore []ledger.Status

// UnmarshalJSON implements [json.Unmarshaler].
func (o *oneOrMore) UnmarshalJSON(data []byte) error {
	var one ledger.Status
	if list, _ := inText(data); len(list) > 0 && json.Unmarshal(list, (*[]ledger.Status)(o)) == nil {
		return nil // a list as JSON in a text
	}
	if json.Unmarshal(data, &one) == nil {
		*o = nil
		if one != "" {
			*o = oneOrMore{one}
		}
		return nil
	}
	if json.Unmarshal(data, (*[]ledger.Status)(o)) != nil {
		return errors.New(`"status" is not a text or an array of texts`)
	}
	return nil
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
	var statuses []ledger.Status
	for _, status := range in.Status {
		switch {
		case status == "open":
			statuses = append(statuses, ledger.OpenStatuses()...)
		case slices.Contains(ledger.ShownStatuses(), status):
			statuses = append(statuses, status)
		default:
			return nil, invalid("invalid status %q: use open, %s", status, list(ledger.ShownStatuses()))
		}
	}
	if err := short(in.File, in.Gate, in.Run, in.Text, in.After); err != nil {
		return nil, err
	}
	found, next, err := l.Violations(ctx, in.Text, ledger.ViolationFilter{
		Statuses: statuses, File: in.File, Gate: in.Gate, Run: in.Run, Limit: limit, After: in.After,
	})
	if err != nil {
		return nil, err
	}
	out := text.Object{{Key: "violations", Value: listings.Violations.Objects(found)}, {Key: "next", Value: orNil(next)}}
	cutTexts(reflect.ValueOf(out), listedWords, "get_violation has more")
	return out, nil
}

// cutTexts cuts all texts in a value to limit characters. Those that continue end by saying where.
func cutTexts(in reflect.Value, limit int, where string) {
	switch in.Kind() {
	case reflect.Pointer:
		cutTexts(in.Elem(), limit, where)
	case reflect.Interface:
		if value := in.Elem(); value.IsValid() { // what an interface holds cannot be set
			whole := reflect.New(value.Type()).Elem()
			whole.Set(value)
			cutTexts(whole, limit, where)
			in.Set(whole)
		}
	case reflect.Slice:
		for i := range in.Len() {
			cutTexts(in.Index(i), limit, where)
		}
	case reflect.Struct:
		for i := range in.NumField() {
			cutTexts(in.Field(i), limit, where)
		}
	case reflect.String:
		if whole := in.String(); in.CanSet() && len(whole) > limit {
			if cut := text.Truncate(whole, limit); cut != whole {
				in.SetString(cut + "… [cut: " + where + "]")
			}
		}
	}
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
	found := append(listings.History(history), text.Member{Key: "why", Value: listings.Why(why)})
	cutTexts(reflect.ValueOf(found), maxWords, "read_log with the ID has the answer that reported it")
	return found, err
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
	return text.Object{{Key: "runs", Value: listings.Runs.Objects(found)}, {Key: "next", Value: orNil(next)}}, err
}

type logInput struct {
	Address string  `json:"address"`
	Kind    string  `json:"kind"`
	Offset  *number `json:"offset"`
	Lines   *number `json:"lines"`
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
	part, total, end := cutLines(whole, offset, count)
	var next *int
	if end < total {
		next = &end
	}
	return struct {
		Text  string `json:"text"`
		Total int    `json:"total"`
		Next  *int   `json:"next"`
	}{part, total, next}, nil
}

// cutLines returns at most count lines of a text, starting at line offset, how many lines the text
// has, and the line after the last one that is returned. The part has at most [maxTextRead] bytes: it
// ends with fewer lines, or in a line that is longer.
func cutLines(whole string, offset, count int) (part string, total, next int) {
	total = strings.Count(whole, "\n")
	if whole != "" && !strings.HasSuffix(whole, "\n") {
		total++
	}
	rest := whole
	for n := 0; n < offset && rest != ""; n++ {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	end := 0
	for next = offset; next < offset+count && end < len(rest); next++ {
		line := strings.IndexByte(rest[end:], '\n') + 1
		if line == 0 {
			line = len(rest) - end
		}
		if end+line > maxTextRead {
			if end == 0 {
				return strings.ToValidUTF8(rest[:maxTextRead], "\uFFFD") + "…", total, next + 1
			}
			break
		}
		end += line
	}
	return strings.ToValidUTF8(rest[:end], "\uFFFD"), total, next
}

type markInput struct {
	IDs    ids               `json:"ids"`
	Status ledger.Status     `json:"status"`
	Result string            `json:"result"`
	Of     string            `json:"of"`
	Reason ledger.SkipReason `json:"reason"`
	Group  bool              `json:"group"`
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
		return invalid("invalid status %q: use %s", in.Status, ledger.OneOf(ledger.MarkStatuses()))
	case in.Status == ledger.StatusDisputed && ledger.Blank(in.Result):
		return invalid("missing result: say why the violations are not problems")
	case (in.Status == ledger.StatusDuplicate) != (strings.TrimSpace(in.Of) != ""):
		return invalid("of is the ID of the other violation of a duplicate: give it with duplicate, and omit it with any other status")
	case in.Status == ledger.StatusDuplicate && in.Group:
		return invalid("group cannot be used with duplicate: name the violations that are one problem")
	case in.Status == ledger.StatusDuplicate && in.Result != "":
		return invalid("result cannot be used with duplicate: the result of the other violation applies")
	case in.Status == ledger.StatusSkipped && ledger.Blank(in.Result):
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
	done, err := l.Mark(ctx, ledger.MarkRequest{IDs: in.IDs, Group: in.Group, Once: true, Mark: ledger.Mark{Status: in.Status, Result: cmp.Or(in.Of, in.Result), Reason: in.Reason, Actor: ledger.ActorAgent}})
	done.Warnings = briefWarnings(done.Warnings)
	return done, err
}

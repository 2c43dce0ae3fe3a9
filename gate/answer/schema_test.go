package answer_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/ledger"
)

func compile(t testing.TB, o answer.SchemaOptions) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Schema(o)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("answer", document); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("answer")
}

// doubled reports whether a key appears twice in an object of the valid JSON.
func doubled(decoder *json.Decoder) bool {
	token, _ := decoder.Token()
	open, ok := token.(json.Delim)
	if !ok {
		return false
	}
	keys, twice := map[any]bool{}, false
	for decoder.More() {
		if open == '{' {
			key, _ := decoder.Token()
			twice = twice || keys[nul(key.(string))]
			keys[nul(key.(string))] = true
		}
		twice = doubled(decoder) || twice
	}
	_, _ = decoder.Token()
	return twice
}

// nul returns a text as it is stored.
func nul(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

// ids returns the ids in a list of the document, and whether two entries of one id have different
// verdicts.
func ids(document any, list string) (found []string, contradict bool) {
	object, _ := document.(map[string]any)
	entries, _ := object[list].([]any)
	verdicts := map[string]any{}
	for _, e := range entries {
		entry, _ := e.(map[string]any)
		if id, ok := entry["id"].(string); ok {
			id = strings.ToLower(strings.TrimSpace(nul(id)))
			if verdict, known := verdicts[id]; known && verdict != entry["verdict"] {
				contradict = true
			}
			verdicts[id] = entry["verdict"]
			found = append(found, id)
		}
	}
	return found, contradict
}

// trimmed returns the text without what may surround the object.
func trimmed(text string) string {
	return strings.TrimFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' })
}

// agree compares what is read of a text with the result of a JSON Schema library, and with what
// must hold for every answer.
func agree(t *testing.T, schemas map[bool]*jsonschema.Schema, text string) {
	t.Helper()
	body := trimmed(text)
	if !json.Valid([]byte(body)) || !strings.HasPrefix(body, "{") {
		if _, misfit := answer.Read(text, answer.Asked{}); misfit == nil && !strings.HasPrefix(body, "```") {
			t.Errorf("%q fits, and is not an object", text)
		}
		answer.Salvage(text, answer.Asked{})
		return
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	claims, claimsContradict := ids(document, "claims")
	disputes, disputesContradict := ids(document, "disputes")
	known, _ := ids(document, "known")
	beyond := claimsContradict || disputesContradict || doubled(json.NewDecoder(strings.NewReader(body)))
	for codeReview, schema := range schemas {
		asked := answer.Asked{Claims: claims, Disputes: disputes, Known: known, ByAbsence: true, CodeReview: codeReview}
		form, misfit := answer.Read(text, asked)
		if err := schema.Validate(document); (err == nil && !beyond) != (misfit == nil) {
			t.Errorf("%q (code review: %v)\nschema: %v\nread:   %v", text, codeReview, err, misfit)
		}
		if fenced, other := answer.Read("````x\n"+body+"\n````", asked); (misfit == nil) != (other == nil) || !cmp.Equal(form, fenced) {
			t.Errorf("%q: %v, in a fence %v", text, misfit, other)
		}
		if misfit != nil {
			if len(misfit.Error()) > 1000 || strings.ContainsAny(misfit.Error(), "\n\r\x00\x1b") {
				t.Errorf("not one sentence: %q", misfit)
			}
			continue
		}
		again, misfit := answer.Read(answer.Write(form), asked)
		form.Warnings, form.Remarks = nil, nil
		if !cmp.Equal(form, again) {
			t.Errorf("%q written and read again (%v):\n%s", text, misfit, cmp.Diff(form, again))
		}
		combined, _ := answer.Combine(answer.Salvage(text, asked), answer.Form{Status: answer.Pass})
		refuses := func(w ledger.ClaimWord) bool {
			return w.Verdict == ledger.ClaimNotFixed || w.Verdict == ledger.DisputeStands
		}
		refused := len(form.Violations) > 0 || slices.ContainsFunc(form.Claims, refuses) || slices.ContainsFunc(form.Disputes, refuses)
		if refused && combined.Status != answer.Fail || len(combined.NotReviewed) < len(slices.Compact(slices.Sorted(slices.Values(form.NotReviewed)))) {
			t.Errorf("%q: of %+v stands only %+v", text, form, combined)
		}
	}
}

func schemas(t testing.TB) map[bool]*jsonschema.Schema {
	return map[bool]*jsonschema.Schema{false: compile(t, answer.SchemaOptions{}), true: compile(t, answer.SchemaOptions{CodeReview: true})}
}

// answers returns texts, honest and hostile.
func answers() []string {
	texts := []string{
		pass, `{"status":"error","reason":"r"}`, `{"status":"error"}`, `{"status":"error","reason":" "}`, `{"status":"error","reason":"\u00a0\u2003"}`, `{"status":"error","reason":"\u200b"}`, `{"status":"error","reason":"\u0000"}`,
		`{"status":"error","reason":"r","violations":null}`, `{"status":"error","reason":"r","violations":[]}`, `{"status":"error","reason":"r","violations":[{}]}`, `{"status":"error","reason":"r","violations":{}}`,
		`{"status":"fail","violations":[]}`, `{"status":"fail"}`, `{"status":"pass"}`, `{"status":"pass","violations":null}`, `{}`, `[]`, `{"status":"pass","violations":[],"status":"fail"}`, `{"status":1e400}`,
		"```json\n" + pass + "\n```", "Here you are:\n" + pass, pass + "\nDone", "\uFEFF" + pass, "\xff" + pass, `{"status":"pass\ud800","violations":[]}`, `{"a":"` + "\xff" + `"}`,
		with(`"x":1`), with(`"line":27`), many(3), `{"status":"pass","violations":[` + strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990) + `]}`, strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000),
		`{"status":"pass","violations":[],"\u0000":1,"\ufffd":2}`, `{"status":"pass","violations":[{"\u0000":1,"\ufffd":2,"file":"a","issue":"b","priority":"c"}]}`,
		`{"status":"pass","violations":[],"result":{"status":"fail"}}`, `{"status":"fail","violations":[{"file":"a","issue":"b","priority":"low"}],"claims":[]}`,
	}
	for _, value := range []string{`null`, `true`, `0`, `-1`, `27.0`, `1e400`, `1e-400`, `""`, `" "`, `"x"`, `"10-14"`, `"14–10"`, `[]`, `{}`, `[{}]`, `["a"]`, `[null]`, `[""]`, `[1]`, `{"file":"a"}`, `[{"file":"a"}]`, `[{"file":""}]`, `[{"file":"a","line":{}}]`, `"\u0000"`} {
		for _, key := range []string{"line", "file", "issue", "priority", "fix", "same_as", "also", "title", "confidence", "systemBreaking", "other"} {
			rest := ""
			for _, required := range []string{"file", "issue", "priority"} {
				if required != key {
					rest += `,"` + required + `":"high"`
				}
			}
			texts = append(texts, `{"status":"fail","violations":[{"`+key+`":`+value+rest+`}]}`)
		}
		for _, key := range []string{"status", "violations", "claims", "disputes", "known", "not_reviewed", "notes", "reason", "other", "Status"} {
			texts = append(texts, `{"status":"pass","violations":[],"`+key+`":`+value+`}`, `{"`+key+`":`+value+`,"x":0}`, `{"status":"fail","`+key+`":`+value+`}`)
			if key != "status" && key != "violations" {
				texts = append(texts, `{"violations":[],"status":"pass","`+key+`":`+value+`}`)
			}
		}
		for _, entry := range []string{`{"id":@,"verdict":"fixed","evidence":"e","gone":true}`, `{"id":"i","verdict":@,"evidence":"e","gone":@}`, `{"id":"i","verdict":"withdrawn","evidence":@,"gone":false}`, `@`} {
			entry = strings.ReplaceAll(entry, "@", value)
			for _, list := range []string{"claims", "disputes", "known"} {
				texts = append(texts, `{"status":"pass","violations":[],"`+list+`":[`+entry+`]}`, `{"status":"fail","violations":[],"`+list+`":[`+entry+`]}`)
			}
		}
	}
	for _, verdict := range []string{"fixed", "not_fixed", "cannot_tell", "withdrawn", "stands", "Fixed"} {
		for _, list := range []string{"claims", "disputes"} {
			word := `{"id":"Ab","verdict":"` + verdict + `","evidence":"e"}`
			texts = append(texts, `{"status":"fail","violations":[],"`+list+`":[`+word+`]}`, `{"status":"pass","violations":[],"`+list+`":[`+word+`,`+word+`]}`,
				`{"status":"pass","violations":[],"`+list+`":[`+word+`,{"id":" aB","verdict":"not_fixed","evidence":"e"}]}`)
		}
	}
	return texts
}

// A text fits the schema if and only if it fits the form.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	both := schemas(t)
	for _, text := range answers() {
		agree(t, both, text)
	}
	for _, blank := range "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u180e\u2060\u00ad\ufeff\u001f\u000e\u0008" {
		text, _ := json.Marshal(string(blank))
		agree(t, both, `{"status":"error","reason":`+string(text)+`}`)
	}
	for n, want := range map[int]bool{100_000: true, 100_001: false} { // as in TestReadMany
		entries := slices.Repeat([]any{map[string]any{"file": "a", "issue": "b", "priority": "low"}}, n)
		if err := both[false].Validate(map[string]any{"status": "fail", "violations": entries}); (err == nil) != want {
			t.Errorf("%d entries: %v", n, err)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, text := range answers() {
		f.Add(text)
	}
	both := schemas(f)
	f.Fuzz(func(t *testing.T, text string) { agree(t, both, text) })
}

// A schema that clients enforce has no keyword that they refuse, and an answer that follows it is
// in the form.
func TestEnforcedSchemas(t *testing.T) {
	t.Parallel()
	entry := `{"file":"a.go","line":%,"issue":"i","fix":null,"priority":"low","same_as":null,"also":[{"file":"b","line":null}],"title":null,"confidence":0.5,"systemBreaking":null}`
	full := `{"status":"fail","violations":[` + entry + `],"claims":[{"id":"a","verdict":"cannot_tell","evidence":"e"}],"disputes":null,"known":[{"id":"k","gone":true,"evidence":"e"}],"not_reviewed":["x"],"notes":null,"reason":null}`
	full = strings.ReplaceAll(full, "%", `"10-14"`)
	for _, o := range []answer.SchemaOptions{{Strict: true}, {Strict: true, CodeReview: true}, {Enforced: true}, {Enforced: true, CodeReview: true}} {
		schema := compile(t, o)
		valid := func(text string) bool {
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			return schema.Validate(document) == nil
		}
		text := full
		if !o.CodeReview {
			text = strings.Replace(text, `,"title":null,"confidence":0.5,"systemBreaking":null`, "", 1)
		}
		if _, misfit := answer.Read(text, answer.Asked{Claims: []string{"a"}, CodeReview: o.CodeReview}); !valid(text) || misfit != nil {
			t.Errorf("%+v: the full form is valid: %v, read: %v", o, valid(text), misfit)
		}
		for _, wrong := range [][2]string{{`"10-14"`, `[1]`}, {`"low"`, `"Low"`}, {`"not_reviewed":["x"],`, ``}, {`"not_reviewed":["x"]`, `"not_reviewed":null`}, {`"fail"`, `"failed"`}, {`"cannot_tell"`, `"stands"`}, {`"notes":null`, `"note":null`}, {`"gone":true`, `"gone":null`}} {
			if valid(strings.Replace(text, wrong[0], wrong[1], 1)) {
				t.Errorf("%+v: %s instead of %s is valid", o, wrong[1], wrong[0])
			}
		}
		if o.CodeReview && valid(strings.Replace(text, `0.5`, `"0.5"`, 1)) {
			t.Errorf("%+v: a confidence in quotes is valid", o)
		}
		if lacks := valid(`{"status":"pass","violations":[],"not_reviewed":[]}`); lacks == o.Strict {
			t.Errorf("%+v: without optional keys: %v", o, lacks)
		}
		var document map[string]any
		if err := json.Unmarshal(answer.Schema(o), &document); err != nil {
			t.Fatal(err)
		}
		if document["type"] != "object" {
			t.Errorf("%+v: the type %v at the top", o, document["type"])
		}
		enforceable(t, o, document)
	}
}

// enforceable looks for words that clients refuse: Claude Code knows those of draft 7, its server refuses
// allOf, anyOf and oneOf at the top, and strict output takes a subset of them, with every key required
// and no other allowed.
func enforceable(t *testing.T, o answer.SchemaOptions, schema map[string]any) {
	t.Helper()
	for key, value := range schema {
		if !slices.Contains([]string{"description", "type", "enum", "items", "properties", "required", "additionalProperties"}, key) {
			t.Errorf("%+v: the word %q", o, key)
		}
		if items, ok := value.(map[string]any); ok && key == "items" {
			enforceable(t, o, items)
		}
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return
	}
	if required := schema["required"].([]any); o.Strict && (len(required) != len(properties) || schema["additionalProperties"] != false) {
		t.Errorf("%+v: requires %v of %v", o, required, properties)
	}
	for _, property := range properties {
		if property.(map[string]any)["type"] == nil {
			t.Errorf("%+v: a property without a type: %v", o, property)
		}
		enforceable(t, o, property.(map[string]any))
	}
}

// The schemas are indented, and name themselves.
func TestSchemaText(t *testing.T) {
	t.Parallel()
	for _, o := range []answer.SchemaOptions{{}, {CodeReview: true}} {
		text := string(answer.Schema(o))
		for _, want := range []string{"{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n", `"$id": "https://github.com/reviewledger/reviewledger/schema/answer`} {
			if !strings.Contains(text, want) {
				t.Errorf("%+v: no %s", o, want)
			}
		}
		if !strings.HasSuffix(text, "\n}\n") || strings.Contains(text, "systemBreaking") != o.CodeReview || strings.Contains(text, "code-review.schema.json") != o.CodeReview {
			t.Errorf("%+v:\n%s", o, text)
		}
	}
}

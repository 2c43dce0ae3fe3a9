package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// longestVerdict is the longest word that an example gives on a claim or dispute.
const longestVerdict = "cannot_tell"

// writeAnswer explains the form: only the keys that this call may need, and an example with
// the ids of this call.
func (f frame) writeAnswer(b *bytes.Buffer, p Prompt) {
	b.WriteString("\n# Answer\n\nAnswer with exactly one JSON object, and no text before or after it. Its keys:\n\n")
	passes := `"violations" is empty`
	switch claims, disputes := len(p.Claims) > 0, len(p.Disputed) > 0; {
	case claims && disputes:
		passes += `, each claim is fixed and each dispute is withdrawn`
	case claims:
		passes += ` and each claim is fixed`
	case disputes:
		passes += ` and each dispute is withdrawn`
	}
	fmt.Fprintf(b, `- "status": "pass" if %s, else "fail"; "error" if you cannot review (for example, you cannot read the files); then add a "reason"
- "violations": what you report, or [] if nothing:
  - "file": the path
  - "line": a number, or a range such as "10-14"; leave it out if the file as a whole is meant
  - "issue": what is wrong, and what comes of it
  - "fix": how to fix it
  - "priority": "critical" (data loss, a security hole, it cannot work), "high" (wrong behaviour), "medium" (wrong in rare cases, hard to maintain), "low" (a minor flaw) or "info"
`, passes)
	if f.in.CodeReview {
		b.WriteString(`  - "title": the issue in one line of at most 120 characters
  - "confidence": from 0.50 (a suspicion) to 1.00 (certain)
  - "systemBreaking": true if the system as a whole does not build, start or work because of it, else false
`)
	}
	b.WriteString(`  - "also": other places of the same problem, if there are any, each with "file" and "line"
`)
	if len(p.Claims)+len(p.Disputed)+len(p.Known) > 0 {
		b.WriteString(`  - "same_as": the id above that this entry is about, if there is one
`)
	}
	if len(p.Claims) > 0 {
		b.WriteString(`- "claims": one entry for each claim above: its "id", the "verdict", and as "evidence" what you saw and where
`)
	}
	if len(p.Disputed) > 0 {
		b.WriteString(`- "disputes": one entry for each dispute above: its "id", the "verdict", and as "evidence" what you saw and where
`)
	}
	if len(p.Known) > 0 {
		b.WriteString(`- "known": what you saw to be gone of the known, if anything: its "id", "gone": true, and the "evidence"
`)
	}
	b.WriteString(`- "not_reviewed": the paths of changed files that you could not look at, or did not; [] if there are none
- "notes": anything else, or leave it out; it is kept, and nobody acts on it: a problem belongs under "violations", and a file that you did not review under "not_reviewed"; here neither is understood

For example, with "…" for your words:

`)
	f.writeExample(b, p)
}

// writeExample writes a whole answer that fits this call. As it stands it is a failure, so
// that nothing passes by copying it.
func (f frame) writeExample(b *bytes.Buffer, p Prompt) {
	listed := slices.Concat(p.Claims, p.Disputed, p.Known)
	entry := `{"file": "path/to/file", "line": %s, "issue": "…", "fix": "…", "priority": %q`
	if f.in.CodeReview {
		entry += `, "title": "…", "confidence": 0.80, "systemBreaking": false`
	}
	b.WriteString("{\n  \"status\": \"fail\",\n  \"violations\": [\n    ")
	fmt.Fprintf(b, entry+`, "also": [{"file": "path/to/other", "line": 3}]}`, `"10-14"`, "medium")
	if len(listed) > 0 {
		fmt.Fprintf(b, ",\n    "+entry+`, "same_as": %s}`, "27", "high", quoted(listed[0]))
	}
	b.WriteString("\n  ],\n")
	writeVerdicts(b, "claims", p.Claims, "not_fixed", "fixed", longestVerdict)
	writeVerdicts(b, "disputes", p.Disputed, "stands", "withdrawn")
	if len(p.Known) > 0 && len(listed) > 1 {
		fmt.Fprintf(b, `  "known": [{"id": %s, "gone": true, "evidence": "…"}],`+"\n", quoted(listed[len(listed)-1]))
	}
	b.WriteString("  \"not_reviewed\": []\n}\n")
}

// writeVerdicts writes one entry for each id, with each of the words in turn.
func writeVerdicts(b *bytes.Buffer, key string, ids []string, words ...string) {
	if len(ids) == 0 {
		return
	}
	var all []string
	for i, id := range ids {
		all = append(all, exampleVerdict(id, words[i%len(words)]))
	}
	fmt.Fprintf(b, "  %q: [\n%s\n  ],\n", key, strings.TrimSuffix(strings.Join(all, ""), ",\n"))
}

func exampleVerdict(id, verdict string) string {
	return fmt.Sprintf(`    {"id": %s, "verdict": %q, "evidence": "…"},`+"\n", quoted(id), verdict)
}

// quoted writes an id as JSON.
func quoted(id string) string {
	text, _ := json.Marshal(id) // of a string it never fails
	return string(text)
}

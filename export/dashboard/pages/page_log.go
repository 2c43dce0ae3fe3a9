package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// noText says why there is no text.
const noText = "It wrote nothing, or its text was pruned, or never sent to the team store."

func (p Log) content(f Frame, l links) content {
	kind, name := p.Kind, "Output of the check"
	if kind != "" {
		name = map[string]string{"prompt": "What it was asked", "answer": "What it answered", "stderr": "What it wrote on stderr"}[kind]
	}
	address := strings.TrimSuffix(ledger.SlotName(p.Run.ID, p.Ref), "@0")
	args := []string{"log", address}
	if kind != "" && kind != "answer" {
		args = append(args, "--"+kind)
	}
	if p.Call > 1 || p.Call == 1 && p.Calls > 1 && kind == string(ledger.TextAnswer) {
		args = append(args, "--call", fmt.Sprint(p.Call))
	}
	c := content{Tab: "/runs", Name: "Log of " + strings.TrimSuffix(ledger.SlotName(shortRun(p.Run.ID), p.Ref), "@0"), Head: head{
		Crumb:   phrase{link("Runs", l.to("/runs")), plain(" / "), link(runName(p.Run), l.run(p.Run.ID)), plain(" / "), l.iteration("iteration", p.Run.ID, p.Ref.Iteration)},
		Title:   strings.TrimSuffix(fmt.Sprintf("%s@%d", p.Ref.Job, p.Ref.Slot), "@0"),
		Actions: []action{{Text: "Raw", Href: l.log(p.Run.ID, p.Ref, append(p.params(kind, p.Call), param{"raw", "1"})...)}},
	}}
	if f.Pulled.IsZero() { // the command only reads a local ledger
		c.Head.Sub = phrase{code(listings.Command(args...))}
	}
	if kind != "" {
		c.Head.Choices = &choices{Label: "Part"}
		for _, k := range []string{"prompt", "answer", "stderr"} {
			c.Head.Choices.Items = append(c.Head.Choices.Items, choice{k, l.log(p.Run.ID, p.Ref, p.params(k, p.Call)...), k == kind})
		}
	}
	c.Sections = []section{below(panelOf(name, p.Text, func(log string) panel {
		made := panel{More: p.calls(l)}
		if log == "" {
			made.Empty = &emptiness{Title: "Nothing was kept.", Text: words(noText)}
			return made
		}
		if kind == string(ledger.TextAnswer) {
			log = indented(log)
		}
		shown, left := beginning(log)
		made.Code = &codeBlock{Label: name, Wrap: true}
		for i, line := range strings.Split(strings.TrimSuffix(shown, "\n"), "\n") {
			made.Code.Lines = append(made.Code.Lines, codeLine{Old: fmt.Sprint(i + 1), Text: strings.TrimSuffix(line, "\r")})
		}
		if left > 0 {
			made.Footnote = fmt.Sprintf("%s more bytes: Raw has all of it.", count(int(left)))
		}
		return made
	}))}
	return c
}

// indented indents an answer that is JSON, and each of its lines that is.
func indented(answer string) string {
	var out bytes.Buffer
	if isJSON(answer) && json.Indent(&out, []byte(strings.TrimSpace(answer)), "", "  ") == nil {
		return out.String()
	}
	for line := range strings.Lines(answer) {
		before := out.Len()
		if !isJSON(line) || json.Indent(&out, []byte(strings.TrimSpace(line)), "", "  ") != nil {
			out.Truncate(before)
			out.WriteString(line)
		} else if strings.HasSuffix(line, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// isJSON reports whether a text may be a JSON object or array of a usual size. Indenting one of many
// levels, or a very long one, would take much more memory than it has.
func isJSON(s string) bool {
	const mostBytes, mostLevels = 1 << 20, 32
	if s = strings.TrimSpace(s); len(s) > mostBytes {
		return false
	}
	level := 0
	for i := range len(s) {
		switch s[i] {
		case '{', '[':
			level++
		case '}', ']':
			level--
		}
		if level > mostLevels {
			return false
		}
	}
	return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") || strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]")
}

const (
	logBytes = 60_000 // maximum size of the part of a log that is shown
	logLines = 1000
)

// beginning returns the part of a log that a page shows, in whole lines if possible, and the number
// of remaining bytes.
func beginning(log string) (shown string, left int64) {
	end := 0
	for range logLines {
		line := strings.IndexByte(log[end:], '\n') + 1
		if line == 0 {
			line = len(log) - end
		}
		if end+line > logBytes {
			if end == 0 {
				end = logBytes
				for end > 0 && !utf8.RuneStart(log[end]) {
					end--
				}
			}
			break
		}
		if end += line; end == len(log) {
			break
		}
	}
	return log[:end], int64(len(log) - end)
}

func (p Log) params(kind string, call int) []param {
	var list []param
	if kind != "" {
		list = append(list, param{"kind", kind})
	}
	if call > 1 || call == 1 && p.Calls > 1 && kind == string(ledger.TextAnswer) {
		list = append(list, param{"call", fmt.Sprint(call)})
	}
	return list
}

// calls links to the other calls of the same slot.
func (p Log) calls(l links) phrase {
	if p.Calls < 2 {
		return nil
	}
	parts := phrase{plain("call ")}
	for n := 1; n <= min(p.Calls, 20); n++ {
		if n == p.Call {
			parts = append(parts, bold(fmt.Sprint(n)), plain(" "))
			continue
		}
		parts = append(parts, link(fmt.Sprint(n), l.log(p.Run.ID, p.Ref, p.params(p.Kind, n)...)), plain(" "))
	}
	return append(parts, plain("of "+count(p.Calls)))
}

func (p Failure) content(_ Frame, l links) content {
	text := append(words(p.Message), part{Tag: "br"})
	for _, s := range p.Suggestions {
		text = append(text, link(s.Words, s.Path), plain(" · "))
	}
	return content{Name: fmt.Sprintf("%d %s", p.Status, http.StatusText(p.Status)), Head: head{Title: http.StatusText(p.Status)}, Sections: []section{below(panel{
		Empty: &emptiness{Title: "This page cannot be shown.", Text: append(text, link("Overview", l.to("/")))},
	})}}
}

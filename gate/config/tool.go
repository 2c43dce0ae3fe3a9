package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// command returns the arguments under a key: a list, or a string that is split as a shell splits
// words.
func (m mapping) command(name string) []string {
	list := m.texts
	if node, ok := m.values[name]; ok && m.r.resolve(node).Kind == yaml.ScalarNode {
		list = m.splitText
	}
	var command []string
	for _, argument := range list(name) {
		if len(argument.value) > maxArgument {
			m.refuse(argument.line, name, "an argument is longer than %d bytes", maxArgument)
		}
		command = append(command, argument.value)
	}
	return command
}

// CheckCommand returns what is wrong with the name or the command of a user's reviewer in
// cli.adapters, or "".
func CheckCommand(name, command string) string {
	words, err := splitWords(command)
	problem := checkAdapterName(name)
	switch {
	case problem != "":
		return problem
	case slices.Contains(clients.Names(), name):
		return fmt.Sprintf("%q is built in: choose another name", name)
	case err != nil:
		return fmt.Sprintf("command %q: %v", command, err)
	case len(words) == 0:
		return fmt.Sprintf("the command of %q is empty", name)
	}
	return ""
}

func (m mapping) splitText(name string) []scalar {
	t := m.text(name, "")
	words, err := splitWords(t.value)
	if err != nil {
		m.refuse(t.line, name, "%v", err)
		return nil
	}
	var list []scalar
	for _, word := range words {
		list = append(list, scalar{word, t.line})
	}
	return list
}

// splitWords splits a line into words as a shell does, with quotes and backslashes. Nothing is
// expanded: a dollar sign or a star is an ordinary character.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	inWord, escaped := false, false
	for _, r := range line {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`\n", r) {
				word.WriteByte('\\')
			}
			if r != '\n' { // a line break after a backslash continues the line
				word.WriteRune(r)
				inWord = true
			}
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case strings.ContainsRune(" \t\r\n", r):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a quote (%c) is not closed", quote)
	case escaped:
		return nil, fmt.Errorf("it ends with a backslash")
	case inWord:
		words = append(words, word.String())
	}
	if len(words) > 0 && words[0] == "" {
		return nil, fmt.Errorf("it begins with an empty word")
	}
	return words, nil
}

// tool reads the settings of an adapter's command that affect its output.
func (l *loader) tool(m mapping, a *Adapter) {
	output := m.text("output", "")
	a.Output, a.ExitCodes, a.File = clients.Output(output.value), m.exitCodes("exit_codes"), m.checked("file", cleanReport)
	if output.line != 0 && !slices.Contains(clients.Outputs(), output.value) {
		m.refuse(output.line, "output", "must be one of %s, not %q", strings.Join(clients.Outputs(), ", "), output.value)
		return
	}
	isTool := a.Output.IsReport()
	for _, key := range []string{"output", "exit_codes", "file"} {
		_, given := m.values[key]
		_, hasCommand := m.values["command"]
		switch {
		case !given:
		case !hasCommand:
			m.refuse(m.lineOf(key), key, "needs a command")
		case !isTool && key != "output":
			m.refuse(m.lineOf(key), key, "needs output: sarif or rdjson")
		}
	}
	if !isTool {
		return
	}
	if _, given := m.values["model"]; given {
		m.refuse(m.lineOf("model"), "model", "a tool has no model")
	}
	writes := 0
	for i, word := range a.Command {
		if strings.Contains(word, clients.FilesWord) && (word != clients.FilesWord || i == 0) {
			m.refuse(m.lineOf("command"), "command", "%s must be an argument of its own, not a part of %q", clients.FilesWord, word)
		}
		if strings.Contains(word, clients.OutputWord) {
			writes++
		}
	}
	if writes > 0 && a.File != "" {
		m.refuse(m.lineOf("file"), "file", "cannot be used with %s in the command", clients.OutputWord)
	}
	for other, b := range l.config.Adapters {
		if a.File != "" && strings.EqualFold(b.File, a.File) {
			m.refuse(m.lineOf("file"), "file", "%q is the file of the adapter %q, too", a.File, other)
		}
	}
}

// exitCodes returns the exit codes under a key, a list or a mapping to what each means; nil if the
// key is absent.
func (m mapping) exitCodes(name string) clients.ExitCodes {
	node, ok := m.values[name]
	if !ok {
		return nil
	}
	const expected = "a list of exit codes from 0 to 255, as in [0, 1], or what each means, as in {0: ok, 1: findings, 3: error}"
	found := m.r.resolve(node)
	var codes []int
	var meanings []clients.ExitMeaning
	switch {
	case len(found.Content) > 0 && found.Kind == yaml.SequenceNode:
		for _, item := range found.Content {
			code, ok := m.exitCode(name, item, expected)
			if !ok {
				return nil
			}
			codes = append(codes, code)
		}
		return clients.ListedExitCodes(codes...)
	case len(found.Content) > 0 && found.Kind == yaml.MappingNode:
		for i := 0; i < len(found.Content); i += 2 {
			code, ok := m.exitCode(name, found.Content[i], expected)
			meaning := clients.ExitMeaning(m.r.resolve(found.Content[i+1]).Value)
			if ok && (!slices.Contains(clients.ExitMeanings(), meaning) || slices.Contains(codes, code)) {
				m.wrong(name, found.Content[i+1].Line, expected, found.Content[i+1])
				ok = false
			}
			if !ok {
				return nil
			}
			codes, meanings = append(codes, code), append(meanings, meaning)
		}
	default:
		m.wrong(name, node.Line, expected, found)
		return nil
	}
	mapped := clients.ExitCodes{}
	for i, code := range codes {
		mapped[code] = meanings[i]
	}
	if !slices.Contains(meanings, clients.ExitOK) && !slices.Contains(meanings, clients.ExitFindings) {
		m.refuse(node.Line, name, "calls every exit code an error: one has to be ok or findings")
	}
	return mapped
}

// exitCode returns an exit code, or reports what is expected instead.
func (m mapping) exitCode(name string, item *yaml.Node, expected string) (code int, ok bool) {
	value := m.r.resolve(item)
	if value.Kind != yaml.ScalarNode || value.ShortTag() != "!!int" || value.Decode(&code) != nil || code < 0 || code > 255 {
		m.wrong(name, item.Line, expected, value)
		return 0, false
	}
	return code, true
}

// cleanReport returns the path of the report that a tool writes, or the problem with it. The file
// is removed before each call, and no diff shows it.
func cleanReport(file string) (cleaned, problem string) {
	cleaned, problem = cleanPath(file)
	if problem == "" && cleaned == "." {
		problem = "must be a file inside the worktree"
	}
	for _, reserved := range []string{".git", Dir, ".code-review"} {
		if problem == "" && under(strings.ToLower(cleaned), reserved) {
			problem = fmt.Sprintf("%q lies in %q, where no tool may write", cleaned, reserved)
		}
	}
	return cleaned, problem
}

package githook

import (
	"bytes"
	"errors"
	"path"
	"strings"
)

// Name is the name of the hook.
const Name = "pre-push"

// ErrByHand means that a hook cannot be changed without the risk that it does something else then.
var ErrByHand = errors.New("it is left as it is")

// Command is what the hook has to call. It has to read what git writes to stdin.
const Command = `reviewledger hook pre-push "$@" || exit $?`

const (
	begin = "# >>> reviewledger >>>\n"
	end   = "# <<< reviewledger <<<\n"
	first = "#!/bin/sh\n"
)

// block returns what an installation adds. What follows it in the file reads the same stdin.
func block(program string) string {
	find := "reviewledger=reviewledger\n"
	if program != "" {
		find = "reviewledger=" + program + "\n" + `[ -x "$reviewledger" ] || reviewledger=reviewledger` + "\n"
	}
	return begin + find + `reviewledger_refs=$(cat)
printf '%s\n' "$reviewledger_refs" | "$reviewledger" hook pre-push "$@" || exit $?
exec <<REVIEWLEDGER_REFS
$reviewledger_refs
REVIEWLEDGER_REFS
` + end
}

// Installed reports whether the text of a hook calls reviewledger before a push.
func Installed(data []byte) bool {
	return bytes.Contains(data, []byte(begin)) || calls(data, "reviewledger hook pre-push")
}

// calls reports whether a line that is not a comment has the command.
func calls(data []byte, command string) bool {
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && strings.Contains(line, command) {
			return true
		}
	}
	return false
}

// RunsOnly reports whether the hook calls reviewledger in a way that lets a second push through:
// where nothing has changed, `run` exits with 0.
func RunsOnly(data []byte) bool {
	return !Installed(data) && calls(data, "reviewledger run") && !bytes.Contains(data, []byte("--strict"))
}

// Install adds the call to the text of a hook, before anything else that it does, and leaves every
// other byte. A hook without text is a new one. program is the path of the program, quoted for a
// shell, or "" for whichever is on PATH.
func Install(data []byte, program string) (out []byte, changed bool, err error) {
	switch {
	case len(data) == 0:
		return []byte(first + block(program)), true, nil
	case Installed(data):
		return data, false, nil
	}
	line, rest, whole := bytes.Cut(data, []byte("\n"))
	if !whole || !isShell(string(line)) {
		return nil, false, ErrByHand
	}
	return bytes.Join([][]byte{line, append([]byte(block(program)), rest...)}, []byte("\n")), true, nil
}

// Remove takes the call out again. If the file has nothing else, out is empty.
func Remove(data []byte) (out []byte, changed bool, err error) {
	before, rest, found := bytes.Cut(data, []byte(begin))
	if !found {
		if Installed(data) { // somebody wrote the call by hand
			return nil, false, ErrByHand
		}
		return data, false, nil
	}
	_, after, found := bytes.Cut(rest, []byte(end))
	if !found {
		return nil, false, ErrByHand
	}
	if string(before) == first && len(after) == 0 {
		return nil, true, nil
	}
	return append(bytes.Clone(before), after...), true, nil
}

// isShell reports whether the first line of a script names a shell that understands the block.
func isShell(line string) bool {
	command, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(command)
	if !ok || len(words) == 0 || strings.HasSuffix(line, "\r") {
		return false
	}
	name := path.Base(words[0])
	if name == "env" {
		words = words[1:]
		for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
		if len(words) == 0 {
			return false
		}
		name = path.Base(words[0])
	}
	switch name {
	case "sh", "bash", "dash", "ash", "ksh", "zsh":
		return true
	}
	return false
}

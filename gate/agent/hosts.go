package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/internal/strictjson"
)

// Host is a tool that agents run in, and that calls a command when an agent wants to stop.
type Host struct {
	// Name is the value for --agent; Title is the product's name.
	Name, Title string
	// File is the path, relative to the project's root, of the file that configures its hooks.
	File string
	// AlsoRuns is the name of another host whose hooks this one runs too, or empty.
	AlsoRuns string
	// Note is what users must know after an installation, or empty.
	Note string
	// NeedsTrust means that the host skips a new hook until its user has trusted it.
	NeedsTrust bool
	// event is the key in File for the end of an agent's turn.
	event string
	// notices means that the host shows a systemMessage to its user.
	notices bool
	// versioned means that File has the key version, and grouped that the hooks of an event are in
	// groups.
	versioned, grouped bool
	// commandKey is the key of a hook's command. first and rest are the members before and after
	// it.
	commandKey  string
	first, rest string
}

// Hosts returns the hosts of the known agents.
func Hosts() (hosts []Host) {
	for _, a := range Agents() {
		if a.Host.File != "" {
			hosts = append(hosts, a.Host)
		}
	}
	return hosts
}

// HostNamed returns the host with the name.
func HostNamed(name string) (Host, bool) {
	at := slices.IndexFunc(Hosts(), func(h Host) bool { return h.Name == name })
	if at < 0 {
		return Host{}, false
	}
	return Hosts()[at], true
}

// HostNames returns the values that --agent accepts.
func HostNames() (names []string) {
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// Command returns the command that the host runs. It must stay the same in every version: an
// installed hook is recognized by it, and Codex trusts a hook by its text.
func (h Host) Command() string { return "reviewledger hook stop --agent " + h.Name }

// Snippet returns a complete file with only the hook.
func (h Host) Snippet() string {
	data, _, err := h.Install(nil)
	if err != nil { // cannot happen: hook returns only values that can be encoded
		panic(err)
	}
	return string(data)
}

// hook returns the entry in the event's list.
func (h Host) hook() json.RawMessage {
	command, _ := json.Marshal(h.Command()) // encoding a string cannot fail
	entry := fmt.Sprintf(`{%s%q:%s%s}`, h.first, h.commandKey, command, h.rest)
	if h.grouped {
		entry = `{"hooks":[` + entry + `]}`
	}
	return json.RawMessage(entry)
}

// isOurs reports whether the entry runs our command.
func (h Host) isOurs(entry json.RawMessage) bool {
	var command string
	found := membersOf(entry).Last(h.commandKey)
	return found != nil && json.Unmarshal(found, &command) == nil && command == h.Command()
}

// Installed reports whether the file has the hook. If there is no file, data is empty.
func (h Host) Installed(data []byte) (bool, error) {
	root, err := parseFile(data)
	return slices.ContainsFunc(itemsOf(membersOf(root.Last("hooks")).Last(h.event)), func(entry json.RawMessage) bool {
		return h.isOurs(entry) || slices.ContainsFunc(itemsOf(membersOf(entry).Last("hooks")), h.isOurs)
	}), err
}

// Install adds the hook to the text of the file, which is empty if there is no file. Everything
// else stays, in its order. It returns false if the hook was already installed.
func (h Host) Install(data []byte) (out []byte, changed bool, err error) {
	if installed, err := h.Installed(data); installed || err != nil {
		return data, false, err
	}
	root, err := parseFile(data)
	if err != nil {
		return nil, false, err
	}
	if h.versioned && root.Last("version") == nil {
		root = append(strictjson.Object{{Key: "version", Value: json.RawMessage("1")}}, root...)
	}
	hooks := membersOf(root.Last("hooks"))
	if err := cmp.Or(expect(root, "hooks", '{', "an object"), expect(hooks, h.event, '[', "a list")); err != nil {
		return nil, false, err
	}
	list := append(itemsOf(hooks.Last(h.event)), h.hook())
	root = with(root, "hooks", objectJSON(with(hooks, h.event, listJSON(list))))
	return format(objectJSON(root), data), true, nil
}

// Remove removes the hook, and nothing else, from the text of the file. If the file had only the
// hook, out is empty and the file can be deleted. It returns false if the hook was not installed.
func (h Host) Remove(data []byte) (out []byte, changed bool, err error) {
	if installed, err := h.Installed(data); !installed || err != nil {
		return data, false, err
	}
	root, err := parseFile(data)
	if err != nil {
		return nil, false, err
	}
	hooks := membersOf(root.Last("hooks"))
	var kept []json.RawMessage
	for _, entry := range itemsOf(hooks.Last(h.event)) {
		if h.isOurs(entry) {
			continue
		}
		group := membersOf(entry)
		in := itemsOf(group.Last("hooks"))
		if others := slices.DeleteFunc(slices.Clone(in), h.isOurs); len(others) < len(in) {
			if len(others) == 0 && len(group) == 1 {
				continue
			}
			entry = objectJSON(with(group, "hooks", listJSON(others)))
		}
		kept = append(kept, entry)
	}
	if hooks = with(hooks, h.event, listJSON(kept)); len(kept) == 0 {
		hooks = without(hooks, h.event)
	}
	if root = with(root, "hooks", objectJSON(hooks)); len(hooks) == 0 {
		root = without(root, "hooks")
	}
	if len(root) == 0 || h.versioned && len(root) == 1 && root[0].Key == "version" {
		return nil, true, nil
	}
	return format(objectJSON(root), data), true, nil
}

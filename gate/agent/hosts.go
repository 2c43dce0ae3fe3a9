package agent

import (
	"bytes"
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

// Install adds the hook to the text of the file, which is empty if there is no file. Every other byte
// stays. It returns false if the hook was already installed.
func (h Host) Install(data []byte) (out []byte, changed bool, err error) {
	if installed, err := h.Installed(data); installed || err != nil {
		return data, false, err
	}
	root, err := parseFile(data)
	if err != nil {
		return nil, false, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}")
		if h.versioned {
			data = []byte(`{"version":1}`)
		}
		whole := objectJSON(append(membersOf(data), strictjson.Member{Key: "hooks", Value: h.hooks()}))
		return append(style{"  ", "\n"}.indented(whole, 0), '\n'), true, nil
	}
	hooks := root.Last("hooks")
	list := membersOf(hooks).Last(h.event)
	if err := cmp.Or(expect(root, "hooks", '{', "an object"), expect(membersOf(hooks), h.event, '[', "a list")); err != nil {
		return nil, false, err
	}
	whole := bytes.TrimSpace(data)
	switch {
	case list != nil:
		out = insertLast(data, spanOf(data, list), itemSpans(data, list), 2, h.hook())
	case hooks != nil:
		out = insertLast(data, spanOf(data, hooks), memberSpans(data, hooks), 1, memberJSON(h.event, listJSON([]json.RawMessage{h.hook()})))
	default:
		out = insertLast(data, spanOf(data, whole), memberSpans(data, whole), 0, memberJSON("hooks", h.hooks()))
	}
	if h.versioned && root.Last("version") == nil {
		at := spanOf(data, whole).start + 1
		out = slices.Concat(out[:at], []byte(styleOf(data).line(1)+`"version": 1,`), out[at:])
	}
	return out, true, nil
}

// hooks returns the value of the key "hooks" with only the hook.
func (h Host) hooks() json.RawMessage {
	return objectJSON(strictjson.Object{{Key: h.event, Value: listJSON([]json.RawMessage{h.hook()})}})
}

// Remove removes the hook from the text of the file, with the lists and objects that have nothing
// else, and leaves every other byte. If the file had only the hook, out is empty and the file can be
// deleted. It returns false if the hook was not installed.
func (h Host) Remove(data []byte) (out []byte, changed bool, err error) {
	for {
		installed, err := h.Installed(data)
		if !installed || err != nil {
			return data, changed, err
		}
		if data = h.removeOne(data); data == nil {
			return nil, true, nil
		}
		changed = true
	}
}

// removeOne removes the first entry that is ours. It returns nil if the file has nothing else.
func (h Host) removeOne(data []byte) []byte {
	whole := json.RawMessage(bytes.TrimSpace(data))
	root := membersOf(whole)
	hooks := root.Last("hooks")
	events := membersOf(hooks)
	list := events.Last(h.event)
	entries := itemsOf(list)
	at := slices.IndexFunc(entries, func(entry json.RawMessage) bool {
		return h.isOurs(entry) || slices.ContainsFunc(itemsOf(membersOf(entry).Last("hooks")), h.isOurs)
	})
	if group := membersOf(entries[at]); !h.isOurs(entries[at]) {
		in := itemsOf(group.Last("hooks"))
		if len(in) > 1 || len(group) > 1 {
			return cut(data, itemSpans(data, group.Last("hooks")), slices.IndexFunc(in, h.isOurs))
		}
	}
	position := func(object strictjson.Object, key string) int {
		return slices.IndexFunc(object, func(m strictjson.Member) bool { return m.Key == key })
	}
	switch {
	case len(entries) > 1:
		return cut(data, itemSpans(data, list), at)
	case len(events) > 1:
		return cut(data, memberSpans(data, hooks), position(events, h.event))
	case len(root) > 2, len(root) == 2 && !(h.versioned && root.Last("version") != nil):
		return cut(data, memberSpans(data, whole), position(root, "hooks"))
	}
	return nil
}

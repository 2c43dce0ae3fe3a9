package agent

import (
	"encoding/json"
	"slices"
)

// Host is a tool that agents run in, and that calls a command when one wants to stop.
type Host struct {
	// Name is what --agent takes; Title is the product's name.
	Name, Title string
	// File is where a project configures its hooks, relative to its root.
	File string
	// AlsoRuns is the name of another host whose hooks this one runs too, or empty.
	AlsoRuns string
	// Note is what users have to know after an installation, or empty.
	Note string
	// NeedsTrust reports whether the host skips a new hook until its user has trusted it.
	NeedsTrust bool
	// event is the key in File for the end of an agent's turn.
	event string
	// notices reports whether the host shows a systemMessage to its user.
	notices bool
	// versioned reports whether File has the key version, and grouped whether the hooks of
	// an event are in groups.
	versioned, grouped bool
	// commandKey is the key of a hook's command.
	commandKey string
	rest       []member // what a hook has beside the command
	first      []member // what comes before the command
}

// Hosts lists the hosts of the known agents.
func Hosts() (hosts []Host) {
	for _, a := range Agents() {
		if a.Host.File != "" {
			hosts = append(hosts, a.Host)
		}
	}
	return hosts
}

// HostNamed finds a host by its name.
func HostNamed(name string) (Host, bool) {
	at := slices.IndexFunc(Hosts(), func(h Host) bool { return h.Name == name })
	if at < 0 {
		return Host{}, false
	}
	return Hosts()[at], true
}

// HostNames lists what --agent takes.
func HostNames() (names []string) {
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// Command is what the host runs. It must stay the same in every version: an installed hook
// is recognised by it, and Codex trusts a hook by its text.
func (h Host) Command() string { return "reviewledger hook stop --agent " + h.Name }

// Snippet is a whole file with nothing but the hook.
func (h Host) Snippet() string {
	data, _, err := h.Install(nil)
	if err != nil { // hook only makes values that can be written
		panic(err)
	}
	return string(data)
}

// hook is the entry under the event.
func (h Host) hook() *value {
	entry := &value{kind: '{'}
	command, _ := json.Marshal(h.Command())
	entry.members = append(entry.members, h.first...)
	entry.members = append(entry.members, member{h.commandKey, raw(string(command))})
	entry.members = append(entry.members, h.rest...)
	if !h.grouped {
		return entry
	}
	return &value{kind: '{', members: []member{{"hooks", &value{kind: '[', items: []*value{entry}}}}}
}

// isOurs reports whether the entry runs our command.
func (h Host) isOurs(entry *value) bool {
	var command string
	found := entry.member(h.commandKey)
	return found != nil && json.Unmarshal([]byte(found.text), &command) == nil && command == h.Command()
}

// Installed reports whether the file has the hook. Without a file, data is empty.
func (h Host) Installed(data []byte) (bool, error) {
	root, err := parseFile(data)
	if err != nil {
		return false, err
	}
	hooks := root.member("hooks")
	if hooks == nil || hooks.member(h.event) == nil {
		return false, nil
	}
	for _, entry := range hooks.member(h.event).items {
		if h.isOurs(entry) {
			return true, nil
		}
		if list := entry.member("hooks"); list != nil && slices.ContainsFunc(list.items, h.isOurs) {
			return true, nil
		}
	}
	return false, nil
}

// Install adds the hook to the text of the file, which is empty if there is none.
// Everything else stays, in its order. It reports false if the hook was installed already.
func (h Host) Install(data []byte) (out []byte, changed bool, err error) {
	if installed, err := h.Installed(data); installed || err != nil {
		return data, false, err
	}
	root, err := parseFile(data)
	if err != nil {
		return nil, false, err
	}
	if h.versioned && root.member("version") == nil {
		root.members = append([]member{{"version", raw("1")}}, root.members...)
	}
	hooks, err := root.child("hooks", '{')
	if err != nil {
		return nil, false, err
	}
	list, err := hooks.child(h.event, '[')
	if err != nil {
		return nil, false, err
	}
	list.items = append(list.items, h.hook())
	return root.format(data), true, nil
}

// Remove takes the hook, and nothing else, out of the text of the file. If the file held
// only the hook, out is empty and the file can be deleted. It reports false if the hook was
// not installed.
func (h Host) Remove(data []byte) (out []byte, changed bool, err error) {
	if installed, err := h.Installed(data); !installed || err != nil {
		return data, false, err
	}
	root, err := parseFile(data)
	if err != nil {
		return nil, false, err
	}
	hooks := root.member("hooks")
	list := hooks.member(h.event)
	var kept []*value
	for _, entry := range list.items {
		if h.isOurs(entry) {
			continue
		}
		if group := entry.member("hooks"); group != nil && slices.ContainsFunc(group.items, h.isOurs) {
			group.items = slices.DeleteFunc(group.items, h.isOurs)
			if len(group.items) == 0 && len(entry.members) == 1 {
				continue
			}
		}
		kept = append(kept, entry)
	}
	if list.items = kept; len(kept) == 0 {
		hooks.remove(h.event)
	}
	if len(hooks.members) == 0 {
		root.remove("hooks")
	}
	if len(root.members) == 0 || h.versioned && len(root.members) == 1 && root.members[0].name == "version" {
		return nil, true, nil
	}
	return root.format(data), true, nil
}

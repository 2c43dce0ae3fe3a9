package agent

import "slices"

// Agent is a coding agent that `init --agents` can set up.
type Agent struct {
	Name string
	// Skill is where it looks for instructions: a file of its own for each topic, so that
	// no file of the user's has to be changed.
	Skill string
	// Rule means that the file is a rule of Cursor's, whose head is another than a skill's.
	Rule bool
	// MCP is how it is told of the MCP server; empty where it cannot be.
	MCP Registration
}

// Registration is a file or a command, and never both.
type Registration struct {
	// File and Text are the agent's file in the project, where there is none yet.
	File, Text string
	Command    string
}

// Agents is the table of them: where skills and registrations go. Where hooks go is in
// [Hosts].
func Agents() []Agent {
	const server = "\"reviewledger\": {\n      \"command\": \"reviewledger\",\n      \"args\": [\"mcp\"]\n    }"
	const mcpServers = "{\n  \"mcpServers\": {\n    " + server + "\n  }\n}\n"
	return []Agent{
		{Name: "claude", Skill: ".claude/skills/reviewledger/SKILL.md", MCP: Registration{File: ".mcp.json", Text: mcpServers}},
		{Name: "codex", Skill: ".agents/skills/reviewledger/SKILL.md", MCP: Registration{Command: "codex mcp add reviewledger -- reviewledger mcp"}},
		{Name: "cursor", Skill: ".cursor/rules/reviewledger.mdc", Rule: true},
		{Name: "gemini", Skill: ".gemini/skills/reviewledger/SKILL.md", MCP: Registration{File: ".gemini/settings.json", Text: mcpServers}},
		{Name: "copilot", Skill: ".github/skills/reviewledger/SKILL.md",
			MCP: Registration{File: ".vscode/mcp.json", Text: "{\n  \"servers\": {\n    " + server + "\n  }\n}\n"}},
		{Name: "opencode", Skill: ".opencode/skills/reviewledger/SKILL.md",
			MCP: Registration{File: "opencode.json", Text: "{\n  \"mcp\": {\n    \"reviewledger\": {\n      \"type\": \"local\",\n      \"command\": [\"reviewledger\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}\n"}},
	}
}

// AgentNamed finds an agent by its name.
func AgentNamed(name string) (Agent, bool) {
	at := slices.IndexFunc(Agents(), func(a Agent) bool { return a.Name == name })
	if at < 0 {
		return Agent{}, false
	}
	return Agents()[at], true
}

package agent

import (
	"fmt"
	"slices"
)

// Agent is a coding agent: where it looks for instructions, how it learns about the MCP server, and
// where its hooks are configured.
type Agent struct {
	// Host runs the stop hook; its File is empty if the agent does not have hooks.
	Host
	// Skill is the path of the instructions file. Agents read one file per topic, so that no file
	// of the user has to be changed.
	Skill string
	// Rule means that Skill is a Cursor rule, whose frontmatter differs from a skill's.
	Rule bool
	// MCP is empty if the server cannot be registered with the agent.
	MCP Registration
}

// Registration registers the MCP server with an agent, by a file or by a command, but not both.
type Registration struct {
	// File is the path of the agent's file in the project, and Text its content if it does not
	// exist yet.
	File, Text string
	Command    string
}

// Agents returns the coding agents that reviewledger can set up.
func Agents() []Agent {
	const server = "\"reviewledger\": {\n      \"command\": \"reviewledger\",\n      \"args\": [\"mcp\"]\n    }"
	const mcpServers = "{\n  \"mcpServers\": {\n    " + server + "\n  }\n}\n"
	const kind = `"type":"command",`
	return []Agent{
		{
			Host: Host{Name: "claude", Title: "Claude Code", File: ".claude/settings.json", event: "Stop", notices: true,
				grouped: true, commandKey: "command", first: kind, rest: `,"timeout":30`},
			Skill: ".claude/skills/reviewledger/SKILL.md",
			MCP:   Registration{File: ".mcp.json", Text: mcpServers},
		},
		{
			Host: Host{Name: "codex", Title: "Codex", File: ".codex/hooks.json", event: "Stop", notices: true,
				grouped: true, commandKey: "command", first: kind, rest: `,"timeout":30`,
				NeedsTrust: true, Note: "Codex silently skips a new hook until you trust it: open /hooks in Codex."},
			Skill: ".agents/skills/reviewledger/SKILL.md",
			MCP:   Registration{Command: "codex mcp add reviewledger -- reviewledger mcp"},
		},
		{
			Host: Host{Name: "copilot", Title: "Copilot CLI", File: ".github/hooks/reviewledger.json", AlsoRuns: "claude", event: "agentStop",
				versioned: true, commandKey: "bash", first: kind, rest: `,"timeoutSec":30`},
			Skill: ".github/skills/reviewledger/SKILL.md",
			MCP:   Registration{File: ".vscode/mcp.json", Text: "{\n  \"servers\": {\n    " + server + "\n  }\n}\n"},
		},
		{
			Host: Host{Name: "gemini", Title: "Gemini CLI", File: ".gemini/settings.json", event: "AfterAgent", notices: true,
				grouped: true, commandKey: "command", first: kind, rest: `,"timeout":30000`},
			Skill: ".gemini/skills/reviewledger/SKILL.md",
			MCP:   Registration{File: ".gemini/settings.json", Text: mcpServers},
		},
		{
			Host: Host{Name: "cursor", Title: "Cursor", File: ".cursor/hooks.json", AlsoRuns: "claude", event: "stop",
				versioned: true, commandKey: "command", rest: fmt.Sprintf(`,"loop_limit":%d`, MaxBlocks)},
			Skill: ".cursor/rules/reviewledger.mdc", Rule: true,
		},
		{
			Host:  Host{Name: "opencode", Title: "OpenCode"},
			Skill: ".opencode/skills/reviewledger/SKILL.md",
			MCP: Registration{File: "opencode.json",
				Text: "{\n  \"mcp\": {\n    \"reviewledger\": {\n      \"type\": \"local\",\n      \"command\": [\"reviewledger\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}\n"},
		},
	}
}

// AgentNamed returns the agent with the name.
func AgentNamed(name string) (Agent, bool) {
	at := slices.IndexFunc(Agents(), func(a Agent) bool { return a.Name == name })
	if at < 0 {
		return Agent{}, false
	}
	return Agents()[at], true
}

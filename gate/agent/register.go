package agent

// Registration is how a client is told of the MCP server.
type Registration struct {
	// File and Text are the client's file in the project, where there is none yet. Empty
	// where a command registers it.
	File, Text string
	// Command registers it, or is empty.
	Command string
}

// RegistrationFor is that of a coding agent, by its name as `init --agents` takes it. It
// reports false where the agent has none.
func RegistrationFor(name string) (Registration, bool) {
	const server = "\"reviewledger\": {\n      \"command\": \"reviewledger\",\n      \"args\": [\"mcp\"]\n    }"
	r, ok := map[string]Registration{
		"claude":   {File: ".mcp.json", Text: "{\n  \"mcpServers\": {\n    " + server + "\n  }\n}\n"},
		"codex":    {Command: "codex mcp add reviewledger -- reviewledger mcp"},
		"gemini":   {File: ".gemini/settings.json", Text: "{\n  \"mcpServers\": {\n    " + server + "\n  }\n}\n"},
		"opencode": {File: "opencode.json", Text: "{\n  \"mcp\": {\n    \"reviewledger\": {\n      \"type\": \"local\",\n      \"command\": [\"reviewledger\", \"mcp\"],\n      \"enabled\": true\n    }\n  }\n}\n"},
		"copilot":  {File: ".vscode/mcp.json", Text: "{\n  \"servers\": {\n    " + server + "\n  }\n}\n"},
	}[name]
	return r, ok
}

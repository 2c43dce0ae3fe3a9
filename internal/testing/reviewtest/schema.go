package reviewtest

import (
	"bytes"
	"encoding/json"
)

// wantsSchema reports whether a prompt must come with a schema.
func wantsSchema(prompt []byte) bool {
	const manyClaims = 100
	return bytes.Contains(prompt, []byte("\n# Answer\n")) && len(listed(string(prompt), "Claims")) < manyClaims
}

func isObject(text string) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

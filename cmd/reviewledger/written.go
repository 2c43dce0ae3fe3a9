package main

import (
	"bytes"
	"os"
	"slices"
	"sync"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/setup"
	"github.com/reviewledger/reviewledger/internal/files"
)

// writtenTexts are what this program writes for coding agents, by the file: skills,
// registrations and hooks, each where there was nothing before. They are made once, because
// each slot asks about each file of the change.
var writtenTexts = sync.OnceValue(func() map[string][][]byte {
	texts := map[string][][]byte{}
	for _, a := range agent.Agents() {
		texts[a.Skill] = append(texts[a.Skill], []byte(skillFile(a)))
		if a.MCP.File != "" {
			for _, style := range writtenStyles() {
				texts[a.MCP.File] = append(texts[a.MCP.File], []byte(style.JSON(a.MCP.Text)))
			}
		}
	}
	for _, h := range agent.Hosts() {
		for _, before := range append([][]byte{nil}, texts[h.File]...) {
			if out, _, err := h.Install(before); err == nil {
				texts[h.File] = append(texts[h.File], out)
			}
		}
	}
	return texts
})

// writtenStyles are those in which a project's formatter may want JSON.
func writtenStyles() []setup.Style { return []setup.Style{{Indent: 2}, {Indent: 4}, {Tabs: true}} }

// written reports whether a file of the worktree is what this program writes there, line ends apart.
func written(root string) func(path string) bool {
	return func(path string) bool {
		texts := writtenTexts()[path]
		if len(texts) == 0 {
			return false
		}
		dir, err := os.OpenRoot(root)
		if err != nil {
			return false
		}
		defer dir.Close()
		data, err := files.ReadRegular(dir, path, maxSettings)
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
		return err == nil && slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Equal(text, data) })
	}
}

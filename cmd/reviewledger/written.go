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

// writtenTexts returns what this program writes for coding agents, by file: skills, registrations
// and hooks, each as written to a place that had nothing before. They are computed once, because
// each slot checks every file of the change.
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

// writtenStyles returns the styles in which a project's formatter may want JSON.
func writtenStyles() []setup.Style { return []setup.Style{{Indent: 2}, {Indent: 4}, {Tabs: true}} }

// written reports whether a file of the worktree is exactly what this program writes there, apart
// from line ends.
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

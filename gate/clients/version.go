package clients

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/process"
)

// Version asks the client of a built-in adapter for its version, in a few words
// on one line. The client starts outside of the repository at dir. The text comes from outside: escape it for
// a terminal.
func Version(ctx context.Context, name, dir string) (string, error) {
	const patience, longest = 20 * time.Second, 1 << 16
	program := Executable(name, nil)
	if program == "" {
		return "built in", nil
	}
	stdout := &boundedBuffer{limit: longest, overflow: func() {}}
	folder, err := NewScratch(dir)
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", program, err)
	}
	defer func() { _ = folder.Remove() }()
	work := filepath.Join(folder.Path, workFolder)
	result, err := process.Run(ctx, process.Command{
		Args: []string{program, "--version"}, Dir: work, Env: childEnvironment(nil, work, environment{}),
		Stdin: bytes.NewReader(nil), Stdout: stdout, Timeout: patience,
	})
	if err != nil && !stdout.overflowed {
		return "", fmt.Errorf("ask %s for its version: %w", program, err)
	}
	if !result.OK() {
		return "", fmt.Errorf("ask %s for its version: %s", program, result.Describe())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(stdout.buf.String()), "\n")
	if first = OneLine(first); first == "" {
		return "", fmt.Errorf("ask %s for its version: it says nothing", program)
	}
	return first, nil
}

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

// askPatience is how long a client may take to answer about itself, and maxSaid how many bytes it
// may print.
const (
	askPatience = 20 * time.Second
	maxSaid     = 1 << 16
)

// ask runs the client's executable with other arguments than for a review, also outside of the
// repository.
func (r reviewer) ask(ctx context.Context, repo string, args ...string) (stdout, stderr string, result process.Result, err error) {
	folder, err := NewScratch(repo)
	if err != nil {
		return "", "", result, err
	}
	defer func() { _ = folder.Remove() }() // SweepScratch removes what is left
	work := filepath.Join(folder.Path, workFolder)
	in := invocation{repo: repo, scratch: folder.Path}
	var printed bytes.Buffer
	result, errors, err := launch(ctx, process.Command{
		Args: append(r.client.command(in)[:1:1], args...), Dir: work, Stdout: &printed, MaxStdout: maxSaid, Timeout: askPatience,
	}, r.client.environment(in))
	return printed.String(), string(errors), result, err
}

// Version asks the client of a built-in adapter for its version, and returns one short line. It
// comes from outside: escape it for a terminal.
func Version(ctx context.Context, name, repo string) (string, error) {
	r, known := clientNamed(name)
	if !known {
		return "built in", nil
	}
	printed, _, result, err := r.ask(ctx, repo, "--version")
	program := Executable(name, nil)
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", program, err)
	}
	if !result.OK() {
		return "", fmt.Errorf("ask %s for its version: %s", program, result.Describe())
	}
	first, _, _ := strings.Cut(strings.TrimSpace(printed), "\n")
	if first = OneLine(first); first == "" {
		return "", fmt.Errorf("ask %s for its version: it printed nothing", program)
	}
	return first, nil
}

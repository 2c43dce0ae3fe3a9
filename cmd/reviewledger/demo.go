package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
)

func newDemoCommand(global *globalOptions) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole loop in a scratch repository",
		Long: `Create a scratch repository with a small shell script that has real defects, and
play a loop in it: reviewers report, a scripted agent fixes, skips and makes a
mistake, and the loop continues until it passes. The reviewers are part of the
demo; everything else is what happens in any repository. The demo needs git and
sh, but no network and no account. The repository is kept so that you can look
around.

Exit codes: 0 the loop passed; 1 it did not; 2 error; 130 interrupted.`,
		Example: `  reviewledger demo
  reviewledger demo --dir ./my-demo`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), global, dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "folder for the repository, empty or missing (default: a new temporary folder)")
	return cmd
}

// demo is a demo that is being played.
type demo struct {
	global     *globalOptions
	out        io.Writer
	dir        string
	executable string
}

func runDemo(ctx context.Context, global *globalOptions, dir string) error {
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("locate this program, which contains the reviewers of the demo: %w", err)
	}
	if dir, err = demoFolder(dir); err != nil {
		return err
	}
	d := &demo{global: global, out: global.stdout, dir: dir, executable: executable}
	if err := d.prepare(ctx); err != nil {
		return err
	}
	return d.play(ctx)
}

// demoFolder returns the absolute path of an empty folder for the demo.
func demoFolder(dir string) (string, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "reviewledger-demo-")
		if err != nil {
			return "", fmt.Errorf("create a folder for the demo: %w; choose one with --dir", err)
		}
		return made, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("create the folder %q for the demo: %w", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("read the folder %q: %w", dir, err)
	}
	if len(entries) > 0 {
		return "", usageError("the folder %q is not empty: choose another with --dir", dir)
	}
	return filepath.Abs(dir)
}

// prepare creates the repository, and changes the script on a branch.
func (d *demo) prepare(ctx context.Context) error {
	for name, text := range demoFiles(d.executable) {
		if err := d.write(name, text); err != nil {
			return err
		}
	}
	if err := diff.Create(ctx, d.dir, "percent-off"); err != nil {
		return err
	}
	return d.write(demoScript, demoChanged)
}

func (d *demo) write(name, text string) error {
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("create the folder of %q: %w", path, err)
	}
	return files.WriteFile(path, []byte(text))
}

// errDemoStopped means that an iteration did not end as the demo expects.
var errDemoStopped = errors.New("the loop did not go as planned; run `reviewledger doctor` in its folder")

// play narrates and plays the three iterations.
func (d *demo) play(ctx context.Context) error {
	d.say("A scratch repository: " + d.dir)
	d.say("On the branch percent-off, an agent has changed " + demoScript + ":")
	d.show(demoChanged)
	d.say("Iteration 1. A check runs the test of the script; three reviewers look at the change.")
	if code := d.run(ctx, "run"); code != exitFailed {
		return d.stopped(ctx, code)
	}
	if err := d.answerFirst(); err != nil {
		return err
	}
	d.say("Iteration 2. Each claim goes to the reviewer who made the report; the reviewer")
	d.say("who found nothing is skipped.")
	if code := d.run(ctx, "run"); code != exitFailed {
		return d.stopped(ctx, code)
	}
	if err := d.answerSecond(); err != nil {
		return err
	}
	d.say("Iteration 3. Is it fixed now?")
	if code := d.run(ctx, "run"); code != exitPassed {
		return d.stopped(ctx, code)
	}
	d.finish()
	return ctx.Err()
}

// stopped returns the iteration's exit code if that explains enough.
func (d *demo) stopped(ctx context.Context, code int) error {
	if ctx.Err() != nil || code == exitInterrupted {
		return exitStatus(exitInterrupted)
	}
	if code == exitFailed {
		return exitStatus(exitFailed)
	}
	return fmt.Errorf("play the demo in %q: %w", d.dir, errDemoStopped)
}

// run runs this program in the demo's repository, with the ledger of that repository.
func (d *demo) run(ctx context.Context, args ...string) int {
	_, _ = fmt.Fprintf(d.out, "\n$ reviewledger %s\n", strings.Join(args, " "))
	env := d.global.environment
	env.args, env.dir = args, d.dir
	env.lookupenv = func(name string) (string, bool) {
		if name == "REVIEWLEDGER_DB" {
			return "", false
		}
		return d.global.lookupenv(name)
	}
	return run(ctx, env)
}

// say prints a line of narration.
func (d *demo) say(line string) {
	_, _ = fmt.Fprintf(d.out, "# %s\n", text.EscapeLine(line))
}

// show prints indented text.
func (d *demo) show(text string) {
	_, _ = fmt.Fprintln(d.out)
	for line := range strings.Lines(text) {
		_, _ = fmt.Fprintf(d.out, "    %s\n", strings.TrimSuffix(line, "\n"))
	}
	_, _ = fmt.Fprintln(d.out)
}

func (d *demo) finish() {
	_, _ = fmt.Fprintln(d.out)
	d.say("Passed: everything is confirmed or skipped with a reason, and the files of the loop")
	d.say("are in gauntlet_logs/previous/. The ledger has the whole history. Look around:")
	_, _ = fmt.Fprintf(d.out, "\n    cd %s\n", text.EscapeLine(text.ShellWord(d.dir)))
	for _, line := range d.lookAround() {
		_, _ = fmt.Fprintf(d.out, "    %s\n", line)
	}
	_, _ = fmt.Fprintln(d.out)
	d.say("In your own repository: `reviewledger init`")
}

// lookAround returns commands that show more of the loop.
func (d *demo) lookAround() []string {
	return []string{
		"reviewledger show", "reviewledger history " + d.reopened(), "reviewledger report",
		"cat gauntlet_logs/previous/" + slotfiles.ConsoleLogName(demoIterations),
	}
}

// demoIterations is how many iterations the demo plays.
const demoIterations = 3

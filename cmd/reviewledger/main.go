package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	os.Exit(mainCode())
}

// memoryGoal is the size, in bytes, that the process stays under if it can.
const memoryGoal = 128 << 20

// firstCollection is the percentage of the live heap, of which Go takes 4 MB for the
// least, that is allocated between two collections: the first one is at 16 MB.
const firstCollection = 400

// mainCode is main without the exit, so that what is deferred runs.
func mainCode() int {
	// Most commands end before they have made as much garbage as is worth collecting.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(firstCollection)
	}
	// Large diffs pass through whole; collecting garbage early keeps the peak low.
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
	// A closed pipe must not kill the process and leave reviewers behind: with
	// a handler, which children do not inherit, the write fails instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup means to go on
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	return run(ctx, environment{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, dir: ".",
	})
}

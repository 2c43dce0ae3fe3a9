package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(mainCode())
}

// mainCode is main without the exit, so that deferred calls run.
func mainCode() int {
	limitMemory(os.Getenv)
	addThread(os.Getenv)
	// A closed pipe must not kill the process and leave reviewers behind. With a handler, which
	// children do not inherit, the write fails instead.
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
		lookupenv: os.LookupEnv, dir: ".",
	})
}

package main

import (
	"context"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
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

// memoryGoal is the size, in bytes, below which the process stays if it can.
const memoryGoal = 192 << 20

// firstCollection is GOGC, the percentage of the live heap that may be allocated before the next
// collection. As Go assumes at least 4 MB, the first collection is at 16 MB.
const firstCollection = 400

// limitMemory sets when garbage is collected, unless the environment does.
func limitMemory(getenv func(string) string) {
	// Most commands end before they have made enough garbage to be worth collecting: a rerun takes 88 ms
	// instead of 98 (BenchmarkRerun).
	if getenv("GOGC") == "" {
		debug.SetGCPercent(firstCollection)
	}
	// Large diffs are held in memory as a whole. Collecting garbage early keeps the peak low.
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
		afterCollection(moveLimit)
	}
}

// addThread lets one more thread run Go code than there are processors, unless the environment says
// how many. A run waits for git and reviewers while it reads the ledger: the goroutine that feeds a
// child, or starts the next one, must not wait until another one has used up its time slice. The
// system shares processors between threads better than Go shares threads between goroutines: a rerun
// takes 88 ms instead of 103 (BenchmarkRerun).
func addThread(getenv func(string) string) {
	if getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
}

// afterCollection calls f after each garbage collection.
func afterCollection(f func()) {
	// The object must have a pointer: the allocator would put one without pointers into a block
	// with others, and it would live as long as they do.
	runtime.AddCleanup(new(*byte), func(f func()) {
		f()
		afterCollection(f)
	}, f)
}

// moveLimit lets the heap grow by a third of what is in use if memoryGoal leaves less: near a limit
// that cannot be kept, Go would collect garbage all the time. When less memory is in use again, the
// limit falls.
func moveLimit() {
	var stats runtime.MemStats // package runtime/metrics takes longer to start than all collections
	runtime.ReadMemStats(&stats)
	debug.SetMemoryLimit(memoryLimit(stats.HeapAlloc))
}

// memoryLimit returns the limit for a heap of which live bytes are in use.
func memoryLimit(live uint64) int64 { return max(memoryGoal, int64(min(live, math.MaxInt64/2))/3*4) }

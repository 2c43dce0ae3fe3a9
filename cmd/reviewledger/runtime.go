package main

import (
	"math"
	"runtime"
	"runtime/debug"
)

// memoryGoal is the size, in bytes, that the process stays under if it can.
const memoryGoal = 128 << 20

// firstCollection is the percentage of the live heap, of which Go takes 4 MB for the
// least, that is allocated between two collections: the first one is at 16 MB.
const firstCollection = 400

// limitMemory says when garbage is collected, unless the environment says so.
func limitMemory(getenv func(string) string) {
	// Most commands end before they have made as much garbage as is worth collecting.
	if getenv("GOGC") == "" {
		debug.SetGCPercent(firstCollection)
	}
	// Large diffs pass through whole; collecting garbage early keeps the peak low.
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
		afterCollection(moveLimit)
	}
}

// addThread lets one thread more run Go code than there are processors, unless the
// environment says so. A run waits for git and reviewers while it reads the ledger: the
// goroutine that feeds a child, or starts the next one, must not wait until another has
// used up its time, and the system shares out processors better than Go does threads.
func addThread(getenv func(string) string) {
	if getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	}
}

// afterCollection calls f after each collection of garbage.
func afterCollection(f func()) {
	// An object of its own: the allocator would put one without a pointer together with
	// others, and it would live as long as they do.
	runtime.AddCleanup(new(*byte), func(f func()) {
		f()
		afterCollection(f)
	}, f)
}

// moveLimit lets the heap grow by a third of what is in use where the goal leaves less:
// near a limit that cannot be kept, Go would collect garbage all the time. Where less is in use
// than before, the limit falls again.
func moveLimit() {
	var stats runtime.MemStats // package runtime/metrics takes longer to start than all collections
	runtime.ReadMemStats(&stats)
	debug.SetMemoryLimit(memoryLimit(stats.HeapAlloc))
}

// memoryLimit is the limit for a heap of which so many bytes are in use.
func memoryLimit(live uint64) int64 { return max(memoryGoal, int64(min(live, math.MaxInt64/2))/3*4) }

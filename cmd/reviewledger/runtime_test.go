package main

import (
	"math"
	"runtime"
	"testing"
)

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int64{
		0: memoryGoal, memoryGoal / 2: memoryGoal, memoryGoal/4*3 + 3: memoryGoal + 4, memoryGoal * 3: memoryGoal * 4,
		math.MaxUint64: math.MaxInt64 / 6 * 4,
	} {
		if got := memoryLimit(live); got != want {
			t.Errorf("%d in use: %d, not %d", live, got, want)
		}
	}
}

// A function set by afterCollection is called after every collection.
func TestAfterCollection(t *testing.T) {
	t.Parallel()
	called := make(chan struct{}, 1)
	afterCollection(func() {
		select {
		case called <- struct{}{}:
		default: // a collection after the test
		}
	})
	for range 3 {
		runtime.GC()
		<-called
	}
}

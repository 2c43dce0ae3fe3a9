package push

import (
	"testing"
	"time"
)

// Batches grow while they are fast, and shrink when they are not.
func TestPace(t *testing.T) {
	t.Parallel()
	var p pace
	sizes := []int{p.next()}
	for range 8 {
		p.took(p.next(), batchTime/4)
		sizes = append(sizes, p.next())
	}
	if sizes[0] != 1 || sizes[1] != 2 || sizes[3] != 8 || sizes[8] != batchRuns {
		t.Errorf("quick: %v", sizes)
	}
	p.took(p.next()/2, batchTime/4) // it was limited by its size
	p.took(p.next(), batchTime)
	if got := p.next(); got != batchRuns {
		t.Errorf("neither quick nor slow: %d", got)
	}
	for range 10 {
		p.took(p.next(), batchTime+time.Second)
	}
	if got := p.next(); got != 1 {
		t.Errorf("slow: %d", got)
	}
}

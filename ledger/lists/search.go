package lists

import (
	"context"
	"math"
	"slices"
)

// Ranked is the smallest number of matching reports that are ranked. If more match, the newest are
// ranked, so that a word in half of all reports is found nearly as fast as a rare one. A higher
// limit ranks as many reports as it asks for.
const Ranked = 200

// searchBatch is how many matching reports are checked first; each further batch is twice as large.
// The first batch of what the filter keeps is half as large, because each of those is looked up.
const searchBatch = 1000

// A Searcher finds reports by their words and a filter.
type Searcher[F any] interface {
	// Matching returns those of the next matching reports that the filter keeps, newest first, and
	// whether there are no more.
	Matching(ctx context.Context, batch int) (kept []F, all bool, err error)
	// Filtered reads the newest violations that the filter keeps, and the newest discarded reports,
	// at most atMost of each. It returns those that match, and whether there are no more to read.
	Filtered(ctx context.Context, atMost int) (found []F, all bool, err error)
}

// Find finds enough of the newest reports for a list of limit hits; 0 means all. It checks matching
// reports against the filter. If too few of them pass, it also checks, in turn, what the filter
// keeps against the index: either of the two may be a million times as long as the other. Whichever
// first has enough, or all, is the result. If the filter has yielded more, it gets a second turn.
func Find[F any](ctx context.Context, s Searcher[F], limit int) (found []F, err error) {
	target := max(limit, Ranked)
	if limit == 0 {
		target = math.MaxInt
	}
	batch, atMost := searchBatch, searchBatch/2
	for again := false; ; {
		if !again {
			kept, all, err := s.Matching(ctx, batch)
			found = append(found, kept...)
			if err != nil || all || len(found) >= target {
				return found, err
			}
			batch *= 2
		}
		filtered, all, err := s.Filtered(ctx, atMost)
		if err != nil {
			return nil, err
		}
		if all || len(filtered) >= target {
			return filtered, nil
		}
		growth := 2.0
		if again = !again && len(filtered) > len(found); again { // at this rate, so many more should be enough
			growth = min(max(growth, float64(target)/float64(len(filtered))*5/4), 8)
		}
		atMost = int(float64(atMost) * growth)
	}
}

// Found is a report that a search found.
type Found[V comparable, K any] interface {
	// Of returns the violation of the report, or the zero value if the report was discarded.
	Of() V
	// Key returns what found reports are sorted by.
	Key() K
}

// Page returns the results after the key, or the first ones if it is nil, at most limit of them:
// each violation once, best first.
func Page[F Found[V, K], V comparable, K any](found []F, compare func(a, b K) int, after *K, limit int) []F {
	slices.SortFunc(found, func(a, b F) int { return compare(a.Key(), b.Key()) })
	var none V
	seen := map[V]bool{}
	found = slices.DeleteFunc(found, func(r F) bool {
		before := r.Of() != none && seen[r.Of()]
		seen[r.Of()] = true
		return before
	})
	if after != nil {
		found = slices.DeleteFunc(found, func(r F) bool { return compare(r.Key(), *after) <= 0 })
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found
}

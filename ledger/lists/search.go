package lists

import (
	"context"
	"math"
	"slices"
)

// Ranked is how many reports that match are ranked at least. Where more match, these are the
// newest of them, so that a word that half of all reports have is found nearly as fast as a
// rare one. A higher limit ranks as many as it asks for.
const Ranked = 200

// searchBatch is how many reports that match are looked at first; after that twice as many
// each time. Of what a filter leaves it is half as many, for these are looked up.
const searchBatch = 1000

// Searcher finds reports by their words and a filter.
type Searcher[F any] interface {
	// Matching returns those that the filter keeps of the next reports that match, newest
	// first, and whether there are no more than these.
	Matching(ctx context.Context, batch int) (kept []F, all bool, err error)
	// Filtered returns those that match of so many violations that the filter leaves, the
	// newest, and of as many reports that filters removed, and whether these are all.
	Filtered(ctx context.Context, atMost int) (found []F, all bool, err error)
}

// Find finds enough reports, the newest, for a list of so many; a limit of 0 is all. It holds
// what matches against the filter, and where that keeps too little of it, by turns what the
// filter leaves against the index: either may be a million times as long as the other. The
// first to have enough, or all, is the answer.
func Find[F any](ctx context.Context, s Searcher[F], limit int) (found []F, err error) {
	target := max(limit, Ranked)
	if limit == 0 {
		target = math.MaxInt
	}
	for batch := searchBatch; ; batch *= 2 {
		kept, all, err := s.Matching(ctx, batch)
		found = append(found, kept...)
		if err != nil || all || len(found) >= target {
			return found, err
		}
		filtered, all, err := s.Filtered(ctx, batch/2)
		if err != nil {
			return nil, err
		}
		if all || len(filtered) >= target {
			return filtered, nil
		}
	}
}

// Found is a report that was found.
type Found[V comparable, K any] interface {
	// Of is the violation of the report; the zero value: filters removed it.
	Of() V
	// Key is what reports that were found are sorted by.
	Key() K
}

// Page is the part of what was found after a key, nil for its beginning, and as long as the
// limit lets it be: each violation once, the best first.
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

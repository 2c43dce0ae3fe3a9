// Package statistics computes what a run contributes to the figures of `report`, the pages and the
// team store, and answers questions from sums of such contributions.
//
// A [Count] is a measure, a moment, what was counted and a number. [Contribution] makes
// the counts of one run; it is the only place that decides what a figure counts. Sums add
// the counts of all runs up in buckets: all time, a month, a day, a week, a folder, each
// also for the branches that others start from. They are a cache: whoever keeps them can
// throw them away and make them again from the runs.
package statistics

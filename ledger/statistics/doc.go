// Package statistics computes what a run contributes to the figures of `report`, the pages and the
// team store, and answers queries from sums of these contributions.
//
// A [Count] is a measure, a time, a subject and a number. [Contribution] computes the counts of one
// run; it is the only place that decides what a figure counts. Sums add up the counts of all runs
// in buckets: all time, a month, a day, a week and a folder, each also for the branches that others
// start from. They are a cache, which can be deleted and computed again from the runs.
package statistics

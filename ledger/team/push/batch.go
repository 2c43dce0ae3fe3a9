package push

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// A batch has runs that are written in one transaction: one that the team store may already have,
// or several that are new.
type batch []*sent

// Limits of a batch. Its rows, and those of the next batch, are in memory until it is written, and
// other pushers wait for its locks.
const (
	batchRuns  = 64
	batchBytes = 8 << 20
	batchTime  = 2 * time.Second
)

// errNotNew means that the team store already has one of several runs, or must not accept it.
var errNotNew = errors.New("not all runs of a batch are new")

// ids returns the ids of the runs, in the order in which all pushers lock them.
func (b batch) ids() []string {
	ids := make([]string, len(b))
	for i, s := range b {
		ids[i] = team.Clean(s.Head.Run)
	}
	slices.Sort(ids)
	return ids
}

// sendAll copies the rows to the temporary tables, and returns the names of the tables that have
// rows.
func (p *Pusher) sendAll(ctx context.Context, runs batch) (tables []string, err error) {
	for _, table := range rowTables {
		var rows []io.Reader
		for _, s := range runs {
			for _, e := range s.tables {
				if e.table == table.name {
					rows = append(rows, bytes.NewReader(e.data))
				}
			}
		}
		if rows == nil {
			continue
		}
		if err := p.send(ctx, table.name, io.MultiReader(rows...)); err != nil {
			return nil, err
		}
		tables = append(tables, table.name)
	}
	return tables, nil
}

// bytes returns how much memory the run takes up until it is sent.
func (s *sent) bytes() (n int) {
	n = len(s.record)
	for _, e := range s.tables {
		n += len(e.data)
	}
	return n
}

// pace decides how many runs are written at once. The number grows while batches are fast, and is
// limited because a batch has to be sent again if time runs out or the connection breaks. It is
// safe for concurrent use.
type pace struct{ runs atomic.Int64 }

// next returns the number of runs for the next batch.
func (p *pace) next() int { return int(max(p.runs.Load(), 1)) }

// took adjusts that number to the time that a batch of n runs took.
func (p *pace) took(n int, d time.Duration) {
	switch {
	case d > batchTime:
		p.runs.Store(int64(max(n/2, 1)))
	case d < batchTime/2 && n >= p.next():
		p.runs.Store(int64(min(2*n, batchRuns)))
	}
}

// PushNew writes runs that are probably all new in one transaction, so that what they have in
// common is counted only once. If that fails, each run gets a transaction of its own, so that one
// does not block the others. If there is an error, it returns it with the results of the previous
// runs.
func (p *Pusher) PushNew(ctx context.Context, runs []Prepared) ([]Result, error) {
	if len(runs) > 1 {
		all := make(batch, len(runs))
		for i := range runs {
			all[i] = runs[i].sent
		}
		results, err := p.repeat(ctx, all)
		if err == nil {
			return results, nil
		}
		if _, is := aboutRows(err); !is && !errors.Is(err, errNotNew) {
			return nil, p.store.Explain(ctx, "push run "+all[0].Head.Run+" and "+ledger.Plural(len(all)-1, "other"), err)
		}
	}
	results := make([]Result, 0, len(runs))
	for _, run := range runs {
		result, err := p.Push(ctx, run)
		if err != nil {
			return results, err
		}
		results = append(results, result)
	}
	return results, nil
}

// aboutRows reports whether the server refused the content of rows, and why: a cardinality
// violation, a data exception, a violated constraint, or a value that is too long for an index.
func aboutRows(err error) (why string, is bool) {
	sent := (*pgconn.PgError)(nil)
	if !errors.As(err, &sent) {
		return "", false
	}
	return sent.Message, slices.ContainsFunc([]string{"21", "22", "23", "54"}, func(class string) bool {
		return strings.HasPrefix(sent.Code, class)
	})
}

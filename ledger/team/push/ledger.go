package push

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// Sending describes which runs of a ledger are pushed.
type Sending struct {
	Source
	// Since excludes runs that started before it.
	Since time.Time
	// NewestFirst is set for a push that may not finish.
	NewestFirst bool
	// Done is called with the number of runs done and the total, each time that runs are done. It
	// may be nil.
	Done func(done, all int)
}

// Sent is the result of pushing a ledger.
type Sent struct {
	// Pushed, Unchanged and Older are the numbers of runs with these results.
	Pushed, Unchanged, Older int
	// Forgotten, Diverged and Foreign are the ids of the runs with these results.
	Forgotten, Diverged, Foreign []string
	// Rejected are the runs with rows that the server does not accept.
	Rejected []Rejection
	// Rows is how many rows the pushed runs have in the team store.
	Rows int
	// Ahead is how many pushed runs have times that are more than five minutes ahead of
	// the server's clock.
	Ahead int
}

// A Rejection is a run that the server does not accept, and why.
type Rejection struct{ Run, Why string }

func (o *Sent) count(run string, result Result) {
	switch result {
	case Pushed:
		o.Pushed++
	case Unchanged:
		o.Unchanged++
	case Older:
		o.Older++
	case Forgotten:
		o.Forgotten = append(o.Forgotten, run)
	case Diverged:
		o.Diverged = append(o.Diverged, run)
	case Foreign:
		o.Foreign = append(o.Foreign, run)
	}
}

// Refused returns the number of runs that were refused.
func (o Sent) Refused() int { return len(o.Diverged) + len(o.Foreign) + len(o.Rejected) }

// pending is a run that may have to be pushed.
type pending struct {
	exchange.Revision
	// there is what the team store has of the run.
	there known
}

// PushLedger pushes the runs of a ledger whose current state the team store does not have. A run
// that the team store has gets a transaction of its own; new runs share transactions. What was done
// before an error stays, and the next push continues from there.
func (s *Store) PushLedger(ctx context.Context, l *store.Store, o Sending) (done Sent, err error) {
	if err := s.Check(ctx); err != nil {
		return done, err
	}
	outline, err := l.Outline(ctx, o.Since)
	if err != nil {
		return done, err
	}
	if outline.Content.Less(o.Content) { // the ledger itself was cut
		o.Content = outline.Content
	}
	o.Database = outline.Database
	p, err := s.NewPusher(ctx, o.Source)
	if err != nil {
		return done, err
	}
	defer p.Close()
	list, err := p.compare(ctx, outline.Runs, &done)
	if err != nil {
		return done, err
	}
	if o.NewestFirst {
		slices.Reverse(list)
	}
	if o.Untrusted { // a dump may forget only skips that it has pushed itself
		if err := p.pushAll(ctx, l, outline, list, o, &done); err != nil {
			return done, err
		}
		return done, p.forgetSkips(ctx, outline.Forgotten)
	}
	if err := p.forgetSkips(ctx, outline.Forgotten); err != nil {
		return done, err
	}
	err = p.pushAll(ctx, l, outline, list, o, &done)
	return done, err
}

// compare counts the runs whose state the team store has, and returns the others and those about
// which only their records can decide.
func (p *Pusher) compare(ctx context.Context, runs []exchange.Revision, done *Sent) (list []pending, err error) {
	there, err := p.revisions(ctx, runs)
	if err != nil {
		return nil, p.store.Explain(ctx, "push", err)
	}
	forgotten, err := p.forgotten(ctx)
	if err != nil {
		return nil, p.store.Explain(ctx, "push", err)
	}
	for _, r := range runs {
		k := there[team.Clean(r.Run)]
		k.forgotten = forgotten(r)
		if result, sure := glance(r, k, p.source.Content, time.Now()); sure {
			done.count(r.Run, result)
		} else {
			list = append(list, pending{r, k})
		}
	}
	return list, nil
}

// revisions returns what the team store has of the runs.
func (p *Pusher) revisions(ctx context.Context, runs []exchange.Revision) (map[string]known, error) {
	// The server does not accept NUL in JSON either.
	asked := append([]exchange.Revision{}, runs...) // never nil, because null is not a list
	for i := range asked {
		asked[i].Run, asked[i].Status, asked[i].Kind = team.Clean(asked[i].Run), team.Clean(asked[i].Status), ""
		asked[i].Repository, asked[i].RepositoryKind = "", ""
	}
	list, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	rows, err := p.conn.Query(ctx, statement("revisions"), pgx.NamedArgs{"runs": string(list)})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	there := make(map[string]known, len(runs))
	for rows.Next() {
		run, k := "", known{there: true}
		if err := rows.Scan(&run, &k.revision, &k.digest, &k.content, &k.repositoryKind, &k.alike); err != nil {
			return nil, err
		}
		there[run] = k
	}
	return there, rows.Err()
}

// forgotten returns a function that reports whether a run was deleted on purpose.
func (p *Pusher) forgotten(ctx context.Context) (func(exchange.Revision) bool, error) {
	rows, err := p.conn.Query(ctx, statement("tombstones"))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	keys, horizon := map[string]bool{}, time.Time{}
	for rows.Next() {
		var kind, key string
		var before *time.Time
		if err := rows.Scan(&kind, &key, &before); err != nil {
			return nil, err
		}
		if keys[kind+" "+key] = true; before != nil {
			horizon = *before // null if there is none
		}
	}
	before := exchange.Time(horizon.UTC().Format("2006-01-02T15:04:05.000Z"))
	return func(r exchange.Revision) bool {
		return keys["run "+r.Run] || !horizon.IsZero() && r.StartedAt < before ||
			len(keys) > 0 && keys["repository "+r.RepositoryKind+" "+p.repositoryKey(r.RepositoryKind, r.Repository)]
	}, rows.Err()
}

// markedFor is for how long after its end a code review is compared in full, because it may still
// be marked in two copies of a ledger.
const markedFor = 30 * 24 * time.Hour

// glance returns what becomes of a run, judging by its revision alone; sure is false if that is not
// enough. A closed run of gates never changes, so its record need not be read again.
func glance(r exchange.Revision, there known, content exchange.Content, now time.Time) (result Result, sure bool) {
	closed := r.FinishedAt != nil
	if closed && ledger.RunKind(r.Kind) == ledger.KindCodeReview {
		closed = string(*r.FinishedAt) < now.Add(-markedFor).UTC().Format(time.RFC3339)
	}
	switch {
	case there.forgotten:
		return Forgotten, true
	case !there.there || there.revision < r.Revision:
		return "", false
	case there.revision > r.Revision:
		return Older, true
	case there.content.Less(content), becameKnown(there.repositoryKind, r.RepositoryKind):
		return "", false
	}
	return Unchanged, closed && there.alike
}

// ready is a run that was read and prepared while others were being sent.
type ready struct {
	Prepared
	there known
}

// group has runs that are written at once, or the error of reading the next run.
type group struct {
	runs []ready
	err  error
}

// pushAll sends the runs. It reads and prepares the next runs while it sends the previous ones.
func (p *Pusher) pushAll(ctx context.Context, l *store.Store, outline store.Outline, list []pending, o Sending, done *Sent) error {
	reading, stop := context.WithCancel(ctx)
	groups, pace := make(chan group), &pace{}
	defer func() {
		stop()
		for range groups { // wait for the reader to end, because the ledger may be closed after that
		}
	}()
	go func() {
		defer close(groups)
		p.readAll(reading, l, outline, list, pace, groups)
	}()
	n := 0
	for g := range groups {
		if g.err != nil {
			return g.err
		}
		began := time.Now()
		if err := p.pushGroup(ctx, g.runs, done); err != nil {
			return err
		}
		pace.took(len(g.runs), time.Since(began)-p.waited)
		if n += len(g.runs); o.Done != nil {
			o.Done(n, len(list))
		}
	}
	return ctx.Err()
}

// readAll reads the runs, and puts new ones into groups.
func (p *Pusher) readAll(ctx context.Context, l *store.Store, outline store.Outline, list []pending, pace *pace, groups chan<- group) {
	var next []ready
	size := 0
	pass := func(g group) bool {
		if len(g.runs) == 0 && g.err == nil {
			return true
		}
		select {
		case groups <- g:
			return g.err == nil
		case <-ctx.Done():
			return false
		}
	}
	for _, r := range list {
		run, err := p.read(ctx, l, outline, r)
		switch {
		case err != nil:
			_ = pass(group{runs: next}) && pass(group{err: err})
			return
		case r.there.there:
			if !pass(group{runs: []ready{{run, r.there}}}) {
				return
			}
			continue
		}
		next, size = append(next, ready{run, r.there}), size+run.bytes()
		if len(next) < pace.next() && size < batchBytes {
			continue
		}
		if !pass(group{runs: next}) {
			return
		}
		next, size = nil, 0
	}
	pass(group{runs: next})
}

// read reads and prepares a run.
func (p *Pusher) read(ctx context.Context, l *store.Store, outline store.Outline, r pending) (run Prepared, err error) {
	var record *exchange.Run
	var texts []exchange.Blob
	if p.source.Content == exchange.ContentFull {
		record, texts, err = l.Record(ctx, r.Run)
	} else {
		record, err = l.Run(ctx, r.Run)
	}
	if err != nil {
		return run, err
	}
	return p.Prepare(record, outline.Jobs, texts)
}

// pushGroup sends runs, unless the record of the only one shows that it need not be sent.
func (p *Pusher) pushGroup(ctx context.Context, runs []ready, done *Sent) error {
	if result := decide(runs[0].sent, runs[0].there); result != Pushed {
		done.count(runs[0].Head.Run, result) // it is the only run, because groups of several have only new runs
		return nil
	}
	all := make([]Prepared, len(runs))
	for i := range runs {
		all[i] = runs[i].Prepared
	}
	results, err := p.PushNew(ctx, all)
	for i, result := range results {
		run := all[i]
		done.count(run.Head.Run, result)
		if result == Rejected {
			done.Rejected = append(done.Rejected, Rejection{run.Head.Run, run.refusal})
		}
		if result == Pushed {
			done.Rows += run.rows
			if run.ahead {
				done.Ahead++
			}
		}
	}
	return err
}

// forgetSkips sends the skips that were forgotten. They do not belong to a run.
func (p *Pusher) forgetSkips(ctx context.Context, list []exchange.ForgottenSkip) error {
	if len(list) == 0 {
		return nil
	}
	var rows copier
	rows.rows(p.tables[forgottenSkips.name].columns, list)
	err := pgx.BeginFunc(ctx, p.conn, func(tx pgx.Tx) error {
		if err := p.send(ctx, forgottenSkips.name, &rows); err != nil {
			return err
		}
		of := ""
		if p.source.Untrusted {
			of = p.from.id
		}
		_, err := tx.Exec(ctx, p.tables[forgottenSkips.name].put, pgx.NamedArgs{"of": of})
		return err
	})
	return p.store.Explain(ctx, "push skips", err)
}

// Lines returns one line for each run that was not accepted, and a summary.
func (o Sent) Lines() (lines []string) {
	for _, run := range o.Forgotten {
		lines = append(lines, fmt.Sprintf("Run %s was not pushed: it was deleted from the team store.", run))
	}
	for _, run := range o.Diverged {
		lines = append(lines, fmt.Sprintf("Run %s was refused: the team store has another state of it with the same revision, from another copy of this ledger.", run))
	}
	for _, r := range o.Rejected {
		lines = append(lines, fmt.Sprintf("Run %s was refused: the server does not take its rows: %q.", r.Run, r.Why))
	}
	for _, run := range o.Foreign {
		lines = append(lines, fmt.Sprintf("Run %s was refused: it would change a run that another ledger pushed.", run))
	}
	if o.Ahead > 0 {
		lines = append(lines, fmt.Sprintf("The clock is ahead: %s with times more than 5 minutes ahead of the server's.", ledger.Plural(o.Ahead, "run")))
	}
	summary := fmt.Sprintf("Pushed: %s; %d unchanged", ledger.Plural(o.Pushed, "run"), o.Unchanged)
	for _, part := range []struct {
		n    int
		what string
	}{{o.Older, "older than in the team store"}, {len(o.Forgotten), "deleted there"}, {o.Refused(), "refused"}} {
		if part.n > 0 {
			summary += fmt.Sprintf("; %d %s", part.n, part.what)
		}
	}
	return append(lines, strings.TrimSpace(summary)+".")
}

// Waiting is what was not pushed yet.
type Waiting struct {
	Runs int
	// Oldest is when the first of these runs started.
	Oldest time.Time
}

// Pending returns which runs of a ledger have a state that the team store does not have, as far as
// their revisions show. It only reads.
func (s *Store) Pending(ctx context.Context, l *store.Store) (w Waiting, err error) {
	outline, err := l.Outline(ctx, time.Time{})
	if err != nil {
		return w, err
	}
	conn, err := s.Pool.Acquire(ctx)
	if err != nil {
		return w, s.Explain(ctx, "read the status", err)
	}
	defer conn.Release()
	p := &Pusher{store: s, conn: conn.Conn(), cutter: exchange.NewCutter(exchange.ContentNone, outline.Database)}
	p.source.Content, p.from.id = exchange.ContentNone, p.cutter.Database()
	list, err := p.compare(ctx, outline.Runs, &Sent{})
	for _, r := range list {
		if r.there.there && r.there.revision == r.Revision.Revision {
			continue
		}
		w.Runs++
		if at, err := time.Parse(time.RFC3339, string(r.StartedAt)); err == nil && (w.Oldest.IsZero() || at.Before(w.Oldest)) {
			w.Oldest = at
		}
	}
	return w, err
}

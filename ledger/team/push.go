package team

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// Result is what became of a run that was pushed.
type Result string

// The results.
const (
	// Pushed: the run was added, updated to a later revision, or more of it was sent.
	Pushed Result = "pushed"
	// Unchanged: the team store already had this state of the run.
	Unchanged Result = "unchanged"
	// Older: the team store had a later revision of the run.
	Older Result = "older"
	// Forgotten: the run was deleted from the team store on purpose.
	Forgotten Result = "forgotten"
	// Diverged: the team store has another state of the run with the same revision, because two
	// copies of its ledger have diverged.
	Diverged Result = "diverged"
	// Foreign: another ledger has pushed the run.
	Foreign Result = "foreign"
)

// Sending describes what is pushed.
type Sending struct {
	// Name is the name of the ledger that people see; if empty, one is derived from its ID.
	Name string
	// Program is the version of the program that pushes.
	Program string
	// Content is how much is sent.
	Content exchange.Content
	// Homes are the home folders that no text may contain.
	Homes []string
	// Untrusted is set for a dump, which anybody may have written: it cannot change a run that
	// another ledger has pushed, whichever ledger it claims to be from.
	Untrusted bool
	// Since excludes runs that started before it.
	Since time.Time
	// NewestFirst is set for a push that may not finish.
	NewestFirst bool
	// Done is called with the number of runs done and the total. It may be nil.
	Done func(done, all int)
}

// Sent is the result of pushing a ledger.
type Sent struct {
	// Pushed, Unchanged, Older and Forgotten are the numbers of runs with these results.
	Pushed, Unchanged, Older, Forgotten int
	// Diverged and Foreign are the IDs of the runs with these results.
	Diverged, Foreign []string
	// Rejected are the runs with rows that the server does not accept.
	Rejected []Rejection
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
		o.Forgotten++
	case Diverged:
		o.Diverged = append(o.Diverged, run)
	case Foreign:
		o.Foreign = append(o.Foreign, run)
	}
}

// Refused returns the number of runs that were refused.
func (o Sent) Refused() int { return len(o.Diverged) + len(o.Foreign) + len(o.Rejected) }

// known is what the team store has of a run.
type known struct {
	there           bool
	ledger          string
	revision        int64
	digest, content string
	status          string
	finishedAt      *time.Time
}

// sent is a run that is ready to be sent, or, without a record, its revision.
type sent struct {
	exchange.Revision
	repository, digest string
	record, texts      []byte
}

// A pusher pushes one ledger.
type pusher struct {
	*Store
	Sending
	outline store.Outline
	cutter  *exchange.Cutter
	// ledger is the ID of the ledger in the team store, and dump the one of its dumps, or "" if this
	// is a dump.
	ledger, dump string
	buried       func(exchange.Revision, string) bool
	done         Sent
}

// dumpMark begins the IDs of dumps. Anybody can write the ID of another ledger into a dump.
const dumpMark = "dump:"

// PushLedger pushes the runs of a ledger whose current state the team store does not have, several
// in a transaction. What was done before an error stays, and the next push continues from there.
func (s *Store) PushLedger(ctx context.Context, l *store.Store, o Sending) (Sent, error) {
	if _, err := s.Check(ctx); err != nil {
		return Sent{}, err
	}
	outline, err := l.Outline(ctx, o.Since)
	if err != nil {
		return Sent{}, err
	}
	if outline.Content.Less(o.Content) { // the ledger itself was cut
		o.Content = outline.Content
	}
	p := s.pusher(outline, o)
	list, err := p.outdated(ctx)
	if err != nil {
		return p.done, s.explain(ctx, "push", err)
	}
	if o.NewestFirst {
		slices.Reverse(list)
	}
	return p.done, p.pushAll(ctx, l, list)
}

func (s *Store) pusher(outline store.Outline, o Sending) *pusher {
	p := &pusher{Store: s, Sending: o, outline: outline, cutter: exchange.NewCutter(o.Content, outline.Database, o.Homes...)}
	p.ledger = p.cutter.Database()
	p.dump = dumpMark + p.ledger
	if o.Untrusted {
		p.ledger, p.dump = p.dump, ""
	}
	if p.Name == "" {
		digits := p.ledger[strings.LastIndexByte(p.ledger, ':')+1:]
		p.Name = "ledger-" + digits[:min(8, len(digits))]
	}
	return p
}

// repository returns the key of a run's repository outside the machine.
func (p *pusher) repository(r exchange.Revision) string {
	if ledger.RepositoryKind(r.RepositoryKind) == ledger.RepositoryUnknown {
		return ""
	}
	return clean(p.cutter.Repository(r.RepositoryKind, r.Repository))
}

// outdated counts the runs whose state the team store has, judging by their revisions, and returns
// the others.
func (p *pusher) outdated(ctx context.Context) (list []exchange.Revision, err error) {
	if p.buried, err = p.tombstones(ctx); err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(p.outline.Runs))
	for _, r := range p.outline.Runs {
		ids = append(ids, clean(r.Run))
	}
	there, err := p.known(ctx, ids)
	for _, r := range p.outline.Runs {
		if result, sure := p.glance(r, there[clean(r.Run)], time.Now()); sure {
			p.done.count(r.Run, result)
		} else {
			list = append(list, r)
		}
	}
	return list, err
}

// known returns what the team store has of these runs, by ID.
func (p *pusher) known(ctx context.Context, ids []string) (map[string]known, error) {
	rows, err := p.pool.Query(ctx, statement("known runs"), pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, err
	}
	there := map[string]known{}
	k, id := known{there: true}, ""
	_, err = pgx.ForEachRow(rows, []any{&id, &k.ledger, &k.revision, &k.digest, &k.content, &k.status, &k.finishedAt}, func() error {
		there[id] = k
		return nil
	})
	return there, err
}

// tombstones returns a function that reports whether a run was deleted on purpose.
func (s *Store) tombstones(ctx context.Context) (func(r exchange.Revision, repository string) bool, error) {
	rows, err := s.pool.Query(ctx, statement("tombstones"))
	if err != nil {
		return nil, err
	}
	runs, repositories, horizon := map[string]bool{}, map[string]time.Time{}, time.Time{}
	var id, repository *string
	var before *time.Time
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{&id, &repository, &before, &at}, func() error {
		switch {
		case id != nil:
			runs[*id] = true
		case repository != nil && at.After(repositories[*repository]):
			repositories[*repository] = at
		case before != nil && before.After(horizon):
			horizon = *before
		}
		return nil
	})
	return func(r exchange.Revision, repository string) bool {
		started := r.StartedAt.Moment()
		return runs[r.Run] || started.Before(horizon) || repository != "" && started.Before(repositories[repository])
	}, err
}

// markedFor is for how long after its end a code review is compared in full, because it may still
// be marked in two copies of a ledger.
const markedFor = 30 * 24 * time.Hour

// glance returns what becomes of a run, judging by its revision alone; sure is false if that is not
// enough. A closed run of gates never changes, so its record need not be read again.
func (p *pusher) glance(r exchange.Revision, there known, now time.Time) (result Result, sure bool) {
	ended := r.FinishedAt.Moment()
	closed := r.FinishedAt != nil && (ledger.RunKind(r.Kind) == ledger.KindGates || ended.Before(now.Add(-markedFor)))
	switch {
	case p.buried(r, p.repository(r)):
		return Forgotten, true
	case !there.there, there.ledger == p.dump, there.revision < r.Revision:
		return "", false
	case there.revision > r.Revision:
		return Older, true
	case there.ledger == p.ledger && exchange.Content(there.content).Less(p.Content):
		return "", false
	}
	same := there.status == r.Status && there.finishedAt != nil && there.finishedAt.Equal(ended)
	return Unchanged, closed && same
}

// refusal returns why the team store did not take a run, of which it has this.
func (p *pusher) refusal(r *sent, there known) Result {
	switch {
	case !there.there:
		return Forgotten
	case there.revision > r.Revision.Revision:
		return Older
	case there.revision < r.Revision.Revision:
		return Foreign
	case there.digest != r.digest:
		return Diverged
	}
	return Unchanged
}

// Limits of a batch.
const (
	batchRuns  = 64
	batchBytes = 4 << 20
)

// batch has the runs of one transaction, or the error of reading the next run.
type batch struct {
	runs []*sent
	err  error
}

// pushAll sends the runs. It reads the next ones while it sends the previous ones.
func (p *pusher) pushAll(ctx context.Context, l *store.Store, list []exchange.Revision) error {
	reading, stop := context.WithCancel(ctx)
	batches := make(chan batch)
	defer func() {
		stop()
		for range batches { // wait for the reader to end, because the ledger may be closed after that
		}
	}()
	go func() {
		defer close(batches)
		p.readAll(reading, l, list, batches)
	}()
	n := 0
	for b := range batches {
		if b.err != nil {
			return b.err
		}
		if err := p.send(ctx, b.runs); err != nil {
			return p.explain(ctx, "push", err)
		}
		if n += len(b.runs); p.Done != nil {
			p.Done(n, len(list))
		}
	}
	return ctx.Err()
}

func (p *pusher) readAll(ctx context.Context, l *store.Store, list []exchange.Revision, batches chan<- batch) {
	b, size := batch{}, 0
	pass := func() bool {
		select {
		case batches <- b:
		case <-ctx.Done():
			return false
		}
		b, size = batch{}, 0
		return true
	}
	for _, r := range list {
		run, err := p.read(ctx, l, r)
		if err != nil {
			_ = (len(b.runs) == 0 || pass()) && func() bool { b.err = err; return pass() }()
			return
		}
		b.runs, size = append(b.runs, run), size+len(run.record)+len(run.texts)
		if (len(b.runs) == batchRuns || size > batchBytes) && !pass() {
			return
		}
	}
	if len(b.runs) > 0 {
		pass()
	}
}

// read reads a run, cuts it down to what is sent, and packs it.
func (p *pusher) read(ctx context.Context, l *store.Store, r exchange.Revision) (*sent, error) {
	d := exchange.Document{}
	var err error
	if p.Content == exchange.ContentFull {
		d.Run, d.Texts, err = l.Record(ctx, r.Run)
	} else {
		d.Run, err = l.Run(ctx, r.Run)
	}
	if err != nil {
		return nil, err
	}
	used, violations := map[string]bool{}, map[string]bool{}
	for i := range d.Run.Gates {
		used[d.Run.Gates[i].Job] = true
	}
	for i := range d.Run.Violations {
		used[d.Run.Violations[i].Job], violations[d.Run.Violations[i].Violation] = true, true
	}
	for _, job := range p.outline.Jobs {
		if used[job.Job] {
			d.Jobs = append(d.Jobs, job)
		}
	}
	for _, skip := range p.outline.Forgotten {
		if violations[skip.Violation] {
			d.Forgotten = append(d.Forgotten, skip)
		}
	}
	r.Revision, r.Status, r.FinishedAt = d.Run.Head.Revision, d.Run.Head.Status, d.Run.Head.FinishedAt // it may have changed since
	s := &sent{Revision: r, repository: p.repository(r), digest: d.Run.Digest(d.Forgotten)}
	d.Run = p.cutter.Run(d.Run)
	if s.record, s.texts, err = d.Encode(); err != nil {
		return nil, fmt.Errorf("push run %s: %w", r.Run, err)
	}
	return s, nil
}

// send writes runs in one transaction. If the server does not accept the rows of one of them, each
// gets a transaction of its own.
func (p *pusher) send(ctx context.Context, runs []*sent) error {
	taken, err := p.put(ctx, runs)
	if why, is := aboutRows(err); is {
		if len(runs) == 1 {
			p.done.Rejected = append(p.done.Rejected, Rejection{runs[0].Run, why})
			return nil
		}
		for _, run := range runs {
			if err := p.send(ctx, []*sent{run}); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	var refused []string
	for _, run := range runs {
		if !taken[clean(run.Run)] {
			refused = append(refused, clean(run.Run))
		}
	}
	there := map[string]known{}
	if len(refused) > 0 {
		if there, err = p.known(ctx, refused); err != nil {
			return err
		}
	}
	for _, run := range runs {
		result := Pushed
		if id := clean(run.Run); !taken[id] {
			result = p.refusal(run, there[id])
		}
		p.done.count(run.Run, result)
	}
	return nil
}

// tries is how often a transaction is tried if the server reports a conflict.
const tries = 4

// put writes runs in one transaction, and returns which of them the store took.
func (p *pusher) put(ctx context.Context, runs []*sent) (taken map[string]bool, err error) {
	args := p.columns(runs)
	for try := 1; ; try++ {
		taken = map[string]bool{}
		err := pgx.BeginTxFunc(ctx, p.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, statement("lock run")); err != nil {
				return err
			}
			rows, err := tx.Query(ctx, statement("put runs"), args)
			if err != nil {
				return err
			}
			var id string
			_, err = pgx.ForEachRow(rows, []any{&id}, func() error { taken[id] = true; return nil })
			return err
		})
		if err == nil || try == tries || !isCode(err, serializationFailure, deadlock) || ctx.Err() != nil {
			return taken, err
		}
	}
}

// columns returns the columns of the runs as lists, which take one statement.
func (p *pusher) columns(runs []*sent) pgx.NamedArgs {
	var ids, repositories, kinds, statuses, digests, records []string
	var starts []time.Time
	var ends []*time.Time
	var revisions []int64
	var texts [][]byte
	for _, run := range runs {
		ids, repositories = append(ids, clean(run.Run)), append(repositories, run.repository)
		kinds, statuses = append(kinds, clean(run.Kind)), append(statuses, clean(run.Status))
		starts, revisions = append(starts, run.StartedAt.Moment()), append(revisions, run.Revision.Revision)
		var end *time.Time
		if run.FinishedAt != nil {
			at := run.FinishedAt.Moment()
			end = &at
		}
		ends, digests = append(ends, end), append(digests, run.digest)
		records, texts = append(records, string(run.record)), append(texts, run.texts)
	}
	return pgx.NamedArgs{
		"ledger": p.ledger, "dump": p.dump, "name": clean(p.Name), "program": clean(p.Program), "content": string(p.Content),
		"ids": ids, "repositories": repositories, "kinds": kinds, "statuses": statuses, "starts": starts, "ends": ends,
		"revisions": revisions, "digests": digests, "records": records, "texts": texts,
	}
}

// aboutRows reports whether the server does not accept the rows, and returns what it says.
func aboutRows(err error) (why string, is bool) {
	sent := (*pgconn.PgError)(nil)
	if !errors.As(err, &sent) {
		return "", false
	}
	class := sent.Code[:min(2, len(sent.Code))]
	return sent.Message, class == "22" || class == "23" || class == "54"
}

// clean returns the text in a form that PostgreSQL accepts: it refuses NUL bytes and invalid UTF-8.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Lines returns one line for each run that was refused, and a summary.
func (o Sent) Lines() (lines []string) {
	if o.Forgotten > 0 {
		lines = append(lines, fmt.Sprintf("%s not pushed: deleted from the team store.", ledger.PluralVerb(o.Forgotten, "run", "was", "were")))
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
	summary := fmt.Sprintf("Pushed: %s; %d unchanged", ledger.Plural(o.Pushed, "run"), o.Unchanged)
	for _, part := range []struct {
		n    int
		what string
	}{{o.Older, "older than in the team store"}, {o.Forgotten, "deleted there"}, {o.Refused(), "refused"}} {
		if part.n > 0 {
			summary += fmt.Sprintf("; %d %s", part.n, part.what)
		}
	}
	return append(lines, summary+".")
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
	p := s.pusher(outline, Sending{Content: exchange.ContentWords})
	if _, err := p.outdated(ctx); err != nil {
		return w, s.explain(ctx, "read the status", err)
	}
	ids := []string{}
	for _, r := range outline.Runs {
		ids = append(ids, clean(r.Run))
	}
	there, err := p.known(ctx, ids)
	for _, r := range outline.Runs {
		if k := there[clean(r.Run)]; k.there && k.revision >= r.Revision || p.buried(r, p.repository(r)) {
			continue
		}
		if at := r.StartedAt.Moment(); w.Runs == 0 || at.Before(w.Oldest) {
			w.Oldest = at
		}
		w.Runs++
	}
	return w, s.explain(ctx, "read the status", err)
}

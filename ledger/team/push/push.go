package push

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/team"
	"github.com/reviewledger/reviewledger/migrations"
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
	// Foreign: the run would change something that does not belong to it: a run of another ledger,
	// or a violation of another run.
	Foreign Result = "foreign"
	// Rejected: the run has rows that the server does not accept.
	Rejected Result = "rejected"
)

// Source describes the ledger from which runs are pushed.
type Source struct {
	// Database is the ledger's id.
	Database string
	// Name is the name that people see; if empty, one is derived from the id.
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
}

// source is a ledger in the form in which the team store knows it.
type source struct{ id, name, program string }

// A Pusher writes the runs of one ledger over one connection. It is not safe for concurrent use.
type Pusher struct {
	store  *Store
	conn   *pgx.Conn
	free   func()
	from   source
	cutter *exchange.Cutter
	source Source
	tables map[string]written
	// waited is how long the last transaction waited for its locks.
	waited time.Duration
}

// NewPusher returns a Pusher for the runs of a ledger. The caller must close it.
func (s *Store) NewPusher(ctx context.Context, from Source) (*Pusher, error) {
	conn, err := s.Pool.Acquire(ctx)
	if err != nil {
		return nil, s.Explain(ctx, "push", err)
	}
	cutter := exchange.NewCutter(from.Content, from.Database, from.Homes...)
	p := &Pusher{store: s, conn: conn.Conn(), free: conn.Release, cutter: cutter, source: from}
	p.from = source{id: ledgerOf(from, cutter), name: from.Name, program: from.Program}
	if p.from.name == "" {
		p.from.name = defaultName(p.from.id)
	}
	batch := &pgx.Batch{}
	tables, err := writtenTables(ctx, p.conn)
	for _, table := range tables {
		batch.Queue(table.make)
	}
	if err == nil {
		err = p.conn.SendBatch(ctx, batch).Close()
	}
	p.tables = tables
	if err != nil {
		p.Close()
		return nil, s.Explain(ctx, "push", err)
	}
	return p, nil
}

// ledgerOf returns the id of the ledger in the team store. Anybody can write the id of another
// ledger into a dump, so the ids of dumps are always different.
func ledgerOf(from Source, cutter *exchange.Cutter) string {
	id := cutter.Database()
	if from.Untrusted {
		id = exchange.NewCutter(from.Content, "dump of "+id).Database()
	}
	return id
}

// defaultName returns the name of a ledger that has none.
func defaultName(id string) string {
	digits := id[strings.LastIndexByte(id, ':')+1:]
	return "ledger-" + digits[:min(8, len(digits))]
}

// Close releases the connection.
func (p *Pusher) Close() { p.free() }

// Prepared is a run that is ready to be sent.
type Prepared struct{ *sent }

// Prepare cuts the record of a run down and packs it. blobs are the long texts that the record
// refers to; they are sent only with full content.
func (p *Pusher) Prepare(run *exchange.Run, jobs []exchange.Job, blobs []exchange.Blob) (Prepared, error) {
	s := &sent{Run: p.cutter.Run(run), from: p.from, jobs: usedJobs(run, jobs), digest: run.Digest(), content: p.source.Content}
	s.repository = p.repositoryKey(run.Head.RepositoryKind, run.Head.Repository)
	var err error
	if s.record, err = pack(s, blobs); err != nil {
		return Prepared{}, fmt.Errorf("push run %s: %w", run.Head.Run, err)
	}
	s.encode(p.tables)
	s.figures = contributor(s.Run, s.jobs, team.Home{Kind: run.Head.RepositoryKind, Key: s.repository})
	return Prepared{s}, nil
}

// repositoryKey returns the key of a repository in the team store. The unknown repositories of
// different ledgers have different keys.
func (p *Pusher) repositoryKey(kind, key string) string {
	if ledger.RepositoryKind(kind) == ledger.RepositoryUnknown {
		return p.from.id
	}
	return p.cutter.Repository(kind, key)
}

// pack returns the record as the lines of a dump, compressed.
func pack(s *sent, blobs []exchange.Blob) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	lines := exchange.NewWriter(packed)
	err = lines.Put(exchange.Header{Format: exchange.Format, Database: s.from.id, Schema: migrations.Latest})
	for _, job := range s.jobs {
		err = errors.Join(err, lines.Put(job))
	}
	for _, blob := range blobs {
		err = errors.Join(err, lines.Put(blob))
	}
	err = errors.Join(err, lines.Put(s.Run), lines.Put(exchange.End{}), packed.Close())
	return out.Bytes(), err
}

// tries is how often a transaction is tried if the server reports a conflict.
const tries = 4

// Push writes a run, completely or not at all.
func (p *Pusher) Push(ctx context.Context, run Prepared) (Result, error) {
	results, err := p.repeat(ctx, batch{run.sent})
	if refusal, is := aboutRows(err); is {
		run.refusal = refusal
		return Rejected, nil
	}
	if err != nil {
		return "", p.store.Explain(ctx, "push run "+run.Head.Run, err)
	}
	return results[0], nil
}

// repeat calls [Pusher.try], again if the server reports a conflict.
func (p *Pusher) repeat(ctx context.Context, runs batch) (results []Result, err error) {
	err = tried(ctx, func() (err error) {
		results, err = p.try(ctx, runs)
		return err
	})
	return results, err
}

// tried calls do, again if the server reports a conflict.
func tried(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if err == nil || try == tries || !team.IsCode(err, team.SerializationFailure, team.Deadlock) || ctx.Err() != nil {
			return err
		}
	}
}

// try writes all runs in one transaction, or none. If there are several, the team store must not
// have any of them yet. The rows are sent before a lock is taken, so that other clients do not have
// to wait for a slow connection.
func (p *Pusher) try(ctx context.Context, runs batch) (results []Result, err error) {
	// The transaction must see the rows as they are once it holds the locks, whatever the server's
	// default isolation is.
	tx, err := p.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, err
	}
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), team.Closing)
		defer cancel()
		_ = tx.Rollback(undo) // after a commit there is nothing to roll back
	}()
	tables, err := p.sendAll(ctx, runs)
	if err != nil {
		return nil, err
	}
	there, err := p.known(ctx, tx, runs)
	if err != nil {
		return nil, err
	}
	for _, s := range runs {
		k := there[team.Clean(s.Head.Run)]
		s.ahead = k.ahead
		results = append(results, p.become(s, k))
		if len(runs) > 1 && (k.there || results[len(results)-1] != Pushed) {
			return nil, errNotNew
		}
	}
	if results[0] != Pushed {
		return results, nil
	}
	if err := p.put(ctx, tx, runs, tables); err != nil {
		return nil, err
	}
	return results, tx.Commit(ctx)
}

// become returns what becomes of a run, taking into account which ledger it belongs to.
func (p *Pusher) become(s *sent, there known) Result {
	result := decide(s, there)
	if result == Pushed && (there.taken || p.source.Untrusted && there.there && there.ledger != p.from.id) {
		return Foreign
	}
	return result
}

// known is what the team store has of a run.
type known struct {
	there          bool
	revision       int64
	digest         string
	content        exchange.Content
	repositoryKind string
	ledger         string
	taken          bool // another run has a violation with the id of one of its violations
	forgotten      bool
	ahead          bool
	alike          bool // it has the same counts, status and end as the sent run
}

// known takes the locks, and reads what the team store has of the runs.
func (p *Pusher) known(ctx context.Context, tx pgx.Tx, runs batch) (map[string]known, error) {
	began := time.Now()
	defer func() { p.waited = time.Since(began) }()
	there := make(map[string]known, len(runs))
	queries := &pgx.Batch{}
	queries.Queue(statement("lock runs"), pgx.NamedArgs{"runs": runs.ids()})
	queries.Queue(statement("lock store"))
	queries.Queue(statement("known runs")).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var k known
			var id string
			var revision *int64
			var digest, content, kind, from *string
			if err := rows.Scan(&id, &revision, &digest, &content, &kind, &from, &k.taken, &k.forgotten, &k.ahead); err != nil {
				return err
			}
			if revision != nil {
				k.there, k.revision, k.digest, k.content, k.repositoryKind, k.ledger = true, *revision, *digest, exchange.Content(*content), *kind, *from
			}
			there[id] = k
		}
		return rows.Err()
	})
	return there, tx.SendBatch(ctx, queries).Close()
}

// decide returns what becomes of a run, given what the team store has of it.
func decide(s *sent, there known) Result {
	switch {
	case there.forgotten:
		return Forgotten
	case !there.there || there.revision < s.Head.Revision:
		return Pushed
	case there.revision > s.Head.Revision:
		return Older
	case sameFormat(s.digest, there.digest) && s.digest != there.digest:
		return Diverged
	case there.content.Less(s.content), becameKnown(there.repositoryKind, s.Head.RepositoryKind):
		return Pushed
	}
	return Unchanged
}

// becameKnown reports whether the repository of a run has become known, which does not change the
// run's revision.
func becameKnown(was, is string) bool {
	unknown := ledger.RepositoryUnknown
	return ledger.RepositoryKind(was) == unknown && ledger.RepositoryKind(is) != unknown
}

// sameFormat reports whether two digests can be compared.
func sameFormat(a, b string) bool {
	ofA, _, _ := strings.Cut(a, ":")
	ofB, _, _ := strings.Cut(b, ":")
	return ofA == ofB
}

// put moves rows from the temporary tables to the store, and updates the figures.
func (p *Pusher) put(ctx context.Context, tx pgx.Tx, runs batch, tables []string) error {
	ids, counting := runs.ids(), newCounting(tx)
	queries := &pgx.Batch{}
	queries.Queue(statement("put repository"))
	queries.Queue(statement("put ledger"))
	for _, table := range tables {
		queries.Queue(p.tables[table].put)
	}
	for _, s := range runs {
		queries.Queue(statement("put record"), pgx.NamedArgs{"run": team.Clean(s.Head.Run), "data": s.record})
		counting.change(team.Clean(s.Head.Run), s.figures)
	}
	queries.Queue(statement("go by indexes"))
	for _, mark := range marks {
		queries.Queue(statement(mark), pgx.NamedArgs{"runs": ids})
	}
	counting.look(queries)
	if err := tx.SendBatch(ctx, queries).Close(); err != nil {
		return err
	}
	return counting.settle(ctx)
}

// marks are the statements that set properties of a run's rows that follow from its other rows.
var marks = []string{"mark reopened", "mark events", "name runs"}

package team

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/migrations"
)

// Result is what became of a run that was pushed.
type Result string

// The results.
const (
	// Pushed is a run that was added, or brought to a later revision, or of which more
	// is there now.
	Pushed Result = "pushed"
	// Unchanged is a run that was there like this.
	Unchanged Result = "unchanged"
	// Older is a run of which a later revision is there.
	Older Result = "older"
	// Forgotten is a run that was deleted from the team store on purpose.
	Forgotten Result = "forgotten"
	// Diverged is a run of which another state with the same revision is there: two
	// copies of its ledger have gone apart.
	Diverged Result = "diverged"
	// Foreign is a run that would change what is not its own: a run of another ledger, or
	// a violation of another run.
	Foreign Result = "foreign"
)

// Source is the ledger that runs are pushed from.
type Source struct {
	// Database is its id.
	Database string
	// Name is what people call it; empty: one is made from the id.
	Name string
	// Program is the version of the program that pushes.
	Program string
	// Content is how much is sent.
	Content exchange.Content
	// Homes are the home folders that no text may name.
	Homes []string
	// Untrusted is set for a dump that anybody may have written: it changes no run that
	// another ledger has pushed.
	Untrusted bool
}

// source is a ledger as the team store knows it.
type source struct{ id, name, program string }

// Pusher writes the runs of one ledger over one connection. It is not safe for
// concurrent use.
type Pusher struct {
	store  *Store
	conn   *pgx.Conn
	free   func()
	from   source
	cutter *exchange.Cutter
	source Source
}

// NewPusher returns what writes runs of a ledger. It must be closed.
func (s *Store) NewPusher(ctx context.Context, from Source) (*Pusher, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, s.explain(ctx, "push", err)
	}
	cutter := exchange.NewCutter(from.Content, from.Database, from.Homes...)
	p := &Pusher{store: s, conn: conn.Conn(), free: conn.Release, cutter: cutter, source: from}
	p.from = source{id: cutter.Database(), name: from.Name, program: from.Program}
	if p.from.name == "" {
		p.from.name = defaultName(p.from.id)
	}
	batch := &pgx.Batch{}
	for _, table := range rowTables {
		batch.Queue(statement("make " + table.name))
	}
	batch.Queue(statement("make forgotten_skip"))
	if err := p.conn.SendBatch(ctx, batch).Close(); err != nil {
		p.Close()
		return nil, s.explain(ctx, "push", err)
	}
	return p, nil
}

// defaultName is what a ledger is called that was given no name.
func defaultName(id string) string {
	digits := id[strings.LastIndexByte(id, ':')+1:]
	return "ledger-" + digits[:min(8, len(digits))]
}

// Close gives the connection back.
func (p *Pusher) Close() { p.free() }

// Prepared is a run that is ready to be sent.
type Prepared struct{ *sent }

// Prepare cuts the record of a run and packs it. The blobs are the long texts that it
// refers to, which are only sent with all content.
func (p *Pusher) Prepare(run *exchange.Run, jobs []exchange.Job, blobs []exchange.Blob) (Prepared, error) {
	s := &sent{Run: p.cutter.Run(run), from: p.from, jobs: usedJobs(run, jobs), digest: run.Digest(), content: p.source.Content}
	s.repository = p.repositoryKey(run.Head.RepositoryKind, run.Head.Repository)
	var err error
	if s.record, err = pack(s, blobs); err != nil {
		return Prepared{}, fmt.Errorf("push run %s: %w", run.Head.Run, err)
	}
	s.encode()
	return Prepared{s}, nil
}

// repositoryKey is the key of a repository in the team store. What is not known is not
// the same in every ledger.
func (p *Pusher) repositoryKey(kind, key string) string {
	if ledger.RepositoryKind(kind) == ledger.RepositoryUnknown {
		return p.from.id
	}
	return p.cutter.Repository(kind, key)
}

// pack is the record as the lines of a dump, compressed.
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

// tries is how often a transaction is tried in which the server saw a conflict.
const tries = 4

// Push writes a run, all of it or nothing.
func (p *Pusher) Push(ctx context.Context, run Prepared) (Result, error) {
	for try := 1; ; try++ {
		result, err := p.try(ctx, run.sent)
		if err == nil {
			return result, nil
		}
		if try == tries || !isCode(err, serializationFailure, deadlock) || ctx.Err() != nil {
			return "", p.store.explain(ctx, "push run "+run.Head.Run, err)
		}
	}
}

// try is one transaction. The rows are sent before a lock is taken, so that nobody waits
// for a slow line.
func (p *Pusher) try(ctx context.Context, s *sent) (result Result, err error) {
	tx, err := p.conn.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer func() {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
		defer cancel()
		_ = tx.Rollback(undo) // after a commit there is nothing to undo
	}()
	for _, table := range s.tables {
		if err := table.send(ctx, p.conn.PgConn()); err != nil {
			return "", err
		}
	}
	there, err := p.known(ctx, tx, s)
	if err != nil {
		return "", err
	}
	s.ahead = there.ahead
	if result = decide(s, there); result == Pushed && (there.taken || p.source.Untrusted && there.there && there.ledger != p.from.id) {
		result = Foreign
	}
	if result != Pushed {
		return result, nil
	}
	if err := p.put(ctx, tx, s, there.there); err != nil {
		return "", err
	}
	return Pushed, tx.Commit(ctx)
}

// known is what is there of a run.
type known struct {
	there          bool
	revision       int64
	digest         string
	content        exchange.Content
	repositoryKind string
	ledger         string
	taken          bool // a violation with the id of one of its violations is of another run
	forgotten      bool
	ahead          bool
	alike          bool // it has the counts, the status and the end of the run
}

// known takes the locks and looks.
func (p *Pusher) known(ctx context.Context, tx pgx.Tx, s *sent) (k known, err error) {
	batch := &pgx.Batch{}
	batch.Queue(statement("lock run"), pgx.NamedArgs{"run": clean(s.Head.Run)})
	batch.Queue(statement("lock store"))
	batch.Queue(statement("known run")).QueryRow(func(row pgx.Row) error {
		var revision *int64
		var digest, content, kind, from *string
		if err := row.Scan(&revision, &digest, &content, &kind, &from, &k.taken, &k.forgotten, &k.ahead); err != nil || revision == nil {
			return err
		}
		k.there, k.revision, k.digest, k.content, k.repositoryKind, k.ledger = true, *revision, *digest, exchange.Content(*content), *kind, *from
		return nil
	})
	return k, tx.SendBatch(ctx, batch).Close()
}

// decide says what becomes of a run by what is there of it.
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

// becameKnown reports whether the repository of a run is known now. That is found out
// without a new revision of the run.
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

// put makes rows of the store from those in the temporary tables.
func (p *Pusher) put(ctx context.Context, tx pgx.Tx, s *sent, there bool) error {
	batch := &pgx.Batch{}
	if there {
		batch.Queue(statement("count run"), pgx.NamedArgs{"run": clean(s.Head.Run), "sign": -1})
	}
	batch.Queue(statement("put repository"))
	batch.Queue(statement("put ledger"))
	for _, table := range s.tables {
		batch.Queue(statement("put " + table.table))
	}
	batch.Queue(statement("put record"), pgx.NamedArgs{"run": clean(s.Head.Run), "data": s.record})
	batch.Queue(statement("count run"), pgx.NamedArgs{"run": clean(s.Head.Run), "sign": 1})
	return tx.SendBatch(ctx, batch).Close()
}

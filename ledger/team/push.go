package team

import (
	"cmp"
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

// Sending describes what is pushed.
type Sending struct {
	// Name is the name of the ledger that people see; if empty, one is derived from its ID.
	Name string
	// Program is the version of the program that pushes.
	Program string
	// Content is how much is sent.
	Content exchange.Content
	// Home is the home folder, which no text may contain.
	Home string
	// Untrusted is set for a dump, which anybody may have written: it cannot change a run that
	// another ledger has pushed, whichever ledger it claims to be from.
	Untrusted bool
	// Since excludes runs that started before it.
	Since time.Time
	// Done is called with the number of runs done and the total. It may be nil.
	Done func(done, all int)
}

// Sent is the result of pushing a ledger. docs/json.md has its keys.
type Sent struct {
	Pushed    int       `json:"pushed"`    // runs that were added, updated to a later revision, or of which more was sent
	Unchanged int       `json:"unchanged"` // the team store has this state of them
	Older     int       `json:"older"`     // it has a later one
	Deleted   int       `json:"deleted"`   // they were deleted from it on purpose
	Refused   []Refusal `json:"refused"`
}

// A Refusal is a run that was not taken over, and why.
type Refusal struct {
	Run string `json:"run"`
	Why string `json:"why"`
}

// Lines returns one line for each run that was refused, and a summary.
func (o Sent) Lines() (lines []string) {
	if o.Deleted > 0 {
		lines = append(lines, fmt.Sprintf("%s not pushed: deleted from the team store.", ledger.PluralVerb(o.Deleted, "run", "was", "were")))
	}
	for _, r := range o.Refused {
		lines = append(lines, fmt.Sprintf("Run %s was refused: %s.", r.Run, r.Why))
	}
	summary := fmt.Sprintf("Pushed: %s; %d unchanged", ledger.Plural(o.Pushed, "run"), o.Unchanged)
	return append(lines, summary+also(o.Older, "older than in the team store")+also(len(o.Refused), "refused")+".")
}

// also returns the part of a summary that counts something, if there is any.
func also(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s", n, what)
}

// known is what the team store has of a run; Ledger is empty if it has nothing.
type known struct {
	Buried     bool // it was deleted on purpose
	Ledger     string
	Revision   int64
	Digest     string
	Content    exchange.Content
	Repository string
	FinishedAt *time.Time
	Changed    int64 // number of its last write
	Tombstones int64 // in the whole store
}

// row is a run of the ledger, as it is sent, and what the store had of it when it was asked.
type row struct {
	exchange.Revision
	Digest        string // empty until the record is read
	Record, Texts []byte
	There         known
}

// A pusher pushes one ledger.
type pusher struct {
	Sending
	conn   *pgx.Conn
	from   *store.Store
	runs   []exchange.Revision
	cutter *exchange.Cutter
	ledger string // its ID in the team store
	done   Sent
}

// dumpMark begins the IDs of dumps. Anybody can write the ID of another ledger into a dump.
const dumpMark = "dump:"

// Push sends the runs of a ledger whose current state the team store does not have, the newest first,
// several with a transaction. What was done before an error stays, and the next push continues from there.
func (s *Store) Push(ctx context.Context, l *store.Store, o Sending) (Sent, error) {
	p, err := newPusher(ctx, l, o)
	if err != nil {
		return Sent{}, err
	}
	slices.Reverse(p.runs)
	err = s.with(ctx, "push", true, func(conn *pgx.Conn, _ string) (err error) {
		p.conn = conn
		for err == nil && len(p.runs) > 0 {
			err = p.push(ctx)
		}
		return err
	})
	return p.done, err
}

func newPusher(ctx context.Context, l *store.Store, o Sending) (*pusher, error) {
	outline, err := l.Outline(ctx, o.Since)
	if err != nil {
		return nil, err
	}
	if outline.Content.Less(o.Content) { // the ledger itself was cut
		o.Content = outline.Content
	}
	p := &pusher{Sending: o, from: l, runs: outline.Runs, cutter: exchange.NewCutter(o.Content, outline.Database, o.Home)}
	for i, run := range p.runs {
		p.runs[i].Repository = clean(p.cutter.Repository(run.RepositoryKind, run.Repository))
	}
	p.done.Refused = []Refusal{}
	p.ledger = p.cutter.Database()
	if p.Name == "" {
		p.Name = fmt.Sprintf("ledger-%.8s", p.ledger[strings.LastIndexByte(p.ledger, ':')+1:])
	}
	if o.Untrusted {
		p.ledger = dumpMark + p.ledger
	}
	return p, nil
}

// push sends those of the runs that the store does not have, and counts the others. What is left are
// runs that somebody else changed meanwhile.
func (p *pusher) push(ctx context.Context) error {
	rows, err := p.compare(ctx)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return p.decide(r) == settled })
	var batch []row
	size := 0
	p.runs = nil
	for i, r := range rows {
		if err := p.read(ctx, &r); err != nil { // not into rows: the memory need not hold all records
			return err
		}
		if p.decide(r) == missing {
			batch, size = append(batch, r), size+len(r.Record)+len(r.Texts)
		}
		if size < 4<<20 && i < len(rows)-1 { // about how much is sent with a transaction
			continue
		}
		if err := p.send(ctx, batch); err != nil {
			return err
		}
		if batch, size = nil, 0; p.Done != nil {
			p.Done(i+1, len(rows))
		}
	}
	return nil
}

// compare asks what the team store has of the runs.
func (p *pusher) compare(ctx context.Context) (rows []row, err error) {
	var ids, repositories []string
	var starts []time.Time
	for _, run := range p.runs {
		rows = append(rows, row{Revision: run})
		ids, repositories, starts = append(ids, clean(run.Run)), append(repositories, run.Repository), append(starts, run.StartedAt.Moment())
	}
	there, _ := p.conn.Query(ctx, statement("known runs"), pgx.NamedArgs{"ids": ids, "repositories": repositories, "starts": starts})
	found, err := pgx.CollectRows(there, pgx.RowToStructByPos[known])
	for i := range found {
		rows[i].There = found[i]
	}
	return rows, err
}

// decision is what is to be done about a run.
type decision int

const (
	settled decision = iota // nothing: it is counted
	unknown                 // its record has to be read
	missing                 // the store does not have this state: it is sent
)

// decide returns what is to be done about a run. A closed run of gates never changes, so its record need
// not be read; a code review may be marked in two copies of a ledger after its end.
func (p *pusher) decide(r row) decision {
	there, own, ended := r.There, r.There.Ledger == p.ledger, r.FinishedAt.Moment()
	closed := r.FinishedAt != nil && (ledger.RunKind(r.Kind) == ledger.KindGates || ended.Before(time.Now().AddDate(0, 0, -30)))
	switch {
	case there.Buried:
		p.done.Deleted++
	case there.Ledger == "", there.Ledger == dumpMark+p.ledger: // a ledger wins over its dump
		return missing
	case there.Revision > r.Revision.Revision:
		p.done.Older++
	case there.Revision < r.Revision.Revision && !own:
		p.refuse(r, "it would change a run that another ledger pushed")
	case there.Revision < r.Revision.Revision:
		return missing
	case r.Digest == "" && !(closed && there.FinishedAt != nil && there.FinishedAt.Equal(ended)):
		return unknown
	case r.Digest != "" && r.Digest != there.Digest:
		p.refuse(r, "the team store has another state of it with the same revision, from another copy of this ledger")
	case own && (there.Content.Less(p.Content) || there.Repository == "" && r.Repository != ""):
		return missing // more of it may be sent, or is known
	default:
		p.done.Unchanged++
	}
	return settled
}

func (p *pusher) refuse(r row, why string) {
	p.done.Refused = append(p.done.Refused, Refusal{r.Run, why})
}

// read reads the record of a run, cuts it down to what is sent, and packs it.
func (p *pusher) read(ctx context.Context, r *row) error {
	d, err := p.from.Document(ctx, r.Run, p.Content)
	if err != nil {
		return err
	}
	r.Update(d.Run.Head) // it may have changed since
	r.Digest = d.Run.Digest(d.Forgotten)
	d.Run = p.cutter.Run(d.Run)
	if r.Record, r.Texts, err = d.Encode(); err != nil {
		return fmt.Errorf("push run %s: %w", r.Run, err)
	}
	return nil
}

// send writes runs in one transaction. If the server does not accept the rows of one of them, each gets a
// transaction of its own.
func (p *pusher) send(ctx context.Context, runs []row) error {
	// Two pushes that write the same runs do so in the same order, so that none waits for the other forever.
	slices.SortFunc(runs, func(a, b row) int { return strings.Compare(a.Run, b.Run) })
	var batch pgx.Batch
	var changed []exchange.Revision
	for _, r := range runs {
		batch.Queue(statement("put run"), pgx.NamedArgs{
			"run": r.Run, "repository": r.Repository, "ledger": p.ledger, "name": clean(p.Name), "program": clean(p.Program),
			"kind": r.Kind, "status": r.Status, "started_at": string(r.StartedAt), "finished_at": (*string)(r.FinishedAt),
			"revision": r.Revision.Revision, "digest": r.Digest, "content": p.Content, "record": r.Record, "texts": r.Texts,
			"changed": r.There.Changed, "tombstones": r.There.Tombstones,
		}).Exec(func(written pgconn.CommandTag) error {
			if written.RowsAffected() == 0 {
				changed = append(changed, r.Revision)
			}
			return nil
		})
	}
	err := p.conn.SendBatch(ctx, &batch).Close()
	switch why := aboutRows(err); {
	case why != "" && len(runs) == 1:
		p.refuse(runs[0], fmt.Sprintf("the server does not take its rows: %q", why))
		return nil
	case why != "":
		for i := range runs {
			if err := p.send(ctx, runs[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	case err != nil:
		return err
	}
	p.done.Pushed += len(runs) - len(changed)
	p.runs = append(p.runs, changed...)
	return nil
}

// aboutRows returns what the server says if it does not accept the rows, or "".
func aboutRows(err error) string {
	sent := (*pgconn.PgError)(nil)
	if errors.As(err, &sent) && slices.Contains([]string{"22", "23", "54"}, sent.Code[:min(2, len(sent.Code))]) {
		return cmp.Or(sent.Message, sent.Code)
	}
	return ""
}

// clean returns the text in a form that PostgreSQL accepts: it refuses NUL bytes and invalid UTF-8.
func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

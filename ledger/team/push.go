package team

import (
	"cmp"
	"context"
	"encoding/json"
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
	// Homes are the home folders that no text may contain.
	Homes []string
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
	if o.Older > 0 {
		summary += fmt.Sprintf("; %d older than in the team store", o.Older)
	}
	if n := len(o.Refused); n > 0 {
		summary += fmt.Sprintf("; %d refused", n)
	}
	return append(lines, summary+".")
}

// outcome is what becomes of a run. Any other is the reason why it is refused.
type outcome string

const (
	undecided outcome = "" // it has to be read, or sent
	unchanged outcome = "unchanged"
	older     outcome = "older"
	deleted   outcome = "deleted"
	diverged  outcome = "the team store has another state of it with the same revision, from another copy of this ledger"
	foreign   outcome = "it would change a run that another ledger pushed"
)

func (o *Sent) count(run string, result outcome) {
	switch result {
	case unchanged:
		o.Unchanged++
	case older:
		o.Older++
	case deleted:
		o.Deleted++
	default:
		o.Refused = append(o.Refused, Refusal{run, string(result)})
	}
}

// known is what the team store has of a run; Ledger is empty if it has nothing.
type known struct {
	Buried     bool // it was deleted on purpose
	Ledger     string
	Revision   int64
	Digest     string
	Content    exchange.Content
	FinishedAt *time.Time
}

// row is a row of the table run, as it is sent.
type row struct {
	exchange.Revision
	Repository string          `json:"repository"`
	Digest     string          `json:"digest"`
	Record     json.RawMessage `json:"record"`
	Texts      []byte          `json:"texts"`
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
	done         Sent
}

// dumpMark begins the IDs of dumps. Anybody can write the ID of another ledger into a dump.
const dumpMark = "dump:"

// Limits of a batch.
const (
	batchRuns  = 64
	batchBytes = 4 << 20
)

// Push sends the runs of a ledger whose current state the team store does not have, the newest first,
// several in a transaction. What was done before an error stays, and the next push continues from there.
func (s *Store) Push(ctx context.Context, l *store.Store, o Sending) (_ Sent, err error) {
	defer func() { err = s.explain(ctx, "push", err) }()
	p, err := s.pusher(ctx, l, o)
	if err != nil {
		return Sent{}, err
	}
	there, err := p.known(ctx, p.outline.Runs)
	if err != nil {
		return p.done, err
	}
	var list []exchange.Revision
	for i, r := range p.outline.Runs {
		if result := p.decide(r, "", there[i], time.Now()); result == undecided {
			list = append(list, r)
		} else {
			p.done.count(r.Run, result)
		}
	}
	slices.Reverse(list)
	var batch []*row
	size := 0
	for i, r := range list {
		run, err := p.read(ctx, l, r)
		if err != nil {
			return p.done, err
		}
		batch, size = append(batch, run), size+len(run.Record)+len(run.Texts)
		if len(batch) < batchRuns && size < batchBytes && i < len(list)-1 {
			continue
		}
		if err := p.send(ctx, batch); err != nil {
			return p.done, err
		}
		if batch, size = nil, 0; p.Done != nil {
			p.Done(i+1, len(list))
		}
	}
	return p.done, nil
}

func (s *Store) pusher(ctx context.Context, l *store.Store, o Sending) (*pusher, error) {
	outline, err := l.Outline(ctx, o.Since)
	if err != nil {
		return nil, err
	}
	if outline.Content.Less(o.Content) { // the ledger itself was cut
		o.Content = outline.Content
	}
	p := &pusher{Store: s, Sending: o, outline: outline, cutter: exchange.NewCutter(o.Content, outline.Database, o.Homes...)}
	p.done.Refused = []Refusal{}
	p.ledger = p.cutter.Database()
	p.dump = dumpMark + p.ledger
	if o.Untrusted {
		p.ledger, p.dump = p.dump, ""
	}
	if p.Name == "" {
		digits := p.ledger[strings.LastIndexByte(p.ledger, ':')+1:]
		p.Name = "ledger-" + digits[:min(8, len(digits))]
	}
	return p, nil
}

// repository returns the key of a run's repository outside the machine.
func (p *pusher) repository(r exchange.Revision) string {
	if ledger.RepositoryKind(r.RepositoryKind) == ledger.RepositoryUnknown {
		return ""
	}
	return clean(p.cutter.Repository(r.RepositoryKind, r.Repository))
}

// known returns what the team store has of each of these runs.
func (p *pusher) known(ctx context.Context, runs []exchange.Revision) ([]known, error) {
	var ids, repositories []string
	var starts []time.Time
	for _, r := range runs {
		ids, repositories, starts = append(ids, clean(r.Run)), append(repositories, p.repository(r)), append(starts, r.StartedAt.Moment())
	}
	rows, err := p.conn.Query(ctx, statement("known runs"), pgx.NamedArgs{"ids": ids, "repositories": repositories, "starts": starts})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[known])
}

// markedFor is for how long after its end a code review is compared in full, because it may still
// be marked in two copies of a ledger.
const markedFor = 30 * 24 * time.Hour

// decide returns what becomes of a run. digest is that of its record, or empty if that was not read
// yet. A closed run of gates never changes, so its record need not be read.
func (p *pusher) decide(r exchange.Revision, digest string, there known, now time.Time) outcome {
	ended := r.FinishedAt.Moment()
	closed := r.FinishedAt != nil && (ledger.RunKind(r.Kind) == ledger.KindGates || ended.Before(now.Add(-markedFor)))
	switch {
	case there.Buried:
		return deleted
	case there.Ledger == "", there.Ledger == p.dump:
		return undecided
	case there.Revision > r.Revision:
		return older
	case there.Revision < r.Revision && there.Ledger != p.ledger:
		return foreign
	case there.Revision < r.Revision:
		return undecided
	case digest != "" && digest != there.Digest:
		return diverged
	case there.Ledger == p.ledger && there.Content.Less(p.Content):
		return undecided
	case digest != "", closed && there.FinishedAt != nil && there.FinishedAt.Equal(ended):
		return unchanged
	}
	return undecided
}

// read reads a run, cuts it down to what is sent, and packs it.
func (p *pusher) read(ctx context.Context, l *store.Store, r exchange.Revision) (*row, error) {
	d, err := l.Document(ctx, r.Run, p.Content)
	if err != nil {
		return nil, err
	}
	head := d.Run.Head
	r.Revision, r.Status, r.FinishedAt = head.Revision, head.Status, head.FinishedAt // it may have changed since
	out := &row{Revision: r, Repository: p.repository(r), Digest: d.Run.Digest(d.Forgotten)}
	d.Run = p.cutter.Run(d.Run)
	if out.Record, out.Texts, err = d.Encode(); err != nil {
		return nil, fmt.Errorf("push run %s: %w", r.Run, err)
	}
	return out, nil
}

// send writes runs in one transaction. If the server does not accept the rows of one of them, each
// gets a transaction of its own.
func (p *pusher) send(ctx context.Context, runs []*row) error {
	taken, err := p.put(ctx, runs)
	if why := aboutRows(err); why != "" && len(runs) == 1 {
		p.done.count(runs[0].Run, outcome(fmt.Sprintf("the server does not take its rows: %q", why)))
		return nil
	} else if why != "" {
		for i := range runs {
			if err := p.send(ctx, runs[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	p.done.Pushed += len(taken)
	var left []exchange.Revision
	var digests []string
	for _, run := range runs {
		if !slices.Contains(taken, run.Run) {
			left, digests = append(left, run.Revision), append(digests, run.Digest)
		}
	}
	if len(left) == 0 {
		return nil
	}
	there, err := p.known(ctx, left)
	for i := range there {
		p.done.count(left[i].Run, p.decide(left[i], digests[i], there[i], time.Now()))
	}
	return err
}

// put writes runs in one transaction, and returns the IDs of those that the store took.
func (p *pusher) put(ctx context.Context, runs []*row) (taken []string, err error) {
	args := pgx.NamedArgs{"ledger": p.ledger, "dump": p.dump, "name": clean(p.Name), "program": clean(p.Program), "content": p.Content, "runs": runs}
	return taken, pgx.BeginTxFunc(ctx, p.conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, statement("lock run")); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, statement("put runs"), args)
		if err == nil {
			taken, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
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

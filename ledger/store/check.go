package store

import (
	"context"
	"fmt"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// checks is how many kinds of rows are checked.
const checks = 9

// Problems lists what is wrong with the ledger: what SQLite finds in the file,
// and rows that contradict one another. The functions, which may be none, are called
// before each of the checks with the number of checks done and the total.
func (l *Store) Problems(ctx context.Context, progress ...func(done, all int)) ([]string, error) {
	tell := func(done, all int) {
		for _, p := range progress {
			p(done, all)
		}
	}
	tell(0, checks+1)
	problems, err := db.Integrity(ctx, l.handle)
	if err != nil {
		return nil, fmt.Errorf("check ledger %q: %w", l.path, err)
	}
	err = l.read(ctx, "check the ledger", func(t *tx) error {
		for n, find := range [checks]func(context.Context) ([]string, error){
			t.wrongStatuses, t.wrongMarks, t.wrongEventNumbers, t.wrongTransitions, t.wrongReports, t.wrongRuns, t.wrongIterations, t.wrongSlots, t.WrongSkips,
		} {
			tell(n+1, checks+1)
			found, err := find(ctx)
			if err != nil {
				return err
			}
			problems = append(problems, found...)
		}
		return nil
	})
	if err != nil {
		return problems, err
	}
	words, err := db.WordProblems(ctx, l.handle)
	if err != nil {
		return problems, fmt.Errorf("check ledger %q: %w", l.path, db.Explain(err))
	}
	return append(problems, words...), nil
}

func (t *tx) wrongStatuses(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongStatuses(ctx)
	for _, r := range rows {
		list = append(list, fmt.Sprintf("violation %s is %s, but its last event is %q", r.ShortID, r.Status, r.Event))
	}
	return list, err
}

func (t *tx) wrongMarks(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongMarks(ctx)
	for _, id := range rows {
		list = append(list, fmt.Sprintf("whether violation %s is abandoned does not match its run", id))
	}
	return list, err
}

func (t *tx) wrongEventNumbers(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongEventNumbers(ctx)
	for _, id := range rows {
		list = append(list, fmt.Sprintf("the events of violation %s are not numbered from 1 without gaps", id))
	}
	return list, err
}

func (t *tx) wrongTransitions(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongTransitions(ctx)
	for _, r := range rows {
		list = append(list, fmt.Sprintf("run %s: its %s is %s, and the last transition says something else", r.Ulid, r.Subject, r.Status))
	}
	return list, err
}

func (t *tx) wrongReports(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongReports(ctx)
	for _, id := range rows {
		list = append(list, fmt.Sprintf("violation %s does not show its latest report", id))
	}
	return list, err
}

func (t *tx) wrongRuns(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongRuns(ctx)
	for _, id := range rows {
		list = append(list, fmt.Sprintf("the counts of run %s do not match its rows", id))
	}
	return list, err
}

func (t *tx) wrongIterations(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongIterations(ctx)
	for _, r := range rows {
		list = append(list, fmt.Sprintf("the counts of iteration %d of run %s do not match its rows", r.Number, r.Ulid))
	}
	return list, err
}

func (t *tx) wrongSlots(ctx context.Context) (list []string, err error) {
	rows, err := t.WrongSlots(ctx)
	for _, r := range rows {
		ref := ledger.SlotRef{Job: r.Job, Slot: int(r.ReviewIndex), Iteration: int(r.Number)}
		list = append(list, fmt.Sprintf("the counts of slot %s do not match its reports", ledger.SlotName(r.Ulid, ref)))
	}
	return list, err
}

// Backup writes a copy of the ledger, as it is at one moment, to a file that is
// not there yet. Others go on writing meanwhile.
func (l *Store) Backup(ctx context.Context, path string) error {
	if err := db.Backup(ctx, l.handle, path); err != nil {
		return fmt.Errorf("back up ledger %q to %q: %w", l.path, path, err)
	}
	return nil
}

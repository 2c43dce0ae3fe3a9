package store

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// Where the violations come from that a filter is held against: the words of
// FilteredViolations.
const (
	fromAll         = "all"
	fromOpen        = "open"
	fromRuns        = "runs"
	fromFingerprint = "fingerprint"
	fromFiles       = "files"
	fromEvents      = "events"
)

// fewFiles is how many files a pattern may match to be looked up file by file.
// Where it matches more, the newest violations soon have enough that match.
const fewFiles = 200

// listBatch is how many violations are read at a time.
const listBatch = 4000

// listed lists what the filter keeps, in its order.
func (t *tx) listed(ctx context.Context, f ledger.ViolationFilter) ([]ledger.ListedViolation, error) {
	s := &search{tx: t, filter: f}
	after, err := s.cursor(ctx)
	if err != nil {
		return nil, err
	}
	if known, err := s.scope(ctx); err != nil || !known {
		return nil, err
	}
	if known, err := s.files(ctx); err != nil || !known {
		return nil, err
	}
	s.conditions()
	s.narrowest()
	newest := f.Sort == "" || f.Sort == ledger.SortNewest
	if newest && after != nil {
		s.params.Before, s.params.BeforeID = after.firstSeen, after.id
	}
	s.params.AtMost = -1
	if newest {
		s.params.AtMost = atMost(f.Limit)
	}
	ids, err := t.FilteredViolations(ctx, s.params)
	if err == nil && !newest {
		ids, err = t.SortedViolations(ctx, db.SortedViolationsParams{Sort: string(f.Sort), StatusOrder: statusOrder(), Ids: ids, After: after.key(), AtMost: atMost(f.Limit)})
	}
	if err != nil {
		return nil, err
	}
	var rows []int64
	if err := json.Unmarshal([]byte(ids), &rows); err != nil {
		return nil, err
	}
	found := make([]ledger.ListedViolation, 0, len(rows))
	for batch := range slices.Chunk(rows, listBatch) {
		violations, err := t.details(ctx, batch)
		if err != nil {
			return nil, err
		}
		found = append(found, violations...)
	}
	return found, nil
}

// search makes the parameters of FilteredViolations for a filter.
type search struct {
	*tx
	filter ledger.ViolationFilter
	params db.FilteredViolationsParams
	// oneFile is set where the filter names a file, not a pattern.
	oneFile bool
}

// scope finds the runs and jobs that the filter leaves, and reports false if there
// are none.
func (s *search) scope(ctx context.Context) (known bool, err error) {
	f := s.filter
	var runs, jobs []int64
	if f.Run != "" {
		run, err := s.RunByULID(ctx, f.Run)
		if err != nil {
			return false, err
		}
		runs = []int64{run.ID}
	}
	if f.Branch != "" || f.Worktree != "" {
		rows, err := s.ListRuns(ctx, db.ListRunsParams{Until: latest, Statuses: anyWord, Branch: f.Branch, Worktree: f.Worktree, AtMost: -1})
		if err != nil {
			return false, err
		}
		chosen := []int64{}
		for _, run := range rows {
			if runs == nil || runs[0] == run.ID {
				chosen = append(chosen, run.ID)
			}
		}
		runs = chosen
	}
	if f.Gate != "" || f.EntryPoint != "" {
		rows, err := s.JobNames(ctx)
		if err != nil {
			return false, err
		}
		jobs = []int64{}
		for _, job := range rows {
			if oneOf(f.Gate, job.Name) && oneOf(f.EntryPoint, job.EntryPoint) {
				jobs = append(jobs, job.ID)
			}
		}
	}
	if runs != nil && len(runs) == 0 || jobs != nil && len(jobs) == 0 {
		return false, nil
	}
	s.params.Runs, s.params.Jobs = jsonList(runs), jsonList(jobs)
	return true, nil
}

// files finds the files that the filter's pattern matches, for SQL knows no
// patterns, and reports false if there are none. A folder needs no list.
func (s *search) files(ctx context.Context) (known bool, err error) {
	s.params.Files = anyWord
	pattern := s.filter.File
	if pattern == "" || pattern == "**" {
		return true, nil
	}
	prefix := literalPrefix(pattern)
	if prefix == pattern {
		s.oneFile = true
		s.params.Files = jsonList([]string{pattern})
		return true, nil
	}
	if folder, ok := folderOf(pattern); ok {
		// One more than few tells that there are many.
		below, err := s.filesBetween(ctx, folder+"/", folder+"0", fewFiles+1)
		if err != nil {
			return false, err
		}
		if len(below) <= fewFiles {
			s.params.Files = jsonList(append(below, folder))
			return true, nil
		}
		s.params.Folder = folder
		return true, nil
	}
	files, err := s.filesBetween(ctx, prefix, prefixEnd(prefix), -1)
	files = slices.DeleteFunc(files, func(file string) bool { return !matchesFile(s.filter, file) })
	s.params.Files = jsonList(append([]string{}, files...))
	return len(files) > 0, err
}

func (t *tx) filesBetween(ctx context.Context, first, last string, limit int64) (files []string, err error) {
	text, err := t.FilesBetween(ctx, db.FilesBetweenParams{First: first, Last: last, AtMost: limit})
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal([]byte(text), &files)
	return files, err
}

// conditions sets what the filter says of a violation itself.
func (s *search) conditions() {
	f, p := s.filter, &s.params
	p.Since, p.Before = since(f.Reported), until(f.Reported)
	p.ChangedSince, p.ChangedUntil = since(f.Changed), until(f.Changed)
	p.Statuses, p.Priorities, p.Reasons, p.Actors = jsonList(f.Statuses), jsonList(f.Priorities), jsonList(f.Reasons), jsonList(f.Actors)
	p.Adapter, p.Slot, p.Iteration, p.Fingerprint = f.Adapter, int64(f.Slot), int64(f.Iteration), f.Fingerprint
	p.Alone, p.InFixLines, p.Recurring = boolean(f.Alone), boolean(f.InFixLines), boolean(f.Recurring)
	p.Events, p.EventSince, p.EventUntil = jsonList(f.Events.Statuses), since(f.Events.At), until(f.Events.At)
	p.EventIteration = int64(f.Events.Iteration)
}

// narrowest chooses the list of violations that is the shortest to search.
func (s *search) narrowest() {
	f, p := s.filter, &s.params
	p.Candidates, p.CandidateEvents = fromAll, anyWord
	var many []string
	_ = json.Unmarshal([]byte(p.Files), &many) // it was made here
	switch {
	case f.Run != "":
		p.Candidates = fromRuns
	case f.Fingerprint != "":
		p.Candidates = fromFingerprint
	case s.oneFile:
		p.Candidates = fromFiles
	case onlyOpen(f):
		p.Candidates = fromOpen
	case len(f.Events.Statuses) > 0 && f.Events.At != (ledger.Period{}):
		p.Candidates, p.CandidateEvents = fromEvents, p.Events
		p.CandidateSince, p.CandidateUntil = p.EventSince, p.EventUntil
	case !f.Changed.Since.IsZero():
		// The latest change is an event of the same time.
		p.Candidates, p.CandidateEvents = fromEvents, jsonList(ledger.Statuses())
		p.CandidateSince, p.CandidateUntil = p.ChangedSince, p.ChangedUntil
	case len(many) > 0 && (len(many) <= fewFiles+1 || f.Limit == 0):
		p.Candidates = fromFiles
	}
}

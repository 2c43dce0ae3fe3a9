package push

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/reviewledger/reviewledger/ledger/exchange"
	"github.com/reviewledger/reviewledger/ledger/statistics"
	"github.com/reviewledger/reviewledger/ledger/team"
)

// contributor returns the record of a run with what figures need in addition.
func contributor(r *exchange.Run, jobs []exchange.Job, of team.Home) *statistics.Run {
	names := make(map[string]statistics.Job, len(jobs))
	for _, j := range jobs {
		names[j.Job] = statistics.Job{Kind: team.Clean(j.Kind), EntryPoint: team.Clean(j.EntryPoint), Gate: team.Clean(j.Name)}
	}
	return &statistics.Run{Run: r, Jobs: names, Repository: of.Name(), Own: of.Own()}
}

// recordOf parses the record of a run as [pack] returned it.
func recordOf(data []byte) (run *exchange.Run, jobs []exchange.Job, err error) {
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil, fmt.Errorf("unpack its record: %w", err)
	}
	for lines := exchange.NewReader(packed); ; {
		record, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read its record: %w", err)
		}
		switch r := record.Row.(type) {
		case *exchange.Run:
			run = r
		case exchange.Job:
			jobs = append(jobs, r)
		}
	}
	if run == nil {
		return nil, nil, errors.New("read its record: it has no run")
	}
	return run, jobs, nil
}

package interop

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Limits of GitHub code scanning: it silently drops further results, and refuses a larger
// file.
const (
	maxGitHubResults = 5000
	maxGitHubBytes   = 10_000_000 // compressed
)

// GitHubSARIF is the run as GitHub code scanning takes it: what is open or claimed, and
// what is skipped where that is asked for, the most important first. GitHub does not read
// suppressions, so that each result is an open alert. A warning says what had to be left
// out.
func (r Run) GitHubSARIF(category string, withSkipped bool) (data []byte, warning string, err error) {
	var chosen []ledger.ListedViolation
	for _, v := range r.Problems() {
		if v.Fate().Open() || v.Claim() || withSkipped && v.Status == ledger.StatusSkipped {
			chosen = append(chosen, v)
		}
	}
	all := len(chosen)
	keep := min(all, max(0, maxGitHubResults-len(r.State.FailingChecks())))
	for {
		if data, err = text.MarshalJSON(r.sarif(category, chosen[:keep], true), "  "); err != nil {
			return nil, "", err
		}
		if keep == 0 || compressedSize(data) <= maxGitHubBytes {
			break
		}
		keep /= 2
	}
	if left := all - keep; left > 0 {
		warning = fmt.Sprintf("%d of %d findings are omitted, the least important ones: GitHub code scanning accepts at most %d results and 10 MB", left, all, maxGitHubResults)
	}
	return data, warning, nil
}

func compressedSize(data []byte) int {
	if len(data) <= maxGitHubBytes {
		return len(data) // it does not grow by more than a few bytes
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return out.Len()
}

package interop

import (
	"bytes"
	"compress/gzip"
	"fmt"

	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// Limits of GitHub code scanning. It silently drops further results and rejects a larger file.
const (
	maxGitHubResults = 5000
	maxGitHubBytes   = 10_000_000 // compressed
)

// GitHubSARIF writes the run for GitHub code scanning: what is open or claimed, and with
// withSkipped what is skipped too, the most important first. GitHub ignores suppressions, so each
// result is an open alert. The warning says what had to be left out, if anything.
func (r Run) GitHubSARIF(category string, withSkipped bool) (data []byte, warning string, err error) {
	var chosen []ledger.ListedViolation
	for _, v := range r.Problems() {
		if v.Fate().Outstanding() || withSkipped && v.Status == ledger.StatusSkipped {
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
		return len(data) // small enough even without compression
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data) // a Buffer never fails
	_ = w.Close()
	return out.Len()
}

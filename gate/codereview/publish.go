package codereview

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger"
)

// publish writes the files of a verdict: first the archive of the one before, then
// the report, and last the verdict itself.
func (c *codeReview) publish(ctx context.Context, v ledger.Verdict) error {
	if err := c.previous.archive(c.Verdicts); err != nil {
		return err
	}
	if v.ReportPath != "" {
		if err := c.Verdicts.WriteReport(v); err != nil {
			return err
		}
	}
	return c.Verdicts.Write(v)
}

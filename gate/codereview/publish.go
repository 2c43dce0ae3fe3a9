package codereview

import (
	"context"

	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// publish writes the files of a verdict: first the archive of the previous one, then the review
// document, and last the verdict itself. It returns the path of the document, or "" if there is
// none.
//
// Rule: A code review is apart from the loop.
func (c *codeReview) publish(ctx context.Context, v verdict.Verdict) (document string, err error) {
	if err := c.previous.archive(c.Verdicts); err != nil {
		return "", err
	}
	if v.ReviewDocument != "" {
		verifications := 0
		if v.Mode == verdict.Verify {
			computed, err := c.Ledger.Verdicts(ctx, v.Run)
			if err != nil {
				return "", err
			}
			for _, one := range computed {
				if one.Mode == verdict.Verify {
					verifications++
				}
			}
		}
		if document, err = c.Verdicts.WriteReviewDocument(v, verifications); err != nil {
			return "", err
		}
	}
	return document, c.Verdicts.Write(v)
}

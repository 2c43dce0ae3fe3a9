package slotfiles

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

// Rule: A file does not prove a pass.
func TestListsMore(t *testing.T) {
	t.Parallel()
	document := func(issues ...string) (d ledger.SlotDocument) {
		for _, issue := range issues {
			d.Violations = append(d.Violations, ledger.SlotEntry{Issue: issue})
		}
		return d
	}
	tests := []struct {
		log, json ledger.SlotDocument
		want      bool
	}{
		{document(), document("a"), false},
		{document("a", "b"), document("b", "a", "c"), false},
		{document("a b c"), document("a\n b\tc"), false},
		{document("a"), document(), true},
		{document("a", "a"), document("a"), true},
		{document(UnparsedIssue), document(), false},
	}
	for i, test := range tests {
		if got := listsMore(test.log, test.json); got != test.want {
			t.Errorf("case %d: %t", i, got)
		}
	}
}

package store_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// A search adds the reports that came since the last one to the index of words, even if the ledger
// was opened only for queries.
func TestSearchAddsWhatCameSince(t *testing.T) {
	t.Parallel()
	x := found(t)
	indexed := func(want string) {
		t.Helper()
		if got := column(t, rows(t, x.Path()), "SELECT CAST(report_id AS TEXT) FROM search_index"); got[0] != want {
			t.Errorf("reports up to %s are in the index, not %s", got[0], want)
		}
	}
	search := func(l *store.Store, word string) int {
		t.Helper()
		q := must(ledger.ParseSearch(word, nil))(t)
		return len(must(l.Search(t.Context(), q, ledger.ViolationFilter{}))(t))
	}
	indexed("0")
	if n := search(x.Store, "leaks"); n != 1 {
		t.Errorf("%d hits in the first report", n)
	}
	indexed("1")
	x.edit(1, "leaks", ledger.StatusFixed, "closed")
	if n := search(x.Store, "closed"); n != 1 {
		t.Errorf("%d hits in a result", n)
	}
	r := x.begin(2)
	r.says(1, entry(at("b.go", 9), "overflows", ledger.High))
	asking := must(store.OpenReadOnly(t.Context(), x.Path(), store.Options{}))(t)
	defer asking.Close()
	if n := search(asking, "overflows"); n != 1 {
		t.Errorf("%d hits in the second report", n)
	}
	indexed("2")
	if problems := must(x.Problems(t.Context()))(t); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
}

// A ledger that cannot be written is searched with a separate index; its own stays as it is.
func TestWordsAreIndexedAside(t *testing.T) {
	t.Parallel()
	x := found(t)
	handle := must(db.OpenReadOnly(t.Context(), x.Path()))(t)
	defer handle.Close()
	const matches = `SELECT CAST(count(*) AS TEXT) FROM report_words AS w WHERE w.report_words MATCH '"leaks"'`
	if n := column(t, handle, matches); n[0] != "0" {
		t.Errorf("%s reports were in the index", n[0])
	}
	x.ok(db.IndexAside(t.Context(), handle))
	if n := column(t, handle, matches); n[0] != "1" {
		t.Errorf("%s reports are in the index beside", n[0])
	}
	if n := column(t, rows(t, x.Path()), matches); n[0] != "0" {
		t.Errorf("%s reports are in the ledger's index", n[0])
	}
}

package team_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/team/teamtest"
)

// fill fills a new team store with runs of a year, with so many violations in each on average.
func fill(t testing.TB, url string, runs, violations int) {
	t.Helper()
	teamtest.Fill(t, url, runs, violations, filledUntil)
	if err := opened(t, url).MakeFigures(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestFilledStoresAreWhatPushesMake(t *testing.T) {
	t.Parallel()
	url := migrated(t)
	const indexes = "SELECT string_agg(indexdef, E'\\n' ORDER BY indexname) FROM pg_indexes WHERE schemaname = current_schema()"
	before := teamtest.Ask[string](t, url, indexes)
	fill(t, url, 30, 20)
	totalsAreRight(t, url)
	// It wrote past the foreign keys: each is checked when it is made again.
	teamtest.Exec(t, url, `DO $$ DECLARE k record; BEGIN
		FOR k IN SELECT c.conrelid::regclass AS of, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
			FROM pg_constraint AS c WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
		LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.of, k.name);
			EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.of, k.name, k.definition);
		END LOOP;
	END $$`)
	found := must(asked(t, url).Statistics(t.Context(), ledger.StatisticsFilter{}))(t)
	want := teamtest.Ask[int](t, url, "SELECT count(*) FROM violation")
	if found.Violations.Violations != want || want < 400 {
		t.Errorf("%d violations, want %d", found.Violations.Violations, want)
	}
	if after := teamtest.Ask[string](t, url, indexes); after != before {
		t.Errorf("indexes:\n%s\nwant:\n%s", after, before)
	}
}

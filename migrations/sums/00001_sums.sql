-- The totals of the counts of all runs (package ledger/statistics), in a file beside the ledger that
-- can be rebuilt from it at any time. A file of another version is thrown away, so this schema never
-- needs a migration.

-- +goose Up

-- The ledger that the totals are of, and the last of its changes that they include.
CREATE TABLE state (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  ledger   TEXT NOT NULL,    -- its database_id
  changed  INTEGER NOT NULL
) STRICT;

-- The counts of each run, which are subtracted from the totals when it changes.
CREATE TABLE contributions (
  run_id   INTEGER PRIMARY KEY, -- in the ledger
  run      TEXT NOT NULL,       -- ULID
  revision INTEGER NOT NULL,
  changed  INTEGER NOT NULL,
  repository TEXT NOT NULL,     -- its key
  branch   TEXT NOT NULL,
  counts   BLOB NOT NULL        -- compressed
) STRICT;
CREATE INDEX contributions_by_change ON contributions (changed);

-- The days on which a run has counts, with its violations that were first reported on each. Which
-- files have the most violations in a period, and in how many runs a line occurs, cannot be added up
-- from months: most files have few violations in a month.
CREATE TABLE days (
  day    TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES contributions (run_id) ON DELETE CASCADE,
  violations BLOB NOT NULL, -- packed
  PRIMARY KEY (day, run_id)
) STRICT;
CREATE INDEX days_by_run ON days (run_id);

-- Lines with violations in several runs of a repository.
CREATE TABLE lines (
  id   INTEGER PRIMARY KEY,
  key  TEXT NOT NULL UNIQUE,
  runs INTEGER NOT NULL CHECK (runs > 1)
) STRICT;
CREATE INDEX lines_by_number ON lines (runs DESC, key);

-- Files with the numbers of all their violations of all time, without duplicates.
CREATE TABLE files (
  id           INTEGER PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  violations   INTEGER NOT NULL,
  open         INTEGER NOT NULL,
  abandoned    INTEGER NOT NULL,
  claimed      INTEGER NOT NULL,
  verified     INTEGER NOT NULL,
  skipped      INTEGER NOT NULL,
  withdrawn    INTEGER NOT NULL,
  in_fix_lines INTEGER NOT NULL,
  reopened     INTEGER NOT NULL,
  runs         INTEGER NOT NULL
) STRICT;
CREATE INDEX files_by_number ON files (violations DESC, key);

-- The combinations of a job, an adapter and a model that have reported violations.
CREATE TABLE reviewers (
  id  INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sums (
  measure TEXT NOT NULL,
  bucket  TEXT NOT NULL,
  key     TEXT NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (measure, bucket, key)
) STRICT, WITHOUT ROWID;

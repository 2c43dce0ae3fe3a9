-- Sums of what runs contribute to figures (package ledger/statistics): a file beside the
-- ledger, which can be made again from it at any time. Another version of this file is
-- thrown away, so that it never needs a migration.

-- +goose Up

-- Of which ledger the sums are, and the last change of it that they have.
CREATE TABLE state (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  ledger   TEXT NOT NULL,    -- the id of its database
  changed  INTEGER NOT NULL
) STRICT;

-- What each run contributes, to be taken away again when it changes.
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

-- The days on which a run has counts, and its violations that were first reported on them.
-- Which files have most of them in a period, and in how many runs a line is, cannot be added
-- up from months: most files have few violations in one.
CREATE TABLE days (
  day    TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES contributions (run_id) ON DELETE CASCADE,
  violations BLOB NOT NULL, -- packed
  PRIMARY KEY (day, run_id)
) STRICT;
CREATE INDEX days_by_run ON days (run_id);

-- Lines of which violations of several runs of a repository are.
CREATE TABLE lines (
  id   INTEGER PRIMARY KEY,
  key  TEXT NOT NULL UNIQUE,
  runs INTEGER NOT NULL CHECK (runs > 1)
) STRICT;
CREATE INDEX lines_by_number ON lines (runs DESC, key);

-- Files with the numbers of their violations of all time, without duplicates of others.
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

-- A job, an adapter and a model of which violations are.
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

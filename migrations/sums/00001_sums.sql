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
  branch   TEXT NOT NULL,
  worktree TEXT NOT NULL,
  counts   BLOB NOT NULL        -- compressed
) STRICT;
CREATE INDEX contributions_by_change ON contributions (changed);
CREATE INDEX contributions_by_run ON contributions (run);
CREATE INDEX contributions_by_branch ON contributions (branch);
CREATE INDEX contributions_by_worktree ON contributions (worktree);

-- The days on which a run has counts.
CREATE TABLE days (
  day    TEXT NOT NULL,
  run_id INTEGER NOT NULL REFERENCES contributions (run_id) ON DELETE CASCADE,
  PRIMARY KEY (day, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX days_by_run ON days (run_id);

-- Lines of which violations of several runs of a repository are.
CREATE TABLE lines (
  id         INTEGER PRIMARY KEY,
  key        TEXT NOT NULL UNIQUE,
  runs       INTEGER NOT NULL CHECK (runs > 1),
  violations INTEGER NOT NULL CHECK (violations >= runs)
) STRICT;
CREATE INDEX lines_by_number ON lines (runs DESC, key);

-- When their violations were first reported: in how many runs of a period a line is cannot be
-- added up.
CREATE TABLE recurrences (
  run_id  INTEGER NOT NULL REFERENCES contributions (run_id) ON DELETE CASCADE,
  at      INTEGER NOT NULL, -- in milliseconds since 1970
  line_id INTEGER NOT NULL,
  PRIMARY KEY (run_id, at, line_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recurrences_by_time ON recurrences (at, line_id);

CREATE TABLE sums (
  measure TEXT NOT NULL,
  bucket  TEXT NOT NULL,
  key     TEXT NOT NULL,
  n       INTEGER NOT NULL,
  PRIMARY KEY (measure, bucket, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX sums_by_number ON sums (bucket, n DESC, key) WHERE measure = 'files';

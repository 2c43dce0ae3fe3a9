-- A made-up migration after the last one, with all that a migration may have to do: tests of
-- upgrades bring ledgers up to it.

-- +goose Up

PRAGMA user_version = 2;

ALTER TABLE violations ADD COLUMN owner TEXT;
ALTER TABLE violations ADD COLUMN weight INTEGER NOT NULL DEFAULT 1 CHECK (weight >= 0);
UPDATE violations SET owner = adapter || '''s; ' WHERE adapter <> '';
CREATE INDEX violations_by_owner ON violations (owner)
WHERE owner IS NOT NULL;

-- A table that others refer to is made anew, for its check changes.
CREATE TABLE jobs_before AS SELECT * FROM jobs;
DROP TABLE jobs;
CREATE TABLE jobs (
  id          INTEGER PRIMARY KEY,
  job         TEXT NOT NULL UNIQUE CHECK (job <> ''),
  kind        TEXT NOT NULL CHECK (kind IN ('check', 'review')),
  entry_point TEXT NOT NULL,
  name        TEXT NOT NULL
) STRICT;
INSERT INTO jobs (id, job, kind, entry_point, name)
SELECT b.id, b.job, b.kind, b.entry_point, b.name FROM jobs_before AS b ORDER BY b.id;
DROP TABLE jobs_before;

-- +goose StatementBegin
CREATE TRIGGER owners_stay BEFORE UPDATE OF owner ON violations
WHEN OLD.owner IS NOT NEW.owner
BEGIN
  SELECT RAISE(ABORT, 'an owner stays');

  SELECT 1;
END;
-- +goose StatementEnd

INSERT INTO skip_reasons (name) VALUES ('later');

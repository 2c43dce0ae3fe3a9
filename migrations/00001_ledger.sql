-- The ledger of fix-verify loops. Every state is a word in a lookup table, every
-- time is UTC text with milliseconds, and no row is ever deleted by another's
-- deletion: references are plain.

-- +goose Up

PRAGMA application_id = 1380729932;
PRAGMA user_version = 1;

-- What this database is: database_id (32 hex digits, made once) and
-- format_version (of the rows' meaning).
CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES
  ('database_id', lower(hex(randomblob(16)))),
  ('format_version', '1');

CREATE TABLE run_kinds (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO run_kinds (name) VALUES ('gates'), ('code_review');

-- States of runs and of iterations; an iteration is never abandoned.
CREATE TABLE run_statuses (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO run_statuses (name) VALUES
  ('running'), ('passed'), ('passed_with_warnings'), ('failed'), ('error'),
  ('retry_limit_exceeded'), ('interrupted'), ('abandoned');

CREATE TABLE iteration_modes (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO iteration_modes (name) VALUES ('first'), ('rerun'), ('rebuilt');

CREATE TABLE gate_kinds (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO gate_kinds (name) VALUES ('check'), ('review');

CREATE TABLE gate_statuses (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO gate_statuses (name) VALUES
  ('running'), ('passed'), ('failed'), ('error'), ('interrupted'), ('not_run');

CREATE TABLE slot_statuses (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO slot_statuses (name) VALUES
  ('running'), ('pass'), ('fail'), ('error'), ('skipped_prior_pass'), ('interrupted');

CREATE TABLE violation_statuses (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO violation_statuses (name) VALUES
  ('new'), ('fixed'), ('skipped'), ('verified'), ('reopened');

CREATE TABLE actors (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO actors (name) VALUES ('reviewer'), ('agent'), ('human'), ('system');

-- Which actor may change a violation's status from what to what. Where both are
-- the same, it is the words on a fix or skip that change.
CREATE TABLE status_changes (
  actor       TEXT NOT NULL REFERENCES actors (name),
  from_status TEXT NOT NULL REFERENCES violation_statuses (name),
  to_status   TEXT NOT NULL REFERENCES violation_statuses (name),
  PRIMARY KEY (actor, from_status, to_status)
) STRICT, WITHOUT ROWID;

INSERT INTO status_changes (actor, from_status, to_status) VALUES
  ('reviewer', 'fixed', 'verified'),
  ('reviewer', 'fixed', 'reopened'),
  ('reviewer', 'verified', 'reopened');
INSERT INTO status_changes (actor, from_status, to_status)
  SELECT a.name, f.name, t.name
  FROM actors AS a, violation_statuses AS f, violation_statuses AS t
  WHERE a.name IN ('agent', 'human')
    AND (t.name IN ('fixed', 'skipped') AND f.name <> 'verified'
      OR t.name = 'new' AND f.name IN ('fixed', 'skipped'));
INSERT INTO status_changes (actor, from_status, to_status)
  SELECT 'system', f.name, t.name
  FROM violation_statuses AS f, violation_statuses AS t
  WHERE f.name <> t.name;

CREATE TABLE dispositions (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO dispositions (name) VALUES
  ('accepted'), ('out_of_diff'), ('below_threshold'), ('previously_skipped'),
  ('malformed'), ('merged'), ('outside_verify');

-- rank is 0 for the most important.
CREATE TABLE priorities (
  name TEXT    NOT NULL PRIMARY KEY,
  rank INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
INSERT INTO priorities (name, rank) VALUES
  ('critical', 0), ('high', 1), ('medium', 2), ('low', 3), ('info', 4);

-- A job is a gate on an entry point, by its id, for example "check:src:lint".
CREATE TABLE jobs (
  id          INTEGER PRIMARY KEY,
  job         TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL REFERENCES gate_kinds (name),
  entry_point TEXT NOT NULL,
  name        TEXT NOT NULL
) STRICT;

-- A run is one fix-verify loop of one worktree and log directory.
CREATE TABLE runs (
  id          INTEGER PRIMARY KEY,
  ulid        TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL REFERENCES run_kinds (name),
  worktree    TEXT NOT NULL,          -- absolute path
  log_dir     TEXT NOT NULL,          -- relative to the worktree
  branch      TEXT,                   -- NULL: HEAD was detached
  base_ref    TEXT NOT NULL,          -- how the base was named
  base        TEXT NOT NULL,          -- commit or tree that the whole diff begins at
  head        TEXT,                   -- NULL: HEAD was unborn
  session_ref TEXT,                   -- commit that reruns compare with; NULL: none yet
  status      TEXT NOT NULL REFERENCES run_statuses (name),
  started_at  TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at TEXT CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  -- Counts, written with the rows that they count.
  iterations  INTEGER NOT NULL DEFAULT 0,
  fixed       INTEGER NOT NULL DEFAULT 0, -- violations verified
  skipped     INTEGER NOT NULL DEFAULT 0, -- violations skipped
  open        INTEGER NOT NULL DEFAULT 0, -- violations new or reopened
  CHECK (finished_at IS NOT NULL OR status NOT IN ('passed', 'passed_with_warnings', 'abandoned'))
) STRICT;

-- One open run for each worktree and log directory.
CREATE UNIQUE INDEX runs_open ON runs (worktree, log_dir, kind) WHERE finished_at IS NULL;
CREATE INDEX runs_by_place ON runs (worktree, log_dir, kind, id);

-- An iteration is one invocation that executed a gate.
CREATE TABLE iterations (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES runs (id),
  number      INTEGER NOT NULL CHECK (number >= 1),
  mode        TEXT NOT NULL REFERENCES iteration_modes (name),
  source      TEXT NOT NULL,          -- base, uncommitted, commit, session, files
  from_tree   TEXT,                   -- the reviewers' diff began at this commit or tree; NULL: not known
  to_tree     TEXT,                   -- and ended at this one
  snapshot    TEXT,                   -- commit that holds the working tree; NULL: not known
  tree        TEXT,                   -- that commit's tree
  head        TEXT,                   -- NULL: HEAD was unborn
  status      TEXT NOT NULL REFERENCES run_statuses (name) CHECK (status <> 'abandoned'),
  started_at  TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at TEXT CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  -- Counts of this iteration's violations, written when it ends.
  new         INTEGER NOT NULL DEFAULT 0, -- first reported here
  reopened    INTEGER NOT NULL DEFAULT 0, -- claims that were contradicted here
  verified    INTEGER NOT NULL DEFAULT 0, -- claims that were confirmed here
  claimed     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered by "fixed"
  skipped     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered by "skipped"
  carried     INTEGER NOT NULL DEFAULT 0, -- open from before, and not addressed
  in_fix_lines INTEGER NOT NULL DEFAULT 0, -- new ones in lines that the last fix touched
  UNIQUE (run_id, number),
  CHECK ((status = 'running') = (finished_at IS NULL))
) STRICT;

-- A gate is one job in one iteration.
CREATE TABLE gates (
  id           INTEGER PRIMARY KEY,
  iteration_id INTEGER NOT NULL REFERENCES iterations (id),
  job_id       INTEGER NOT NULL REFERENCES jobs (id),
  status       TEXT NOT NULL REFERENCES gate_statuses (name),
  reason       TEXT NOT NULL DEFAULT '',
  command      TEXT,                  -- a check's shell command
  exit_code    INTEGER,               -- a check's; NULL: none, or ended by a signal
  problems     INTEGER NOT NULL DEFAULT 0, -- problems that a failed check reported
  num_reviews  INTEGER,               -- a review's number of slots
  duration_ms  INTEGER NOT NULL DEFAULT 0,
  UNIQUE (iteration_id, job_id)
) STRICT;

-- A slot is one reviewer's place in a review gate.
CREATE TABLE slots (
  id             INTEGER PRIMARY KEY,
  gate_id        INTEGER NOT NULL REFERENCES gates (id),
  review_index   INTEGER NOT NULL CHECK (review_index >= 1),
  adapter        TEXT NOT NULL,
  status         TEXT NOT NULL REFERENCES slot_statuses (name),
  pass_iteration INTEGER,             -- where a skipped slot really passed
  reason         TEXT NOT NULL DEFAULT '', -- why it was skipped or is in error
  reviewed       TEXT,                -- commit or tree that its reviewer saw; NULL: not known
  model          TEXT,
  input_tokens   INTEGER,             -- NULL: the reviewer did not say
  cached_tokens  INTEGER,
  output_tokens  INTEGER,
  cost_usd       REAL,
  calls          INTEGER NOT NULL DEFAULT 0, -- calls of the reviewer
  duration_ms    INTEGER NOT NULL DEFAULT 0,
  finished_at    TEXT CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  -- Counts of its reports by disposition, and of what its answer changed.
  accepted           INTEGER NOT NULL DEFAULT 0,
  out_of_diff        INTEGER NOT NULL DEFAULT 0,
  below_threshold    INTEGER NOT NULL DEFAULT 0,
  previously_skipped INTEGER NOT NULL DEFAULT 0,
  malformed          INTEGER NOT NULL DEFAULT 0,
  merged             INTEGER NOT NULL DEFAULT 0,
  outside_verify     INTEGER NOT NULL DEFAULT 0,
  new                INTEGER NOT NULL DEFAULT 0,
  reopened           INTEGER NOT NULL DEFAULT 0,
  verified           INTEGER NOT NULL DEFAULT 0,
  carried            INTEGER NOT NULL DEFAULT 0,
  UNIQUE (gate_id, review_index),
  CHECK ((status = 'skipped_prior_pass') = (pass_iteration IS NOT NULL)),
  CHECK ((status = 'running') = (finished_at IS NULL))
) STRICT;

-- A violation is the identity behind the accepted reports of one job. Its place,
-- wording and priority are those of its latest report; its status, result and
-- reason those of its last event. Triggers keep both.
CREATE TABLE violations (
  id                  INTEGER PRIMARY KEY,
  ulid                TEXT NOT NULL UNIQUE,
  short_id            TEXT NOT NULL UNIQUE,
  run_id              INTEGER NOT NULL REFERENCES runs (id),
  job_id              INTEGER NOT NULL REFERENCES jobs (id),
  slot                INTEGER NOT NULL CHECK (slot >= 1), -- review index that reported it first
  adapter             TEXT NOT NULL,  -- of the slot that reported it first
  report_id           INTEGER REFERENCES reports (id), -- its latest report
  file                TEXT NOT NULL,
  priority            TEXT NOT NULL REFERENCES priorities (name),
  status              TEXT NOT NULL REFERENCES violation_statuses (name),
  result              TEXT,           -- the agent's words on its fix or skip
  reason              TEXT,           -- why it was skipped, in mark's vocabulary
  first_iteration     INTEGER NOT NULL,
  last_iteration      INTEGER NOT NULL,
  answered_iteration  INTEGER,        -- whose report its last claim or skip answers
  fingerprint         TEXT,           -- the same in other runs; NULL: not computed
  fingerprint_version INTEGER,
  first_seen          TEXT NOT NULL CHECK (first_seen IS strftime('%Y-%m-%dT%H:%M:%fZ', first_seen)),
  last_seen           TEXT NOT NULL CHECK (last_seen IS strftime('%Y-%m-%dT%H:%M:%fZ', last_seen)),
  status_at           TEXT NOT NULL CHECK (status_at IS strftime('%Y-%m-%dT%H:%M:%fZ', status_at)),
  CHECK ((fingerprint IS NULL) = (fingerprint_version IS NULL))
) STRICT;

CREATE INDEX violations_by_run ON violations (run_id, job_id);

-- A report is one thing that one slot said in one iteration.
CREATE TABLE reports (
  id           INTEGER PRIMARY KEY,
  slot_id      INTEGER NOT NULL REFERENCES slots (id),
  position     INTEGER NOT NULL,      -- 1-based, in the order of the answer
  file         TEXT NOT NULL,         -- as normalised; '' when malformed without one
  line_start   INTEGER NOT NULL,      -- 0: about the whole file
  line_end     INTEGER NOT NULL,
  issue        TEXT NOT NULL,
  fix          TEXT NOT NULL DEFAULT '',
  title        TEXT,                  -- given in code reviews
  confidence   REAL,                  -- given in code reviews
  system_breaking INTEGER NOT NULL DEFAULT 0 CHECK (system_breaking IN (0, 1)),
  priority     TEXT NOT NULL REFERENCES priorities (name),
  disposition  TEXT NOT NULL REFERENCES dispositions (name),
  reason       TEXT NOT NULL DEFAULT '', -- why it has its disposition
  in_fix_lines INTEGER NOT NULL DEFAULT 0 CHECK (in_fix_lines IN (0, 1)),
  violation_id INTEGER REFERENCES violations (id),
  UNIQUE (slot_id, position),
  CHECK ((disposition = 'accepted') <= (violation_id IS NOT NULL)),
  CHECK (line_end >= line_start)
) STRICT;

CREATE INDEX reports_by_violation ON reports (violation_id) WHERE violation_id IS NOT NULL;

-- An event is one change of a violation's status. Events are only ever added.
CREATE TABLE events (
  id           INTEGER PRIMARY KEY,
  violation_id INTEGER NOT NULL REFERENCES violations (id),
  iteration_id INTEGER NOT NULL REFERENCES iterations (id), -- whose report it answers
  status       TEXT NOT NULL REFERENCES violation_statuses (name),
  actor        TEXT NOT NULL REFERENCES actors (name),
  result       TEXT,
  reason       TEXT,
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at))
) STRICT;

CREATE INDEX events_by_violation ON events (violation_id);
CREATE INDEX events_by_status ON events (status, at);

-- What a slot's JSON file lists, as it was last written or read.
CREATE TABLE slot_entries (
  slot_id      INTEGER NOT NULL REFERENCES slots (id),
  position     INTEGER NOT NULL,
  violation_id INTEGER NOT NULL REFERENCES violations (id),
  report_id    INTEGER NOT NULL REFERENCES reports (id), -- whose wording it shows
  status       TEXT NOT NULL,         -- the file's word
  result       TEXT,                  -- NULL: null
  PRIMARY KEY (slot_id, position)
) STRICT, WITHOUT ROWID;

-- Long texts, each once, by the SHA-256 of what they hold. data is a raw
-- deflate stream.
CREATE TABLE blobs (
  id     INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  size   INTEGER NOT NULL,            -- bytes before compression
  data   BLOB NOT NULL
) STRICT;

-- A slot's prompts, answers, and what its reviewer wrote to stderr, by call.
CREATE TABLE slot_blobs (
  slot_id INTEGER NOT NULL REFERENCES slots (id),
  kind    TEXT NOT NULL CHECK (kind IN ('prompt', 'answer', 'stderr')),
  call    INTEGER NOT NULL,           -- 1-based; 0: of all calls together
  blob_id INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (slot_id, kind, call)
) STRICT, WITHOUT ROWID;

-- A check's log, or the end of it.
CREATE TABLE gate_blobs (
  gate_id INTEGER NOT NULL PRIMARY KEY REFERENCES gates (id),
  blob_id INTEGER NOT NULL REFERENCES blobs (id)
) STRICT, WITHOUT ROWID;

-- An adapter that reached its usage limit is left alone until then.
CREATE TABLE cooldowns (
  adapter TEXT NOT NULL PRIMARY KEY,
  until   TEXT NOT NULL CHECK (until IS strftime('%Y-%m-%dT%H:%M:%fZ', until)),
  reason  TEXT NOT NULL,
  set_at  TEXT NOT NULL CHECK (set_at IS strftime('%Y-%m-%dT%H:%M:%fZ', set_at))
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are only ever added');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are only ever added');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_are_never_removed BEFORE DELETE ON reports
BEGIN
  SELECT RAISE(ABORT, 'reports are never removed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_are_never_changed BEFORE UPDATE ON reports
BEGIN
  SELECT RAISE(ABORT, 'reports are never changed');
END;
-- +goose StatementEnd

-- A violation begins with an event new; after that every change is one that its
-- actor may make.
-- +goose StatementBegin
CREATE TRIGGER events_follow_the_rules BEFORE INSERT ON events
BEGIN
  SELECT RAISE(ABORT, 'a violation begins as new')
  WHERE NEW.status <> 'new'
    AND NOT EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = NEW.violation_id);
  SELECT RAISE(ABORT, 'this actor may not change the status so')
  WHERE EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = NEW.violation_id)
    AND NOT EXISTS (
      SELECT 1 FROM status_changes AS c
      WHERE c.actor = NEW.actor AND c.to_status = NEW.status
        AND c.from_status = (SELECT v.status FROM violations AS v WHERE v.id = NEW.violation_id));
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER events_set_the_status AFTER INSERT ON events
BEGIN
  UPDATE violations
  SET status = NEW.status,
      result = CASE WHEN NEW.status IN ('fixed', 'skipped') THEN NEW.result
                    WHEN NEW.status = 'verified' THEN result END,
      reason = CASE WHEN NEW.status IN ('fixed', 'skipped') THEN NEW.reason
                    WHEN NEW.status = 'verified' THEN reason END,
      answered_iteration = CASE WHEN NEW.status IN ('fixed', 'skipped')
        THEN (SELECT i.number FROM iterations AS i WHERE i.id = NEW.iteration_id)
        ELSE answered_iteration END,
      status_at = NEW.at
  WHERE id = NEW.violation_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER reports_set_the_wording AFTER INSERT ON reports
WHEN NEW.disposition = 'accepted'
BEGIN
  UPDATE violations
  SET report_id = NEW.id, file = NEW.file, priority = NEW.priority
  WHERE id = NEW.violation_id;
END;
-- +goose StatementEnd

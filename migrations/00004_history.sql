-- History for everything that has a status, repositories above runs, and what a
-- person needs to see of a finding when git has forgotten the trees.
--
-- Tables whose checks change are made anew under their names, from a copy, with
-- foreign keys off: their ids stay, so nothing that refers to them changes.

-- +goose Up

PRAGMA user_version = 4;

DROP VIEW v_runs;
DROP VIEW v_iterations;
DROP VIEW v_slots;
DROP VIEW v_violations;
DROP VIEW v_events;
DROP VIEW v_reports;

-- Words.

INSERT INTO dispositions (name) VALUES ('remembered_skip');

-- Where the diff of an iteration comes from. The last five are what a code review
-- looks at.
CREATE TABLE diff_sources (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO diff_sources (name) VALUES
  ('base'), ('uncommitted'), ('uncommitted_only'), ('commit'), ('session'), ('files'),
  ('changeset'), ('package'), ('team'), ('file'), ('verify');
-- An import may have brought a word that no program ever wrote.
INSERT INTO diff_sources (name) SELECT DISTINCT i.source FROM iterations AS i
  WHERE i.source NOT IN (SELECT d.name FROM diff_sources AS d);

-- Why a slot has no answer.
CREATE TABLE error_kinds (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO error_kinds (name) VALUES
  ('auth'), ('usage_limit'), ('rate_limit'), ('timeout'), ('input_limit'), ('refused'),
  ('bad_answer'), ('crashed'), ('interrupted'), ('budget');

-- Why a gate was left alone: fail_fast: a check before it failed; unchanged: nothing in its
-- part changed, and it owes nothing; budget: the run may not spend more.
CREATE TABLE not_run_reasons (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO not_run_reasons (name) VALUES ('fail_fast'), ('unchanged'), ('budget');

-- A repository is known by what its configuration says, else by the address of its
-- origin, else by its first commit, else (without commits) by its path. The first
-- row stands for what was recorded before repositories were told apart, until a run
-- in the same place says which one it is.
CREATE TABLE repository_kinds (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO repository_kinds (name) VALUES ('unknown'), ('configured'), ('origin'), ('root_commit'), ('path');

CREATE TABLE repositories (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL REFERENCES repository_kinds (name),
  key  TEXT NOT NULL,
  UNIQUE (kind, key)
) STRICT;
INSERT INTO repositories (id, kind, key) VALUES (1, 'unknown', '');

-- Runs.

DROP INDEX runs_open;
ALTER TABLE runs RENAME COLUMN fixed TO verified;
ALTER TABLE runs ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0; -- violations fixed and not yet verified
ALTER TABLE runs ADD COLUMN repository_id INTEGER NOT NULL DEFAULT 1 REFERENCES repositories (id);
-- What git calls the worktree: the folder under worktrees/; '': the main one; NULL: not known.
ALTER TABLE runs ADD COLUMN worktree_name TEXT;
-- Grows by one with every transaction that touches the run.
ALTER TABLE runs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
-- Of the configuration of the gates that apply; NULL: not known.
ALTER TABLE runs ADD COLUMN config_hash TEXT;
-- When its prompts, answers, logs and excerpts were removed; NULL: they are there.
ALTER TABLE runs ADD COLUMN content_removed_at TEXT
  CHECK (content_removed_at IS NULL OR content_removed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', content_removed_at));

UPDATE runs SET claimed = (SELECT count(*) FROM violations AS v WHERE v.run_id = runs.id AND v.status = 'fixed');

-- One open run for each worktree of a repository and log directory.
CREATE UNIQUE INDEX runs_open ON runs (repository_id, coalesce(worktree_name, worktree), log_dir, kind) WHERE finished_at IS NULL;

-- Iterations. Nobody knows when a killed one ended: noticed_at says when a later
-- command noticed.

CREATE TABLE iterations_before AS SELECT * FROM iterations;
DROP TABLE iterations;
CREATE TABLE iterations (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES runs (id),
  number      INTEGER NOT NULL CHECK (number >= 1),
  mode        TEXT NOT NULL REFERENCES iteration_modes (name),
  source      TEXT NOT NULL REFERENCES diff_sources (name),
  from_tree   TEXT,                   -- the reviewers' diff began at this commit or tree; NULL: not known
  to_tree     TEXT,                   -- and ended at this one
  snapshot    TEXT,                   -- commit that holds the working tree; NULL: not known
  tree        TEXT,                   -- that commit's tree
  head        TEXT,                   -- NULL: HEAD was unborn
  status      TEXT NOT NULL REFERENCES run_statuses (name) CHECK (status <> 'abandoned'),
  started_at  TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at TEXT CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  noticed_at  TEXT CHECK (noticed_at IS NULL OR noticed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at)),
  -- Counts of this iteration's violations, as they were when it ended.
  new         INTEGER NOT NULL DEFAULT 0, -- first reported here
  reopened    INTEGER NOT NULL DEFAULT 0, -- claims that were contradicted here
  verified    INTEGER NOT NULL DEFAULT 0, -- claims that were confirmed here
  -- Answers to its reports, as they were when the next iteration began.
  claimed     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered by "fixed"
  skipped     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered by "skipped"
  carried     INTEGER NOT NULL DEFAULT 0, -- open from before, and not addressed
  in_fix_lines INTEGER NOT NULL DEFAULT 0, -- new ones in lines that the last fix touched
  UNIQUE (run_id, number),
  CHECK (finished_at IS NULL OR noticed_at IS NULL),
  CHECK ((status = 'running') = (finished_at IS NULL AND noticed_at IS NULL))
) STRICT;
INSERT INTO iterations (id, run_id, number, mode, source, from_tree, to_tree, snapshot, tree, head, status, started_at, finished_at,
  new, reopened, verified, claimed, skipped, carried, in_fix_lines)
SELECT b.id, b.run_id, b.number, b.mode, b.source, b.from_tree, b.to_tree, b.snapshot, b.tree, b.head, b.status, b.started_at, b.finished_at,
  b.new, b.reopened, b.verified, b.claimed, b.skipped, b.carried, b.in_fix_lines
FROM iterations_before AS b
ORDER BY b.id;
DROP TABLE iterations_before;

-- Gates. Those of earlier programs have no times.

ALTER TABLE gates ADD COLUMN started_at TEXT
  CHECK (started_at IS NULL OR started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at));
ALTER TABLE gates ADD COLUMN finished_at TEXT
  CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at));
ALTER TABLE gates ADD COLUMN noticed_at TEXT
  CHECK (noticed_at IS NULL OR noticed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at) AND finished_at IS NULL);
ALTER TABLE gates ADD COLUMN not_run_reason TEXT REFERENCES not_run_reasons (name)
  CHECK (not_run_reason IS NULL OR status = 'not_run');

UPDATE gates SET not_run_reason = 'fail_fast' WHERE status = 'not_run';

-- Slots.

CREATE TABLE slots_before AS SELECT * FROM slots;
DROP TABLE slots;
CREATE TABLE slots (
  id             INTEGER PRIMARY KEY,
  gate_id        INTEGER NOT NULL REFERENCES gates (id),
  review_index   INTEGER NOT NULL CHECK (review_index >= 1),
  adapter        TEXT NOT NULL,
  status         TEXT NOT NULL REFERENCES slot_statuses (name),
  pass_iteration INTEGER,             -- where a skipped slot really passed
  latch          INTEGER NOT NULL DEFAULT 0 CHECK (latch IN (0, 1)), -- asked only because all slots had passed
  error_kind     TEXT REFERENCES error_kinds (name), -- NULL: no error, or not known
  reason         TEXT NOT NULL DEFAULT '', -- why it was skipped or is in error
  reviewed       TEXT,                -- commit or tree that its reviewer saw; NULL: not known
  model          TEXT,
  input_tokens   INTEGER,             -- NULL: the reviewer did not say
  cached_tokens  INTEGER,
  output_tokens  INTEGER,
  cost_usd       REAL,
  calls          INTEGER NOT NULL DEFAULT 0, -- calls of the reviewer
  duration_ms    INTEGER NOT NULL DEFAULT 0,
  started_at     TEXT CHECK (started_at IS NULL OR started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)), -- NULL: never, or not known
  finished_at    TEXT CHECK (finished_at IS NULL OR finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  noticed_at     TEXT CHECK (noticed_at IS NULL OR noticed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at)), -- that it was killed
  ended_at       TEXT GENERATED ALWAYS AS (coalesce(finished_at, noticed_at)) VIRTUAL,
  -- Counts of its reports by disposition, and of what its answer changed.
  accepted           INTEGER NOT NULL DEFAULT 0,
  out_of_diff        INTEGER NOT NULL DEFAULT 0,
  below_threshold    INTEGER NOT NULL DEFAULT 0,
  previously_skipped INTEGER NOT NULL DEFAULT 0,
  remembered_skip    INTEGER NOT NULL DEFAULT 0,
  malformed          INTEGER NOT NULL DEFAULT 0,
  merged             INTEGER NOT NULL DEFAULT 0,
  outside_verify     INTEGER NOT NULL DEFAULT 0,
  new                INTEGER NOT NULL DEFAULT 0,
  reopened           INTEGER NOT NULL DEFAULT 0,
  verified           INTEGER NOT NULL DEFAULT 0,
  carried            INTEGER NOT NULL DEFAULT 0,
  UNIQUE (gate_id, review_index),
  CHECK ((status = 'skipped_prior_pass') = (pass_iteration IS NOT NULL)),
  CHECK (error_kind IS NULL OR status IN ('error', 'interrupted')),
  CHECK (finished_at IS NULL OR noticed_at IS NULL),
  CHECK ((status = 'running') = (finished_at IS NULL AND noticed_at IS NULL))
) STRICT;
-- The latch was a sentence, which an answer overwrote.
INSERT INTO slots (id, gate_id, review_index, adapter, status, pass_iteration, latch, error_kind, reason, reviewed, model, input_tokens,
  cached_tokens, output_tokens, cost_usd, calls, duration_ms, finished_at, accepted, out_of_diff, below_threshold,
  previously_skipped, malformed, merged, outside_verify, new, reopened, verified, carried)
SELECT b.id, b.gate_id, b.review_index, b.adapter, b.status, b.pass_iteration, instr(b.reason, 'safety latch') > 0,
  CASE WHEN b.status = 'interrupted' THEN 'interrupted' END, b.reason, b.reviewed, b.model, b.input_tokens,
  b.cached_tokens, b.output_tokens, b.cost_usd, b.calls, b.duration_ms, b.finished_at, b.accepted, b.out_of_diff, b.below_threshold,
  b.previously_skipped, b.malformed, b.merged, b.outside_verify, b.new, b.reopened, b.verified, b.carried
FROM slots_before AS b
ORDER BY b.id;
DROP TABLE slots_before;

-- Statistics over a period count a killed slot when it was noticed.
CREATE INDEX slots_by_end ON slots (ended_at) WHERE ended_at IS NOT NULL;

-- Violations. Which statuses are open is said here, and nowhere else in SQL.

DROP INDEX violations_open;
ALTER TABLE violations ADD COLUMN open INTEGER GENERATED ALWAYS AS (status IN ('new', 'reopened')) VIRTUAL;
CREATE INDEX violations_open ON violations (first_seen) WHERE open = 1;

-- The orders and conditions that lists are asked for.
CREATE INDEX violations_by_status ON violations (status, first_seen);
CREATE INDEX violations_by_priority ON violations (priority, first_seen);
CREATE INDEX violations_by_change ON violations (status_at);
CREATE INDEX violations_in_fix_lines ON violations (first_seen) WHERE in_fix_lines = 1;

-- The counts of a run are read from the index alone.
DROP INDEX violations_by_run;
CREATE INDEX violations_by_run ON violations (run_id, status, open);

-- Events are numbered within their violation, from 1.

DROP TRIGGER events_are_never_changed;
DROP TRIGGER events_follow_the_rules;
ALTER TABLE events ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
-- In parts, each of which keeps what it changes in memory.
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 0 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 1 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 1 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 2 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 2 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 3 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 3 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 4 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 4 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 5 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 5 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 6 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 6 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 7 / 8 FROM events AS m);
UPDATE events SET number = (SELECT count(*) FROM events AS e WHERE e.violation_id = events.violation_id AND e.id <= events.id)
  WHERE id > (SELECT max(m.id) * 7 / 8 FROM events AS m) AND id <= (SELECT max(m.id) * 8 / 8 FROM events AS m);
DROP INDEX events_by_violation;
CREATE UNIQUE INDEX events_by_violation ON events (violation_id, number);

-- +goose StatementBegin
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are only ever added');
END;
-- +goose StatementEnd

-- A violation begins with an event new; after that every change is one that its
-- actor may make.
-- +goose StatementBegin
CREATE TRIGGER events_follow_the_rules BEFORE INSERT ON events
BEGIN
  SELECT RAISE(ABORT, 'a violation begins as new')
  WHERE NEW.status <> 'new' AND NEW.number = 1;
  SELECT RAISE(ABORT, 'events are numbered without gaps')
  WHERE NEW.number <> (SELECT coalesce(max(e.number), 0) + 1 FROM events AS e WHERE e.violation_id = NEW.violation_id);
  SELECT RAISE(ABORT, 'this actor may not change the status so')
  WHERE NEW.number > 1
    AND NOT EXISTS (
      SELECT 1 FROM status_changes AS c
      WHERE c.actor = NEW.actor AND c.to_status = NEW.status
        AND c.from_status = (SELECT v.status FROM violations AS v WHERE v.id = NEW.violation_id));
  SELECT RAISE(ABORT, 'this is not a reason for a skip')
  WHERE NEW.reason IS NOT NULL AND NOT EXISTS (SELECT 1 FROM skip_reasons AS s WHERE s.name = NEW.reason);
END;
-- +goose StatementEnd

-- Reports.

-- GitHub's primaryLocationLineHash of the report's line; NULL: not known.
ALTER TABLE reports ADD COLUMN line_hash TEXT;

-- The code at a report's place as it was reviewed. The rows of this table and of
-- event_hunks may be removed, and then the blobs that nothing names any more.
CREATE TABLE report_excerpts (
  report_id  INTEGER NOT NULL PRIMARY KEY REFERENCES reports (id),
  first_line INTEGER NOT NULL CHECK (first_line >= 1), -- the excerpt's first line in its file
  blob_id    INTEGER NOT NULL REFERENCES blobs (id)
) STRICT, WITHOUT ROWID;

-- What was changed around the place of a claim, between the tree that it was made
-- on and the tree in which it was verified or reopened by the event: the hunks of a
-- unified diff.
CREATE TABLE event_hunks (
  event_id INTEGER NOT NULL PRIMARY KEY REFERENCES events (id),
  blob_id  INTEGER NOT NULL REFERENCES blobs (id)
) STRICT, WITHOUT ROWID;

-- Every file that a violation was ever in, by repository.

DROP TRIGGER violations_are_counted;
DROP TRIGGER files_of_violations;
CREATE TABLE files_before AS SELECT f.file FROM files AS f;
DROP TABLE files;
CREATE TABLE files (
  repository_id INTEGER NOT NULL REFERENCES repositories (id),
  file          TEXT NOT NULL,
  PRIMARY KEY (repository_id, file)
) STRICT, WITHOUT ROWID;
INSERT INTO files (repository_id, file) SELECT 1, b.file FROM files_before AS b ORDER BY b.file;
DROP TABLE files_before;

-- +goose StatementBegin
CREATE TRIGGER violations_are_counted AFTER INSERT ON violations
BEGIN
  INSERT INTO files (repository_id, file)
  SELECT r.repository_id, NEW.file FROM runs AS r WHERE r.id = NEW.run_id
  ON CONFLICT (repository_id, file) DO NOTHING;
  INSERT INTO slot_violations (slot_id, status, reason, shared, in_fix_lines, violations)
  SELECT s.id, NEW.status, coalesce(NEW.reason, ''), NEW.shared, NEW.in_fix_lines, 1
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id AND g.job_id = NEW.job_id
  JOIN slots AS s ON s.gate_id = g.id AND s.review_index = NEW.slot
  WHERE i.run_id = NEW.run_id AND i.number = NEW.first_iteration
  ON CONFLICT (slot_id, status, reason, shared, in_fix_lines) DO UPDATE SET violations = violations + 1;
  UPDATE violations SET shared = 1
  WHERE shared = 0 AND fingerprint = NEW.fingerprint AND run_id = NEW.run_id AND job_id = NEW.job_id
    AND EXISTS (SELECT 1 FROM violations AS o
                WHERE o.fingerprint = NEW.fingerprint AND o.run_id = NEW.run_id AND o.job_id = NEW.job_id
                  AND o.adapter <> violations.adapter);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER files_of_violations AFTER UPDATE OF file ON violations
WHEN OLD.file <> NEW.file
BEGIN
  INSERT INTO files (repository_id, file)
  SELECT r.repository_id, NEW.file FROM runs AS r WHERE r.id = NEW.run_id
  ON CONFLICT (repository_id, file) DO NOTHING;
END;
-- +goose StatementEnd

-- Transitions: every status that a run, iteration, gate or slot ever had.

-- What has a status, and which. That of violations is in events.
CREATE TABLE subject_statuses (
  subject TEXT NOT NULL,
  status  TEXT NOT NULL,
  PRIMARY KEY (subject, status)
) STRICT, WITHOUT ROWID;
INSERT INTO subject_statuses (subject, status) SELECT 'run', s.name FROM run_statuses AS s;
INSERT INTO subject_statuses (subject, status) SELECT 'iteration', s.name FROM run_statuses AS s WHERE s.name <> 'abandoned';
INSERT INTO subject_statuses (subject, status) SELECT 'gate', s.name FROM gate_statuses AS s;
INSERT INTO subject_statuses (subject, status) SELECT 'slot', s.name FROM slot_statuses AS s;

-- user: whoever gave the command, a person or an agent; reviewer: what a reviewer answered;
-- system: reviewledger itself.
CREATE TABLE transition_actors (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO transition_actors (name) VALUES ('user'), ('agent'), ('reviewer'), ('system');

-- ends says what the time of an end with this cause is: happened: when it ended; noticed: when a
-- later command noticed, for nobody saw the end; recorded: what the row says itself is all that
-- is known.
CREATE TABLE transition_causes (
  name TEXT NOT NULL PRIMARY KEY,
  ends TEXT NOT NULL CHECK (ends IN ('happened', 'noticed', 'recorded'))
) STRICT, WITHOUT ROWID;
INSERT INTO transition_causes (name, ends) VALUES
  ('started', 'happened'),          -- it began
  ('finished', 'happened'),         -- it came to its own end
  ('prior_pass', 'happened'),       -- a slot is skipped, because it has passed before
  ('not_run', 'happened'),          -- a gate is left alone; its row says why
  ('passed', 'happened'),           -- nothing is outstanding, and the run is closed
  ('retry_limit', 'happened'),      -- max_retries lets no iteration follow
  ('verdict', 'happened'),          -- the verdict of a code review closes its run
  ('verification', 'happened'),     -- the run of a code review is opened again to verify it
  ('interrupted', 'happened'),      -- by a signal
  ('killed', 'noticed'),            -- the process ended without a word
  ('clean', 'happened'),            -- abandoned by the command
  ('newer_run', 'happened'),        -- abandoned, because another run begins in its place
  ('logs_gone', 'happened'),        -- abandoned, because its log directory is empty
  ('restored', 'recorded'),         -- read back from files
  -- By an upgrade, from rows without history.
  ('reconstructed', 'recorded');

CREATE TABLE transitions (
  id           INTEGER PRIMARY KEY,
  run_id       INTEGER NOT NULL REFERENCES runs (id), -- whose it is, or whose part is it
  subject      TEXT NOT NULL,
  iteration_id INTEGER REFERENCES iterations (id),
  gate_id      INTEGER REFERENCES gates (id),
  slot_id      INTEGER REFERENCES slots (id),
  status       TEXT NOT NULL,
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  actor        TEXT NOT NULL REFERENCES transition_actors (name),
  cause        TEXT NOT NULL REFERENCES transition_causes (name),
  FOREIGN KEY (subject, status) REFERENCES subject_statuses (subject, status),
  CHECK ((subject = 'iteration') = (iteration_id IS NOT NULL)),
  CHECK ((subject = 'gate') = (gate_id IS NOT NULL)),
  CHECK ((subject = 'slot') = (slot_id IS NOT NULL))
) STRICT;

-- What can be known of rows that are there already.

INSERT INTO transitions (run_id, subject, status, at, actor, cause)
SELECT r.id, 'run', 'running', r.started_at, 'system', 'reconstructed' FROM runs AS r ORDER BY r.id;

INSERT INTO transitions (run_id, subject, iteration_id, status, at, actor, cause)
SELECT i.run_id, 'iteration', i.id, 'running', i.started_at, 'system', 'reconstructed' FROM iterations AS i ORDER BY i.id;

INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
SELECT i.run_id, 'gate', g.id, 'running', i.started_at, 'system', 'reconstructed'
FROM gates AS g
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE g.status <> 'not_run'
ORDER BY g.id;

INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause)
SELECT i.run_id, 'slot', s.id, 'running', i.started_at, 'system', 'reconstructed'
FROM slots AS s
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE s.status <> 'skipped_prior_pass'
ORDER BY s.id;

INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause)
SELECT i.run_id, 'slot', s.id, s.status, s.finished_at, 'system', 'reconstructed'
FROM slots AS s
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE s.status <> 'running'
ORDER BY s.id;

-- A gate ended with the last of its slots; that of a check is not known better than its iteration's.
INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
SELECT i.run_id, 'gate', g.id, g.status,
  coalesce((SELECT max(s.finished_at) FROM slots AS s WHERE s.gate_id = g.id), i.finished_at, i.started_at), 'system', 'reconstructed'
FROM gates AS g
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE g.status <> 'running'
ORDER BY g.id;

INSERT INTO transitions (run_id, subject, iteration_id, status, at, actor, cause)
SELECT i.run_id, 'iteration', i.id, i.status, i.finished_at, 'system', 'reconstructed'
FROM iterations AS i WHERE i.status <> 'running' ORDER BY i.id;

INSERT INTO transitions (run_id, subject, status, at, actor, cause)
SELECT r.id, 'run', r.status,
  coalesce(r.finished_at, (SELECT max(i.finished_at) FROM iterations AS i WHERE i.run_id = r.id), r.started_at), 'system', 'reconstructed'
FROM runs AS r WHERE r.status <> 'running' ORDER BY r.id;

CREATE INDEX transitions_by_subject ON transitions (run_id, subject, iteration_id, gate_id, slot_id);

-- +goose StatementBegin
CREATE TRIGGER transitions_are_never_changed BEFORE UPDATE ON transitions
BEGIN
  SELECT RAISE(ABORT, 'transitions are only ever added');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER transitions_are_never_removed BEFORE DELETE ON transitions
BEGIN
  SELECT RAISE(ABORT, 'transitions are only ever added');
END;
-- +goose StatementEnd

-- A transition sets the status of its row, and the time of its end. A row that is made with its
-- end, and one whose history is only reconstructed, has both already.

-- +goose StatementBegin
CREATE TRIGGER transitions_of_runs AFTER INSERT ON transitions
WHEN NEW.subject = 'run'
BEGIN
  UPDATE runs SET status = NEW.status WHERE id = NEW.run_id AND status <> NEW.status
    AND NEW.cause NOT IN (SELECT c.name FROM transition_causes AS c WHERE c.ends = 'recorded');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER transitions_of_iterations AFTER INSERT ON transitions
WHEN NEW.subject = 'iteration'
BEGIN
  UPDATE iterations
  SET status = NEW.status,
      finished_at = (SELECT NEW.at FROM transition_causes AS c WHERE c.name = NEW.cause AND c.ends = 'happened' AND NEW.status <> 'running'),
      noticed_at = (SELECT NEW.at FROM transition_causes AS c WHERE c.name = NEW.cause AND c.ends = 'noticed')
  WHERE id = NEW.iteration_id AND status <> NEW.status
    AND NEW.cause NOT IN (SELECT c.name FROM transition_causes AS c WHERE c.ends = 'recorded');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER transitions_of_gates AFTER INSERT ON transitions
WHEN NEW.subject = 'gate'
BEGIN
  UPDATE gates
  SET status = NEW.status,
      finished_at = (SELECT NEW.at FROM transition_causes AS c
                     WHERE c.name = NEW.cause AND c.ends = 'happened' AND NEW.status NOT IN ('running', 'not_run')),
      noticed_at = (SELECT NEW.at FROM transition_causes AS c WHERE c.name = NEW.cause AND c.ends = 'noticed')
  WHERE id = NEW.gate_id AND status <> NEW.status
    AND NEW.cause NOT IN (SELECT c.name FROM transition_causes AS c WHERE c.ends = 'recorded');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER transitions_of_slots AFTER INSERT ON transitions
WHEN NEW.subject = 'slot'
BEGIN
  UPDATE slots
  SET status = NEW.status,
      finished_at = (SELECT NEW.at FROM transition_causes AS c WHERE c.name = NEW.cause AND c.ends = 'happened' AND NEW.status <> 'running'),
      noticed_at = (SELECT NEW.at FROM transition_causes AS c WHERE c.name = NEW.cause AND c.ends = 'noticed')
  WHERE id = NEW.slot_id AND status <> NEW.status
    AND NEW.cause NOT IN (SELECT c.name FROM transition_causes AS c WHERE c.ends = 'recorded');
END;
-- +goose StatementEnd

-- Views for other programs. Their columns only ever grow in number.

CREATE VIEW v_runs AS
SELECT r.ulid AS run, r.kind, r.status, r.worktree, r.log_dir, r.branch, r.base_ref, r.base, r.head,
  r.iterations, r.verified AS fixed, r.skipped, r.open, r.started_at, r.finished_at,
  r.verified, r.claimed, r.revision, r.config_hash, p.kind AS repository_kind, p.key AS repository, r.worktree_name,
  r.session_ref, r.content_removed_at
FROM runs AS r
JOIN repositories AS p ON p.id = r.repository_id;

CREATE VIEW v_iterations AS
SELECT r.ulid AS run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head,
  i.new, i.carried, i.verified, i.reopened, i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at,
  i.noticed_at, i.from_tree, i.to_tree, i.tree
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_gates AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.kind, j.entry_point, j.name AS gate, g.status, g.not_run_reason,
  g.reason, g.command, g.exit_code, g.problems, g.num_reviews, g.duration_ms, g.started_at, g.finished_at, g.noticed_at
FROM gates AS g
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_slots AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.entry_point, j.name AS gate, s.review_index AS slot,
  s.adapter, s.model, s.status, s.pass_iteration, s.reason, s.input_tokens, s.cached_tokens, s.output_tokens,
  s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped,
  s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried, s.finished_at,
  s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.slot, v.adapter,
  v.first_iteration, v.last_iteration, v.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at, v.open, p.line_hash
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, r.ulid AS run, i.number AS iteration, e.status, e.actor, e.result, e.reason, e.at, e.number
FROM events AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN iterations AS i ON i.id = e.iteration_id
JOIN runs AS r ON r.id = v.run_id;

CREATE VIEW v_transitions AS
SELECT r.ulid AS run, t.subject, coalesce(i.number, gi.number, si.number) AS iteration, coalesce(gj.job, sj.job) AS job,
  s.review_index AS slot, t.status, t.at, t.actor, t.cause
FROM transitions AS t
JOIN runs AS r ON r.id = t.run_id
LEFT JOIN iterations AS i ON i.id = t.iteration_id
LEFT JOIN gates AS g ON g.id = t.gate_id
LEFT JOIN jobs AS gj ON gj.id = g.job_id
LEFT JOIN iterations AS gi ON gi.id = g.iteration_id
LEFT JOIN slots AS s ON s.id = t.slot_id
LEFT JOIN gates AS sg ON sg.id = s.gate_id
LEFT JOIN jobs AS sj ON sj.id = sg.job_id
LEFT JOIN iterations AS si ON si.id = sg.iteration_id;

CREATE VIEW v_reports AS
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, s.adapter, p.position,
  p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix, p.priority, p.disposition, p.reason,
  p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash
FROM reports AS p
JOIN slots AS s ON s.id = p.slot_id
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id
LEFT JOIN violations AS v ON v.id = p.violation_id;

CREATE VIEW v_verdicts AS
SELECT r.ulid AS run, i.number AS iteration, c.review_id AS review, c.scope, c.target, d.mode, d.verdict, d.at,
  d.blocker, d.high, d.medium, d.low, d.info, c.report_path
FROM verdicts AS d
JOIN code_reviews AS c ON c.run_id = d.run_id
JOIN iterations AS i ON i.id = d.iteration_id
JOIN runs AS r ON r.id = d.run_id;

CREATE VIEW v_findings AS
SELECT r.ulid AS run, c.review_id AS review, f.position, f.finding_id AS finding, v.short_id AS violation, f.domain,
  f.severity AS priority, f.system_breaking, f.confidence, f.file, f.line_range, f.title, f.recommendation,
  v.status, f.exported AS verdict_status
FROM findings AS f
JOIN violations AS v ON v.id = f.violation_id
JOIN code_reviews AS c ON c.run_id = f.run_id
JOIN runs AS r ON r.id = f.run_id;

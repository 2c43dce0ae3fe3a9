-- The ledger of fix-verify loops. States are words in lookup tables. Times are UTC text with
-- milliseconds. References are plain: deleting a row never deletes another.

-- +goose Up
-- +goose StatementBegin

PRAGMA application_id = 1380729932;
PRAGMA user_version = 1;

-- Identifies this database: database_id (32 hex digits, generated once) and format_version (the
-- version of what the rows mean).
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES
  ('database_id', lower(hex(randomblob(16)))),
  ('format_version', '1');

-- # Words

CREATE TABLE run_kinds (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO run_kinds (name) VALUES ('gates'), ('code_review');

-- Statuses of runs and iterations; an iteration is never abandoned.
CREATE TABLE run_statuses (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO run_statuses (name) VALUES
  ('running'), ('passed'), ('passed_with_warnings'), ('failed'), ('error'),
  ('retry_limit_exceeded'), ('interrupted'), ('abandoned');

-- Where the diff of an iteration comes from. The last five are for code reviews.
CREATE TABLE diff_sources (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO diff_sources (name) VALUES
  ('base'), ('uncommitted'), ('uncommitted_only'), ('commit'), ('session'), ('files'),
  ('changeset'), ('package'), ('team'), ('file'), ('verify');

CREATE TABLE gate_statuses (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO gate_statuses (name) VALUES
  ('running'), ('passed'), ('failed'), ('error'), ('interrupted'), ('not_run');

-- Why a gate was not run. fail_fast: an earlier check failed; unchanged: nothing in its part
-- changed, and it is not owed; budget: the run may not spend more.
CREATE TABLE not_run_reasons (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO not_run_reasons (name) VALUES ('fail_fast'), ('unchanged'), ('budget');

CREATE TABLE slot_statuses (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO slot_statuses (name) VALUES
  ('running'), ('pass'), ('fail'), ('error'), ('skipped_prior_pass'), ('interrupted');

-- Why a slot has no answer.
CREATE TABLE error_kinds (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO error_kinds (name) VALUES
  ('auth'), ('usage_limit'), ('rate_limit'), ('timeout'), ('input_limit'), ('refused'),
  ('bad_answer'), ('crashed'), ('interrupted'), ('budget');

-- rank is 0 for the most important.
CREATE TABLE priorities (
  name TEXT    PRIMARY KEY,
  rank INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
INSERT INTO priorities (name, rank) VALUES
  ('critical', 0), ('high', 1), ('medium', 2), ('low', 3), ('info', 4);

-- What became of a report. Only a report that was accepted or taken up counts for a violation.
CREATE TABLE dispositions (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO dispositions (name) VALUES
  ('accepted'), ('out_of_diff'), ('below_threshold'), ('previously_skipped'), ('remembered_skip'),
  ('malformed'), ('merged'), ('outside_verify');

CREATE TABLE violation_statuses (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO violation_statuses (name) VALUES
  ('new'), ('fixed'), ('skipped'), ('verified'), ('reopened'), ('duplicate'), ('disputed'), ('withdrawn');

-- The reasons for a skip, that of the first event of a violation that was taken up, and that of a
-- join that nobody asked for.
CREATE TABLE skip_reasons (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO skip_reasons (name) VALUES
  ('false_positive'), ('accepted_risk'), ('duplicate'), ('out_of_scope'), ('deferred'), ('style'),
  ('taken up'), ('same words'), ('same_as');

-- A slot's word on a violation.
CREATE TABLE claim_verdicts (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO claim_verdicts (name) VALUES ('fixed'), ('not_fixed'), ('cannot_tell'), ('withdrawn'), ('stands'), ('no_word'), ('gone');

-- How a reviewer confirms a claim: with a word on it, by no longer reporting it, or by a pass without a
-- word on it.
CREATE TABLE confirmations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO confirmations (name) VALUES ('word'), ('absence'), ('pass');

-- Who changes a status. user: whoever gave the command, a person or an agent; system: reviewledger itself.
CREATE TABLE actors (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO actors (name) VALUES ('reviewer'), ('agent'), ('human'), ('user'), ('system');

-- The status changes of violations that each actor may make. If both statuses are the same, only
-- the words on a fix or skip change, or what a duplicate is joined to.
CREATE TABLE status_changes (
  actor       TEXT NOT NULL REFERENCES actors,
  from_status TEXT NOT NULL REFERENCES violation_statuses,
  to_status   TEXT NOT NULL REFERENCES violation_statuses,
  PRIMARY KEY (actor, from_status, to_status)
) STRICT, WITHOUT ROWID;

INSERT INTO status_changes (actor, from_status, to_status) VALUES
  ('reviewer', 'fixed', 'verified'),
  ('reviewer', 'fixed', 'reopened'),
  ('reviewer', 'verified', 'reopened'),
  ('reviewer', 'disputed', 'withdrawn'),
  ('reviewer', 'disputed', 'reopened'),
  ('reviewer', 'withdrawn', 'reopened'),
  ('human', 'withdrawn', 'new');
INSERT INTO status_changes (actor, from_status, to_status)
  SELECT a.name, f.name, t.name
  FROM actors AS a, violation_statuses AS f, violation_statuses AS t
  WHERE a.name IN ('agent', 'human')
    AND (t.name IN ('fixed', 'skipped') AND f.name NOT IN ('verified', 'duplicate', 'withdrawn')
      OR t.name = 'duplicate' AND f.name IN ('new', 'reopened', 'fixed', 'duplicate')
      OR t.name = 'disputed' AND f.name IN ('new', 'reopened')
      OR t.name = 'new' AND f.name IN ('fixed', 'skipped', 'duplicate', 'disputed'));
INSERT INTO status_changes (actor, from_status, to_status)
  SELECT 'system', f.name, t.name
  FROM violation_statuses AS f, violation_statuses AS t
  WHERE f.name <> t.name OR t.name = 'duplicate';

-- The vocabulary of code review verdicts.
CREATE TABLE verdict_scopes (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_scopes (name) VALUES ('changeset'), ('package'), ('team'), ('file');
CREATE TABLE verdict_modes (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_modes (name) VALUES ('full'), ('quick'), ('verify');
CREATE TABLE verdict_words (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_words (name) VALUES ('PASS'), ('WARN'), ('FAIL'), ('ABORT');

-- A transition to an end has the time of that end, except for killed: when a process was killed is
-- not known, so the time is when a later command noticed. All that is known about a restored row is
-- what the row itself says.
CREATE TABLE transition_causes (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO transition_causes (name) VALUES
  ('started'),      -- it began
  ('finished'),     -- it ended by itself
  ('prior_pass'),   -- a slot is skipped because it passed before
  ('not_run'),      -- a gate is not run; its row says why
  ('passed'),       -- nothing is outstanding and the run is closed, but only a part was run or reviewed
  ('passed_whole'), -- every gate that applies has passed, over the whole change
  ('retry_limit'),  -- max_retries allows no further iteration
  ('extended'),     -- a person allows more iterations
  ('verdict'),      -- the verdict of a code review closes its run
  ('verification'), -- the run of a code review is reopened to verify it
  ('interrupted'),  -- by a signal
  ('killed'),       -- the process ended without recording it
  ('clean'),        -- abandoned by the command of that name
  ('newer_run'),    -- abandoned because another run begins in its place
  ('logs_gone'),    -- abandoned because its log directory is empty
  ('restored');     -- read back from files

-- # Repositories and jobs

-- A repository is identified by its configuration, else by the address of its origin, else by its
-- first commit, else (without commits) by its path. The first row stands for an unknown repository,
-- until a run in the same place shows which one it is.
CREATE TABLE repository_kinds (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO repository_kinds (name) VALUES ('unknown'), ('configured'), ('origin'), ('root_commit'), ('path');

CREATE TABLE repositories (
  id   INTEGER PRIMARY KEY,
  kind TEXT NOT NULL REFERENCES repository_kinds,
  key  TEXT NOT NULL,
  UNIQUE (kind, key)
) STRICT;
INSERT INTO repositories (id, kind, key) VALUES (1, 'unknown', '');

-- A job is a check or a review on an entry point. Column job is its ID, such as "check:src:lint".
CREATE TABLE jobs (
  id          INTEGER PRIMARY KEY,
  job         TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind IN ('check', 'review')),
  entry_point TEXT NOT NULL,
  name        TEXT NOT NULL
) STRICT;

-- An adapter that reached its usage limit is not asked before the time in until.
CREATE TABLE cooldowns (
  adapter TEXT PRIMARY KEY,
  until   TEXT NOT NULL CHECK (until IS strftime('%Y-%m-%dT%H:%M:%fZ', until)),
  reason  TEXT NOT NULL,
  set_at  TEXT NOT NULL CHECK (set_at IS strftime('%Y-%m-%dT%H:%M:%fZ', set_at))
) STRICT, WITHOUT ROWID;

-- # Runs, iterations, gates and slots

-- A run is one fix-verify loop of one worktree and log directory.
CREATE TABLE runs (
  id            INTEGER PRIMARY KEY,
  ulid          TEXT NOT NULL UNIQUE,
  kind          TEXT NOT NULL REFERENCES run_kinds,
  repository_id INTEGER NOT NULL DEFAULT 1 REFERENCES repositories,
  worktree      TEXT NOT NULL,          -- absolute path
  worktree_name TEXT,                   -- git's name for it: its folder under worktrees/; '': the main one; NULL: not known
  log_dir       TEXT NOT NULL,          -- relative to the worktree
  branch        TEXT,                   -- NULL: HEAD was detached
  base_ref      TEXT NOT NULL,          -- how the base was named
  base          TEXT NOT NULL,          -- commit or tree where the whole diff begins, since the latest iteration
  head          TEXT,                   -- NULL: HEAD was unborn
  subject       TEXT,                   -- of the first commit of its change when it began; NULL: there was none
  session_ref   TEXT,                   -- commit that reruns compare with; NULL: none yet
  config_hash   TEXT,                   -- of the configuration of the gates that apply; NULL: not known
  status        TEXT NOT NULL REFERENCES run_statuses,
  started_at    TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at   TEXT CHECK (finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  revision      INTEGER NOT NULL DEFAULT 0, -- incremented by every transaction that touches the run
  -- When its prompts, answers, logs and excerpts were removed; NULL: they were not.
  content_removed_at TEXT CHECK (content_removed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', content_removed_at)),
  -- Counts, written with the rows that they count.
  iterations    INTEGER NOT NULL DEFAULT 0,
  verified      INTEGER NOT NULL DEFAULT 0, -- violations verified
  claimed       INTEGER NOT NULL DEFAULT 0, -- violations fixed and not yet verified
  skipped       INTEGER NOT NULL DEFAULT 0, -- violations skipped
  withdrawn     INTEGER NOT NULL DEFAULT 0, -- violations withdrawn
  open          INTEGER NOT NULL DEFAULT 0, -- violations new, reopened or disputed
  imported      INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1)), -- another ledger recorded it
  CHECK (finished_at IS NOT NULL OR status NOT IN ('passed', 'passed_with_warnings', 'abandoned'))
) STRICT;

-- A worktree and log directory of a repository have at most one open run of each kind.
CREATE UNIQUE INDEX runs_open ON runs (repository_id, coalesce(worktree_name, worktree), log_dir, kind) WHERE finished_at IS NULL;

CREATE INDEX runs_by_place ON runs (worktree, log_dir, kind, id);

-- An iteration is one invocation that executed a gate. When a killed one ended is not known:
-- noticed_at is when a later command noticed.
CREATE TABLE iterations (
  id          INTEGER PRIMARY KEY,
  run_id      INTEGER NOT NULL REFERENCES runs,
  number      INTEGER NOT NULL CHECK (number >= 1),
  mode        TEXT NOT NULL CHECK (mode IN ('first', 'rerun', 'rebuilt')),
  source      TEXT NOT NULL REFERENCES diff_sources,
  from_tree   TEXT,                   -- commit or tree where the reviewers' diff begins; NULL: not known
  to_tree     TEXT,                   -- where it ends
  snapshot    TEXT,                   -- commit that holds the working tree; NULL: not known
  tree        TEXT,                   -- that commit's tree
  head        TEXT,                   -- NULL: HEAD was unborn
  branch      TEXT,                   -- NULL: HEAD was detached
  base        TEXT,                   -- the run's base at that time; NULL: not known
  anew        INTEGER NOT NULL DEFAULT 0 CHECK (anew IN (0, 1)), -- 1: no answer from before it counts
  config_hash TEXT,                   -- of the configuration of the gates; NULL: as when the run began
  status      TEXT NOT NULL REFERENCES run_statuses CHECK (status <> 'abandoned'),
  started_at  TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at TEXT CHECK (finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  noticed_at  TEXT CHECK (noticed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at)), -- that it was killed
  -- Counts of this iteration's violations, as they were when it ended.
  new         INTEGER NOT NULL DEFAULT 0, -- first reported here
  reopened    INTEGER NOT NULL DEFAULT 0, -- open again here
  verified    INTEGER NOT NULL DEFAULT 0, -- claims confirmed here
  -- Answers to its reports, as they were when the next iteration began.
  claimed     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered "fixed"
  skipped     INTEGER NOT NULL DEFAULT 0, -- reports of this iteration answered "skipped"
  carried     INTEGER NOT NULL DEFAULT 0, -- open before, and not named in an answer
  in_fix_lines INTEGER NOT NULL DEFAULT 0, -- new ones in lines that the last fix touched
  UNIQUE (run_id, number),
  CHECK (finished_at IS NULL OR noticed_at IS NULL),
  CHECK ((status = 'running') = (finished_at IS NULL AND noticed_at IS NULL))
) STRICT;

-- A gate is one job in one iteration. config_hash is the hash of the gate's own configuration.
-- rests_on is the ULID of the run whose pass the gate rests on: its reviewers are shown only what
-- changed since the tree that passed there.
CREATE TABLE gates (
  id             INTEGER PRIMARY KEY,
  iteration_id   INTEGER NOT NULL REFERENCES iterations,
  job_id         INTEGER NOT NULL REFERENCES jobs,
  status         TEXT NOT NULL REFERENCES gate_statuses,
  not_run_reason TEXT REFERENCES not_run_reasons CHECK (not_run_reason IS NULL OR status IN ('running', 'not_run')),
  reason         TEXT NOT NULL DEFAULT '',
  command        TEXT,                  -- a check's shell command
  exit_code      INTEGER,               -- a check's; NULL: none, or ended by a signal
  problems       INTEGER NOT NULL DEFAULT 0, -- problems that a failed check reported
  excerpt        TEXT,                  -- the output that says what failed
  config_hash    TEXT,
  rests_on       TEXT,
  num_reviews    INTEGER,               -- a review's number of slots
  duration_ms    INTEGER NOT NULL DEFAULT 0,
  started_at     TEXT CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)),
  finished_at    TEXT CHECK (finished_at IS strftime('%Y-%m-%dT%H:%M:%fZ', finished_at)),
  noticed_at     TEXT CHECK (noticed_at IS NULL OR noticed_at IS strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at) AND finished_at IS NULL), -- that it was killed
  UNIQUE (iteration_id, job_id)
) STRICT;

-- A slot is one reviewer's place in a review gate.
CREATE TABLE slots (
  id             INTEGER PRIMARY KEY,
  iteration_id   INTEGER NOT NULL,
  job_id         INTEGER NOT NULL,
  review_index   INTEGER NOT NULL CHECK (review_index >= 1),
  adapter        TEXT NOT NULL,
  status         TEXT NOT NULL REFERENCES slot_statuses,
  pass_iteration INTEGER,             -- where a skipped slot passed
  latch          INTEGER NOT NULL DEFAULT 0 CHECK (latch IN (0, 1)), -- asked only because all slots had passed
  error_kind     TEXT REFERENCES error_kinds, -- NULL: no error, or not known
  reason         TEXT NOT NULL DEFAULT '', -- why it was skipped or is in error
  reviewed       TEXT,                -- commit or tree that its reviewer saw; NULL: not known
  model          TEXT,
  input_tokens   INTEGER,             -- NULL: not reported
  cached_tokens  INTEGER,
  output_tokens  INTEGER,
  cost_usd       REAL,
  calls          INTEGER NOT NULL DEFAULT 0, -- calls of the reviewer
  repairs        INTEGER NOT NULL DEFAULT 0 CHECK (repairs >= 0), -- calls that asked it to repair a misfit
  without_word   INTEGER NOT NULL DEFAULT 0 CHECK (without_word >= 0), -- claims that its pass confirmed without a word on them
  duration_ms    INTEGER NOT NULL DEFAULT 0,
  started_at     TEXT CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%fZ', started_at)), -- NULL: never, or not known
  finished_at    TEXT,
  noticed_at     TEXT,                -- that it was killed
  ended_at       TEXT GENERATED ALWAYS AS (coalesce(finished_at, noticed_at)) VIRTUAL CHECK (ended_at IS strftime('%Y-%m-%dT%H:%M:%fZ', ended_at)),
  -- Counts of its reports by disposition, and of what its answer changed.
  accepted           INTEGER NOT NULL DEFAULT 0,
  out_of_diff        INTEGER NOT NULL DEFAULT 0,
  below_threshold    INTEGER NOT NULL DEFAULT 0,
  previously_skipped INTEGER NOT NULL DEFAULT 0,
  remembered_skip    INTEGER NOT NULL DEFAULT 0,
  malformed          INTEGER NOT NULL DEFAULT 0,
  merged             INTEGER NOT NULL DEFAULT 0,
  outside_verify     INTEGER NOT NULL DEFAULT 0,
  elsewhere          INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere >= 0), -- results of a tool in files that the change does not touch
  unseen             TEXT,                -- what its tool says that it did not look at, one line each; NULL: nothing
  denied             TEXT,                -- what its client was not allowed to do, or what failed; NULL: nothing
  notes              TEXT,                -- of its reviewer, in free text; NULL: none
  new                INTEGER NOT NULL DEFAULT 0,
  reopened           INTEGER NOT NULL DEFAULT 0,
  verified           INTEGER NOT NULL DEFAULT 0,
  carried            INTEGER NOT NULL DEFAULT 0,
  UNIQUE (iteration_id, job_id, review_index),
  FOREIGN KEY (iteration_id, job_id) REFERENCES gates (iteration_id, job_id),
  CHECK ((status = 'skipped_prior_pass') = (pass_iteration IS NOT NULL)),
  CHECK (error_kind IS NULL OR status IN ('running', 'error', 'interrupted')),
  CHECK (finished_at IS NULL OR noticed_at IS NULL),
  CHECK ((status = 'running') = (ended_at IS NULL))
) STRICT;

-- The calls of a slot's reviewer, in order.
CREATE TABLE slot_calls (
  slot_id       INTEGER NOT NULL REFERENCES slots,
  call          INTEGER NOT NULL CHECK (call >= 1),
  part          INTEGER NOT NULL,     -- 1-based; 1 if the prompt was not split
  repair        INTEGER NOT NULL CHECK (repair IN (0, 1)), -- it asked to repair a misfit
  input_tokens  INTEGER,              -- NULL: not reported
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_usd      REAL,
  duration_ms   INTEGER NOT NULL DEFAULT 0,
  misfit        TEXT,                 -- what did not fit the form; NULL: it fit
  PRIMARY KEY (slot_id, call)
) STRICT, WITHOUT ROWID;

-- # History: every status that a run, iteration, gate or slot ever had

CREATE TABLE transitions (
  id           INTEGER PRIMARY KEY,
  run_id       INTEGER NOT NULL REFERENCES runs, -- the subject, or what it is part of
  subject      TEXT NOT NULL CHECK (subject IN ('run', 'iteration', 'gate', 'slot')),
  iteration_id INTEGER REFERENCES iterations,
  gate_id      INTEGER REFERENCES gates,
  slot_id      INTEGER REFERENCES slots,
  status       TEXT NOT NULL,
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  actor        TEXT NOT NULL REFERENCES actors,
  cause        TEXT NOT NULL REFERENCES transition_causes,
  iterations   INTEGER CHECK (iterations > 0), -- how many more are allowed
  CHECK ((cause = 'extended') = (iterations IS NOT NULL)),
  CHECK ((subject = 'iteration') = (iteration_id IS NOT NULL)),
  CHECK ((subject = 'gate') = (gate_id IS NOT NULL)),
  CHECK ((subject = 'slot') = (slot_id IS NOT NULL))
) STRICT;

CREATE INDEX transitions_by_subject ON transitions (run_id, subject, iteration_id, gate_id, slot_id);

CREATE TRIGGER transitions_are_never_changed BEFORE UPDATE ON transitions
BEGIN
  SELECT RAISE(ABORT, 'transitions are only ever added');
END;

-- A transition sets the status of its subject's row and, except for a run, when it ended. A row that
-- is inserted with its end, or was read back from files, already has both.

CREATE TRIGGER transitions_set_the_status AFTER INSERT ON transitions
WHEN NEW.cause <> 'restored'
BEGIN
  UPDATE runs SET status = NEW.status WHERE NEW.subject = 'run' AND id = NEW.run_id AND status <> NEW.status;
  UPDATE iterations
  SET status = NEW.status, finished_at = iif(NEW.status = 'running' OR NEW.cause = 'killed', NULL, NEW.at), noticed_at = iif(NEW.cause = 'killed', NEW.at, NULL)
  WHERE id = NEW.iteration_id AND status <> NEW.status;
  UPDATE gates
  SET status = NEW.status, finished_at = iif(NEW.status IN ('running', 'not_run') OR NEW.cause = 'killed', NULL, NEW.at), noticed_at = iif(NEW.cause = 'killed', NEW.at, NULL)
  WHERE id = NEW.gate_id AND status <> NEW.status;
  UPDATE slots
  SET status = NEW.status, finished_at = iif(NEW.status = 'running' OR NEW.cause = 'killed', NULL, NEW.at), noticed_at = iif(NEW.cause = 'killed', NEW.at, NULL)
  WHERE id = NEW.slot_id AND status <> NEW.status;
END;

-- # Violations, reports and events

-- A violation is the identity behind the accepted reports of one job. Its place and wording are
-- those of its latest report, and its priority follows from its reports: whatever writes reports
-- updates them. A trigger gives it the status, result and reason of its last event.
CREATE TABLE violations (
  id                  INTEGER PRIMARY KEY,
  ulid                TEXT NOT NULL UNIQUE,
  short_id            TEXT NOT NULL,
  run_id              INTEGER NOT NULL REFERENCES runs,
  job_id              INTEGER NOT NULL REFERENCES jobs,
  slot                INTEGER NOT NULL CHECK (slot >= 1), -- review index that reported it first
  adapter             TEXT NOT NULL,  -- of the slot that reported it first
  report_id           INTEGER,        -- its latest report, which is inserted after it
  file                TEXT NOT NULL,
  priority            TEXT NOT NULL REFERENCES priorities,
  status              TEXT NOT NULL REFERENCES violation_statuses,
  result              TEXT,           -- the agent's words on its fix, skip or dispute; for a duplicate, its original's short ID
  reason              TEXT,           -- why it was skipped, in mark's vocabulary, or why it was joined
  first_iteration     INTEGER NOT NULL,
  last_iteration      INTEGER NOT NULL,
  answered_iteration  INTEGER,        -- whose report its last claim, skip or dispute answers
  fingerprint         TEXT,           -- of its line, the same in other runs; NULL: not computed
  seen_before         TEXT,           -- short ID of the skipped or earlier violation that its reviewer said it is
  moved_in            INTEGER,        -- the iteration in whose tree violation_places has the latest report's lines; NULL: they stayed
  handed_to           TEXT,           -- the job that answers for it since its own gate is gone; NULL: its own
  block               TEXT,           -- short ID of the first of those that are perhaps the same, directly or not; NULL: it stands alone
  -- Another adapter reported it, a duplicate of it, or one with the same fingerprint in its run and gate.
  shared              INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
  in_fix_lines        INTEGER NOT NULL DEFAULT 0 CHECK (in_fix_lines IN (0, 1)), -- its first report lies in lines that the last fix touched
  abandoned           INTEGER NOT NULL DEFAULT 0 CHECK (abandoned IN (0, 1)), -- its run was abandoned: if open, it no longer counts as open
  first_seen          TEXT NOT NULL CHECK (first_seen IS strftime('%Y-%m-%dT%H:%M:%fZ', first_seen)),
  last_seen           TEXT NOT NULL CHECK (last_seen = first_seen OR last_seen IS strftime('%Y-%m-%dT%H:%M:%fZ', last_seen)),
  status_at           TEXT NOT NULL CHECK (status_at = first_seen OR status_at IS strftime('%Y-%m-%dT%H:%M:%fZ', status_at)),
  -- No other SQL of a ledger says which statuses are open. For an IN of three words, SQLite would
  -- build a table at each write.
  open                INTEGER GENERATED ALWAYS AS (status = 'new' OR status IN ('reopened', 'disputed')) VIRTUAL,
  shown               TEXT NOT NULL GENERATED ALWAYS AS (CASE WHEN abandoned = 1 AND open = 1 THEN 'abandoned' ELSE status END) VIRTUAL,
  duplicate_of        TEXT GENERATED ALWAYS AS (CASE status WHEN 'duplicate' THEN result END) VIRTUAL
) STRICT;

CREATE UNIQUE INDEX violations_by_short_id ON violations (short_id); -- IDs that people type

-- Each index is for lists, and for what its comment says besides.
CREATE INDEX violations_by_run ON violations (run_id, first_seen, status, open); -- decisions of a run
CREATE INDEX violations_by_file ON violations (file, first_seen, job_id, status, open); -- what earlier runs left in a file
CREATE INDEX violations_by_fingerprint ON violations (fingerprint, run_id) WHERE fingerprint IS NOT NULL; -- what recurs
CREATE INDEX violations_by_status ON violations (shown, priority, first_seen); -- how many are open, the worst first
CREATE INDEX violations_by_priority ON violations (priority, first_seen); -- the worst first, as tables are sorted
CREATE INDEX violations_open ON violations (priority, first_seen) WHERE open = 1 AND abandoned = 0; -- what is to be done, among all that is done
CREATE INDEX violations_joined ON violations (run_id, duplicate_of) WHERE duplicate_of IS NOT NULL; -- duplicates of an original
-- The newest, and all others that have no index: what filters and orders compare is in the index.
CREATE INDEX violations_by_first_seen ON violations (first_seen, id, shown, priority, file, run_id, job_id, adapter, status_at, shared, in_fix_lines);

-- Where the lines of a violation's latest report were in the tree of a later iteration, its own place first.
CREATE TABLE violation_places (
  violation_id INTEGER NOT NULL REFERENCES violations,
  iteration    INTEGER NOT NULL,      -- its number
  position     INTEGER NOT NULL CHECK (position >= 1),
  file         TEXT NOT NULL,
  line_start   INTEGER NOT NULL,      -- 0: the whole file
  line_end     INTEGER NOT NULL CHECK (line_end >= line_start),
  PRIMARY KEY (violation_id, iteration, position)
) STRICT, WITHOUT ROWID;

-- Violations of one run that are perhaps the same problem, each pair in both directions.
CREATE TABLE violation_pairs (
  violation_id INTEGER NOT NULL REFERENCES violations,
  other        TEXT NOT NULL,         -- short ID
  PRIMARY KEY (violation_id, other)
) STRICT, WITHOUT ROWID;

-- Open violations of an abandoned run no longer count as open; they do again if the run is reopened.
CREATE TRIGGER runs_are_abandoned AFTER UPDATE OF status ON runs
WHEN (OLD.status = 'abandoned') <> (NEW.status = 'abandoned')
BEGIN
  UPDATE violations SET abandoned = NEW.status = 'abandoned' WHERE run_id = NEW.id;
END;

-- A report is one entry of a slot's answer in one iteration.
CREATE TABLE reports (
  id           INTEGER PRIMARY KEY,
  slot_id      INTEGER NOT NULL REFERENCES slots,
  position     INTEGER NOT NULL,      -- 1-based, in the order of the answer
  file         TEXT NOT NULL,         -- normalized; '' if malformed without one
  line_start   INTEGER NOT NULL,      -- 0: the whole file
  line_end     INTEGER NOT NULL,
  issue        TEXT NOT NULL,
  fix          TEXT NOT NULL DEFAULT '',
  title        TEXT,                  -- given in code reviews
  confidence   REAL,                  -- given in code reviews
  system_breaking INTEGER NOT NULL DEFAULT 0 CHECK (system_breaking IN (0, 1)),
  priority     TEXT NOT NULL REFERENCES priorities,
  disposition  TEXT NOT NULL REFERENCES dispositions,
  reason       TEXT NOT NULL DEFAULT '', -- why it has its disposition
  in_fix_lines INTEGER NOT NULL DEFAULT 0 CHECK (in_fix_lines IN (0, 1)),
  violation_id INTEGER REFERENCES violations,
  line_hash    TEXT,                  -- GitHub's primaryLocationLineHash of its line; NULL: not known
  -- The fingerprint of this report's own line, and whether its text was repeated in its file, tell
  -- whether a later report is on the same line. NULL: not known, or not accepted.
  fingerprint   TEXT,
  line_repeated INTEGER CHECK (line_repeated IN (0, 1)),
  same_as      TEXT,                  -- what the reviewer named as the same
  short_id     TEXT,                  -- of a discarded report; if taken up, also its violation's
  -- Whether it counts for its violation: it was accepted or taken up.
  counts INTEGER NOT NULL GENERATED ALWAYS AS (disposition = 'accepted'
    OR violation_id IS NOT NULL AND disposition IN ('out_of_diff', 'below_threshold', 'malformed')) VIRTUAL,
  UNIQUE (slot_id, position),
  CHECK ((disposition = 'accepted') <= (violation_id IS NOT NULL)),
  CHECK (line_end >= line_start)
) STRICT;

CREATE INDEX reports_by_violation ON reports (violation_id) WHERE violation_id IS NOT NULL;

-- Filtered reports that were not taken up, for the prompts of later runs.
CREATE INDEX reports_left ON reports (file, id)
WHERE violation_id IS NULL AND (disposition = 'below_threshold' OR disposition = 'out_of_diff');

CREATE UNIQUE INDEX reports_by_short_id ON reports (short_id) WHERE short_id IS NOT NULL;

-- Further places of the same problem, besides the report's own.
CREATE TABLE report_places (
  report_id  INTEGER NOT NULL REFERENCES reports,
  position   INTEGER NOT NULL CHECK (position >= 1),
  file       TEXT NOT NULL,
  line_start INTEGER NOT NULL,        -- 0: the whole file
  line_end   INTEGER NOT NULL CHECK (line_end >= line_start),
  PRIMARY KEY (report_id, position)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reports_are_never_changed BEFORE UPDATE ON reports
WHEN OLD.violation_id IS NOT NULL OR NEW.counts = 0 -- unless taken up
BEGIN
  SELECT RAISE(ABORT, 'reports are never changed');
END;

-- An event is one change of a violation's status. Events are only ever added.
CREATE TABLE events (
  id           INTEGER PRIMARY KEY,
  violation_id INTEGER NOT NULL REFERENCES violations,
  number       INTEGER NOT NULL, -- within its violation, from 1
  iteration_id INTEGER NOT NULL REFERENCES iterations, -- whose report it answers
  status       TEXT NOT NULL REFERENCES violation_statuses,
  actor        TEXT NOT NULL REFERENCES actors,
  result       TEXT,
  reason       TEXT REFERENCES skip_reasons,
  confirmed    TEXT REFERENCES confirmations, -- of verified and withdrawn: the weakest of its reporters; NULL: not known
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  -- Of the report that it answers, if it is remembered beyond its run: a skip, or a dispute and then the
  -- withdrawal. It counts while it is the last event of its violation and is not forgotten.
  fingerprint  TEXT CHECK (fingerprint IS NULL OR status IN ('skipped', 'disputed', 'withdrawn'))
) STRICT;

-- A trigger ensures that no two events of a violation have the same number.
CREATE INDEX events_by_violation ON events (violation_id, number, status, actor);
CREATE INDEX events_by_status ON events (status, at, violation_id);
CREATE INDEX events_remembered ON events (fingerprint) WHERE fingerprint IS NOT NULL;

CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'events are only ever added');
END;

-- A violation begins with an event "new". Every later change must be one that its actor may make.
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
END;

-- A slot's word on a violation: on each claim and dispute that was put to it, and that one is gone although
-- nobody claims a fix. The latter counts while the violation is open and has neither an event nor a report later
-- than the slot's answer.
CREATE TABLE slot_words (
  slot_id      INTEGER NOT NULL REFERENCES slots,
  violation_id INTEGER NOT NULL REFERENCES violations,
  verdict      TEXT NOT NULL REFERENCES claim_verdicts,
  evidence     TEXT NOT NULL,
  confirmed    TEXT REFERENCES confirmations, -- NULL: it does not confirm
  PRIMARY KEY (violation_id, slot_id, verdict)
) STRICT, WITHOUT ROWID;

-- What a slot's JSON file lists, as it was last written or read.
CREATE TABLE slot_entries (
  slot_id      INTEGER NOT NULL REFERENCES slots,
  position     INTEGER NOT NULL,
  violation_id INTEGER NOT NULL REFERENCES violations,
  report_id    INTEGER NOT NULL REFERENCES reports, -- whose wording it shows
  status       TEXT NOT NULL,         -- as in the file
  result       TEXT,                  -- NULL: null
  PRIMARY KEY (slot_id, position)
) STRICT, WITHOUT ROWID;

-- A violation is inserted with its first status, so its first event usually changes nothing.
CREATE TRIGGER events_set_the_status AFTER INSERT ON events
BEGIN
  UPDATE violations
  SET status = NEW.status,
      result = CASE WHEN NEW.status IN ('fixed', 'skipped', 'disputed', 'duplicate') THEN NEW.result
                    WHEN NEW.status IN ('verified', 'withdrawn') THEN result END,
      reason = CASE WHEN NEW.status IN ('fixed', 'skipped', 'duplicate') THEN NEW.reason
                    WHEN NEW.status = 'verified' THEN reason END,
      answered_iteration = CASE WHEN NEW.status IN ('fixed', 'skipped', 'disputed')
        THEN (SELECT i.number FROM iterations AS i WHERE i.id = NEW.iteration_id)
        ELSE answered_iteration END,
      status_at = NEW.at
  WHERE id = NEW.violation_id
    AND (status <> NEW.status OR status_at <> NEW.at OR result IS NOT NULL OR reason IS NOT NULL OR NEW.status <> 'new');
END;

-- # Skips that are remembered beyond their run

-- Remembered skips that were forgotten by command. They are identified by what is the same in every
-- ledger, and the ledger need not have the violation: a skip that was forgotten once is forgotten
-- wherever it is imported.
CREATE TABLE forgotten_skips (
  violation TEXT NOT NULL,            -- ULID
  event     INTEGER NOT NULL,         -- its number
  actor     TEXT NOT NULL REFERENCES actors,
  at        TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  PRIMARY KEY (violation, event)
) STRICT, WITHOUT ROWID;

-- Reports that were discarded because of a remembered skip of an earlier run, with that skip.
CREATE TABLE met_skips (
  report_id INTEGER PRIMARY KEY REFERENCES reports,
  skipped   TEXT NOT NULL,            -- ULID of the violation; the ledger need not have it
  event     INTEGER NOT NULL          -- its number
) STRICT, WITHOUT ROWID;

-- # Code reviews and their verdicts: what .code-review/review-latest.json shows

-- A code review is a run of kind code_review, with what its verdicts say about the review as a
-- whole. Its verifications are further iterations of the run.
CREATE TABLE code_reviews (
  run_id      INTEGER NOT NULL PRIMARY KEY REFERENCES runs,
  review_id   TEXT NOT NULL CHECK (length(review_id) = 8 AND review_id NOT GLOB '*[^0-9a-f]*'),
  scope       TEXT NOT NULL REFERENCES verdict_scopes,
  target      TEXT NOT NULL,          -- a range, a folder, a team's name or a file
  report_path TEXT NOT NULL           -- of the markdown report; '': none
) STRICT;

-- A verdict is the outcome of one iteration of a code review. An iteration in error has none.
CREATE TABLE verdicts (
  iteration_id INTEGER NOT NULL REFERENCES iterations,
  run_id       INTEGER NOT NULL REFERENCES code_reviews,
  mode         TEXT NOT NULL REFERENCES verdict_modes,
  verdict      TEXT NOT NULL REFERENCES verdict_words,
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  -- Counts of all findings by severity, whatever their status.
  blocker      INTEGER NOT NULL,
  high         INTEGER NOT NULL,
  medium       INTEGER NOT NULL,
  low          INTEGER NOT NULL,
  info         INTEGER NOT NULL,
  PRIMARY KEY (run_id, iteration_id)
) STRICT, WITHOUT ROWID;

-- A finding is a violation as the verdict shows it: in the words of the report that began it, whatever later
-- reports say.
CREATE TABLE findings (
  violation_id    INTEGER NOT NULL PRIMARY KEY REFERENCES violations,
  run_id          INTEGER NOT NULL REFERENCES code_reviews,
  position        INTEGER NOT NULL,   -- 1-based, in the order of the file
  finding_id      TEXT NOT NULL,
  exported        TEXT NOT NULL REFERENCES violation_statuses, -- its status in the file, as last written or read
  UNIQUE (run_id, position)
) STRICT;

-- # Long texts, which can be removed

-- Long texts, each stored once, by the SHA-256 of its content. data is a raw deflate stream.
CREATE TABLE blobs (
  id     INTEGER PRIMARY KEY,
  sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
  size   INTEGER NOT NULL,            -- bytes before compression
  data   BLOB NOT NULL
) STRICT;

-- A slot's prompts, answers and log, and what its reviewer wrote to stderr, by call.
CREATE TABLE slot_blobs (
  slot_id INTEGER NOT NULL REFERENCES slots,
  kind    TEXT NOT NULL CHECK (kind IN ('prompt', 'answer', 'stderr', 'log')),
  call    INTEGER NOT NULL,           -- 1-based; 0: of all calls together
  blob_id INTEGER NOT NULL REFERENCES blobs,
  PRIMARY KEY (slot_id, kind, call)
) STRICT, WITHOUT ROWID;

-- A check's log, or the end of it.
CREATE TABLE gate_blobs (
  gate_id INTEGER PRIMARY KEY REFERENCES gates,
  blob_id INTEGER NOT NULL REFERENCES blobs
) STRICT, WITHOUT ROWID;

-- The code at a report's place, as it was reviewed. Rows of this table and of event_hunks may be
-- removed, and then the blobs that nothing refers to any more.
CREATE TABLE report_excerpts (
  report_id  INTEGER PRIMARY KEY REFERENCES reports,
  first_line INTEGER NOT NULL CHECK (first_line >= 1), -- the excerpt's first line in its file
  blob_id    INTEGER NOT NULL REFERENCES blobs,
  -- Reports that lie close together share a text: each excerpt is some of its lines.
  skip       INTEGER NOT NULL DEFAULT 0 CHECK (skip >= 0), -- lines of the text before the excerpt
  lines      INTEGER CHECK (lines >= 1) -- NULL: all that follow
) STRICT, WITHOUT ROWID;

-- The hunks of a unified diff around the place of a claim, from the tree that the claim was made on
-- to the tree in which the event verified or reopened it.
CREATE TABLE event_hunks (
  event_id INTEGER PRIMARY KEY REFERENCES events,
  blob_id  INTEGER NOT NULL REFERENCES blobs
) STRICT, WITHOUT ROWID;

-- # Full-text search over what reviewers said and how it was answered

-- The words of each report, with the latest report of a violation those of its result, and the notes of
-- each slot. Those of reports are added with the transaction that records them (IndexReports). The row of a report is 16777216 times its slot plus its
-- position, and that of notes has position 0, so that rows are in the order of the answers.
CREATE VIRTUAL TABLE search_words USING fts5(
  title, issue, fix, result, notes, tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER results_are_searchable AFTER UPDATE OF report_id, result ON violations
WHEN OLD.result IS NOT NEW.result OR OLD.report_id IS NOT NEW.report_id AND NEW.result IS NOT NULL
BEGIN
  UPDATE search_words SET result = NULL
  WHERE rowid = (SELECT r.slot_id << 24 | r.position FROM reports AS r WHERE r.id = OLD.report_id) AND OLD.result IS NOT NULL;
  UPDATE search_words SET result = NEW.result
  WHERE rowid = (SELECT r.slot_id << 24 | r.position FROM reports AS r WHERE r.id = NEW.report_id) AND NEW.result IS NOT NULL;
END;

CREATE TRIGGER notes_are_searchable AFTER UPDATE OF notes ON slots
WHEN OLD.notes IS NULL AND NEW.notes IS NOT NULL
BEGIN
  INSERT INTO search_words (rowid, notes) VALUES (NEW.id << 24, NEW.notes);
END;

-- # Removal

-- A run is removed first and its rows afterwards, in one transaction: as long as the run exists,
-- nothing of its history can be removed.

CREATE TRIGGER runs_are_taken_out BEFORE DELETE ON runs
BEGIN
  SELECT RAISE(ABORT, 'a run that is open cannot be removed') WHERE OLD.finished_at IS NULL;
END;

CREATE TRIGGER events_stay_with_their_run BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM violations AS v JOIN runs AS r ON r.id = v.run_id WHERE v.id = OLD.violation_id)
BEGIN
  SELECT RAISE(ABORT, 'events are only removed with their run');
END;

CREATE TRIGGER reports_stay_with_their_run BEFORE DELETE ON reports
WHEN EXISTS (
  SELECT 1 FROM slots AS s
  JOIN iterations AS i ON i.id = s.iteration_id
  JOIN runs AS r ON r.id = i.run_id
  WHERE s.id = OLD.slot_id)
BEGIN
  SELECT RAISE(ABORT, 'reports are only removed with their run');
END;

CREATE TRIGGER transitions_stay_with_their_run BEFORE DELETE ON transitions
WHEN EXISTS (SELECT 1 FROM runs AS r WHERE r.id = OLD.run_id)
BEGIN
  SELECT RAISE(ABORT, 'transitions are only removed with their run');
END;

-- # Views for other programs

-- Columns are only ever added to them.

CREATE VIEW v_runs AS
SELECT r.ulid AS run, r.kind, r.status, r.worktree, r.log_dir, r.branch, r.base_ref, r.base, r.head,
  r.iterations, r.verified, r.skipped, r.open, r.started_at, r.finished_at,
  r.claimed, r.revision, r.config_hash, p.kind AS repository_kind, p.key AS repository, r.worktree_name,
  r.session_ref, r.content_removed_at, r.withdrawn, r.subject
FROM runs AS r
JOIN repositories AS p ON p.id = r.repository_id;

CREATE VIEW v_iterations AS
SELECT r.ulid AS run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head,
  i.new, i.carried, i.verified, i.reopened, i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at,
  i.noticed_at, i.from_tree, i.to_tree, i.tree, i.base, i.branch, coalesce(i.config_hash, r.config_hash) AS config_hash
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_gates AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.kind, j.entry_point, j.name AS gate, g.status, g.not_run_reason,
  g.reason, g.command, g.exit_code, g.problems, g.excerpt, g.num_reviews, g.duration_ms, g.started_at, g.finished_at, g.noticed_at,
  g.rests_on
FROM gates AS g
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_slots AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.entry_point, j.name AS gate, s.review_index AS slot,
  s.adapter, s.model, s.status, s.pass_iteration, s.reason, s.input_tokens, s.cached_tokens, s.output_tokens,
  s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped,
  s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried, s.finished_at,
  s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.elsewhere, s.repairs, s.without_word, s.unseen,
  s.denied
FROM slots AS s
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS r ON r.id = i.run_id;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.slot, v.adapter,
  v.first_iteration, v.last_iteration, v.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at, v.open, p.line_hash, v.shown,
  EXISTS (SELECT 1 FROM violations AS o JOIN runs AS x ON x.id = o.run_id
    WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id AND x.repository_id = r.repository_id) AS recurring, v.seen_before, v.duplicate_of,
  (SELECT group_concat(n.other, ' ') FROM violation_pairs AS n WHERE n.violation_id = v.id) AS related, coalesce(v.block, v.short_id) AS block,
  v.handed_to
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, r.ulid AS run, i.number AS iteration, e.status, e.actor, e.result, e.reason, e.confirmed, e.at, e.number
FROM events AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN iterations AS i ON i.id = e.iteration_id
JOIN runs AS r ON r.id = v.run_id;

CREATE VIEW v_transitions AS
SELECT r.ulid AS run, t.subject, i.number AS iteration, j.job, s.review_index AS slot, t.status, t.at, t.actor, t.cause, t.iterations
FROM transitions AS t
JOIN runs AS r ON r.id = t.run_id
LEFT JOIN slots AS s ON s.id = t.slot_id
LEFT JOIN gates AS g ON g.id = t.gate_id
LEFT JOIN jobs AS j ON j.id = coalesce(g.job_id, s.job_id)
LEFT JOIN iterations AS i ON i.id = coalesce(t.iteration_id, g.iteration_id, s.iteration_id);

CREATE VIEW v_reports AS
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, s.adapter, p.position,
  p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix, p.priority, p.disposition, p.reason,
  p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash, p.same_as,
  p.short_id AS report
FROM reports AS p
JOIN slots AS s ON s.id = p.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS r ON r.id = i.run_id
LEFT JOIN violations AS v ON v.id = p.violation_id;

-- Violations that are skipped now.
CREATE VIEW v_skips AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.file, p.line_start AS line,
  p.issue, v.priority, v.reason, v.result, e.actor AS skipped_by, e.at,
  e.fingerprint IS NOT NULL AND f.violation IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skips AS t WHERE t.skipped = v.ulid) AS met,
  (SELECT max(s.ended_at) FROM met_skips AS t
   JOIN reports AS tr ON tr.id = t.report_id
   JOIN slots AS s ON s.id = tr.slot_id
   WHERE t.skipped = v.ulid) AS last_met
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
JOIN events AS e ON e.violation_id = v.id
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
LEFT JOIN reports AS p ON p.id = v.report_id
LEFT JOIN forgotten_skips AS f ON f.violation = v.ulid AND f.event = e.number
WHERE v.status = 'skipped';

CREATE VIEW v_verdicts AS
SELECT r.ulid AS run, i.number AS iteration, c.review_id AS review, c.scope, c.target, d.mode, d.verdict, d.at,
  d.blocker, d.high, d.medium, d.low, d.info, c.report_path
FROM verdicts AS d
JOIN code_reviews AS c ON c.run_id = d.run_id
JOIN iterations AS i ON i.id = d.iteration_id
JOIN runs AS r ON r.id = d.run_id;

CREATE VIEW v_findings AS
SELECT r.ulid AS run, c.review_id AS review, f.position, f.finding_id AS finding, v.short_id AS violation, j.name AS domain,
  p.priority, p.system_breaking, p.confidence, p.file,
  CASE WHEN p.line_start = 0 THEN '' WHEN p.line_end = p.line_start THEN CAST(p.line_start AS TEXT) ELSE p.line_start || '-' || p.line_end END AS line_range,
  p.title, CASE WHEN trim(p.fix) = '' THEN p.issue ELSE p.fix END AS recommendation,
  v.status, CASE f.exported WHEN 'new' THEN 'open' WHEN 'skipped' THEN 'wont_fix' ELSE f.exported END AS verdict_status
FROM findings AS f
JOIN violations AS v ON v.id = f.violation_id
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS p ON p.id = (SELECT min(b.id) FROM reports AS b WHERE b.violation_id = v.id AND b.disposition = 'accepted')
JOIN code_reviews AS c ON c.run_id = f.run_id
JOIN runs AS r ON r.id = f.run_id;
-- +goose StatementEnd

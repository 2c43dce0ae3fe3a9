-- The history of a team: what ledgers push. A transaction writes a run completely or not at all, as
-- its ledger has it at one revision. Rows are added and changed, and only the owner deletes them.
--
-- Text is compared byte by byte, as in a ledger. Events are ordered by number, never by time.

-- +goose Up
-- +goose StatementBegin

-- One row. A pusher must know the schema of at least version min_writer, and count as version
-- figures does; 0: no figures have been computed yet.
CREATE TABLE meta (
  one        boolean     PRIMARY KEY DEFAULT true CHECK (one),
  min_writer integer     NOT NULL,
  figures    integer     NOT NULL DEFAULT 0
);
INSERT INTO meta (min_writer) VALUES (1);

CREATE TABLE repository (
  id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  key  text COLLATE "C" NOT NULL,   -- never a path, and without credentials
  UNIQUE (kind, key)
);

CREATE TABLE ledger (
  id           text COLLATE "C" PRIMARY KEY, -- derived from the ledger's database_id
  name         text NOT NULL,
  last_pushed  timestamptz NOT NULL DEFAULT now(),
  program      text NOT NULL DEFAULT ''      -- the version that pushed last
);

CREATE TABLE job (
  job         text COLLATE "C" PRIMARY KEY,
  kind        text COLLATE "C" NOT NULL,
  entry_point text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL
);

-- =================================
-- Runs, iterations, gates and slots
-- =================================

CREATE TABLE run (
  id          text COLLATE "C" PRIMARY KEY, -- ULID
  ledger      text COLLATE "C" NOT NULL REFERENCES ledger (id),
  repository  bigint NOT NULL REFERENCES repository (id),
  revision    bigint NOT NULL,              -- grows with every change in its ledger
  digest      text COLLATE "C" NOT NULL,    -- of its whole record at this revision, however much was sent
  content     text COLLATE "C" NOT NULL CHECK (content IN ('none', 'words', 'full')),
  kind        text COLLATE "C" NOT NULL,
  branch      text COLLATE "C",
  base_ref    text COLLATE "C" NOT NULL,
  base        text COLLATE "C" NOT NULL,
  head        text COLLATE "C",
  session_ref text COLLATE "C",
  config_hash text COLLATE "C",
  status      text COLLATE "C" NOT NULL,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz,
  iterations  bigint NOT NULL,
  verified    bigint NOT NULL,
  claimed     bigint NOT NULL,
  skipped     bigint NOT NULL,
  withdrawn   bigint NOT NULL,
  open        bigint NOT NULL,
  jobs        text[] COLLATE "C" NOT NULL DEFAULT '{}', -- of its gates, so that lists need not search all gates
  adapters    text[] COLLATE "C" NOT NULL DEFAULT '{}', -- of its slots
  content_removed_at timestamptz,
  review_id   text COLLATE "C",             -- of a code review, with its latest verdict
  verdict     text COLLATE "C",
  received_at timestamptz NOT NULL DEFAULT now(),
  clock_ahead boolean NOT NULL DEFAULT false -- its latest time was more than five minutes ahead of the server's
);
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_by_repository ON run (repository, started_at);
CREATE INDEX run_by_branch ON run (branch, started_at);
CREATE INDEX run_by_ledger ON run (ledger);
CREATE INDEX run_unfinished ON run (started_at) WHERE finished_at IS NULL;
-- For the overview, which counts all runs by status.
CREATE INDEX run_by_status ON run (status) INCLUDE (open);

-- What was sent of a run: the lines of a dump, compressed with gzip. Questions about a single run
-- are answered from it.
CREATE TABLE record (
  run  text COLLATE "C" PRIMARY KEY REFERENCES run (id),
  data bytea NOT NULL
);

CREATE TABLE iteration (
  run          text COLLATE "C" NOT NULL REFERENCES run (id),
  number       bigint NOT NULL,
  mode         text COLLATE "C" NOT NULL,
  source       text COLLATE "C" NOT NULL,
  from_tree    text COLLATE "C",
  to_tree      text COLLATE "C",
  snapshot     text COLLATE "C",
  tree         text COLLATE "C",
  head         text COLLATE "C",
  status       text COLLATE "C" NOT NULL,
  started_at   timestamptz NOT NULL,
  finished_at  timestamptz,
  noticed_at   timestamptz,
  new          bigint NOT NULL,
  reopened     bigint NOT NULL,
  verified     bigint NOT NULL,
  claimed      bigint NOT NULL,
  skipped      bigint NOT NULL,
  carried      bigint NOT NULL,
  in_fix_lines bigint NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE INDEX iteration_by_tree ON iteration (tree) WHERE tree IS NOT NULL;

CREATE TABLE gate (
  run            text COLLATE "C" NOT NULL,
  iteration      bigint NOT NULL,
  job            text COLLATE "C" NOT NULL REFERENCES job (job),
  status         text COLLATE "C" NOT NULL,
  reason         text NOT NULL,
  exit_code      bigint,
  problems       bigint NOT NULL,
  num_reviews    bigint,
  duration_ms    bigint NOT NULL,
  not_run_reason text COLLATE "C",
  rests_on       text COLLATE "C",
  started_at     timestamptz,
  finished_at    timestamptz,
  noticed_at     timestamptz,
  PRIMARY KEY (run, iteration, job),
  FOREIGN KEY (run, iteration) REFERENCES iteration (run, number)
);
CREATE INDEX gate_executed ON gate (job, started_at DESC NULLS LAST, run DESC, iteration DESC) WHERE status IN ('passed', 'failed', 'error');

CREATE TABLE slot (
  run                text COLLATE "C" NOT NULL,
  iteration          bigint NOT NULL,
  job                text COLLATE "C" NOT NULL,
  slot               bigint NOT NULL,
  adapter            text COLLATE "C" NOT NULL,
  model              text COLLATE "C",
  status             text COLLATE "C" NOT NULL,
  pass_iteration     bigint,
  latch              boolean NOT NULL,
  error_kind         text COLLATE "C",
  reason             text NOT NULL,
  reviewed           text COLLATE "C",
  input_tokens       bigint,
  cached_tokens      bigint,
  output_tokens      bigint,
  cost_usd           double precision,
  calls              bigint NOT NULL,
  repairs            bigint NOT NULL DEFAULT 0, -- calls that asked its reviewer to repair a misfit
  duration_ms        bigint NOT NULL,
  started_at         timestamptz,
  finished_at        timestamptz,
  noticed_at         timestamptz,
  ended_at           timestamptz GENERATED ALWAYS AS (coalesce(finished_at, noticed_at)) STORED,
  accepted           bigint NOT NULL,
  out_of_diff        bigint NOT NULL,
  below_threshold    bigint NOT NULL,
  previously_skipped bigint NOT NULL,
  remembered_skip    bigint NOT NULL,
  malformed          bigint NOT NULL,
  merged             bigint NOT NULL,
  outside_verify     bigint NOT NULL,
  new                bigint NOT NULL,
  reopened           bigint NOT NULL,
  verified           bigint NOT NULL,
  carried            bigint NOT NULL,
  notes              text,     -- the reviewer's free text
  note_words         tsvector, -- their words, split by the pusher as a ledger splits them
  PRIMARY KEY (run, iteration, job, slot),
  FOREIGN KEY (run, iteration, job) REFERENCES gate (run, iteration, job)
);
CREATE INDEX slot_by_end ON slot (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX slot_by_discards ON slot (ended_at) WHERE ended_at IS NOT NULL
  AND out_of_diff + below_threshold + previously_skipped + remembered_skip + malformed + merged + outside_verify > 0;
CREATE INDEX slot_by_note_words ON slot USING gin (note_words) WHERE note_words IS NOT NULL;

-- Every status that a run, iteration, gate or slot ever had.
CREATE TABLE transition (
  run       text COLLATE "C" NOT NULL REFERENCES run (id),
  number    bigint NOT NULL,             -- 1-based, in the order of the run's record
  subject   text COLLATE "C" NOT NULL,
  iteration bigint,
  job       text COLLATE "C",
  slot      bigint,
  status    text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  cause     text COLLATE "C" NOT NULL,
  iterations bigint,
  PRIMARY KEY (run, number)
);

-- ==============================
-- Violations, reports and events
-- ==============================

-- A violation with its latest report and facts about its run, so that lists are read from this table
-- alone. Places and slots are JSON arrays: of [file, line_start, line_end], and of numbers.
CREATE TABLE violation (
  id                  text COLLATE "C" PRIMARY KEY, -- ULID
  short_id            text COLLATE "C" NOT NULL,    -- unique within a ledger only
  run                 text COLLATE "C" NOT NULL REFERENCES run (id),
  number              bigint NOT NULL,              -- 1-based, in the order of the run's record
  repository          bigint NOT NULL REFERENCES repository (id),
  branch              text COLLATE "C",
  job                 text COLLATE "C" NOT NULL REFERENCES job (job),
  slot                bigint NOT NULL,              -- the slot that reported it first; adapter and model are those of that slot
  adapter             text COLLATE "C" NOT NULL,
  model               text COLLATE "C" NOT NULL,    -- 'unknown' if it is not known
  file                text COLLATE "C" NOT NULL,
  folder              text COLLATE "C" GENERATED ALWAYS AS (substr(file, 1, greatest(strpos(file, '/') - 1, 0))) STORED,
  line_start          bigint NOT NULL,
  line_end            bigint NOT NULL,
  issue               text NOT NULL,
  fix                 text NOT NULL,
  line_hash           text COLLATE "C",
  priority            text COLLATE "C" NOT NULL,
  first_iteration     bigint NOT NULL,
  last_iteration      bigint NOT NULL,
  answered_iteration  bigint,
  fingerprint         text COLLATE "C",
  status              text COLLATE "C" NOT NULL,
  status_by           text COLLATE "C" NOT NULL,    -- the actor of its last event
  result              text,
  reason              text COLLATE "C",
  seen_before         text COLLATE "C",             -- short ID of the violation that its reviewer said it is
  duplicate_of        text COLLATE "C" GENERATED ALWAYS AS (CASE status WHEN 'duplicate' THEN result END) STORED, -- short ID of its original
  related             text COLLATE "C",             -- short IDs of those that may be the same problem, separated by blanks
  gone                text NOT NULL DEFAULT '',     -- JSON array of who says that it is gone, although nobody claims a fix, and why
  more_slots          text COLLATE "C" NOT NULL DEFAULT '[]', -- further slots that reported it
  also                text COLLATE "C" NOT NULL DEFAULT '[]', -- further places of its latest report
  shared              boolean NOT NULL,
  in_fix_lines        boolean NOT NULL,
  reopened            boolean NOT NULL DEFAULT false, -- whether it was ever reopened
  abandoned           boolean NOT NULL,             -- its run was abandoned
  open                boolean GENERATED ALWAYS AS (status IN ('new', 'reopened', 'disputed')) STORED,
  shown               text COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN abandoned AND status IN ('new', 'reopened', 'disputed') THEN 'abandoned' ELSE status END) STORED,
  first_seen          timestamptz NOT NULL,
  last_seen           timestamptz NOT NULL,
  status_at           timestamptz NOT NULL,
  UNIQUE (run, number)
);

-- Lists are sorted newest first: by first_seen, run and number. Indexes contain only the first of the
-- three: the rest is sorted within groups of the same time, and each group is one slot's answer.
CREATE INDEX violation_by_short_id ON violation (short_id);
CREATE INDEX violation_by_time ON violation (first_seen);
CREATE INDEX violation_by_status ON violation (shown, first_seen);
CREATE INDEX violation_by_priority ON violation (priority, first_seen);
CREATE INDEX violation_by_repository ON violation (repository, first_seen);
CREATE INDEX violation_by_branch ON violation (branch, first_seen);
CREATE INDEX violation_by_job ON violation (job, first_seen);
CREATE INDEX violation_by_adapter ON violation (adapter, first_seen);
CREATE INDEX violation_by_model ON violation (model, first_seen);
CREATE INDEX violation_by_change ON violation (status_at, first_seen);
CREATE INDEX violation_by_file ON violation (file, line_start);
-- What is asked about a line is in the index, because its violations are scattered over the table.
CREATE INDEX violation_by_fingerprint ON violation (fingerprint, repository, first_seen, run)
  INCLUDE (job, adapter, model, branch, status, open, abandoned) WHERE fingerprint IS NOT NULL;
CREATE INDEX violation_in_fix_lines ON violation (first_seen) WHERE in_fix_lines;
-- For counting open violations by priority from the index alone.
CREATE INDEX violation_open ON violation (first_seen) INCLUDE (priority) WHERE status IN ('new', 'reopened', 'disputed') AND NOT abandoned;
-- For the list that is requested most, sorted by file. Few violations are open.
CREATE INDEX violation_open_by_file ON violation (file, line_start) WHERE status IN ('new', 'reopened', 'disputed') AND NOT abandoned;
-- What is asked about a file is in the index, because its violations are scattered over the table.
CREATE INDEX violation_of_file ON violation (repository, file, first_seen)
  INCLUDE (adapter, model, job, branch, run, status, open, abandoned, in_fix_lines, reopened);
-- Searches look for the newest reports with some words, day by day: the index then yields the reports
-- with a frequent word on one day without those of all other days. Days are numbered from 1970-01-01
-- in UTC. An unknown time belongs to a day after all others. The result is an array because a GIN
-- index supports arrays.
CREATE FUNCTION day_number(at timestamptz) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[coalesce(date_part('day', at - timestamptz '1970-01-01 00:00:00Z')::integer, 2147483647)]
$$;

-- The time at which a day begins. The day of unknown times begins at infinity.
CREATE FUNCTION day_begin(number integer) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE number WHEN 2147483647 THEN timestamptz 'infinity' ELSE timestamptz '1970-01-01 00:00:00Z' + number * interval '24 hours' END
$$;

CREATE TABLE report (
  run             text COLLATE "C" NOT NULL,
  iteration       bigint NOT NULL,
  job             text COLLATE "C" NOT NULL,
  slot            bigint NOT NULL,
  position        bigint NOT NULL,
  violation       text COLLATE "C" REFERENCES violation (id),
  file            text COLLATE "C" NOT NULL,
  line_start      bigint NOT NULL,
  line_end        bigint NOT NULL,
  issue           text NOT NULL,
  fix             text NOT NULL,
  title           text,
  confidence      double precision,
  system_breaking boolean NOT NULL,
  priority        text COLLATE "C" NOT NULL,
  disposition     text COLLATE "C" NOT NULL,
  reason          text NOT NULL,
  in_fix_lines    boolean NOT NULL,
  also            text COLLATE "C" NOT NULL DEFAULT '[]', -- further places
  same_as         text,                  -- what its reviewer named as the same
  short_id        text COLLATE "C",      -- of a discarded report
  line_hash       text COLLATE "C",
  at              timestamptz,           -- when its slot ended
  result          text,                  -- of its violation, if this is the latest report of it
  words           tsvector NOT NULL,     -- of issue, fix, title and result, split by the pusher as a ledger splits them
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot) REFERENCES slot (run, iteration, job, slot)
);
CREATE INDEX report_by_violation ON report (violation) WHERE violation IS NOT NULL;
CREATE INDEX report_by_time ON report (at);
CREATE INDEX report_discarded ON report (run, iteration, job, slot) WHERE disposition <> 'accepted';
CREATE INDEX report_by_words ON report USING gin (words, day_number(at));

-- said_before is the time of the event before this one, by time, of the same violation with the same
-- status. With it, violations with an event in a part of a week are counted from the figures of days,
-- less those that were counted on several days.
CREATE TABLE event (
  violation text COLLATE "C" NOT NULL REFERENCES violation (id),
  number    bigint NOT NULL,
  run       text COLLATE "C" NOT NULL,  -- that of the violation
  iteration bigint NOT NULL,
  status    text COLLATE "C" NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  result    text,
  reason    text COLLATE "C",
  at        timestamptz NOT NULL,
  said_before timestamptz,
  PRIMARY KEY (violation, number)
);
CREATE INDEX event_by_run ON event (run);
CREATE INDEX event_by_status ON event (status, at);
CREATE INDEX event_said_before ON event (at) INCLUDE (said_before, violation, status) WHERE said_before IS NOT NULL;

-- The outcomes of iterations of code reviews.
CREATE TABLE verdict (
  run       text COLLATE "C" NOT NULL,
  iteration bigint NOT NULL,
  review_id text COLLATE "C" NOT NULL,
  scope     text COLLATE "C" NOT NULL,
  target    text NOT NULL,
  mode      text COLLATE "C" NOT NULL,
  verdict   text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  blocker   bigint NOT NULL,
  high      bigint NOT NULL,
  medium    bigint NOT NULL,
  low       bigint NOT NULL,
  info      bigint NOT NULL,
  PRIMARY KEY (run, iteration),
  FOREIGN KEY (run, iteration) REFERENCES iteration (run, number)
);
CREATE INDEX verdict_by_time ON verdict (at);

-- =====
-- Skips
-- =====

-- Skips to be remembered, skips that were forgotten, and reports that were discarded because of a
-- remembered skip.
CREATE TABLE remembered_skip (
  violation   text COLLATE "C" NOT NULL,
  event       bigint NOT NULL,
  run         text COLLATE "C" NOT NULL REFERENCES run (id),
  fingerprint text COLLATE "C" NOT NULL,
  PRIMARY KEY (violation, event),
  FOREIGN KEY (violation, event) REFERENCES event (violation, number)
);
CREATE INDEX remembered_skip_by_run ON remembered_skip (run);

CREATE TABLE forgotten_skip (
  violation text COLLATE "C" NOT NULL,
  event     bigint NOT NULL,
  actor     text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (violation, event)
);

CREATE TABLE met_skip (
  run       text COLLATE "C" NOT NULL,
  iteration bigint NOT NULL,
  job       text COLLATE "C" NOT NULL,
  slot      bigint NOT NULL,
  position  bigint NOT NULL,
  violation text COLLATE "C" NOT NULL,   -- of an earlier run, which the store may not have
  event     bigint NOT NULL,
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot, position) REFERENCES report (run, iteration, job, slot, position)
);
CREATE INDEX met_skip_by_violation ON met_skip (violation);

-- =======
-- Removal
-- =======

-- What was deleted and must not come back: a run (key: its ULID), a repository (key: its kind, a
-- blank, and its key), or all runs that began before a time (key: empty; one row).
CREATE TABLE tombstone (
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('run', 'repository', 'before')),
  key    text COLLATE "C" NOT NULL,
  before timestamptz CHECK ((kind = 'before') = (before IS NOT NULL)),
  at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
);

-- ========================
-- Conditions on violations
-- ========================

-- The functions are inlined into the queries that call them: the planner sees how many rows each
-- value keeps, and which index finds them.

-- Reports whether a value is in a list. NULL instead of a list keeps everything.
CREATE FUNCTION among(value text, list text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;

CREATE FUNCTION among(value bigint, list bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;

-- Reports whether a time is in a period. A bound that is NULL is open.
CREATE FUNCTION within(at timestamptz, since timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (since IS NULL OR at >= since) AND (until IS NULL OR at < until)
$$;

-- Reports whether a time is in one of the parts of a period that are read row by row. There are at
-- most four. Each bound is a constant to the planner, so it knows how few rows these are.
CREATE FUNCTION in_edges(at timestamptz, since timestamptz[], until timestamptz[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT at >= since[1] AND at < until[1] OR at >= since[2] AND at < until[2]
    OR at >= since[3] AND at < until[3] OR at >= since[4] AND at < until[4]
$$;

-- Reports whether figures count a violation. A parameter that is NULL or empty keeps everything.
CREATE FUNCTION counts(
  repository bigint, job text, adapter text, model text, repositories bigint[], jobs text[], of_adapter text, of_model text
) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (repositories IS NULL OR repository = ANY (repositories)) AND (jobs IS NULL OR job = ANY (jobs))
    AND (of_adapter = '' OR adapter = of_adapter) AND (of_model = '' OR model = of_model)
$$;

-- ==========================
-- Views for questions in SQL
-- ==========================

-- The views have the names and columns of a ledger's views, without what never leaves a machine.
-- v_runs also names the ledger, and v_violations and v_skips the repository. Columns are only ever
-- added to them.

CREATE VIEW v_runs AS
SELECT r.id AS run, l.name AS ledger, r.kind, r.status, r.branch, r.base_ref, r.base, r.head, r.iterations, r.verified AS fixed,
  r.skipped, r.open, r.started_at, r.finished_at, r.verified, r.claimed, r.revision, r.config_hash,
  p.kind AS repository_kind, p.key AS repository, r.session_ref, r.content_removed_at, r.review_id AS review, r.verdict,
  r.content, r.received_at, r.withdrawn
FROM run AS r
JOIN ledger AS l ON l.id = r.ledger
JOIN repository AS p ON p.id = r.repository;

CREATE VIEW v_iterations AS
SELECT i.run, i.number AS iteration, i.mode, i.source, i.status, i.snapshot, i.head, i.new, i.carried, i.verified, i.reopened,
  i.claimed, i.skipped, i.in_fix_lines, i.started_at, i.finished_at, i.noticed_at, i.from_tree, i.to_tree, i.tree
FROM iteration AS i;

CREATE VIEW v_gates AS
SELECT g.run, g.iteration, g.job, j.kind, j.entry_point, j.name AS gate, g.status, g.not_run_reason, g.reason, g.exit_code,
  g.problems, g.num_reviews, g.duration_ms, g.started_at, g.finished_at, g.noticed_at, g.rests_on
FROM gate AS g
JOIN job AS j ON j.job = g.job;

CREATE VIEW v_slots AS
SELECT s.run, s.iteration, s.job, j.entry_point, j.name AS gate, s.slot, s.adapter, s.model, s.status, s.pass_iteration, s.reason,
  s.input_tokens, s.cached_tokens, s.output_tokens, s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff,
  s.below_threshold, s.previously_skipped, s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried,
  s.finished_at, s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.repairs
FROM slot AS s
JOIN job AS j ON j.job = s.job;

CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.branch, v.job, j.entry_point, j.name AS gate, v.slot,
  v.adapter, v.model, v.first_iteration, v.last_iteration, v.file, v.line_start AS line, v.line_end AS end_line, v.issue, v.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines, v.first_seen, v.last_seen, v.status_at,
  v.open, v.line_hash, v.shown,
  EXISTS (SELECT 1 FROM violation AS o WHERE o.fingerprint = v.fingerprint AND o.repository = v.repository AND o.run <> v.run) AS recurring,
  v.seen_before, v.duplicate_of, v.related
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job;

CREATE VIEW v_events AS
SELECT v.short_id AS violation, e.violation AS ulid, e.run, e.iteration, e.status, e.actor, e.result, e.reason, e.at, e.number
FROM event AS e
JOIN violation AS v ON v.id = e.violation;

CREATE VIEW v_transitions AS
SELECT t.run, t.subject, t.iteration, t.job, t.slot, t.status, t.at, t.actor, t.cause, t.iterations
FROM transition AS t;

CREATE VIEW v_reports AS
SELECT p.run, p.iteration, p.job, p.slot, s.adapter, p.position, p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  p.priority, p.disposition, p.reason, p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash,
  p.same_as, p.short_id AS report
FROM report AS p
JOIN slot AS s ON s.run = p.run AND s.iteration = p.iteration AND s.job = p.job AND s.slot = p.slot
LEFT JOIN violation AS v ON v.id = p.violation;

CREATE VIEW v_verdicts AS
SELECT d.run, d.iteration, d.review_id AS review, d.scope, d.target, d.mode, d.verdict, d.at, d.blocker, d.high, d.medium, d.low, d.info
FROM verdict AS d;

-- Violations that are skipped now, and whether the skip is remembered or was forgotten.
CREATE VIEW v_skips AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.job, j.entry_point, j.name AS gate, v.file, v.line_start AS line,
  v.issue, v.priority, v.reason, v.result, v.status_by AS skipped_by, v.status_at AS at,
  m.fingerprint IS NOT NULL AND f.at IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skip AS t WHERE t.violation = v.id) AS met,
  (SELECT max(s.ended_at) FROM met_skip AS t
   JOIN slot AS s ON s.run = t.run AND s.iteration = t.iteration AND s.job = t.job AND s.slot = t.slot
   WHERE t.violation = v.id) AS last_met
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job
CROSS JOIN LATERAL (SELECT max(e.number) AS number FROM event AS e WHERE e.violation = v.id) AS latest
LEFT JOIN remembered_skip AS m ON m.violation = v.id AND m.event = latest.number
LEFT JOIN forgotten_skip AS f ON f.violation = v.id AND f.event = latest.number
WHERE v.status = 'skipped';

-- =======
-- Figures
-- =======

-- The counts of each run (package ledger/statistics), which are subtracted from the totals when the
-- run changes.
CREATE TABLE contribution (
  run    text COLLATE "C" PRIMARY KEY REFERENCES run (id),
  branch text COLLATE "C" NOT NULL, -- empty: none
  counts bytea NOT NULL             -- compressed
);
CREATE INDEX contribution_by_branch ON contribution (branch);

-- The days on which a run has counts, or had them at an earlier revision.
CREATE TABLE contribution_day (
  day text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL REFERENCES contribution (run),
  PRIMARY KEY (day, run)
);
CREATE INDEX contribution_day_by_run ON contribution_day (run);

-- What is counted, without its repository, and repositories. Each text is stored once, because most
-- are in the totals of hundreds of days.
CREATE TABLE figure_text (
  id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text COLLATE "C" NOT NULL UNIQUE
);

CREATE TYPE measure AS ENUM (
  'violations', 'slots', 'costs', 'answer_times', 'checks', 'runs', 'run_times', 'day_events', 'week_events',
  'folders', 'reviewers', 'files', 'trees', 'flaky'
);

-- The totals of all contributions. A pusher may not delete rows: a number that has become 0 stays
-- until the owner deletes something or recomputes all figures.
CREATE TABLE figure (
  n          bigint  NOT NULL,
  measure    measure NOT NULL,
  repository integer NOT NULL, -- 0: the key has none
  key        integer NOT NULL,
  bucket     text COLLATE "C" NOT NULL,
  PRIMARY KEY (measure, bucket, repository, key)
) WITH (fillfactor = 80);
CREATE INDEX figure_by_number ON figure (n) WHERE measure = 'files' AND bucket = 'violations' AND n > 0;

-- Lines with violations in several runs of a repository. A line that no longer recurs stays with 0
-- runs.
CREATE TABLE recurring_line (
  fingerprint text COLLATE "C" NOT NULL,
  repository  bigint NOT NULL REFERENCES repository (id),
  runs        bigint NOT NULL,
  PRIMARY KEY (fingerprint, repository)
);
CREATE INDEX recurring_line_by_number ON recurring_line (runs DESC, fingerprint) WHERE runs > 1;
-- +goose StatementEnd

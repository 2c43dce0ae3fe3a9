-- The history of a team: what ledgers push, one transaction a run. A run is what its
-- ledger says at one revision; rows are added and changed, and only deleted by the owner.
--
-- Text is compared byte by byte, as in a ledger. Events are ordered by number, never by time.

-- +goose Up
-- +goose StatementBegin

-- One row. A pusher needs to know the schema of at least this version, and count as figures of
-- this version do; 0: none were made yet.
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
  id           text COLLATE "C" PRIMARY KEY, -- the id of the database
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
  digest      text COLLATE "C" NOT NULL,    -- of its record at this revision, whatever of it was sent
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
  jobs        text[] COLLATE "C" NOT NULL DEFAULT '{}', -- that it has gates of, so that it is not looked for among all gates
  adapters    text[] COLLATE "C" NOT NULL DEFAULT '{}', -- that filled its slots
  content_removed_at timestamptz,
  review_id   text COLLATE "C",             -- of a code review, with its latest verdict
  verdict     text COLLATE "C",
  received_at timestamptz NOT NULL DEFAULT now(),
  clock_ahead boolean NOT NULL DEFAULT false -- its times were more than five minutes ahead of the server's
);
CREATE INDEX run_by_start ON run (started_at, id);
CREATE INDEX run_by_repository ON run (repository, started_at);
CREATE INDEX run_by_branch ON run (branch, started_at);
CREATE INDEX run_by_ledger ON run (ledger);
CREATE INDEX run_unfinished ON run (started_at) WHERE finished_at IS NULL;
-- The overview counts all runs by status.
CREATE INDEX run_by_status ON run (status) INCLUDE (open);

-- What was sent of a run, as the lines of a dump, compressed with gzip. Questions about one
-- run are answered from it.
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
  repairs            bigint NOT NULL DEFAULT 0, -- calls in which its reviewer was asked once more, in the form
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
  notes              text,     -- the reviewer's free words
  note_words         tsvector, -- of them, cut by the pusher as a ledger cuts them
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
  PRIMARY KEY (run, number)
);

-- ==============================
-- Violations, reports and events
-- ==============================

-- A violation with its latest report, and what its run is, so that a list is read from
-- this table alone. Places and slots are JSON: [file, line_start, line_end] each, and numbers.
CREATE TABLE violation (
  id                  text COLLATE "C" PRIMARY KEY, -- ULID
  short_id            text COLLATE "C" NOT NULL,    -- unique within a ledger only
  run                 text COLLATE "C" NOT NULL REFERENCES run (id),
  number              bigint NOT NULL,              -- 1-based, in the order of the run's record
  repository          bigint NOT NULL REFERENCES repository (id),
  branch              text COLLATE "C",
  job                 text COLLATE "C" NOT NULL REFERENCES job (job),
  slot                bigint NOT NULL,              -- of the slot that reported it first, as the adapter and the model are
  adapter             text COLLATE "C" NOT NULL,
  model               text COLLATE "C" NOT NULL,    -- 'unknown' where it is not known
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
  seen_before         text COLLATE "C",             -- the short id of what its reviewer said it is
  duplicate_of        text COLLATE "C" GENERATED ALWAYS AS (CASE status WHEN 'duplicate' THEN result END) STORED, -- a short id
  related             text COLLATE "C",             -- short ids of those that are perhaps the same, between blanks
  gone                text NOT NULL DEFAULT '',     -- who says that it is gone though nobody claims so, and why, as a JSON array
  more_slots          text COLLATE "C" NOT NULL DEFAULT '[]', -- that reported it, too
  also                text COLLATE "C" NOT NULL DEFAULT '[]', -- more places of its latest report
  shared              boolean NOT NULL,
  in_fix_lines        boolean NOT NULL,
  reopened            boolean NOT NULL DEFAULT false, -- it was open again once; what is marked stays marked
  abandoned           boolean NOT NULL,             -- its run was abandoned
  open                boolean GENERATED ALWAYS AS (status IN ('new', 'reopened', 'disputed')) STORED,
  shown               text COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN abandoned AND status IN ('new', 'reopened', 'disputed') THEN 'abandoned' ELSE status END) STORED,
  first_seen          timestamptz NOT NULL,
  last_seen           timestamptz NOT NULL,
  status_at           timestamptz NOT NULL,
  UNIQUE (run, number)
);

-- Lists are newest first: by first_seen, run and number. An index has the first of the three,
-- for the rest is sorted group by group, and the groups are answers of one slot.
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
-- All that is said of a line stands in the index: its violations lie anywhere in their table.
CREATE INDEX violation_by_fingerprint ON violation (fingerprint, repository, first_seen, run)
  INCLUDE (job, adapter, model, branch, status, open, abandoned) WHERE fingerprint IS NOT NULL;
CREATE INDEX violation_in_fix_lines ON violation (first_seen) WHERE in_fix_lines;
-- Open violations are counted by their priority in the index.
CREATE INDEX violation_open ON violation (first_seen) INCLUDE (priority) WHERE status IN ('new', 'reopened', 'disputed') AND NOT abandoned;
-- The list that is asked for most, in the order of files. Few violations are open.
CREATE INDEX violation_open_by_file ON violation (file, line_start) WHERE status IN ('new', 'reopened', 'disputed') AND NOT abandoned;
-- All that is said of a file stands in the index: its violations lie anywhere in their table.
CREATE INDEX violation_of_file ON violation (repository, file, first_seen)
  INCLUDE (adapter, model, job, branch, run, status, open, abandoned, in_fix_lines, reopened);
-- Searches look for the newest reports with some words, day by day: what a frequent word has in
-- common with a day is read from the index, without the reports of all other days. A day is
-- counted from the first of 1970, in UTC; where the time is not known, it comes after all others.
-- It is a list, because the index knows lists.
CREATE FUNCTION day_number(at timestamptz) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[coalesce(date_part('day', at - timestamptz '1970-01-01 00:00:00Z')::integer, 2147483647)]
$$;

-- The time before which no report of the day is; none is after the day of an unknown time.
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
  also            text COLLATE "C" NOT NULL DEFAULT '[]', -- more places
  same_as         text,                  -- what its reviewer named as the same
  short_id        text COLLATE "C",      -- of one that filters removed
  line_hash       text COLLATE "C",
  at              timestamptz,           -- when its slot ended
  result          text,                  -- of its violation, beside the latest report of that one
  words           tsvector NOT NULL,     -- of issue, fix, title and result, cut by the pusher as a ledger cuts them
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot) REFERENCES slot (run, iteration, job, slot)
);
CREATE INDEX report_by_violation ON report (violation) WHERE violation IS NOT NULL;
CREATE INDEX report_by_time ON report (at);
CREATE INDEX report_discarded ON report (run, iteration, job, slot) WHERE disposition <> 'accepted';
CREATE INDEX report_by_words ON report USING gin (words, day_number(at));

-- Again is whether an earlier event of the violation has the same status, which the first two
-- never do: violations with an event in a part of a week are then counted from days, without those
-- that have it on several.
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
  again     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (violation, number)
);
CREATE INDEX event_by_run ON event (run);
CREATE INDEX event_by_status ON event (status, at);
CREATE INDEX event_said_again ON event (at) INCLUDE (violation, status) WHERE again;

-- What the iterations of code reviews came to.
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

-- Skips that were to be remembered, those whose memory was ended, and reports that were left
-- out because of one.
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
  violation text COLLATE "C" NOT NULL,   -- of an earlier run, which may not be here
  event     bigint NOT NULL,
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot, position) REFERENCES report (run, iteration, job, slot, position)
);
CREATE INDEX met_skip_by_violation ON met_skip (violation);

-- =======
-- Removal
-- =======

-- What was deleted and does not come back: a run (key: its ULID), a repository (key: its kind,
-- a blank, and its key), or all that began before a time (key: empty; one row).
CREATE TABLE tombstone (
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('run', 'repository', 'before')),
  key    text COLLATE "C" NOT NULL,
  before timestamptz CHECK ((kind = 'before') = (before IS NOT NULL)),
  at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
);

-- =============================
-- What violations are chosen by
-- =============================

-- The functions are parts of the queries that call them: the planner sees what each value leaves,
-- and its index.

-- Whether a value is in a list. No list leaves nothing out.
CREATE FUNCTION among(value text, list text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;

CREATE FUNCTION among(value bigint, list bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;

-- Whether a time lies in a period. An end that is NULL is open.
CREATE FUNCTION within(at timestamptz, since timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (since IS NULL OR at >= since) AND (until IS NULL OR at < until)
$$;

-- Whether a time lies in one of the parts of a period that are read row by row. There are four at
-- most. As each bound is a constant to the planner, it knows how few rows that are.
CREATE FUNCTION in_edges(at timestamptz, since timestamptz[], until timestamptz[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT at >= since[1] AND at < until[1] OR at >= since[2] AND at < until[2]
    OR at >= since[3] AND at < until[3] OR at >= since[4] AND at < until[4]
$$;

-- Whether figures count a violation. What is NULL or empty leaves nothing out.
CREATE FUNCTION counts(
  repository bigint, job text, adapter text, model text, repositories bigint[], jobs text[], of_adapter text, of_model text
) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (repositories IS NULL OR repository = ANY (repositories)) AND (jobs IS NULL OR job = ANY (jobs))
    AND (of_adapter = '' OR adapter = of_adapter) AND (of_model = '' OR model = of_model)
$$;

-- =========================
-- What a person asks in SQL
-- =========================

-- Views with the names that they have in a ledger, and its columns but for what never leaves a
-- machine. Each says whose rows they are, too. Their columns only ever grow in number.

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
SELECT t.run, t.subject, t.iteration, t.job, t.slot, t.status, t.at, t.actor, t.cause
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

-- Skips that hold now, with what is known of their memory.
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

-- What each run contributes to figures (package ledger/statistics), to be taken away again when
-- it changes.
CREATE TABLE contribution (
  run    text COLLATE "C" PRIMARY KEY REFERENCES run (id),
  branch text COLLATE "C" NOT NULL, -- empty: it is on none
  counts bytea NOT NULL             -- compressed
);
CREATE INDEX contribution_by_branch ON contribution (branch);

-- The days on which a run has counts, or had at a former revision.
CREATE TABLE contribution_day (
  day text COLLATE "C" NOT NULL,
  run text COLLATE "C" NOT NULL REFERENCES contribution (run),
  PRIMARY KEY (day, run)
);
CREATE INDEX contribution_day_by_run ON contribution_day (run);

-- What is counted, without its repository, and repositories: each text once, for most are in the
-- sums of hundreds of days.
CREATE TABLE figure_text (
  id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text COLLATE "C" NOT NULL UNIQUE
);

CREATE TYPE measure AS ENUM (
  'violations', 'slots', 'costs', 'answer_times', 'checks', 'runs', 'run_times', 'day_events', 'week_events',
  'folders', 'reviewers', 'files', 'trees', 'flaky'
);

-- The sums of all contributions. A pusher may not delete: a number that has come to nothing stays
-- as 0 until the owner deletes something, or makes all figures again.
CREATE TABLE figure (
  n          bigint  NOT NULL,
  measure    measure NOT NULL,
  repository integer NOT NULL, -- 0: what is counted has none
  key        integer NOT NULL,
  bucket     text COLLATE "C" NOT NULL,
  PRIMARY KEY (measure, bucket, repository, key)
) WITH (fillfactor = 80);
CREATE INDEX figure_by_number ON figure (n) WHERE measure = 'files' AND bucket = 'violations' AND n > 0;

-- Lines of which violations of several runs of a repository are. One that does not recur any more
-- stays with 0 runs.
CREATE TABLE recurring_line (
  fingerprint text COLLATE "C" NOT NULL,
  repository  bigint NOT NULL REFERENCES repository (id),
  runs        bigint NOT NULL,
  PRIMARY KEY (fingerprint, repository)
);
CREATE INDEX recurring_line_by_number ON recurring_line (runs) WHERE runs > 1;
-- +goose StatementEnd

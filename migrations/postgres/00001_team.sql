-- The history of a team: what ledgers push, one transaction a run. A run is what its
-- ledger says at one revision; rows are added and changed, and only deleted by the owner.
--
-- Text is compared byte by byte, as in a ledger. Events are ordered by number, never by time.

-- +goose Up

-- One row. A pusher needs to know the schema of at least this version.
CREATE TABLE meta (
  one        boolean     PRIMARY KEY DEFAULT true CHECK (one),
  min_writer integer     NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now()
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
  first_pushed timestamptz NOT NULL DEFAULT now(),
  last_pushed  timestamptz NOT NULL DEFAULT now(),
  program      text NOT NULL DEFAULT ''      -- the version that pushed last
);

CREATE TABLE job (
  job         text COLLATE "C" PRIMARY KEY,
  kind        text COLLATE "C" NOT NULL,
  entry_point text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL
);

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
  open        bigint NOT NULL,
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
  started_at     timestamptz,
  finished_at    timestamptz,
  noticed_at     timestamptz,
  PRIMARY KEY (run, iteration, job),
  FOREIGN KEY (run, iteration) REFERENCES iteration (run, number)
);
CREATE INDEX gate_by_job ON gate (job, run);

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
  elsewhere          bigint NOT NULL,
  PRIMARY KEY (run, iteration, job, slot),
  FOREIGN KEY (run, iteration, job) REFERENCES gate (run, iteration, job)
);
CREATE INDEX slot_by_end ON slot (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX slot_by_adapter ON slot (adapter, run);
CREATE INDEX slot_by_discards ON slot (ended_at) WHERE ended_at IS NOT NULL
  AND out_of_diff + below_threshold + previously_skipped + remembered_skip + malformed + merged + outside_verify > 0;

-- A violation with its latest report, and what its run is, so that a list is read from
-- this table alone.
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
  rank                smallint NOT NULL,            -- of the priority; 0 is the most important
  first_iteration     bigint NOT NULL,
  last_iteration      bigint NOT NULL,
  answered_iteration  bigint,
  fingerprint         text COLLATE "C",
  fingerprint_version bigint,
  status              text COLLATE "C" NOT NULL,
  status_by           text COLLATE "C" NOT NULL,    -- the actor of its last event
  result              text,
  reason              text COLLATE "C",
  shared              boolean NOT NULL,
  in_fix_lines        boolean NOT NULL,
  recurring           boolean NOT NULL DEFAULT false, -- other runs of the repository have its fingerprint, too
  abandoned           boolean NOT NULL,             -- its run was abandoned
  open                boolean GENERATED ALWAYS AS (status IN ('new', 'reopened')) STORED,
  shown               text COLLATE "C" GENERATED ALWAYS AS
    (CASE WHEN abandoned AND status IN ('new', 'reopened') THEN 'abandoned' ELSE status END) STORED,
  first_seen          timestamptz NOT NULL,
  last_seen           timestamptz NOT NULL,
  status_at           timestamptz NOT NULL,
  UNIQUE (run, number)
);
-- Lists are newest first: by first_seen, run and number. An index has the first of the three,
-- for the rest is sorted group by group, and the groups are answers of one slot.
CREATE INDEX violation_by_short_id ON violation (short_id);
CREATE INDEX violation_by_time ON violation (first_seen);
CREATE INDEX violation_open ON violation (first_seen) WHERE status IN ('new', 'reopened') AND NOT abandoned;
CREATE INDEX violation_by_status ON violation (shown, first_seen);
CREATE INDEX violation_by_priority ON violation (priority, first_seen);
CREATE INDEX violation_by_repository ON violation (repository, first_seen);
CREATE INDEX violation_by_branch ON violation (branch, first_seen);
CREATE INDEX violation_by_job ON violation (job, first_seen);
CREATE INDEX violation_by_adapter ON violation (adapter, first_seen);
CREATE INDEX violation_by_model ON violation (model, first_seen);
CREATE INDEX violation_by_change ON violation (status_at, first_seen);
CREATE INDEX violation_by_file ON violation (file, line_start);
CREATE INDEX violation_by_fingerprint ON violation (fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX violation_recurring ON violation (first_seen) WHERE recurring;
CREATE INDEX violation_in_fix_lines ON violation (first_seen) WHERE in_fix_lines;

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
  line_hash       text COLLATE "C",
  fingerprint     text COLLATE "C",
  line_repeated   boolean,
  at              timestamptz,           -- when its slot ended
  result          text,                  -- of its violation, beside the latest report of that one
  words           tsvector NOT NULL,     -- of issue, fix, title and result, cut by the pusher as a ledger cuts them
  PRIMARY KEY (run, iteration, job, slot, position),
  FOREIGN KEY (run, iteration, job, slot) REFERENCES slot (run, iteration, job, slot)
);
CREATE INDEX report_by_violation ON report (violation) WHERE violation IS NOT NULL;
CREATE INDEX report_by_time ON report (at);
CREATE INDEX report_by_words ON report USING gin (words);

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
  PRIMARY KEY (violation, number)
);
CREATE INDEX event_by_run ON event (run);
CREATE INDEX event_by_status ON event (status, at);

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

-- What was deleted and does not come back: a run (key: its ULID), a repository (key: its kind,
-- a blank, and its key), or all that began before a time (key: empty; one row).
CREATE TABLE tombstone (
  kind   text COLLATE "C" NOT NULL CHECK (kind IN ('run', 'repository', 'before')),
  key    text COLLATE "C" NOT NULL,
  before timestamptz CHECK ((kind = 'before') = (before IS NOT NULL)),
  at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, key)
);

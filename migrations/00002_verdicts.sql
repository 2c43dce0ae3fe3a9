-- Code reviews and their verdicts: what .code-review/review-latest.json shows.

-- +goose Up

PRAGMA user_version = 2;

CREATE TABLE verdict_scopes (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_scopes (name) VALUES ('changeset'), ('package'), ('team'), ('file');

CREATE TABLE verdict_modes (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_modes (name) VALUES ('full'), ('quick'), ('verify');

CREATE TABLE verdict_words (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO verdict_words (name) VALUES ('PASS'), ('WARN'), ('FAIL'), ('ABORT');

-- A code review is a run of kind code_review, with what its verdict says of the
-- review as a whole. Verifications of it are further iterations of the run.
CREATE TABLE code_reviews (
  run_id      INTEGER NOT NULL PRIMARY KEY REFERENCES runs (id),
  review_id   TEXT NOT NULL CHECK (length(review_id) = 8 AND review_id NOT GLOB '*[^0-9a-f]*'),
  scope       TEXT NOT NULL REFERENCES verdict_scopes (name),
  target      TEXT NOT NULL,          -- a range, a folder, a team's name or a file
  report_path TEXT NOT NULL           -- of the markdown report; '': there is none
) STRICT;

CREATE INDEX code_reviews_by_id ON code_reviews (review_id);

-- A verdict is what one iteration of a code review came to. An iteration that
-- erred has none.
CREATE TABLE verdicts (
  iteration_id INTEGER NOT NULL PRIMARY KEY REFERENCES iterations (id),
  run_id       INTEGER NOT NULL REFERENCES code_reviews (run_id),
  mode         TEXT NOT NULL REFERENCES verdict_modes (name),
  verdict      TEXT NOT NULL REFERENCES verdict_words (name),
  at           TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  -- Counts of all findings by severity, whatever their status.
  blocker      INTEGER NOT NULL,
  high         INTEGER NOT NULL,
  medium       INTEGER NOT NULL,
  low          INTEGER NOT NULL,
  info         INTEGER NOT NULL
) STRICT;

CREATE INDEX verdicts_by_run ON verdicts (run_id, iteration_id);

-- A finding is a violation as the verdict shows it. Only its status changes after
-- the review, so its words are kept apart from those of later reports.
CREATE TABLE findings (
  violation_id    INTEGER NOT NULL PRIMARY KEY REFERENCES violations (id),
  run_id          INTEGER NOT NULL REFERENCES code_reviews (run_id),
  position        INTEGER NOT NULL,   -- 1-based, in the order of the file
  finding_id      TEXT NOT NULL,
  domain          TEXT NOT NULL,
  severity        TEXT NOT NULL REFERENCES priorities (name),
  system_breaking INTEGER NOT NULL CHECK (system_breaking IN (0, 1)),
  confidence      REAL NOT NULL CHECK (confidence >= 0.5 AND confidence <= 1.0),
  file            TEXT NOT NULL,
  line_range      TEXT NOT NULL,      -- '': the whole file
  title           TEXT NOT NULL,
  recommendation  TEXT NOT NULL,
  exported        TEXT NOT NULL,      -- the file's status, as it was last written or read
  UNIQUE (run_id, position)
) STRICT;

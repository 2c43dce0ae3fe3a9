-- What the form of an answer says beside its reports: each call of a reviewer, its notes, its
-- words on claims and on what is gone, further places of a problem and further reporters of it.

-- +goose Up

PRAGMA user_version = 17;

-- Calls in which a reviewer was asked once more, in the form.
ALTER TABLE slots ADD COLUMN repairs INTEGER NOT NULL DEFAULT 0 CHECK (repairs >= 0);
CREATE INDEX slots_with_repairs ON slots (ended_at) WHERE repairs > 0;

-- The calls of a slot's reviewer, in order.
CREATE TABLE slot_calls (
  slot_id       INTEGER NOT NULL REFERENCES slots (id),
  call          INTEGER NOT NULL CHECK (call >= 1),
  part          INTEGER NOT NULL,     -- 1-based; of a prompt that was not split: 1
  repair        INTEGER NOT NULL CHECK (repair IN (0, 1)), -- it was asked once more, in the form
  input_tokens  INTEGER,              -- NULL: the reviewer did not say
  cached_tokens INTEGER,
  output_tokens INTEGER,
  cost_usd      REAL,
  duration_ms   INTEGER NOT NULL DEFAULT 0,
  misfit        TEXT,                 -- what did not fit the form; NULL: it fit
  PRIMARY KEY (slot_id, call)
) STRICT, WITHOUT ROWID;

-- The free words of a slot's reviewer.
CREATE TABLE slot_notes (
  slot_id INTEGER NOT NULL PRIMARY KEY REFERENCES slots (id),
  notes   TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE note_words USING fts5(
  notes,
  content = 'slot_notes', content_rowid = 'slot_id', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
);

-- +goose StatementBegin
CREATE TRIGGER notes_are_searchable AFTER INSERT ON slot_notes
BEGIN
  INSERT INTO note_words (rowid, notes) VALUES (NEW.slot_id, NEW.notes);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER notes_are_taken_out AFTER DELETE ON slot_notes
BEGIN
  INSERT INTO note_words (note_words, rowid, notes) VALUES ('delete', OLD.slot_id, OLD.notes);
END;
-- +goose StatementEnd

-- A slot's word on each claim that was put to it.
CREATE TABLE claim_verdicts (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
INSERT INTO claim_verdicts (name) VALUES ('fixed'), ('not_fixed'), ('cannot_tell');

CREATE TABLE claim_words (
  slot_id      INTEGER NOT NULL REFERENCES slots (id),
  violation_id INTEGER NOT NULL REFERENCES violations (id),
  verdict      TEXT NOT NULL REFERENCES claim_verdicts (name),
  evidence     TEXT NOT NULL,
  PRIMARY KEY (slot_id, violation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claims_in_doubt ON claim_words (violation_id) WHERE verdict = 'cannot_tell';

-- That a violation is gone, though nobody claims so. It counts while the violation is open and
-- neither an event nor a report of it is later than the slot's answer.
CREATE TABLE gone_words (
  violation_id INTEGER NOT NULL REFERENCES violations (id),
  slot_id      INTEGER NOT NULL REFERENCES slots (id),
  evidence     TEXT NOT NULL,
  PRIMARY KEY (violation_id, slot_id)
) STRICT, WITHOUT ROWID;

-- Slots of the gate that reported a violation, beside the first.
CREATE TABLE violation_reporters (
  violation_id INTEGER NOT NULL REFERENCES violations (id),
  slot         INTEGER NOT NULL CHECK (slot >= 1), -- review index
  PRIMARY KEY (violation_id, slot)
) STRICT, WITHOUT ROWID;

-- More places of the same problem than a report's own.
CREATE TABLE report_places (
  report_id  INTEGER NOT NULL REFERENCES reports (id),
  position   INTEGER NOT NULL CHECK (position >= 1),
  file       TEXT NOT NULL,
  line_start INTEGER NOT NULL,        -- 0: the whole file
  line_end   INTEGER NOT NULL CHECK (line_end >= line_start),
  PRIMARY KEY (report_id, position)
) STRICT, WITHOUT ROWID;

-- The short id of the violation, skipped or of an earlier run, that its reviewer said it is.
ALTER TABLE violations ADD COLUMN seen_before TEXT;
-- What the reviewer named as the same.
ALTER TABLE reports ADD COLUMN same_as TEXT;
-- A report that filters removed has an id, too. None is that of a violation.
ALTER TABLE reports ADD COLUMN short_id TEXT;
CREATE UNIQUE INDEX reports_by_short_id ON reports (short_id) WHERE short_id IS NOT NULL;

-- What later runs are told of: what was left, by gate and file.
CREATE INDEX violations_left ON violations (job_id, file, id) WHERE status IN ('skipped', 'new', 'reopened');
CREATE INDEX reports_below_threshold ON reports (file, id) WHERE disposition = 'below_threshold';

-- The priority of what is open never falls.

DROP TRIGGER reports_set_the_wording;

-- +goose StatementBegin
CREATE TRIGGER reports_set_the_wording AFTER INSERT ON reports
WHEN NEW.disposition = 'accepted'
BEGIN
  UPDATE violations SET report_id = NEW.id WHERE id = NEW.violation_id;
  UPDATE violations
  SET file = NEW.file,
      priority = CASE WHEN open = 1 AND (SELECT p.rank FROM priorities AS p WHERE p.name = violations.priority)
          < (SELECT p.rank FROM priorities AS p WHERE p.name = NEW.priority)
        THEN priority ELSE NEW.priority END
  WHERE id = NEW.violation_id AND (file <> NEW.file OR priority <> NEW.priority);
END;
-- +goose StatementEnd

DROP VIEW v_slots;
CREATE VIEW v_slots AS
SELECT r.ulid AS run, i.number AS iteration, j.job, j.entry_point, j.name AS gate, s.review_index AS slot,
  s.adapter, s.model, s.status, s.pass_iteration, s.reason, s.input_tokens, s.cached_tokens, s.output_tokens,
  s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff, s.below_threshold, s.previously_skipped,
  s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried, s.finished_at,
  s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.elsewhere, s.repairs
FROM slots AS s
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id;

DROP VIEW v_violations;
CREATE VIEW v_violations AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.slot, v.adapter,
  v.first_iteration, v.last_iteration, v.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at, v.open, p.line_hash, v.shown, v.recurring, v.seen_before
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id;

DROP VIEW v_reports;
CREATE VIEW v_reports AS
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, s.adapter, p.position,
  p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix, p.priority, p.disposition, p.reason,
  p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash, p.same_as,
  p.short_id AS report
FROM reports AS p
JOIN slots AS s ON s.id = p.slot_id
JOIN gates AS g ON g.id = s.gate_id
JOIN jobs AS j ON j.id = g.job_id
JOIN iterations AS i ON i.id = g.iteration_id
JOIN runs AS r ON r.id = i.run_id
LEFT JOIN violations AS v ON v.id = p.violation_id;

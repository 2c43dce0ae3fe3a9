-- What the form of an answer says beside its reports, as far as lists and search show it: the
-- rest is in the record of a run.

-- +goose Up

-- Nobody pushes meanwhile.
SELECT pg_advisory_xact_lock(hashtextextended('reviewledger ' || current_schema(), 0));

ALTER TABLE slot
  ADD COLUMN repairs    bigint NOT NULL DEFAULT 0, -- calls in which its reviewer was asked once more, in the form
  ADD COLUMN notes      text,                      -- the reviewer's free words
  ADD COLUMN note_words tsvector;                  -- of them, cut by the pusher as a ledger cuts them
CREATE INDEX slot_by_repairs ON slot (ended_at) WHERE repairs > 0;
CREATE INDEX slot_by_note_words ON slot USING gin (note_words) WHERE note_words IS NOT NULL;

-- Places and slots are JSON: [file, line_start, line_end] each, and numbers.
ALTER TABLE violation
  ADD COLUMN more_slots  text COLLATE "C" NOT NULL DEFAULT '[]', -- that reported it, too
  ADD COLUMN also        text COLLATE "C" NOT NULL DEFAULT '[]', -- more places of its latest report
  ADD COLUMN seen_before text COLLATE "C",                       -- the short id of what its reviewer said it is
  ADD COLUMN gone        text NOT NULL DEFAULT '';               -- who says that it is gone though nobody claims so

ALTER TABLE report
  ADD COLUMN also     text COLLATE "C" NOT NULL DEFAULT '[]', -- more places
  ADD COLUMN same_as  text,                                   -- what its reviewer named as the same
  ADD COLUMN short_id text COLLATE "C";                       -- of one that filters removed

CREATE OR REPLACE VIEW v_slots AS
SELECT s.run, s.iteration, s.job, j.entry_point, j.name AS gate, s.slot, s.adapter, s.model, s.status, s.pass_iteration, s.reason,
  s.input_tokens, s.cached_tokens, s.output_tokens, s.cost_usd, s.calls, s.duration_ms, s.accepted, s.out_of_diff,
  s.below_threshold, s.previously_skipped, s.malformed, s.merged, s.outside_verify, s.new, s.reopened, s.verified, s.carried,
  s.finished_at, s.started_at, s.noticed_at, s.latch, s.error_kind, s.remembered_skip, s.reviewed, s.repairs
FROM slot AS s
JOIN job AS j ON j.job = s.job;

CREATE OR REPLACE VIEW v_violations AS
SELECT v.short_id AS violation, v.id AS ulid, v.run, p.key AS repository, v.branch, v.job, j.entry_point, j.name AS gate, v.slot,
  v.adapter, v.model, v.first_iteration, v.last_iteration, v.file, v.line_start AS line, v.line_end AS end_line, v.issue, v.fix,
  v.priority, v.status, v.result, v.reason, v.fingerprint, v.shared, v.in_fix_lines, v.first_seen, v.last_seen, v.status_at,
  v.open, v.line_hash, v.shown, v.recurring, v.seen_before
FROM violation AS v
JOIN repository AS p ON p.id = v.repository
JOIN job AS j ON j.job = v.job;

CREATE OR REPLACE VIEW v_reports AS
SELECT p.run, p.iteration, p.job, p.slot, s.adapter, p.position, p.file, p.line_start AS line, p.line_end AS end_line, p.issue, p.fix,
  p.priority, p.disposition, p.reason, p.in_fix_lines, v.short_id AS violation, p.title, p.confidence, p.system_breaking, p.line_hash,
  p.same_as, p.short_id AS report
FROM report AS p
JOIN slot AS s ON s.run = p.run AND s.iteration = p.iteration AND s.job = p.job AND s.slot = p.slot
LEFT JOIN violation AS v ON v.id = p.violation;

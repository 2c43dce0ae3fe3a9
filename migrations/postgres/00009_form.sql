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

-- The log of a slot, as its iteration wrote it, and how many results a tool reported in
-- files that the change does not touch.
--
-- The table is made anew, for its check changes. Nothing refers to it.

-- +goose Up

PRAGMA user_version = 9;

CREATE TABLE slot_blobs_before AS SELECT * FROM slot_blobs;
DROP TABLE slot_blobs;
-- A slot's prompts, answers, what its reviewer wrote to stderr, and its log, by call.
CREATE TABLE slot_blobs (
  slot_id INTEGER NOT NULL REFERENCES slots (id),
  kind    TEXT NOT NULL CHECK (kind IN ('prompt', 'answer', 'stderr', 'log')),
  call    INTEGER NOT NULL,           -- 1-based; 0: of all calls together
  blob_id INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (slot_id, kind, call)
) STRICT, WITHOUT ROWID;
INSERT INTO slot_blobs (slot_id, kind, call, blob_id)
SELECT b.slot_id, b.kind, b.call, b.blob_id FROM slot_blobs_before AS b ORDER BY b.slot_id, b.kind, b.call;
DROP TABLE slot_blobs_before;

ALTER TABLE slots ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere >= 0);

-- Skips that are remembered beyond their run. What was skipped before is not among them:
-- nobody was told then that a skip would have an effect on later runs.

-- +goose Up

PRAGMA user_version = 7;

-- What tells whether a later report is on the same line: the fingerprint of the report's own
-- line, for that of its violation is of the first report's, and whether the text of the line
-- stood more than once in its file. NULL: not known, and always in reports that are not accepted.
ALTER TABLE reports ADD COLUMN fingerprint TEXT;
ALTER TABLE reports ADD COLUMN line_repeated INTEGER CHECK (line_repeated IN (0, 1));

-- The events by which a violation was skipped and the skip was to be remembered. One counts while
-- it is the last event of its violation, and is not forgotten. fingerprint is that of the report
-- that it answers.
CREATE TABLE remembered_skips (
  event_id    INTEGER NOT NULL PRIMARY KEY REFERENCES events (id),
  fingerprint TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_skips_by_fingerprint ON remembered_skips (fingerprint, event_id);

-- Skips whose memory was ended by command. They are named by what is the same in every ledger, and
-- the ledger need not have the violation: a skip that was forgotten once is forgotten wherever it is
-- imported.
CREATE TABLE forgotten_skips (
  violation TEXT NOT NULL,            -- ULID
  number    INTEGER NOT NULL,         -- of the event
  actor     TEXT NOT NULL REFERENCES actors (name),
  at        TEXT NOT NULL CHECK (at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
  PRIMARY KEY (violation, number)
) STRICT, WITHOUT ROWID;

-- Reports that were left out because of a remembered skip of an earlier run, and which one that was.
CREATE TABLE met_skips (
  report_id INTEGER NOT NULL PRIMARY KEY REFERENCES reports (id),
  violation TEXT NOT NULL,            -- ULID; the ledger need not have it
  number    INTEGER NOT NULL          -- of the event
) STRICT, WITHOUT ROWID;
CREATE INDEX met_skips_by_violation ON met_skips (violation);

-- Every violation that is skipped now.
CREATE VIEW v_skips AS
SELECT v.short_id AS violation, v.ulid, r.ulid AS run, j.job, j.entry_point, j.name AS gate, v.file, p.line_start AS line,
  p.issue, v.priority, v.reason, v.result, e.actor AS skipped_by, e.at,
  m.event_id IS NOT NULL AND f.violation IS NULL AS remembered, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skips AS t WHERE t.violation = v.ulid) AS met,
  (SELECT max(s.ended_at) FROM met_skips AS t
   JOIN reports AS tr ON tr.id = t.report_id
   JOIN slots AS s ON s.id = tr.slot_id
   WHERE t.violation = v.ulid) AS last_met
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
JOIN events AS e ON e.violation_id = v.id
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
LEFT JOIN reports AS p ON p.id = v.report_id
LEFT JOIN remembered_skips AS m ON m.event_id = e.id
LEFT JOIN forgotten_skips AS f ON f.violation = v.ulid AND f.number = e.number
WHERE v.status = 'skipped';

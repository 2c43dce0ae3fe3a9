-- The rows of a run, for its record. The tables are described in ledger/exchange/tables.go, from which
-- the placeholders @table, @columns, @values, @row and @order are filled. Parameters have numbers.

-- name: read rows
SELECT @columns FROM @table AS t WHERE @rows ORDER BY @order;

-- name: remove rows
DELETE FROM @table AS t WHERE @rows;

-- name: add row
INSERT INTO @table (@columns) VALUES (@values);

-- Adds a row that does not belong to a run, unless it exists.
-- name: ensure row
INSERT INTO @table (@columns) VALUES (@values) ON CONFLICT DO NOTHING;

-- name: change row
UPDATE @table SET @values WHERE @row;

-- Conditions for @rows. They have the ID of a run: the rows of the run, by what each belongs to.

-- name: rows of run
t.run_id = ?1;

-- name: rows of iteration
t.iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.run_id = ?1);

-- name: rows of gate
t.gate_id IN (SELECT g.id FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id WHERE i.run_id = ?1);

-- name: rows of slot
t.slot_id IN (SELECT s.id FROM {slots} WHERE i.run_id = ?1);

-- name: rows of report
t.report_id IN (SELECT p.id FROM {slots} JOIN reports AS p ON p.slot_id = s.id WHERE i.run_id = ?1);

-- name: rows of violation
t.violation_id IN (SELECT v.id FROM violations AS v WHERE v.run_id = ?1);

-- name: rows of event
t.event_id IN (SELECT e.id FROM violations AS v JOIN events AS e ON e.violation_id = v.id WHERE v.run_id = ?1);

-- name: part: slots
iterations AS i JOIN slots AS s ON s.iteration_id = i.id;

-- How rows refer to what does not belong to a run: the columns of a record, and what a ledger has for them.

-- name: key job
(SELECT j.job FROM jobs AS j WHERE j.id = t.job_id);

-- name: value job_id
(SELECT j.id FROM jobs AS j WHERE j.job = @job);

-- name: key sha256
(SELECT lower(hex(b.sha256)) FROM blobs AS b WHERE b.id = t.blob_id);

-- name: value blob_id
(SELECT b.id FROM blobs AS b WHERE b.sha256 = unhex(@sha256));

-- name: key repository_kind
(SELECT p.kind FROM repositories AS p WHERE p.id = t.repository_id);

-- name: key repository
(SELECT p.key FROM repositories AS p WHERE p.id = t.repository_id);

-- name: value repository_id
(SELECT p.id FROM repositories AS p WHERE p.kind = @repository_kind AND p.key = @repository);

-- What a record of a run needs besides its rows.

-- name: all rows
true;

-- name: run itself
t.id = ?1;

-- name: jobs of run
t.id IN (SELECT g.job_id FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id WHERE i.run_id = ?1
         UNION SELECT v.job_id FROM violations AS v WHERE v.run_id = ?1);

-- name: forgotten skips of run
t.violation IN (SELECT v.ulid FROM violations AS v WHERE v.run_id = ?1);

-- Before the run is deleted.
-- name: remove words
DELETE FROM search_words WHERE rowid IN (
  SELECT s.id << 24 FROM {slots} WHERE i.run_id = ?1
  UNION ALL
  SELECT s.id << 24 | p.position FROM {slots} JOIN reports AS p ON p.slot_id = s.id WHERE i.run_id = ?1);

-- name: put meta
REPLACE INTO meta (key, value) VALUES (?1, ?2);

-- name: run of violation
SELECT run_id FROM violations WHERE ulid = ?1;

-- The runs that began since a time, with their states.
-- name: revisions
SELECT r.ulid AS run, r.kind, r.revision, r.status, r.started_at, r.finished_at, p.kind AS repository_kind, p.key AS repository
FROM runs AS r
JOIN repositories AS p ON p.id = r.repository_id
WHERE r.started_at >= ?1
ORDER BY r.id;

-- name: note import
UPDATE runs SET imported = 1 WHERE id = ?1;

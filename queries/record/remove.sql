-- Removes what belongs to a run. Tables whose rows refer to the same table share a statement, in
-- which @table stands for their names.

-- Before the run is deleted.
-- name: remove words
DELETE FROM search_words WHERE rowid IN (
  SELECT s.id << 24 FROM {slots} WHERE i.run_id = @id
  UNION ALL
  SELECT s.id << 24 | p.position FROM {slots} JOIN reports AS p ON p.slot_id = s.id WHERE i.run_id = @id);

-- After the run is deleted.
-- name: remove rows of runs
DELETE FROM @table WHERE run_id = @id;

-- name: remove rows of iterations
DELETE FROM @table WHERE iteration_id IN (SELECT i.id FROM iterations AS i WHERE i.run_id = @id);

-- name: remove rows of gates
DELETE FROM @table WHERE gate_id IN (SELECT g.id FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id WHERE i.run_id = @id);

-- name: remove rows of slots
DELETE FROM @table WHERE slot_id IN (SELECT s.id FROM {slots} WHERE i.run_id = @id);

-- name: remove rows of reports
DELETE FROM @table WHERE report_id IN (SELECT p.id FROM {slots} JOIN reports AS p ON p.slot_id = s.id WHERE i.run_id = @id);

-- name: remove rows of violations
DELETE FROM @table WHERE violation_id IN (SELECT v.id FROM violations AS v WHERE v.run_id = @id);

-- name: remove rows of events
DELETE FROM @table WHERE event_id IN (
  SELECT e.id FROM violations AS v JOIN events AS e ON e.violation_id = v.id WHERE v.run_id = @id);

-- name: part: slots
iterations AS i
JOIN slots AS s ON s.iteration_id = i.id;

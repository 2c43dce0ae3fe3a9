-- A transition sets the status of its subject's row. What else a row says about its end is written
-- by the statements for its table.

-- name: InsertTransition :exec
INSERT INTO transitions (run_id, subject, iteration_id, gate_id, slot_id, status, at, actor, cause, iterations)
VALUES (@run_id, @subject, @iteration_id, @gate_id, @slot_id, @status, @at, @actor, @cause, @iterations);

-- A transition sets the status of its subject's row. What else a row says about its end is written
-- by the statements for its table.

-- name: InsertTransition :exec
INSERT INTO transitions (run_id, subject, iteration_id, gate_id, slot_id, status, at, actor, cause, iterations)
VALUES (@run_id, @subject, @iteration_id, @gate_id, @slot_id, @status, @at, @actor, @cause, @iterations);

-- Interrupts what is still running in an iteration: first its slots, then its gates.
-- name: InterruptParts :exec
INSERT INTO transitions (run_id, subject, gate_id, slot_id, status, at, actor, cause)
SELECT @run_id, p.subject, p.gate_id, p.slot_id, 'interrupted', @at, @actor, @cause
FROM (
  SELECT 'gate' AS subject, g.id AS gate_id, NULL AS slot_id FROM gates AS g WHERE g.iteration_id = @iteration_id AND g.status = 'running'
  UNION ALL
  SELECT 'slot', NULL, s.id FROM slots AS s WHERE s.iteration_id = @iteration_id AND s.status = 'running') AS p
ORDER BY p.gate_id, p.slot_id;


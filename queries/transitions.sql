-- A transition sets the status of its row. The rows of a kind have it together
-- with what else they keep of their end.

-- name: InsertTransition :exec
INSERT INTO transitions (run_id, subject, iteration_id, gate_id, slot_id, status, at, actor, cause)
VALUES (@run_id, @subject, @iteration_id, @gate_id, @slot_id, @status, @at, @actor, @cause);

-- What of an iteration is still running ends with it.

-- name: EndGates :exec
INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
SELECT @run_id, 'gate', g.id, @status, @at, @actor, @cause
FROM gates AS g
WHERE g.iteration_id = @iteration_id AND g.status = 'running'
ORDER BY g.id;

-- name: EndSlots :exec
INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause)
SELECT @run_id, 'slot', s.id, @status, @at, @actor, @cause
FROM gates AS g
CROSS JOIN slots AS s ON s.gate_id = g.id
WHERE g.iteration_id = @iteration_id AND s.status = 'running'
ORDER BY s.id;

-- name: TransitionsOfRun :many
SELECT status, at, actor, cause
FROM transitions
WHERE run_id = @run_id AND subject = 'run'
ORDER BY id;

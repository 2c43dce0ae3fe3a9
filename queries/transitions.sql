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

-- What a dump does not hold is known from its rows: a row whose last transition has
-- another status gets one.

-- name: ReconstructRun :exec
INSERT INTO transitions (run_id, subject, status, at, actor, cause)
SELECT r.id, 'run', r.status, coalesce(r.finished_at, r.started_at), 'system', 'reconstructed'
FROM runs AS r
WHERE r.id = @run_id
  AND r.status IS NOT (SELECT t.status FROM transitions AS t WHERE t.run_id = r.id AND t.subject = 'run' ORDER BY t.id DESC LIMIT 1);

-- name: ReconstructIterations :exec
INSERT INTO transitions (run_id, subject, iteration_id, status, at, actor, cause)
SELECT i.run_id, 'iteration', i.id, i.status, coalesce(i.finished_at, i.started_at), 'system', 'reconstructed'
FROM iterations AS i
WHERE i.run_id = @run_id
  AND i.status IS NOT (SELECT t.status FROM transitions AS t
                       WHERE t.run_id = i.run_id AND t.subject = 'iteration' AND t.iteration_id = i.id ORDER BY t.id DESC LIMIT 1)
ORDER BY i.id;

-- name: ReconstructGates :exec
INSERT INTO transitions (run_id, subject, gate_id, status, at, actor, cause)
SELECT i.run_id, 'gate', g.id, g.status, coalesce(g.finished_at, i.finished_at, i.started_at), 'system', 'reconstructed'
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
WHERE i.run_id = @run_id
  AND g.status IS NOT (SELECT t.status FROM transitions AS t
                       WHERE t.run_id = i.run_id AND t.subject = 'gate' AND t.iteration_id IS NULL AND t.gate_id = g.id ORDER BY t.id DESC LIMIT 1)
ORDER BY g.id;

-- name: ReconstructSlots :exec
INSERT INTO transitions (run_id, subject, slot_id, status, at, actor, cause)
SELECT i.run_id, 'slot', s.id, s.status, coalesce(s.ended_at, i.started_at), 'system', 'reconstructed'
FROM iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN slots AS s ON s.gate_id = g.id
WHERE i.run_id = @run_id
  AND s.status IS NOT (SELECT t.status FROM transitions AS t
                       WHERE t.run_id = i.run_id AND t.subject = 'slot' AND t.iteration_id IS NULL AND t.gate_id IS NULL AND t.slot_id = s.id
                       ORDER BY t.id DESC LIMIT 1)
ORDER BY s.id;

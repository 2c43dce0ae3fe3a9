-- What a dump and an import ask besides the rows of records (queries/record).

-- name: LedgerFilled :one
SELECT EXISTS (SELECT 1 FROM runs UNION ALL SELECT 1 FROM jobs UNION ALL SELECT 1 FROM blobs
               UNION ALL SELECT 1 FROM cooldowns UNION ALL SELECT 1 FROM files) AS filled;

-- name: NextBlob :one
SELECT sha256, size, data FROM blobs WHERE sha256 > @after ORDER BY sha256 LIMIT 1;

-- name: NextRun :one
SELECT id, ulid FROM runs WHERE id > @after ORDER BY id LIMIT 1;

-- name: RunID :one
SELECT id FROM runs WHERE ulid = @ulid;

-- Where the rows of a run are, for those that refer to them.

-- name: PlacesOfRun :many
SELECT i.number AS iteration, i.id AS iteration_id, j.job, g.id AS gate_id, s.review_index AS slot, s.id AS slot_id
FROM iterations AS i
LEFT JOIN gates AS g ON g.iteration_id = i.id
LEFT JOIN jobs AS j ON j.id = g.job_id
LEFT JOIN slots AS s ON s.gate_id = g.id
WHERE i.run_id = @run_id;

-- name: ViolationIDs :many
SELECT ulid, id FROM violations WHERE run_id = @run_id;


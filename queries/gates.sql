-- name: JobID :one
SELECT id FROM jobs WHERE job = @job;

-- name: InsertGateBlob :exec
INSERT INTO gate_blobs (gate_id, blob_id) VALUES (@gate_id, @blob_id)
ON CONFLICT (gate_id) DO UPDATE SET blob_id = excluded.blob_id;

-- name: InsertGate :execlastid
INSERT INTO gates (iteration_id, job_id, status, not_run_reason, reason, command, problems, num_reviews, finished_at, config_hash, rests_on)
VALUES (@iteration_id, @job_id, @status, @not_run_reason, @reason, @command, @problems, @num_reviews, @finished_at, @config_hash, @rests_on);

-- name: FinishGate :execrows
UPDATE gates
SET not_run_reason = @not_run_reason, reason = @reason, exit_code = @exit_code, problems = @problems, excerpt = @excerpt, duration_ms = @duration_ms,
    started_at = coalesce(@started_at, started_at)
WHERE id = @id AND status = 'running';

-- name: GiveReasonToGates :exec
UPDATE gates SET reason = @reason WHERE iteration_id = @iteration_id AND status = 'running';

-- name: GateLog :one
SELECT b.size, b.data
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN jobs AS j ON j.id = g.job_id
JOIN gate_blobs AS gb ON gb.gate_id = g.id
JOIN blobs AS b ON b.id = gb.blob_id
WHERE i.run_id = @run_id AND i.number = @iteration AND j.job = @job;

-- name: InsertSlot :execlastid
INSERT INTO slots (gate_id, review_index, adapter, status, pass_iteration, reason, reviewed, finished_at)
VALUES (@gate_id, @review_index, @adapter, @status, @pass_iteration, @reason, @reviewed, @finished_at);

-- name: SlotsOfRun :many
SELECT sqlc.embed(s), i.number AS iteration, j.job
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN slots AS s ON s.gate_id = g.id
JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @run_id
ORDER BY i.number, g.id, s.review_index;

-- name: FinishSlot :execrows
UPDATE slots
SET status = @status, adapter = @adapter, reason = @reason, model = @model, input_tokens = @input_tokens, cached_tokens = @cached_tokens,
    output_tokens = @output_tokens, cost_usd = @cost_usd, calls = @calls, duration_ms = @duration_ms,
    finished_at = @finished_at, accepted = @accepted, out_of_diff = @out_of_diff,
    below_threshold = @below_threshold, previously_skipped = @previously_skipped, malformed = @malformed,
    merged = @merged, outside_verify = @outside_verify, new = @new, reopened = @reopened, verified = @verified,
    carried = @carried
WHERE id = @id AND status = 'running';

-- name: EndSlotsOfIteration :exec
UPDATE slots SET status = @status, reason = @reason, finished_at = @finished_at
WHERE status = 'running' AND gate_id IN (SELECT g.id FROM gates AS g WHERE g.iteration_id = @iteration_id);

-- name: SlotRow :one
SELECT sqlc.embed(s)
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN slots AS s ON s.gate_id = g.id
JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @run_id AND i.number = @iteration AND j.job = @job AND s.review_index = @review_index;

-- name: InsertSlotEntry :exec
INSERT INTO slot_entries (slot_id, position, violation_id, report_id, status, result)
VALUES (@slot_id, @position, @violation_id, @report_id, @status, @result);

-- name: SlotEntries :many
SELECT e.status, e.result, v.ulid, v.short_id, r.file, r.line_start, r.line_end, r.issue, r.fix, r.priority
FROM slot_entries AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN reports AS r ON r.id = e.report_id
WHERE e.slot_id = @slot_id
ORDER BY e.position;

-- name: UpdateSlotEntry :execrows
UPDATE slot_entries SET status = @status, result = @result
WHERE slot_id = @slot_id AND violation_id = @violation_id;

-- name: InsertBlob :exec
INSERT INTO blobs (sha256, size, data) VALUES (@sha256, @size, @data)
ON CONFLICT (sha256) DO NOTHING;

-- name: BlobID :one
SELECT id FROM blobs WHERE sha256 = @sha256;

-- name: InsertSlotBlob :exec
INSERT INTO slot_blobs (slot_id, kind, call, blob_id) VALUES (@slot_id, @kind, @call, @blob_id)
ON CONFLICT (slot_id, kind, call) DO UPDATE SET blob_id = excluded.blob_id;

-- name: SlotBlob :one
SELECT b.size, b.data
FROM slot_blobs AS sb
JOIN blobs AS b ON b.id = sb.blob_id
WHERE sb.slot_id = @slot_id AND sb.kind = @kind AND sb.call = @call;

-- name: Cooldowns :many
SELECT * FROM cooldowns WHERE until > @until ORDER BY adapter;

-- name: ResetCooldown :execrows
DELETE FROM cooldowns WHERE adapter = @adapter;

-- name: SetCooldown :exec
INSERT INTO cooldowns (adapter, until, reason, set_at)
VALUES (@adapter, @until, @reason, @set_at)
ON CONFLICT (adapter) DO UPDATE SET until = excluded.until, reason = excluded.reason, set_at = excluded.set_at;

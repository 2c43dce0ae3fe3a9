-- name: InsertSlotEntry :exec
INSERT INTO slot_entries (slot_id, position, violation_id, report_id, status, result)
VALUES (@slot_id, @position, @violation_id, @report_id, @status, @result);

-- name: SlotEntriesAsWritten :many
SELECT e.violation_id, e.position, e.status, e.result FROM slot_entries AS e WHERE e.slot_id = @slot_id ORDER BY e.position;

-- name: ChangeEntry :execrows
UPDATE slot_entries SET status = @status, result = @result WHERE slot_id = @slot_id AND position = @position;

-- name: InsertBlob :execresult
INSERT INTO blobs (sha256, size, data) VALUES (@sha256, @size, @data)
ON CONFLICT (sha256) DO NOTHING;

-- name: BlobID :one
SELECT id FROM blobs WHERE sha256 = @sha256;

-- name: InsertSlotBlob :exec
INSERT INTO slot_blobs (slot_id, kind, call, blob_id) VALUES (@slot_id, @kind, @call, @blob_id)
ON CONFLICT (slot_id, kind, call) DO UPDATE SET blob_id = excluded.blob_id;

-- name: Cooldowns :many
SELECT * FROM cooldowns WHERE until > @until ORDER BY adapter;

-- name: ResetCooldown :execrows
DELETE FROM cooldowns WHERE adapter = @adapter;

-- name: SetCooldown :exec
INSERT INTO cooldowns (adapter, until, reason, set_at)
VALUES (@adapter, @until, @reason, @set_at)
ON CONFLICT (adapter) DO UPDATE SET until = excluded.until, reason = excluded.reason, set_at = excluded.set_at;

-- How long an adapter usually takes for a job: the median of its last 9 answers, among the newest 1,000
-- slots, so that it takes the same time in every ledger.
-- name: UsualDurations :many
SELECT x.job, x.adapter, CAST(max(iif(x.place = (x.n * 50 + 99) / 100, x.ms, 0)) AS INTEGER) AS ms
FROM (
  SELECT y.job, y.adapter, y.ms, count(*) OVER (PARTITION BY y.job, y.adapter) AS n,
    row_number() OVER (PARTITION BY y.job, y.adapter ORDER BY y.ms) AS place
  FROM (
    SELECT j.job, s.adapter, s.duration_ms AS ms, row_number() OVER (PARTITION BY j.job, s.adapter ORDER BY s.id DESC) AS nth
    FROM (SELECT l.* FROM slots AS l ORDER BY l.id DESC LIMIT 1000) AS s
    JOIN jobs AS j ON j.id = s.job_id
    WHERE s.status IN ('pass', 'fail') AND s.duration_ms > 0
  ) AS y
  WHERE y.nth <= 9
) AS x
GROUP BY x.job, x.adapter;

-- name: InsertSlot :execlastid
INSERT INTO slots (iteration_id, job_id, review_index, adapter, status, pass_iteration, latch, reason, reviewed, finished_at)
VALUES (@iteration_id, @job_id, @review_index, @adapter, @status, @pass_iteration, @latch, @reason, @reviewed, @finished_at);

-- Counts a call of the slot's reviewer when it starts: of a killed process, nothing else is known of it.
-- name: CountCall :execrows
UPDATE slots SET calls = calls + 1 WHERE id = @id AND status = 'running';

-- name: FinishSlot :execrows
UPDATE slots
SET reason = @reason, model = @model, input_tokens = @input_tokens, cached_tokens = @cached_tokens,
    output_tokens = @output_tokens, cost_usd = @cost_usd, calls = @calls, duration_ms = @duration_ms,
    started_at = coalesce(@started_at, started_at), accepted = @accepted, out_of_diff = @out_of_diff,
    below_threshold = @below_threshold, previously_skipped = @previously_skipped, remembered_skip = @remembered_skip,
    malformed = @malformed, merged = @merged, outside_verify = @outside_verify, new = @new, reopened = @reopened,
    verified = @verified, carried = @carried, without_word = @without_word, elsewhere = @elsewhere, unseen = @unseen, denied = @denied,
    repairs = @repairs, error_kind = @error_kind, notes = @notes
WHERE id = @id AND status = 'running';

-- What an adapter said of some files in a run, in slots of a gate.
-- name: SaidInFiles :many
SELECT DISTINCT p.file, p.line_start, p.line_end, p.issue, CAST(s.reviewed AS TEXT) AS reviewed
FROM iterations AS i
CROSS JOIN slots AS s ON s.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = s.job_id
CROSS JOIN reports AS p ON p.slot_id = s.id
WHERE i.run_id = @run_id AND j.job = @job AND s.adapter = @adapter AND s.reviewed IS NOT NULL
  AND p.disposition <> 'malformed' AND p.file IN (SELECT f.value FROM json_each(CAST(@files AS TEXT)) AS f)
ORDER BY p.id;

-- name: GiveReasonToSlots :exec
UPDATE slots SET reason = @reason, error_kind = 'interrupted' WHERE iteration_id = @iteration_id AND status = 'running';

-- name: InsertReportExcerpt :exec
INSERT INTO report_excerpts (report_id, first_line, blob_id, skip, lines) VALUES (@report_id, @first_line, @blob_id, @skip, @lines);

-- name: InsertEventHunks :exec
INSERT INTO event_hunks (event_id, blob_id)
SELECT e.id, @blob_id FROM events AS e WHERE e.violation_id = @violation_id ORDER BY e.number DESC LIMIT 1;

-- name: HunksOfViolation :many
SELECT e.number, b.size, b.data
FROM events AS e
JOIN event_hunks AS h ON h.event_id = e.id
JOIN blobs AS b ON b.id = h.blob_id
WHERE e.violation_id = @violation_id
ORDER BY e.number;

-- The texts of one call, or of every call if call is NULL. Call 0 is all calls together.
-- name: SlotTexts :many
SELECT sb.call, b.size, b.data
FROM slot_blobs AS sb
JOIN blobs AS b ON b.id = sb.blob_id
WHERE sb.slot_id = @slot_id AND sb.kind = @kind AND sb.call = coalesce(sqlc.narg(call), sb.call)
ORDER BY sb.call;

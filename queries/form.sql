-- What the form of an answer contains besides reports.

-- name: SetRepairs :exec
UPDATE slots SET repairs = @repairs WHERE id = @id;

-- What slots said about claims in an iteration. Claims of several gates may be the same problem.
-- name: ClaimWordsOf :many
SELECT s.review_index, v.ulid AS violation, w.verdict, w.confirmed
FROM violations AS v
JOIN claim_words AS w ON w.violation_id = v.id
JOIN slots AS s ON s.id = w.slot_id
WHERE v.run_id = @run_id AND s.iteration_id = @iteration_id;

-- name: AddReporter :exec
INSERT INTO violation_reporters (violation_id, slot)
SELECT v.id, @slot FROM violations AS v WHERE v.id = @violation_id AND v.slot <> @slot
ON CONFLICT (violation_id, slot) DO NOTHING;

-- What violations of this job in these files were said to be the same as: what was known before them.
-- name: NamedInFiles :many
SELECT DISTINCT v.seen_before
FROM json_each(CAST(@files AS TEXT)) AS file
JOIN violations AS v ON v.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job) AND v.file = file.value
WHERE v.seen_before IS NOT NULL;

-- name: ReportsWithPrefix :many
SELECT r.id, r.short_id
FROM reports AS r
WHERE r.short_id >= CAST(@first AS TEXT) AND r.short_id < CAST(@last AS TEXT)
ORDER BY r.short_id LIMIT 2;

-- Makes a filtered report a report of the violation by which it is taken up.
-- name: TakeUpReport :execrows
UPDATE reports SET violation_id = @violation_id WHERE id = @id AND violation_id IS NULL;


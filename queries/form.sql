-- What the form of an answer contains besides reports.

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


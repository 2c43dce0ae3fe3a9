-- Lists that answer questions. A parameter for several words or rows is a JSON array;
-- null means any. An empty string also means any.

-- Files that have violations.
-- name: FileNames :many
SELECT DISTINCT v.file FROM violations AS v
WHERE v.file >= CAST(@first AS TEXT) AND v.file < CAST(@last AS TEXT)
ORDER BY v.file
LIMIT CAST(@at_most AS INTEGER);

-- name: JobNames :many
SELECT * FROM jobs ORDER BY job;

-- name: EntriesOfViolations :many
SELECT e.violation_id, i.number AS iteration, j.job, s.review_index
FROM iterations AS i
JOIN slots AS s ON s.iteration_id = i.id
JOIN slot_entries AS e ON e.slot_id = s.id
JOIN jobs AS j ON j.id = s.job_id
WHERE i.run_id = @run_id AND e.violation_id IN (
  SELECT v.id FROM json_each(CAST(@ids AS TEXT)) AS j JOIN violations AS v ON v.ulid = j.value)
ORDER BY i.number;

-- The code at the places of the reports of these violations.
-- name: Excerpts :many
SELECT v.ulid, p.id AS report_id, v.report_id IS p.id AS latest, x.first_line, x.skip, x.lines, b.size, b.data
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN violations AS v ON v.ulid = wanted.value
JOIN reports AS p ON p.violation_id = v.id
JOIN report_excerpts AS x ON x.report_id = p.id
JOIN blobs AS b ON b.id = x.blob_id
ORDER BY wanted.key, p.id;

-- name: BranchNames :many
SELECT DISTINCT CAST(branch AS TEXT) AS branch FROM runs WHERE branch IS NOT NULL ORDER BY 1;

-- What an export needs besides the details: the hash of the line that the latest report is about,
-- and whether that report is worded differently from the previous one.
-- name: WordingsOfRun :many
SELECT v.ulid, r.line_hash,
  CAST(coalesce((SELECT p.issue FROM reports AS p
    WHERE p.violation_id = v.id AND p.counts = 1 AND p.id < r.id
    ORDER BY p.id DESC LIMIT 1), r.issue) <> r.issue AS INTEGER) AS reworded
FROM violations AS v
JOIN reports AS r ON r.id = v.report_id
WHERE v.run_id = @run_id;

-- The violations of a list by all that it can be narrowed to.
-- name: TotalsOfList :many
SELECT v.shown, v.priority, j.entry_point, j.name AS gate, v.adapter, v.first_iteration, coalesce(v.reason, '') AS reason, v.shared, v.in_fix_lines,
  EXISTS (SELECT 1 FROM violations AS o JOIN runs AS x ON x.id = o.run_id
    WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id AND x.repository_id = r.repository_id) AS recurring,
  CAST(substr(v.file, 1, max(instr(v.file, '/') - 1, 0)) AS TEXT) AS folder, count(*) AS violations
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN violations AS v ON v.id = wanted.value
JOIN jobs AS j ON j.id = v.job_id
JOIN runs AS r ON r.id = v.run_id
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;

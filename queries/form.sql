-- What the form of an answer contains besides reports.

-- name: SetRepairs :exec
UPDATE slots SET repairs = @repairs WHERE id = @id;

-- name: CallsOfSlot :many
SELECT * FROM slot_calls WHERE slot_id = @slot_id ORDER BY call;

-- name: NotesOfRun :many
SELECT n.slot_id, n.notes
FROM iterations AS i
JOIN slots AS s ON s.iteration_id = i.id
JOIN slot_notes AS n ON n.slot_id = s.id
WHERE i.run_id = @run_id;

-- How many violations the file of each slot lists.
-- name: ListedBySlots :many
SELECT s.id, count(*) AS listed
FROM iterations AS i
JOIN slots AS s ON s.iteration_id = i.id
JOIN slot_entries AS e ON e.slot_id = s.id
WHERE i.run_id = @run_id
GROUP BY s.id;

-- What slots said about claims in an iteration. Claims of several gates may be the same problem.
-- name: ClaimWordsOf :many
SELECT s.review_index, v.ulid AS violation, w.verdict, w.confirmed
FROM violations AS v
JOIN claim_words AS w ON w.violation_id = v.id
JOIN slots AS s ON s.id = w.slot_id
WHERE v.run_id = @run_id AND s.iteration_id = @iteration_id;

-- What slots said about what is claimed to be fixed, and about its duplicates, in order.
-- name: WordsOnClaims :many
SELECT v.ulid AS violation, j.job, s.review_index, i.number AS iteration, w.verdict
FROM violations AS v
JOIN claim_words AS w ON w.violation_id = v.id
JOIN slots AS s ON s.id = w.slot_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN jobs AS j ON j.id = s.job_id
WHERE v.run_id = @run_id AND v.status IN ('fixed', 'duplicate')
ORDER BY i.id, s.id;

-- What slots said about a violation that was claimed to be fixed, or disputed.
-- name: WordsOfViolation :many
SELECT i.number AS iteration, s.review_index, s.adapter, w.verdict, w.evidence, w.confirmed
FROM claim_words AS w
JOIN slots AS s ON s.id = w.slot_id
JOIN iterations AS i ON i.id = s.iteration_id
WHERE w.violation_id = @id
ORDER BY i.number, s.review_index;

-- name: AddReporter :exec
INSERT INTO violation_reporters (violation_id, slot)
SELECT v.id, @slot FROM violations AS v WHERE v.id = @violation_id AND v.slot <> @slot
ON CONFLICT (violation_id, slot) DO NOTHING;

-- name: PlacesOfReports :many
SELECT p.*
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN report_places AS p ON p.report_id = wanted.value
ORDER BY p.report_id, p.position;

-- What other finished runs of gates in the repository left of this job in these files: the latest
-- violations in each file that are skipped or open, the latest first.
-- name: LeftInFiles :many
SELECT v.ulid, v.short_id, v.file, p.line_start, p.line_end, p.issue, v.priority, v.shown,
  v.result, v.reason, v.status_at, coalesce(p.fingerprint, v.fingerprint) AS fingerprint
FROM json_each(CAST(@files AS TEXT)) AS file
CROSS JOIN violations AS v ON v.id IN ( -- of few files: not all violations in the order of the list
  SELECT w.id
  FROM violations AS w
  JOIN runs AS r ON r.id = w.run_id
  WHERE w.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job) AND w.file = file.value
    AND (w.status = 'skipped' OR w.open = 1)
    AND r.id <> @run_id AND r.kind = 'gates' AND r.finished_at IS NOT NULL
    AND r.repository_id = (SELECT o.repository_id FROM runs AS o WHERE o.id = @run_id)
  ORDER BY w.id DESC LIMIT CAST(@at_most AS INTEGER))
JOIN reports AS p ON p.id = v.report_id
ORDER BY v.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- The same for filtered reports that nobody took up, also of earlier iterations of this run.
-- name: FilteredInFiles :many
SELECT p.short_id, p.file, p.line_start, p.line_end, p.issue, p.priority, p.disposition, p.fingerprint, p.same_as, s.ended_at
FROM json_each(CAST(@files AS TEXT)) AS file
CROSS JOIN reports AS p ON p.id IN ( -- as above
  SELECT q.id
  FROM reports AS q
  JOIN slots AS t ON t.id = q.slot_id AND t.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job)
  JOIN iterations AS i ON i.id = t.iteration_id
  JOIN runs AS r ON r.id = i.run_id
  WHERE q.violation_id IS NULL AND (q.disposition = 'below_threshold' OR q.disposition = 'out_of_diff') AND q.file = file.value AND q.short_id IS NOT NULL
    AND r.kind = 'gates' AND (r.id = @run_id AND i.number < CAST(@iteration AS INTEGER) OR r.id <> @run_id AND r.finished_at IS NOT NULL)
    AND r.repository_id = (SELECT o.repository_id FROM runs AS o WHERE o.id = @run_id)
  ORDER BY q.id DESC LIMIT CAST(@at_most AS INTEGER))
JOIN slots AS s ON s.id = p.slot_id
ORDER BY p.id DESC
LIMIT CAST(@at_most AS INTEGER);

-- What violations of this job in these files were said to be the same as: what was known before them.
-- name: NamedInFiles :many
SELECT DISTINCT v.seen_before
FROM json_each(CAST(@files AS TEXT)) AS file
JOIN violations AS v ON v.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job) AND v.file = file.value
WHERE v.seen_before IS NOT NULL;

-- The filtered reports of a run that nobody took up, or only those of one slot; the most important
-- ones first.
-- name: FilteredReports :many
SELECT sqlc.embed(r), i.number AS iteration, s.review_index, s.adapter, s.ended_at, j.job, j.entry_point, j.name
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN slots AS s ON s.iteration_id = g.iteration_id AND s.job_id = g.job_id AND s.out_of_diff + s.below_threshold + s.malformed > 0
JOIN reports AS r ON r.slot_id = s.id AND r.violation_id IS NULL AND r.disposition IN ('out_of_diff', 'below_threshold', 'malformed')
JOIN jobs AS j ON j.id = g.job_id
JOIN priorities AS p ON p.name = r.priority
WHERE i.run_id = @run_id AND (CAST(@slot_id AS INTEGER) = 0 OR s.id = CAST(@slot_id AS INTEGER))
ORDER BY p.rank, i.number, g.id, s.review_index, r.position
LIMIT CAST(@at_most AS INTEGER);

-- name: ReportsWithPrefix :many
SELECT r.id, r.short_id
FROM reports AS r
WHERE r.short_id >= CAST(@first AS TEXT) AND r.short_id < CAST(@last AS TEXT)
ORDER BY r.short_id LIMIT 2;

-- Makes a filtered report a report of the violation by which it is taken up.
-- name: TakeUpReport :execrows
UPDATE reports SET violation_id = @violation_id WHERE id = @id AND violation_id IS NULL;

-- name: SlotsWithNotes :many
SELECT s.id, i.number AS iteration, s.review_index, s.adapter, s.model, s.ended_at, j.job, j.entry_point, j.name,
  u.ulid AS run, u.branch, u.worktree, u.repository_id
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN slots AS s ON s.id = wanted.value
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS u ON u.id = i.run_id
WHERE (CAST(@model AS TEXT) = '' OR coalesce(s.model, 'unknown') = CAST(@model AS TEXT))
  AND (CAST(@repositories AS TEXT) = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(CAST(@repositories AS TEXT)) AS w))
  AND (CAST(@kind AS TEXT) = '' OR u.kind = CAST(@kind AS TEXT));

-- The rows that a ledger is read as. A column has the name of the field that it is read into
-- (internal/rows): place_file is field File of field Place. A part in braces says what a thing is, and each
-- statement which of them are read. A parameter for several rows or words is a JSON array.

-- A violation with its run, its job and its latest report. Events and words are looked up only where the
-- violation can have them. position, slot_rows and taken_out are compared with those of other answers while
-- it waits.
-- name: part: violation
SELECT v.id AS row, v.report_id AS report_row, v.ulid AS id, v.short_id,
  coalesce(v.handed_to, j.job) AS job, iif(v.handed_to IS NULL, NULL, j.job) AS handed_from, j.entry_point, j.name AS gate,
  u.ulid AS run, u.status AS run_status, u.finished_at IS NULL AS run_open, u.worktree,
  v.slot, v.adapter, v.first_iteration AS first, v.last_iteration AS last, v.answered_iteration AS answered,
  v.status, v.result, v.reason, v.priority, v.seen_before, v.block, v.duplicate_of, v.fingerprint, v.shared, v.in_fix_lines,
  v.first_seen, v.last_seen, v.status_at, r.position, r.issue, r.fix, s.reviewed,
  coalesce(m.file, r.file) AS place_file, coalesce(m.line_start, r.line_start) AS place_start, coalesce(m.line_end, r.line_end) AS place_end,
  {also} AS also,
  CASE WHEN m.position = 1 THEN (SELECT json_group_array({place} ORDER BY l.position) FROM (
    SELECT 0 AS position, r.file, r.line_start, r.line_end
    UNION ALL SELECT a.position, a.file, a.line_start, a.line_end FROM report_places AS a WHERE a.report_id = r.id) AS l) END AS reported,
  (SELECT json_group_array(t.slot) FROM violation_reporters AS t WHERE t.violation_id = v.id) AS more_slots,
  {related} AS related,
  CASE WHEN v.status IN ('disputed', 'fixed', 'duplicate') THEN (
    SELECT json_group_array(json_array(b.review_index, hex(b.adapter))) FROM (
      SELECT DISTINCT bs.review_index, bs.adapter FROM reports AS br JOIN slots AS bs ON bs.id = br.slot_id
      WHERE br.violation_id = v.id AND (br.counts = 1 OR br.disposition = 'merged') ORDER BY 1, 2) AS b) END AS reported_by,
  CASE WHEN v.open = 1 OR v.status IN ('fixed', 'duplicate') THEN (
    SELECT json_group_array(DISTINCT a.slot_id) FROM reports AS a WHERE a.violation_id = v.id AND a.counts = 1) END AS slot_rows,
  CASE WHEN v.open = 1 OR v.status = 'fixed' THEN EXISTS (
    SELECT 1 FROM events AS x WHERE x.violation_id = v.id AND x.status = 'duplicate') END AS taken_out,
  (SELECT l.actor FROM events AS l WHERE l.violation_id = v.id ORDER BY l.number DESC LIMIT 1) AS status_by,
  CASE WHEN v.status = 'verified' THEN (
    SELECT l.confirmed FROM events AS l WHERE l.violation_id = v.id ORDER BY l.number DESC LIMIT 1) END AS confirmed,
  e.result AS evidence,
  CASE WHEN e.id IS NOT NULL THEN (SELECT c.result FROM events AS c
    WHERE c.violation_id = v.id AND c.number < e.number AND c.status IN ('fixed', 'disputed') ORDER BY c.number DESC LIMIT 1) END AS answers,
  {gone},
  d.ended_at AS doubted,
  CASE WHEN d.id IS NOT NULL THEN (SELECT c.result FROM events AS c
    WHERE c.violation_id IN (v.id, (SELECT o.id FROM violations AS o WHERE o.short_id = v.duplicate_of AND o.run_id = v.run_id))
      AND c.status = 'fixed' AND c.at <= d.ended_at ORDER BY c.id DESC LIMIT 1) END AS doubted_words,
  (SELECT w.verdict = 'no_word' FROM claim_words AS w JOIN slots AS ws ON ws.id = w.slot_id
   WHERE w.violation_id = v.id ORDER BY ws.iteration_id DESC, w.verdict = 'no_word' DESC LIMIT 1) AS unanswered,
  CASE WHEN v.status = 'fixed' AND v.first_iteration < v.last_iteration THEN (
    SELECT json_group_array(DISTINCT x.issue) FROM reports AS x
    WHERE x.violation_id = v.id AND x.counts = 1 AND x.issue <> r.issue) END AS earlier_words,
  EXISTS (SELECT 1 FROM violations AS o JOIN runs AS ou ON ou.id = o.run_id AND ou.repository_id = u.repository_id
    WHERE o.fingerprint = v.fingerprint AND o.run_id <> v.run_id) AS recurring
FROM violations AS v
JOIN runs AS u ON u.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS r ON r.id = v.report_id
JOIN slots AS s ON s.id = r.slot_id
LEFT JOIN violation_places AS m ON m.violation_id = v.id AND m.iteration = v.moved_in AND m.position = 1
LEFT JOIN events AS e ON e.violation_id = v.id AND e.number = CASE WHEN v.open = 1 OR v.status = 'withdrawn' THEN (
  SELECT max(x.number) FROM events AS x WHERE x.violation_id = v.id AND x.status = iif(v.open = 1, 'reopened', 'withdrawn')) END
{gone words}
LEFT JOIN slots AS d ON d.id = (
  SELECT max(w.slot_id) FROM claim_words AS w WHERE w.violation_id = v.id AND w.verdict = 'cannot_tell');

-- Its further places: where they have moved, or those of its report.
-- name: part: also
CASE WHEN m.position = 1 THEN (SELECT json_group_array({place} ORDER BY l.position) FROM violation_places AS l
  WHERE l.violation_id = v.id AND l.iteration = v.moved_in AND l.position > 1) ELSE {places} END;

-- The short IDs of what is perhaps the same.
-- name: part: related
(SELECT json_group_array(n.other) FROM violation_pairs AS n WHERE n.violation_id = v.id);

-- Who said last that an open violation is gone, since its last event and report.
-- name: part: gone
gs.adapter || '@' || gs.review_index AS gone_by, g.evidence AS gone_evidence, gi.number AS gone_iteration;

-- name: part: gone words
LEFT JOIN gone_words AS g ON g.violation_id = v.id AND g.slot_id = CASE WHEN v.open = 1 THEN (
  SELECT ws.id FROM gone_words AS w JOIN slots AS ws ON ws.id = w.slot_id AND ws.ended_at >= v.status_at AND ws.ended_at >= v.last_seen
  WHERE w.violation_id = v.id ORDER BY ws.ended_at DESC, ws.id DESC LIMIT 1) END
LEFT JOIN slots AS gs ON gs.id = g.slot_id
LEFT JOIN iterations AS gi ON gi.id = gs.iteration_id;

-- Further places of a report.
-- name: part: places
(SELECT json_group_array({place} ORDER BY l.position) FROM report_places AS l WHERE l.report_id = r.id);

-- name: part: place
json_array(hex(l.file), l.line_start, l.line_end);

-- name: ViolationsOfRun
{violation}
WHERE v.run_id = @run
ORDER BY v.id;

-- name: Violations
{violation}
WHERE v.id IN (SELECT w.value FROM json_each(@rows) AS w);

-- The violations of a run that are perhaps the same as others.
-- name: PairedOfRun
SELECT v.id AS row, v.block, v.short_id AS id, v.status, v.priority, {related} AS related
FROM violations AS v
WHERE v.run_id = @run AND EXISTS (SELECT 1 FROM violation_pairs AS n WHERE n.violation_id = v.id)
ORDER BY v.id;

-- Whether a violation may be disputed: its reporters, and whether a reviewer has answered a dispute of it, or
-- said that it stands while it was joined to another one.
-- name: Disputed
SELECT (SELECT json_group_array(json_array(b.review_index, hex(b.adapter))) FROM (
    SELECT DISTINCT s.review_index, s.adapter FROM reports AS r JOIN slots AS s ON s.id = r.slot_id
    WHERE r.violation_id = @violation AND r.counts = 1 ORDER BY 1, 2) AS b) AS reported_by,
  EXISTS (
    SELECT 1 FROM events AS d
    JOIN events AS a ON a.violation_id = d.violation_id AND a.number = d.number + 1 AND a.actor = 'reviewer'
    WHERE d.violation_id = @violation AND d.status = 'disputed'
    UNION ALL
    SELECT 1 FROM claim_words AS w WHERE w.violation_id = @violation AND w.verdict = 'stands') AS answered;

-- The entries of a slot's file, with the fate, status and words of each violation as they were at a time. If now
-- is 1, that is the present: then what the slot itself reported is where its lines have moved, too.
-- name: SlotEntries
SELECT e.position, v.ulid, v.short_id AS id, e.status, e.result, r.issue, r.fix, v.priority, r.priority AS reported, v.report_id <> r.id AS outdated,
  coalesce(m.file, r.file) AS file, coalesce(m.line_start, r.line_start) AS line, coalesce(m.line_end, r.line_end) AS end_line, {also} AS also,
  coalesce(r.fingerprint, v.fingerprint) AS fingerprint, {related} AS related, v.block AS "group", v.duplicate_of, {gone},
  coalesce(f.status, v.status) AS fate, coalesce(f.status, v.status) = 'reopened' AS reopened,
  (SELECT x.result FROM events AS x WHERE x.violation_id = coalesce(o.id, v.id) AND x.status = 'reopened' AND x.at <= @until
   ORDER BY x.number DESC LIMIT 1) AS said,
  -- Joined by same words, it shows what became of its original.
  iif(v.status = 'duplicate' AND v.reason = 'same words' AND o.id IS NOT NULL, o.status, v.status) AS status_now,
  iif(v.status = 'duplicate' AND v.reason = 'same words', o.result, v.result) AS result_now,
  iif(v.status = 'duplicate' AND v.reason = 'same words', o.reason, v.reason) AS reason_now,
  iif(t.reason = 'same words', 'new', coalesce(t.status, v.status)) AS status_then, t.result AS result_then
FROM slot_entries AS e
JOIN violations AS v ON v.id = e.violation_id
JOIN reports AS r ON r.id = e.report_id
LEFT JOIN violations AS o ON o.short_id = v.duplicate_of AND o.run_id = v.run_id
LEFT JOIN violation_places AS m ON m.violation_id = v.id AND m.iteration = v.moved_in AND m.position = 1
  AND v.report_id = r.id AND (@now = 1 OR r.slot_id <> e.slot_id)
LEFT JOIN events AS f ON f.violation_id = coalesce(o.id, v.id)
  AND f.number = (SELECT max(x.number) FROM events AS x WHERE x.violation_id = coalesce(o.id, v.id) AND x.at <= @until)
LEFT JOIN events AS t ON t.violation_id = v.id
  AND t.number = (SELECT max(x.number) FROM events AS x WHERE x.violation_id = v.id AND x.at <= @until)
{gone words}
WHERE e.slot_id = @slot
ORDER BY e.position;

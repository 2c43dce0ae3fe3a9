-- Checks that rows agree with each other. Each statement returns the problems that it finds.

-- name: statuses
SELECT 'violation ' || v.short_id || ' is ' || v.status || ', but its last event is "' ||
  coalesce((SELECT e.status FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1), '') || '"'
FROM violations AS v
WHERE v.status IS NOT (SELECT e.status FROM events AS e WHERE e.violation_id = v.id ORDER BY e.id DESC LIMIT 1)
ORDER BY v.id;

-- name: reports
SELECT 'violation ' || v.short_id || ' does not show its latest report'
FROM violations AS v
WHERE v.report_id IS NULL OR v.report_id IS NOT (SELECT max(r.id) FROM reports AS r WHERE r.violation_id = v.id AND r.counts = 1)
ORDER BY v.id;

-- name: runs
SELECT 'the counts of run ' || r.ulid || ' do not match its rows'
FROM runs AS r
WHERE r.iterations <> (SELECT count(*) FROM iterations AS i WHERE i.run_id = r.id AND i.status <> 'running')
  OR (r.verified, r.skipped, r.claimed, r.withdrawn, r.open) <> (
    SELECT count(*) FILTER (WHERE v.status = 'verified'), count(*) FILTER (WHERE v.status = 'skipped'), count(*) FILTER (WHERE v.status = 'fixed'),
      count(*) FILTER (WHERE v.status = 'withdrawn'), count(*) FILTER (WHERE v.open = 1)
    FROM violations AS v WHERE v.run_id = r.id)
ORDER BY r.id;

-- What a violation says about its run must match the run.
-- name: marks
SELECT 'whether violation ' || v.short_id || ' is abandoned does not match its run'
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
WHERE v.abandoned <> (r.status = 'abandoned');

-- name: event numbers
SELECT 'the events of violation ' || v.short_id || ' are not numbered from 1 without gaps'
FROM violations AS v
JOIN events AS e ON e.violation_id = v.id
GROUP BY v.id
HAVING count(*) <> max(e.number) OR min(e.number) < 1;

-- name: transitions
SELECT 'run ' || r.ulid || ': its ' || coalesce(j.job || coalesce('@' || s.review_index, '') || ' in ', '') || coalesce('iteration ' || i.number, 'run') ||
  ' is ' || w.status || ', and the last transition says something else'
FROM (
  SELECT 'run' AS subject, rr.id AS run_id, NULL AS iteration_id, NULL AS gate_id, NULL AS slot_id, rr.status FROM runs AS rr
  UNION ALL
  SELECT 'iteration', ri.run_id, ri.id, NULL, NULL, ri.status FROM iterations AS ri
  UNION ALL
  SELECT 'gate', gi.run_id, NULL, gg.id, NULL, gg.status FROM gates AS gg JOIN iterations AS gi ON gi.id = gg.iteration_id
  UNION ALL
  SELECT 'slot', si.run_id, NULL, NULL, ss.id, ss.status
  FROM slots AS ss JOIN iterations AS si ON si.id = ss.iteration_id) AS w
JOIN runs AS r ON r.id = w.run_id
LEFT JOIN slots AS s ON s.id = w.slot_id
LEFT JOIN gates AS g ON g.id = w.gate_id
LEFT JOIN jobs AS j ON j.id = coalesce(g.job_id, s.job_id)
LEFT JOIN iterations AS i ON i.id = coalesce(w.iteration_id, g.iteration_id, s.iteration_id)
WHERE w.status IS NOT (
  SELECT t.status FROM transitions AS t
  WHERE t.run_id = w.run_id AND t.subject = w.subject
    AND t.iteration_id IS w.iteration_id AND t.gate_id IS w.gate_id AND t.slot_id IS w.slot_id
  ORDER BY t.id DESC LIMIT 1);

-- new is the number of violations first reported in the iteration, without those taken up. The
-- other counts are the sums of the counts of its slots.
-- name: iterations
SELECT 'the counts of iteration ' || i.number || ' of run ' || r.ulid || ' do not match its rows'
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id
WHERE i.status <> 'running' AND i.mode <> 'rebuilt'
  AND (i.new <> (SELECT count(*) FROM violations AS v WHERE v.run_id = i.run_id AND v.first_iteration = i.number
                 AND NOT EXISTS (SELECT 1 FROM reports AS p WHERE p.short_id = v.short_id)) -- not taken up
    OR (i.reopened, i.verified, i.carried) <> (
      SELECT coalesce(sum(s.reopened), 0), coalesce(sum(s.verified), 0), coalesce(sum(s.carried), 0) FROM slots AS s WHERE s.iteration_id = i.id))
ORDER BY i.id;

-- name: slots
SELECT 'the counts of slot ' || r.ulid || '/' || i.number || '/' || j.job || '@' || s.review_index || ' do not match its reports'
FROM slots AS s
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE s.status <> 'running' AND i.mode <> 'rebuilt'
  AND (s.accepted <> (SELECT count(*) FROM reports AS p WHERE p.slot_id = s.id AND p.disposition = 'accepted')
    OR s.accepted + s.out_of_diff + s.below_threshold + s.previously_skipped + s.remembered_skip + s.malformed + s.merged + s.outside_verify
       <> (SELECT count(*) FROM reports AS p WHERE p.slot_id = s.id))
ORDER BY s.id;

-- The index of search has the texts of every report and note, and no others.
-- name: words
SELECT 'the index of search does not fit the reports'
WHERE (SELECT count(*) FROM search_words) <> (SELECT count(*) FROM reports) + (SELECT count(s.notes) FROM slots AS s)
  OR EXISTS (
    SELECT 1 FROM reports AS r
    LEFT JOIN violations AS v ON v.id = r.violation_id AND v.report_id = r.id
    LEFT JOIN search_words AS w ON w.rowid = r.slot_id << 24 | r.position
    WHERE w.title IS NOT r.title OR w.issue IS NOT r.issue OR w.fix IS NOT r.fix OR w.result IS NOT v.result)
  OR EXISTS (
    SELECT 1 FROM slots AS s
    LEFT JOIN search_words AS w ON w.rowid = s.id << 24
    WHERE w.notes IS NOT s.notes);

-- name: skips
SELECT 'run ' || u.ulid || ': the report at position ' || r.position || ' of slot ' || j.job || '@' || s.review_index || ' in iteration ' ||
  i.number || iif(t.report_id IS NULL, ' was left out because of a remembered skip, and nothing says which',
    ' meets a remembered skip, and was not left out because of it')
FROM reports AS r
LEFT JOIN met_skips AS t ON t.report_id = r.id
JOIN slots AS s ON s.id = r.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS u ON u.id = i.run_id
WHERE (r.disposition = 'remembered_skip') <> (t.report_id IS NOT NULL);

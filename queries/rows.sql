-- The rows that a ledger is read as. A column has the name of the field that it is read into
-- (internal/rows): place_file is field File of field Place. A part in braces says what a thing is, and each
-- statement which of them are read. A parameter for several rows or words is a JSON array.

-- A run with its repository and, in a code review that has one, its latest verdict.
-- name: part: run
SELECT r.id AS row, r.repository_id AS repository_row, r.ulid AS id, r.kind, r.worktree, nullif(y.kind, 'unknown') AS repository_kind, y.key AS repository_key,
  r.worktree_name, r.worktree_name IS NOT NULL AS worktree_known, r.log_dir, r.branch, r.base_ref, r.base, r.head, r.subject, r.session_ref, r.status, r.started_at, r.finished_at,
  r.config_hash, r.content_removed_at, r.iterations, r.verified, r.claimed, r.skipped, r.withdrawn, r.open,
  iif(d.verdict IS NULL, NULL, h.review_id) AS review_id, d.verdict
FROM runs AS r
LEFT JOIN repositories AS y ON y.id = r.repository_id
LEFT JOIN code_reviews AS h ON h.run_id = r.id
LEFT JOIN verdicts AS d ON d.run_id = h.run_id AND d.iteration_id = (SELECT max(x.iteration_id) FROM verdicts AS x WHERE x.run_id = h.run_id);

-- name: RunByULID
{run}
WHERE r.ulid = @ulid;

-- name: RunByRow
{run}
WHERE r.id = @row;

-- Runs, newest first. With before_at and before_row, only those after this key.
-- name: ListRuns
{run}
WHERE r.started_at >= @since AND r.started_at < @until
  AND (@before_at = '' OR r.started_at < @before_at OR r.started_at = @before_at AND r.id < @before_row)
  AND (@statuses = 'null' OR r.status IN (SELECT w.value FROM json_each(@statuses) AS w))
  AND (@kind = '' OR r.kind = @kind)
  AND (@branch = '' OR r.branch = @branch)
  AND (@worktree = '' OR r.worktree = @worktree)
  AND (@repositories = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(@repositories) AS w))
  AND (@jobs = 'null' OR EXISTS (
    SELECT 1 FROM iterations AS i
    JOIN gates AS g ON g.iteration_id = i.id
    WHERE i.run_id = r.id AND g.job_id IN (SELECT w.value FROM json_each(@jobs) AS w)))
  AND (@adapter = '' OR EXISTS (
    SELECT 1 FROM iterations AS i
    JOIN slots AS s ON s.iteration_id = i.id
    WHERE i.run_id = r.id AND s.adapter = @adapter))
ORDER BY r.started_at DESC, r.id DESC
LIMIT @at_most;

-- name: RunsWithPrefix
{run}
WHERE r.ulid >= @first AND r.ulid < @last
ORDER BY r.ulid LIMIT 2;

-- The runs that have not ended, newest first.
-- name: OpenRuns
{run}
WHERE r.finished_at IS NULL
ORDER BY r.started_at DESC, r.id DESC;

-- The newest runs that passed as a whole with this base and configuration, which is that of the last
-- iteration, or the run with that ULID, if one is given: except those on whose last tree a later run
-- failed with that configuration, unless that run then passed without another iteration. What an iteration
-- found counts even if it was interrupted or ended in error. A run is later if it has a later time or
-- was recorded later, because clocks can be set back.
-- name: PassedRuns
{run}
WHERE r.base = @base AND r.finished_at IS NOT NULL
  AND CASE @run WHEN '' THEN @config_hash = coalesce(
      (SELECT c.config_hash FROM iterations AS c WHERE c.run_id = r.id ORDER BY c.number DESC LIMIT 1), r.config_hash)
    ELSE r.ulid = @run END
  AND r.kind = 'gates' AND r.status IN ('passed', 'passed_with_warnings')
  AND EXISTS (SELECT 1 FROM transitions AS t WHERE t.run_id = r.id AND t.subject = 'run' AND t.cause = 'passed_whole')
  AND NOT EXISTS (
    SELECT 1 FROM iterations AS p
    JOIN iterations AS f ON f.tree = p.tree AND (f.status IN ('failed', 'retry_limit_exceeded') OR EXISTS (
      SELECT 1 FROM gates AS g LEFT JOIN slots AS s ON s.iteration_id = g.iteration_id AND s.job_id = g.job_id
      WHERE g.iteration_id = f.id AND (g.status = 'failed' OR s.accepted > 0)))
    JOIN runs AS l ON l.id = f.run_id AND (l.ulid > r.ulid OR l.id > r.id) AND l.kind = r.kind
      AND coalesce(f.base, l.base) = r.base
      AND coalesce(f.config_hash, l.config_hash) = coalesce(p.config_hash, r.config_hash)
    WHERE p.run_id = r.id AND p.number = (SELECT max(n.number) FROM iterations AS n WHERE n.run_id = r.id)
      AND (l.status NOT IN ('passed', 'passed_with_warnings')
        OR f.number < (SELECT max(n.number) FROM iterations AS n WHERE n.run_id = l.id)))
ORDER BY r.id DESC LIMIT 50;

-- The newest finished run in a place: the one that this ledger recorded last, whatever the clock said.
-- Imported runs come before those recorded here; among them, time decides. Other repositories that were
-- at the same path do not count. With a branch, only its runs count, and a run that passed with only checks does
-- not: it says nothing about what reviewers have seen.
-- name: LastRun
{run}
WHERE r.worktree = @worktree AND r.log_dir = @log_dir AND r.kind = @kind AND r.finished_at IS NOT NULL
  AND (r.repository_id IN (1, @repository) OR @sole = 1)
  AND (@branch IS NULL OR r.branch = @branch AND (r.status NOT IN ('passed', 'passed_with_warnings') OR EXISTS (
    SELECT 1 FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id AND g.num_reviews > 0 WHERE i.run_id = r.id)))
ORDER BY r.imported, CASE WHEN r.imported = 1 THEN r.started_at END DESC, r.id DESC LIMIT 1;

-- The newest code review of a worktree that has a verdict; with a review ID, the newest with that. Repository 1 is the
-- unknown one: its runs are identified by their path, too.
-- name: RunOfReview
{run}
WHERE (@review_id = '' OR h.review_id = @review_id) AND d.verdict IS NOT NULL
  AND (r.worktree = @worktree AND (r.worktree_name IS NULL OR r.repository_id = 1) OR r.repository_id = @repository AND r.worktree_name = @worktree_name)
ORDER BY r.id DESC LIMIT 1;

-- name: IterationsOfRun
SELECT i.id AS row, i.number, i.mode, i.source, i.from_tree AS "from", i.to_tree AS "to", i.snapshot, i.tree, i.head, i.branch, i.base, i.anew,
  i.config_hash, i.status, i.started_at, i.finished_at, i.noticed_at,
  (SELECT d.verdict FROM verdicts AS d WHERE d.run_id = i.run_id AND d.iteration_id = i.id) AS verdict
FROM iterations AS i
WHERE i.run_id = @run
ORDER BY i.number;

-- name: GatesOfRun
SELECT i.number AS iteration, j.job, j.kind, j.entry_point, j.name, g.status, g.reason, g.not_run_reason AS not_run, g.exit_code, g.problems,
  g.excerpt, g.config_hash, g.rests_on, g.duration_ms AS duration, g.started_at
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @run
ORDER BY i.number, g.id;

-- A slot with the number of violations that its file lists, and its notes.
-- name: part: slot
SELECT s.id AS row, i.number AS iteration, j.job, s.review_index AS "index", s.adapter, s.status, s.pass_iteration, s.latch, s.reason, s.reviewed,
  s.model AS usage_model, s.input_tokens AS usage_input_tokens, s.cached_tokens AS usage_cached_tokens, s.output_tokens AS usage_output_tokens, s.cost_usd AS usage_cost_usd,
  s.calls, s.duration_ms AS duration, s.started_at, s.finished_at, s.noticed_at, s.repairs, s.unseen, s.denied, s.notes,
  (SELECT count(*) FROM slot_entries AS e WHERE e.slot_id = s.id) AS listed,
  s.accepted AS counts_accepted, s.out_of_diff AS counts_out_of_diff, s.below_threshold AS counts_below_threshold,
  s.previously_skipped AS counts_previously_skipped, s.remembered_skip AS counts_remembered_skip, s.malformed AS counts_malformed,
  s.merged AS counts_merged, s.outside_verify AS counts_outside_verify, s.new AS counts_new, s.reopened AS counts_reopened,
  s.verified AS counts_verified, s.carried AS counts_carried, s.elsewhere AS counts_elsewhere
FROM iterations AS i
JOIN gates AS g ON g.iteration_id = i.id
JOIN slots AS s ON s.iteration_id = g.iteration_id AND s.job_id = g.job_id
JOIN jobs AS j ON j.id = g.job_id;

-- name: SlotsOfRun
{slot}
WHERE i.run_id = @run
ORDER BY i.number, g.id, s.review_index;

-- name: Slot
{slot}
WHERE i.run_id = @run AND i.number = @iteration AND j.job = @job AND s.review_index = @index;

-- name: CallsOfSlot
SELECT c.call AS number, c.part, c.repair, c.misfit, s.model AS usage_model, c.input_tokens AS usage_input_tokens,
  c.cached_tokens AS usage_cached_tokens, c.output_tokens AS usage_output_tokens, c.cost_usd AS usage_cost_usd, c.duration_ms AS duration
FROM slots AS s
JOIN slot_calls AS c ON c.slot_id = s.id
WHERE s.id = @slot
ORDER BY c.call;

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
  (SELECT json_group_array(DISTINCT ms.review_index ORDER BY ms.review_index) FROM reports AS mr JOIN slots AS ms ON ms.id = mr.slot_id
   WHERE mr.violation_id = v.id AND ms.review_index <> v.slot AND (mr.counts = 1 OR mr.disposition = 'merged' AND ms.job_id = v.job_id)) AS more_slots,
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
  (SELECT w.verdict = 'no_word' FROM slot_words AS w JOIN slots AS ws ON ws.id = w.slot_id
   WHERE w.violation_id = v.id AND w.verdict <> 'gone' ORDER BY ws.iteration_id DESC, w.verdict = 'no_word' DESC LIMIT 1) AS unanswered,
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
  SELECT max(w.slot_id) FROM slot_words AS w WHERE w.violation_id = v.id AND w.verdict = 'cannot_tell');

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
LEFT JOIN slot_words AS g ON g.violation_id = v.id AND g.verdict = 'gone' AND g.slot_id = CASE WHEN v.open = 1 THEN (
  SELECT ws.id FROM slot_words AS w JOIN slots AS ws ON ws.id = w.slot_id AND w.verdict = 'gone' AND ws.ended_at >= v.status_at AND ws.ended_at >= v.last_seen
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
    SELECT 1 FROM slot_words AS w WHERE w.violation_id = @violation AND w.verdict = 'stands') AS answered;

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

-- A report with its slot and its run. short_id is that of the violation that it is of, or whose skip it met.
-- name: part: report
SELECT r.id AS row, s.id AS slot_row, r.fingerprint, u.ulid AS run, j.job, j.entry_point, j.name AS gate, i.number AS iteration, s.review_index AS slot, s.adapter,
  r.position, r.file AS place_file, r.line_start AS place_start, r.line_end AS place_end, {places} AS also,
  r.issue, r.fix, r.priority, r.disposition, r.reason, r.in_fix_lines, s.ended_at AS at, r.short_id AS id, v.ulid AS violation,
  coalesce(v.short_id, (SELECT x.short_id FROM met_skips AS m JOIN violations AS x ON x.ulid = m.skipped WHERE m.report_id = r.id)) AS short_id
FROM reports AS r
JOIN slots AS s ON s.id = r.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS u ON u.id = i.run_id
LEFT JOIN violations AS v ON v.id = r.violation_id;

-- name: ReportsOfSlot
{report}
WHERE r.slot_id = @slot
ORDER BY r.position;

-- name: ReportsOfViolation
{report}
WHERE r.violation_id = @violation
ORDER BY r.id;

-- The filtered reports of a run that nobody took up, or only those of one slot; the most important ones first.
-- name: FilteredReports
{report}
WHERE i.run_id = @run AND (@slot = 0 OR s.id = @slot) AND s.out_of_diff + s.below_threshold + s.malformed > 0
  AND r.violation_id IS NULL AND r.disposition IN ('out_of_diff', 'below_threshold', 'malformed')
ORDER BY (SELECT p.rank FROM priorities AS p WHERE p.name = r.priority), i.number,
  (SELECT g.id FROM gates AS g WHERE g.iteration_id = s.iteration_id AND g.job_id = s.job_id), s.review_index, r.position
LIMIT @at_most;

-- name: DiscardedReport
{report}
WHERE r.id = @row AND r.disposition <> 'accepted';

-- Discarded reports that a search found.
-- name: FoundReports
{report}
WHERE r.id IN (SELECT w.value FROM json_each(@rows) AS w) AND r.disposition <> 'accepted' AND {in runs};

-- The discarded reports that come, in this order, after the one at last, last_slot and last_position.
-- name: DiscardedReports
{report}
WHERE r.id IN (
  SELECT r.id
  FROM slots AS s
  JOIN reports AS r ON r.slot_id = s.id AND r.disposition <> 'accepted'
  JOIN jobs AS j ON j.id = s.job_id
  JOIN iterations AS i ON i.id = s.iteration_id
  JOIN runs AS u ON u.id = i.run_id
  WHERE s.ended_at >= @since AND s.ended_at < @until AND s.ended_at <= @last
    AND s.out_of_diff + s.below_threshold + s.previously_skipped + s.remembered_skip + s.malformed + s.merged + s.outside_verify > 0
    AND (@run = '' OR u.ulid = @run)
    AND (@dispositions = 'null' OR r.disposition IN (SELECT w.value FROM json_each(@dispositions) AS w))
    AND (@priorities = 'null' OR r.priority IN (SELECT w.value FROM json_each(@priorities) AS w))
    AND (@gate = '' OR j.name = @gate)
    AND (@entry_point = '' OR j.entry_point = @entry_point)
    AND (@adapter = '' OR s.adapter = @adapter)
    AND {in runs}
    AND (s.ended_at < @last OR s.id < @last_slot OR s.id = @last_slot AND r.position > @last_position)
  ORDER BY s.ended_at DESC, s.id DESC, r.position
  LIMIT @at_most)
ORDER BY s.ended_at DESC, s.id DESC, r.position;

-- The conditions of a filter on the slot and its run.
-- name: part: in runs
(@model = '' OR coalesce(s.model, 'unknown') = @model)
  AND (@repositories = 'null' OR u.repository_id IN (SELECT w.value FROM json_each(@repositories) AS w))
  AND (@branch = '' OR u.branch = @branch)
  AND (@worktree = '' OR u.worktree = @worktree)
  AND (@kind = '' OR u.kind = @kind);

-- Slots with notes that a search found.
-- name: FoundNotes
SELECT s.id AS row, u.ulid AS run, j.job AS ref_job, s.review_index AS ref_slot, i.number AS ref_iteration, j.entry_point, j.name AS gate, s.adapter, s.ended_at AS at
FROM slots AS s
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS u ON u.id = i.run_id
WHERE s.id IN (SELECT w.value FROM json_each(@rows) AS w) AND {in runs};

-- name: part: event
SELECT v.ulid AS violation, i.number AS iteration, e.number, e.status, e.actor, e.result, e.reason, e.confirmed, e.at
FROM violations AS v
JOIN events AS e ON e.violation_id = v.id
JOIN iterations AS i ON i.id = e.iteration_id;

-- name: EventsOfViolation
{event}
WHERE v.id = @violation
ORDER BY e.id;

-- name: EventsOfRun
{event}
WHERE v.run_id = @run
ORDER BY e.at, e.id;

-- Whether the skips of these violations are remembered or were forgotten, and what they have met.
-- name: SkipsOf
SELECT v.ulid AS of, e.number AS event, e.fingerprint AS line, e.fingerprint IS NOT NULL AND f.at IS NULL AS remembered,
  f.actor AS forgotten_by, f.at AS forgotten_at,
  met.times AS met, met.last AS last_met
FROM violations AS v
JOIN events AS e ON e.violation_id = v.id AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
LEFT JOIN (SELECT t.skipped, count(*) AS times, max((SELECT s.ended_at FROM reports AS p JOIN slots AS s ON s.id = p.slot_id WHERE p.id = t.report_id)) AS last
  FROM met_skips AS t GROUP BY t.skipped) AS met ON met.skipped = v.ulid
LEFT JOIN forgotten_skips AS f ON f.violation = v.ulid AND f.event = e.number
WHERE v.ulid IN (SELECT w.value FROM json_each(@violations) AS w) AND v.status IN ('skipped', 'withdrawn');

-- A violation that an earlier run left, as a prompt shows it or a report is compared with it: its words and lines
-- are those of its latest report.
-- name: part: earlier
v.ulid AS id, v.short_id, j.job, v.file AS place_file, p.line_start AS place_start, p.line_end AS place_end, p.issue, v.priority,
  v.shown AS status, NULL AS disposition, v.status_at AS at, v.reason, v.result, NULL AS same_as,
  p.line_hash, coalesce(p.line_repeated, 1) AS line_repeated;

-- The remembered skips on these lines from other runs of gates in the same repository. Only the latest at_most of
-- each line are read: an older one does not filter a report.
-- name: RememberedOnLines
SELECT {earlier}, e.fingerprint, e.number AS event, EXISTS (
    SELECT 1 FROM iterations AS ti
    JOIN slots AS ts ON ts.iteration_id = ti.id AND ts.remembered_skip > 0
    JOIN reports AS tr ON tr.slot_id = ts.id AND tr.disposition = 'remembered_skip'
    JOIN met_skips AS t ON t.report_id = tr.id
    WHERE ti.run_id = @run AND t.skipped = v.ulid) AS met_before
FROM json_each(@fingerprints) AS line
JOIN events AS e ON e.id IN (SELECT n.id FROM events AS n WHERE n.fingerprint = line.value ORDER BY n.id DESC LIMIT @at_most)
JOIN violations AS v ON v.id = e.violation_id
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS p ON p.id = v.report_id
WHERE v.status IN ('skipped', 'withdrawn') AND {of another run}
  AND e.number = (SELECT max(l.number) FROM events AS l WHERE l.violation_id = v.id)
  AND NOT EXISTS (SELECT 1 FROM forgotten_skips AS f WHERE f.violation = v.ulid AND f.event = e.number)
ORDER BY e.id DESC;

-- The skipped violations among the latest on these lines, from other runs of gates in the repository.
-- name: SkippedOnLines
SELECT {earlier}, v.fingerprint, 0 AS event, 0 AS met_before
FROM json_each(@fingerprints) AS line
JOIN violations AS v ON v.fingerprint = line.value AND v.run_id <> @run
  AND v.id IN (SELECT w.id FROM violations AS w WHERE w.fingerprint = line.value ORDER BY w.run_id DESC LIMIT @at_most)
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS p ON p.id = v.report_id
WHERE v.status = 'skipped' AND {of another run}
ORDER BY v.status_at DESC, v.id DESC;

-- What other finished runs of gates in the repository left of this job in these files: the latest violations in
-- each file that are skipped or open, the latest first.
-- name: LeftInFiles
SELECT {earlier}, coalesce(p.fingerprint, v.fingerprint) AS fingerprint, 0 AS event, 0 AS met_before
FROM json_each(@files) AS file
CROSS JOIN violations AS v ON v.id IN ( -- of few files: not all violations in the order of the list
  SELECT w.id
  FROM violations AS w
  JOIN runs AS r ON r.id = w.run_id
  WHERE w.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job) AND w.file = file.value
    AND (w.status = 'skipped' OR w.open = 1)
    AND r.id <> @run AND r.kind = 'gates' AND r.finished_at IS NOT NULL
    AND r.repository_id = (SELECT o.repository_id FROM runs AS o WHERE o.id = @run)
  ORDER BY w.id DESC LIMIT @at_most)
JOIN jobs AS j ON j.id = v.job_id
JOIN reports AS p ON p.id = v.report_id
ORDER BY v.id DESC
LIMIT @at_most;

-- name: part: of another run
v.run_id <> @run AND EXISTS (SELECT 1 FROM runs AS o JOIN runs AS u ON u.id = @run AND u.repository_id = o.repository_id
  WHERE o.id = v.run_id AND o.kind = 'gates');

-- The same for filtered reports that nobody took up, also of earlier iterations of this run.
-- name: FilteredInFiles
SELECT NULL AS id, p.short_id, @job AS job, p.file AS place_file, p.line_start AS place_start, p.line_end AS place_end, p.issue, p.priority,
  NULL AS status, p.disposition, s.ended_at AS at, NULL AS reason, NULL AS result, p.same_as, NULL AS line_hash, NULL AS line_repeated,
  p.fingerprint, 0 AS event, 0 AS met_before
FROM json_each(@files) AS file
CROSS JOIN reports AS p ON p.id IN ( -- as above
  SELECT q.id
  FROM reports AS q
  JOIN slots AS t ON t.id = q.slot_id AND t.job_id = (SELECT j.id FROM jobs AS j WHERE j.job = @job)
  JOIN iterations AS i ON i.id = t.iteration_id
  JOIN runs AS r ON r.id = i.run_id
  WHERE q.violation_id IS NULL AND (q.disposition = 'below_threshold' OR q.disposition = 'out_of_diff') AND q.file = file.value AND q.short_id IS NOT NULL
    AND r.kind = 'gates' AND (r.id = @run AND i.number < @iteration OR r.id <> @run AND r.finished_at IS NOT NULL)
    AND r.repository_id = (SELECT o.repository_id FROM runs AS o WHERE o.id = @run)
  ORDER BY q.id DESC LIMIT @at_most)
JOIN slots AS s ON s.id = p.slot_id
ORDER BY p.id DESC
LIMIT @at_most;

-- What slots said about violations that were claimed to be fixed, or disputed.
-- name: part: word
SELECT v.ulid AS violation, v.short_id AS of, j.job, i.number AS iteration, s.review_index AS slot, s.adapter, w.verdict, w.evidence, w.confirmed
FROM violations AS v
JOIN slot_words AS w ON w.violation_id = v.id AND w.verdict <> 'gone'
JOIN slots AS s ON s.id = w.slot_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN jobs AS j ON j.id = s.job_id;

-- About a violation and its duplicates.
-- name: WordsOfViolation
{word}
WHERE v.id = @violation OR v.run_id = (SELECT o.run_id FROM violations AS o WHERE o.id = @violation)
  AND v.duplicate_of = (SELECT o.short_id FROM violations AS o WHERE o.id = @violation)
ORDER BY i.number, s.review_index, v.id <> @violation, v.id;

-- name: WordsOfIteration
{word}
WHERE v.run_id = @run AND s.iteration_id = @iteration;

-- About what is claimed to be fixed, and about its duplicates, in order.
-- name: WordsOnClaims
{word}
WHERE v.run_id = @run AND v.status IN ('fixed', 'duplicate')
ORDER BY i.id, s.id;

-- name: TransitionsOfRun
SELECT t.status, t.at, t.actor AS by, t.cause, t.iterations
FROM transitions AS t
WHERE t.run_id = @run AND t.subject = 'run'
ORDER BY t.id;

-- What a code review's verdicts say about the review as a whole.
-- name: CodeReview
SELECT review_id, scope, target, report_path AS review_document FROM code_reviews WHERE run_id = @run;

-- The verdicts of a code review, the oldest first.
-- name: Verdicts
SELECT i.number AS iteration, d.mode, d.verdict AS word, d.at
FROM verdicts AS d
JOIN iterations AS i ON i.id = d.iteration_id
WHERE d.run_id = @run
ORDER BY d.iteration_id;

-- The violations of a run as a verdict shows them. In a code review that is in the words of the report that
-- began each, in the order of the file; in a run of gates, which has no findings, in those of its latest.
-- name: Findings
SELECT f.finding_id AS id, coalesce(f.exported, v.status) AS exported, v.ulid AS violation, v.short_id, v.status, v.last_iteration AS last, j.name AS domain,
  coalesce(m.file, r.file) AS place_file, coalesce(m.line_start, r.line_start) AS place_start, coalesce(m.line_end, r.line_end) AS place_end,
  iif(f.violation_id IS NULL, v.priority, r.priority) AS priority, r.issue, r.title, r.fix AS recommendation, r.confidence, r.system_breaking,
  (SELECT e.actor FROM events AS e WHERE e.violation_id = v.id ORDER BY e.number DESC LIMIT 1) AS actor
FROM violations AS v
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN findings AS f ON f.violation_id = v.id
LEFT JOIN violation_places AS m ON m.violation_id = v.id AND m.iteration = v.moved_in AND m.position = 1
JOIN reports AS r ON r.id = iif(f.violation_id IS NULL, v.report_id,
  (SELECT min(b.id) FROM reports AS b WHERE b.violation_id = v.id AND b.disposition = 'accepted'))
WHERE v.run_id = @run
ORDER BY f.position, v.id;

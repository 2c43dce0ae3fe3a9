-- The figures of `report` and of the pages: each is one statement over the rows of the ledger. Above
-- it stands what it counts, and after it the keys of docs/json.md that it fills.
--
-- The columns have the names of the fields of the type that is read (internal/rows). The conditions are
-- the same wherever they apply:
--   since, until    the period: from since on, before until
--   runs            the runs of the filter's run, branch, worktree and repository, as a JSON array of
--                   row ids; null means all
--   jobs            the jobs of its gate and entry point, in the same form
--   adapter, model  '' means any; a reviewer that did not say its model has the model 'unknown'
--
-- Weeks are numbered from Monday, 1970-01-05, 00:00 UTC. p50 and p90 are percentiles by nearest rank:
-- the value at the place ceil(n * 50 / 100) and ceil(n * 90 / 100) in order.

-- name: part: violations
(@runs = 'null' OR v.run_id IN (SELECT w.value FROM json_each(@runs) AS w))
  AND (@jobs = 'null' OR v.job_id IN (SELECT w.value FROM json_each(@jobs) AS w))
  AND (@adapter = '' OR v.adapter = @adapter)
  AND (@model = '' OR coalesce((SELECT s.model FROM iterations AS i JOIN slots AS s ON s.iteration_id = i.id
    WHERE i.run_id = v.run_id AND i.number = v.first_iteration AND s.job_id = v.job_id AND s.review_index = v.slot), 'unknown') = @model);

-- Slots that ended in the period.
-- name: part: slots
s.ended_at >= @since AND s.ended_at < @until
  AND (@runs = 'null' OR i.run_id IN (SELECT w.value FROM json_each(@runs) AS w))
  AND (@jobs = 'null' OR s.job_id IN (SELECT w.value FROM json_each(@jobs) AS w))
  AND (@adapter = '' OR s.adapter = @adapter)
  AND (@model = '' OR coalesce(s.model, 'unknown') = @model);

-- Runs of gates that started in the period. If the filter has a gate, an entry point or an adapter,
-- only runs in which these were executed count.
-- name: part: runs
r.kind = 'gates' AND r.started_at >= @since AND r.started_at < @until
  AND (@runs = 'null' OR r.id IN (SELECT w.value FROM json_each(@runs) AS w))
  AND (@jobs = 'null' OR EXISTS (SELECT 1 FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id
    WHERE i.run_id = r.id AND g.job_id IN (SELECT w.value FROM json_each(@jobs) AS w)))
  AND (@adapter = '' OR EXISTS (SELECT 1 FROM iterations AS i JOIN slots AS s ON s.iteration_id = i.id
    WHERE i.run_id = r.id AND s.adapter = @adapter));

-- Executions whose iteration started in the period: those that passed, failed or could not be executed.
-- name: part: executions
g.status IN ('passed', 'failed', 'error') AND i.started_at >= @since AND i.started_at < @until
  AND (@runs = 'null' OR i.run_id IN (SELECT w.value FROM json_each(@runs) AS w))
  AND (@jobs = 'null' OR g.job_id IN (SELECT w.value FROM json_each(@jobs) AS w));

-- name: part: durations
count(*) AS took_n, coalesce(max(iif(x.place = (x.n * 50 + 99) / 100, x.ms, 0)), 0) AS took_p50,
  coalesce(max(iif(x.place = (x.n * 90 + 99) / 100, x.ms, 0)), 0) AS took_p90;

-- Calls of tools, which report a cost of 0 and no tokens, are not counted.
-- name: part: cost
total(s.cost_usd) AS cost_usd,
  CAST(total(s.calls) FILTER (WHERE s.cost_usd <> 0.0 OR s.cost_usd = 0.0 AND (s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL)) AS INTEGER) AS cost_known,
  CAST(total(s.calls) FILTER (WHERE s.cost_usd IS NOT 0.0 OR s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL) AS INTEGER) AS cost_calls;

-- The runs that the filter selects; runs is not applied if the filter names none of these.
-- name: RunsOfScope
SELECT r.id FROM runs AS r
WHERE (@run = '' OR r.ulid = @run)
  AND (@branch = '' OR r.branch = @branch)
  AND (@worktree = '' OR r.worktree = @worktree)
  AND (@repositories = 'null' OR r.repository_id IN (SELECT w.value FROM json_each(@repositories) AS w));

-- When the first violation was reported, with which weeks begin if the period has no beginning.
-- name: FirstReported
SELECT min(v.first_seen) AS at FROM violations AS v;

-- Violations first reported in the period, by all that they are counted by. taken_up are those that
-- were filtered reports, which somebody else than the reviewer made violations.
-- Keys: violations, open, abandoned, claimed, verified, skipped, withdrawn, skipped_by_reason,
-- in_fix_lines, iterations, gates, priorities, and those of adapters and models that count violations.
-- name: ReportedViolations
SELECT j.entry_point, j.name AS gate, v.adapter, coalesce(s.model, 'unknown') AS model, v.first_iteration AS iteration,
  v.priority, v.shown AS status, coalesce(v.reason, '') AS reason, v.shared, v.in_fix_lines,
  EXISTS (SELECT 1 FROM events AS e WHERE e.violation_id = v.id AND e.number = 1 AND e.actor IN ('agent', 'human')) AS taken_up,
  count(*) AS violations
FROM violations AS v
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN iterations AS i ON i.run_id = v.run_id AND i.number = v.first_iteration
LEFT JOIN slots AS s ON s.iteration_id = i.id AND s.job_id = v.job_id AND s.review_index = v.slot
WHERE v.first_seen >= @since AND v.first_seen < @until
  AND {violations}
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;

-- Slots that ended in the period, by gate, reviewer and iteration, with what their answers did.
-- contradicted are reopened claims: a dispute that the slot's reviewer stood by is not one; if its
-- slot is gone, slot 1 has answered it. saved is what a slot that was not asked had spent when it passed.
-- Keys: claims_confirmed, claims_contradicted, cost, saved, carried, verified and reopened of iterations,
-- and those of adapters and models that count slots, reports, tokens and costs.
-- name: EndedSlots
SELECT j.entry_point, j.name AS gate, s.adapter, coalesce(s.model, 'unknown') AS model, i.number AS iteration,
  count(*) FILTER (WHERE s.status IN ('pass', 'fail')) AS answered,
  count(*) FILTER (WHERE s.status = 'error') AS errors,
  count(*) FILTER (WHERE s.status = 'interrupted') AS interrupted,
  count(*) FILTER (WHERE s.status = 'skipped_prior_pass') AS skipped,
  CAST(total(s.verified) AS INTEGER) AS verified, CAST(total(s.carried) AS INTEGER) AS carried, CAST(total(s.reopened) AS INTEGER) AS reopened,
  CAST(total(iif(s.reopened = 0, 0, max(0, s.reopened - (
    SELECT count(*) FROM violations AS v
    JOIN events AS e ON e.violation_id = v.id AND e.iteration_id = s.iteration_id AND e.status = 'reopened'
    JOIN events AS d ON d.violation_id = v.id AND d.number = e.number - 1 AND d.status = 'disputed'
    WHERE v.run_id = i.run_id AND v.job_id = s.job_id AND (v.slot = s.review_index OR s.review_index = 1
      AND v.slot NOT IN (SELECT o.review_index FROM slots AS o WHERE o.iteration_id = s.iteration_id AND o.job_id = s.job_id)))))) AS INTEGER) AS contradicted,
  CAST(total(s.repairs) AS INTEGER) AS repairs,
  CAST(total(s.without_word) AS INTEGER) AS without_word,
  CAST(total(s.accepted) AS INTEGER) AS accepted, CAST(total(s.out_of_diff) AS INTEGER) AS out_of_diff, CAST(total(s.below_threshold) AS INTEGER) AS below_threshold,
  CAST(total(s.previously_skipped) AS INTEGER) AS previously_skipped, CAST(total(s.remembered_skip) AS INTEGER) AS remembered_skip,
  CAST(total(s.malformed) AS INTEGER) AS malformed, CAST(total(s.merged) AS INTEGER) AS merged, CAST(total(s.outside_verify) AS INTEGER) AS outside_verify,
  CAST(total(s.input_tokens) AS INTEGER) AS input_tokens, CAST(total(s.output_tokens) AS INTEGER) AS output_tokens,
  count(*) FILTER (WHERE s.input_tokens IS NOT NULL OR s.output_tokens IS NOT NULL) AS with_tokens,
  {cost},
  CAST(total(p.input_tokens + p.output_tokens) AS INTEGER) AS saved_tokens, total(p.cost_usd) AS saved_usd
FROM slots AS s
JOIN iterations AS i ON i.id = s.iteration_id
JOIN jobs AS j ON j.id = s.job_id
LEFT JOIN iterations AS b ON b.run_id = i.run_id AND b.number = s.pass_iteration
LEFT JOIN slots AS p ON p.iteration_id = b.id AND p.job_id = s.job_id AND p.review_index = s.review_index
WHERE {slots}
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;

-- How long answers took, for each adapter or, if by is 'model', for each model.
-- Key: duration of adapters and models.
-- name: AnswerTimes
SELECT x.name, {durations}
FROM (
  SELECT t.name, t.ms, row_number() OVER (PARTITION BY t.name ORDER BY t.ms) AS place, count(*) OVER (PARTITION BY t.name) AS n
  FROM (
    SELECT iif(@by = 'model', coalesce(s.model, 'unknown'), s.adapter) AS name, s.duration_ms AS ms
    FROM slots AS s
    JOIN iterations AS i ON i.id = s.iteration_id
    WHERE s.status IN ('pass', 'fail') AND {slots}
  ) AS t
) AS x
GROUP BY 1;

-- For each pair of adapters that answered in the same run and gate, among the newest runs: how many
-- violations the first one reported there, and how many of these the other one found too. It did if it
-- reported the same problem, or one on the same line.
-- Key: overlaps.
-- name: AdapterOverlaps
WITH newest AS (
  SELECT r.id FROM runs AS r
  WHERE r.started_at >= @since AND r.started_at < @until
    AND (@runs = 'null' OR r.id IN (SELECT w.value FROM json_each(@runs) AS w))
  ORDER BY r.started_at DESC, r.id DESC
  LIMIT @newest
), asked AS (
  SELECT DISTINCT i.run_id, s.job_id, s.adapter
  FROM newest AS n
  JOIN iterations AS i ON i.run_id = n.id
  JOIN slots AS s ON s.iteration_id = i.id
  WHERE s.status IN ('pass', 'fail')
), found AS (
  SELECT DISTINCT coalesce(v.duplicate_of, v.short_id) AS problem, s.adapter
  FROM newest AS n -- CROSS JOIN: SQLite cannot know that there are few, and would begin with all reports
  CROSS JOIN violations AS v ON v.run_id = n.id AND v.shared = 1
  CROSS JOIN violations AS o ON o.id = v.id OR o.fingerprint = v.fingerprint AND o.run_id = v.run_id AND o.job_id = v.job_id
  CROSS JOIN reports AS p ON p.violation_id = o.id AND p.counts = 1
  JOIN slots AS s ON s.id = p.slot_id
)
SELECT v.adapter, a.adapter AS other,
  CAST(total((coalesce(v.duplicate_of, v.short_id), a.adapter) IN (SELECT f.problem, f.adapter FROM found AS f)) AS INTEGER) AS shared_part, count(*) AS shared_whole
FROM asked AS a
JOIN violations AS v ON v.run_id = a.run_id AND v.job_id = a.job_id AND v.adapter <> a.adapter
WHERE v.first_seen >= @since AND v.first_seen < @until
  AND {violations}
GROUP BY 1, 2
ORDER BY 1, 2;

-- Runs of gates that started in the period, by the week in which they started, their status now and their
-- number of iterations.
-- Keys: runs, passed, iterations_to_pass, mean_iterations_to_pass, and runs and passed of weeks.
-- name: RunsByWeek
SELECT (unixepoch(r.started_at) - 345600) / 604800 AS week, r.status, r.iterations, count(*) AS runs
FROM runs AS r
WHERE {runs}
GROUP BY 1, 2, 3;

-- How long the runs that passed took, from their start to their end.
-- Key: time_to_pass.
-- name: TimeToPass
SELECT {durations}
FROM (
  SELECT t.ms, row_number() OVER (ORDER BY t.ms) AS place, count(*) OVER () AS n
  FROM (
    SELECT CAST(round((unixepoch(r.finished_at, 'subsec') - unixepoch(r.started_at, 'subsec')) * 1000) AS INTEGER) AS ms
    FROM runs AS r
    WHERE r.status IN ('passed', 'passed_with_warnings') AND r.finished_at IS NOT NULL AND {runs}
  ) AS t
) AS x;

-- Violations that had an event in the period, by the week and the status of the event. A violation
-- counts once in a week for each status that it got. A skip that was taken back does not count, and of
-- a duplicate only that it was joined: all else that happened to it is part of another problem.
-- Keys of weeks: new, reopened, verified, skipped, withdrawn, claimed, disputed, duplicate.
-- name: EventsByWeek
SELECT (unixepoch(e.at) - 345600) / 604800 AS week, e.status, count(DISTINCT e.violation_id) AS violations
FROM events AS e
JOIN violations AS v ON v.id = e.violation_id
WHERE e.at >= @since AND e.at < @until
  AND {violations}
  AND (e.status = 'duplicate' OR v.status <> 'duplicate')
  AND (e.status <> 'skipped' OR v.status = 'skipped' AND NOT EXISTS (
    SELECT 1 FROM events AS l WHERE l.violation_id = e.violation_id AND l.number > e.number AND l.status <> 'skipped'))
GROUP BY 1, 2;

-- What the slots that ended in the period cost, by week; calls as in EndedSlots.
-- Key of weeks: cost.
-- name: CostsByWeek
SELECT (unixepoch(s.ended_at) - 345600) / 604800 AS week, {cost}
FROM slots AS s
JOIN iterations AS i ON i.id = s.iteration_id
WHERE {slots}
GROUP BY 1;

-- The files with the most violations first reported in the period, without duplicates.
-- Key: files, but for weeks.
-- name: TopFiles
SELECT r.repository_id, CAST(iif(p.kind = 'unknown', 'unknown', p.key) AS TEXT) AS repository, v.file, count(*) AS violations,
  CAST(total(v.open AND v.abandoned = 0) AS INTEGER) AS open, CAST(total(v.open AND v.abandoned = 1) AS INTEGER) AS abandoned,
  CAST(total(v.status = 'fixed') AS INTEGER) AS claimed, CAST(total(v.status = 'verified') AS INTEGER) AS verified,
  CAST(total(v.status = 'skipped') AS INTEGER) AS skipped, CAST(total(v.status = 'withdrawn') AS INTEGER) AS withdrawn,
  CAST(total(v.id IN (SELECT e.violation_id FROM events AS e WHERE e.status = 'reopened')) AS INTEGER) AS reopened,
  CAST(total(v.in_fix_lines) AS INTEGER) AS in_fix_lines, count(DISTINCT v.run_id) AS runs
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN repositories AS p ON p.id = r.repository_id
WHERE v.status <> 'duplicate' AND v.first_seen >= @since AND v.first_seen < @until
  AND {violations}
GROUP BY 1, 3
ORDER BY 4 DESC, v.file, p.kind <> 'unknown', p.key
LIMIT @at_most;

-- The violations of these files by the week in which they were first reported; place is the place of
-- the file in the array, whose elements are [repository_id, file].
-- Key of files: weeks.
-- name: FilesByWeek
SELECT CAST(f.key AS INTEGER) AS place, (unixepoch(v.first_seen) - 345600) / 604800 AS week, count(*) AS violations
FROM json_each(@files) AS f
JOIN violations AS v ON v.file = f.value ->> 1 AND v.status <> 'duplicate'
JOIN runs AS r ON r.id = v.run_id AND r.repository_id = f.value ->> 0
WHERE v.first_seen >= @since AND v.first_seen >= @first_week AND v.first_seen < @until
  AND {violations}
GROUP BY 1, 2;

-- Lines with violations in several runs of a repository, those in most runs first. Duplicates count
-- for the runs, but not among the violations. What the line is about is taken from its newest
-- violation, also one outside of the period.
-- Key: recurring.
-- name: RecurringLines
SELECT t.fingerprint, CAST(iif(p.kind = 'unknown', 'unknown', p.key) AS TEXT) AS repository, t.runs, t.violations, t.open, l.short_id AS latest, j.job, l.file, x.line_start AS line, x.issue
FROM (
  SELECT CAST(v.fingerprint AS TEXT) AS fingerprint, r.repository_id, count(DISTINCT v.run_id) AS runs,
    CAST(total(v.status <> 'duplicate') AS INTEGER) AS violations, CAST(total(v.open AND v.abandoned = 0) AS INTEGER) AS open
  FROM violations AS v
  JOIN runs AS r ON r.id = v.run_id
  JOIN repositories AS p ON p.id = r.repository_id
  WHERE v.fingerprint IS NOT NULL AND v.first_seen >= @since AND v.first_seen < @until
    AND {violations}
  GROUP BY 1, 2
  HAVING count(DISTINCT v.run_id) > 1
  ORDER BY 3 DESC, 1, p.kind <> 'unknown', p.key
  LIMIT @at_most
) AS t
JOIN repositories AS p ON p.id = t.repository_id
JOIN violations AS l ON l.id = (
  SELECT n.id FROM violations AS n
  JOIN runs AS u ON u.id = n.run_id
  WHERE n.fingerprint = t.fingerprint AND u.repository_id = t.repository_id
  ORDER BY n.first_seen DESC, u.ulid DESC, n.id DESC
  LIMIT 1)
JOIN jobs AS j ON j.id = l.job_id
JOIN reports AS x ON x.id = l.report_id
ORDER BY t.runs DESC, t.fingerprint, p.kind <> 'unknown', p.key;

-- Executions of checks whose iteration started in the period: those that passed, failed or could not
-- be executed. The checks that failed most often come first.
-- Keys: checks, but for command, last, flaky and weeks.
-- name: ExecutedChecks
SELECT x.job_id, j.job, j.entry_point, j.name, CAST(total(x.status <> 'passed') AS INTEGER) AS failures, {durations}
FROM (
  SELECT g.job_id, g.status, g.duration_ms AS ms,
    row_number() OVER (PARTITION BY g.job_id ORDER BY g.duration_ms) AS place, count(*) OVER (PARTITION BY g.job_id) AS n
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id
  WHERE {executions}
) AS x
JOIN jobs AS j ON j.id = x.job_id AND j.kind = 'check'
GROUP BY 1
ORDER BY 5 DESC, j.job
LIMIT @at_most;

-- The same executions by week.
-- Key of checks: weeks.
-- name: ChecksByWeek
SELECT x.job_id, x.week, CAST(total(x.status <> 'passed') AS INTEGER) AS failures, {durations}
FROM (
  SELECT g.job_id, (unixepoch(i.started_at) - 345600) / 604800 AS week, g.status, g.duration_ms AS ms,
    row_number() OVER (PARTITION BY g.job_id, (unixepoch(i.started_at) - 345600) / 604800 ORDER BY g.duration_ms) AS place,
    count(*) OVER (PARTITION BY g.job_id, (unixepoch(i.started_at) - 345600) / 604800) AS n
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id
  WHERE {executions} AND i.started_at >= @first_week
) AS x
JOIN jobs AS j ON j.id = x.job_id AND j.kind = 'check'
GROUP BY 1, 2;

-- The latest 30 of these executions of each check, the oldest first. Latest is by time, because an
-- import records older runs later.
-- Keys of checks: last, command.
-- name: LatestExecutions
SELECT x.job_id, u.ulid AS run, x.number AS iteration, x.status, x.started_at AS at, coalesce(x.command, '') AS command
FROM (
  SELECT g.job_id, i.run_id, i.number, g.status, i.started_at, g.command,
    row_number() OVER (PARTITION BY g.job_id ORDER BY i.started_at DESC, r.ulid DESC, i.number DESC) AS place
  FROM iterations AS i
  JOIN runs AS r ON r.id = i.run_id
  JOIN gates AS g ON g.iteration_id = i.id
  WHERE {executions}
) AS x
JOIN jobs AS j ON j.id = x.job_id AND j.kind = 'check'
JOIN runs AS u ON u.id = x.run_id
WHERE x.place <= 30
ORDER BY x.job_id, x.place DESC;

-- Trees on which a check both passed and failed: its first execution on the tree, and the first one
-- after it with the other outcome. The latest come first.
-- Keys: flaky, flaky of checks.
-- name: FlakyChecks
WITH executed AS (
  SELECT g.id, g.job_id, i.tree, g.status, i.started_at, i.run_id, i.number,
    first_value(g.id) OVER (PARTITION BY g.job_id, i.tree ORDER BY i.started_at, g.id) AS first_id,
    first_value(g.status) OVER (PARTITION BY g.job_id, i.tree ORDER BY i.started_at, g.id) AS first_status
  FROM iterations AS i
  JOIN gates AS g ON g.iteration_id = i.id
  WHERE i.tree IS NOT NULL AND g.status <> 'error' AND {executions}
), changed AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.job_id, e.tree ORDER BY e.started_at, e.id) AS place
  FROM executed AS e
  WHERE e.status <> e.first_status
)
SELECT c.job_id, j.job, c.tree, coalesce(u.branch, '') AS branch,
  o.ulid AS first_run, f.number AS first_iteration, f.status AS first_status, f.started_at AS first_at,
  u.ulid AS then_run, c.number AS then_iteration, c.status AS then_status, c.started_at AS then_at
FROM changed AS c
JOIN jobs AS j ON j.id = c.job_id AND j.kind = 'check'
JOIN executed AS f ON f.id = c.first_id
JOIN runs AS o ON o.id = f.run_id
JOIN runs AS u ON u.id = c.run_id
WHERE c.place = 1
ORDER BY c.started_at DESC, j.job, c.tree;

-- Verdicts of code reviews that were given in the period, the newest first.
-- Keys: verdicts, verdict_weeks.
-- name: ListVerdicts
SELECT u.ulid AS run, c.review_id AS review, i.number AS iteration, c.scope, c.target, d.mode, d.verdict, d.at, d.blocker, d.high, d.medium, d.low, d.info
FROM verdicts AS d
JOIN code_reviews AS c ON c.run_id = d.run_id
JOIN iterations AS i ON i.id = d.iteration_id
JOIN runs AS u ON u.id = d.run_id
WHERE d.at >= @since AND d.at < @until
  AND (@runs = 'null' OR d.run_id IN (SELECT w.value FROM json_each(@runs) AS w))
ORDER BY d.at DESC, d.iteration_id DESC;

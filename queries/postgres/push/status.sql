-- What is here, by ledger.

-- name: ledgers
SELECT l.id, l.name, l.program, l.last_pushed, count(r.id), count(r.id) FILTER (WHERE r.finished_at IS NULL),
  count(r.id) FILTER (WHERE r.clock_ahead), max(r.started_at)
FROM ledger AS l
LEFT JOIN run AS r ON r.ledger = l.id
GROUP BY l.id
ORDER BY l.last_pushed DESC, l.id;

-- name: horizon
SELECT t.before FROM tombstone AS t WHERE t.kind = 'before';

-- A question about all rows takes minutes.
-- name: wait for the answer
SET LOCAL statement_timeout = 0;

-- Names the marks that are not those that rows have.
-- name: wrong marks
SELECT 'marks of reopened violations' WHERE EXISTS (
  (SELECT v.id FROM violation AS v WHERE v.reopened EXCEPT SELECT e.violation FROM event AS e WHERE e.status = 'reopened')
  UNION ALL (SELECT e.violation FROM event AS e WHERE e.status = 'reopened' EXCEPT SELECT v.id FROM violation AS v WHERE v.reopened))
UNION ALL
SELECT 'marks of repeated events' WHERE EXISTS (
  SELECT 1 FROM event AS e WHERE e.again <> (e.number > 2 AND EXISTS (
    SELECT 1 FROM event AS p WHERE p.violation = e.violation AND p.number < e.number AND p.status || '' = e.status)))
UNION ALL
SELECT 'names of runs' WHERE EXISTS (
  SELECT 1 FROM run AS r
  WHERE r.jobs <> ARRAY(SELECT DISTINCT g.job FROM gate AS g WHERE g.run = r.id ORDER BY g.job)
    OR r.adapters <> ARRAY(SELECT DISTINCT s.adapter FROM slot AS s WHERE s.run = r.id ORDER BY s.adapter));

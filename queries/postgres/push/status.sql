-- What the store has of each ledger.

-- name: ledgers
SELECT l.id, l.name, l.program, l.last_pushed, count(r.id), count(r.id) FILTER (WHERE r.finished_at IS NULL),
  count(r.id) FILTER (WHERE r.clock_ahead), max(r.started_at)
FROM ledger AS l
LEFT JOIN run AS r ON r.ledger = l.id
GROUP BY l.id
ORDER BY l.last_pushed DESC, l.id;

-- name: horizon
SELECT t.before FROM tombstone AS t WHERE t.kind = 'before';

-- Queries over all rows take minutes.
-- name: wait for the answer
SET LOCAL statement_timeout = 0;

-- Skips that are remembered beyond their run. One counts while it is the last event of its
-- violation and is not forgotten.

-- Whether the skips of these violations are remembered or were forgotten, and what they have met.
-- name: MemoryOfViolations :many
SELECT v.id, e.number, m.fingerprint, f.actor AS forgotten_by, f.at AS forgotten_at,
  (SELECT count(*) FROM met_skip AS t WHERE t.violation = v.id)::bigint AS met, s.ended_at AS last_met
FROM unnest(@ids::text[]) WITH ORDINALITY AS w (id, n)
JOIN violation AS v ON v.id = w.id AND v.status IN ('skipped', 'withdrawn')
JOIN event AS e ON e.violation = v.id AND e.number = (SELECT max(l.number) FROM event AS l WHERE l.violation = v.id)
LEFT JOIN remembered_skip AS m ON m.violation = v.id AND m.event = e.number
LEFT JOIN forgotten_skip AS f ON f.violation = v.id AND f.event = e.number
LEFT JOIN LATERAL (
  SELECT x.ended_at
  FROM met_skip AS k
  JOIN slot AS x ON x.run = k.run AND x.iteration = k.iteration AND x.job = k.job AND x.slot = k.slot
  WHERE k.violation = v.id
  ORDER BY x.ended_at DESC NULLS LAST
  LIMIT 1
) AS s ON true
ORDER BY w.n;

-- How much space the ledger uses. The columns have the names of the fields of the types in package ledger.

-- The space that each table uses with its indexes, in whole pages.
-- name: read table sizes
SELECT coalesce(s.tbl_name, d.name) AS name, sum(d.pgsize) AS bytes
FROM dbstat AS d
LEFT JOIN sqlite_schema AS s ON s.name = d.name
WHERE d.aggregate = 1
GROUP BY 1
ORDER BY 1;

-- name: read free bytes
SELECT f.freelist_count * p.page_size AS free, c.page_count * p.page_size AS size
FROM pragma_freelist_count AS f, pragma_page_count AS c, pragma_page_size AS p;

-- name: part: texts
SELECT b.kind, b.blob_id, s.iteration_id FROM slot_blobs AS b JOIN slots AS s ON s.id = b.slot_id
UNION ALL SELECT 'log', b.blob_id, g.iteration_id FROM gate_blobs AS b JOIN gates AS g ON g.id = b.gate_id
UNION ALL SELECT 'excerpt', b.blob_id, s.iteration_id FROM report_excerpts AS b JOIN reports AS p ON p.id = b.report_id JOIN slots AS s ON s.id = p.slot_id
UNION ALL SELECT 'change', b.blob_id, e.iteration_id FROM event_hunks AS b JOIN events AS e ON e.id = b.event_id;

-- A text of several kinds counts in each of them.
-- name: read text sizes
SELECT n.kind, count(*) AS texts, sum(b.size) AS bytes, sum(length(b.data)) AS stored
FROM (SELECT DISTINCT t.kind, t.blob_id FROM ({texts}) AS t) AS n
JOIN blobs AS b ON b.id = n.blob_id
GROUP BY n.kind
ORDER BY stored DESC, n.kind;

-- A text counts in the month of the first run that refers to it.
-- name: read growth
WITH first AS (
  SELECT t.blob_id, min(substr(r.started_at, 1, 7)) AS month
  FROM ({texts}) AS t
  JOIN iterations AS i ON i.id = t.iteration_id
  JOIN runs AS r ON r.id = i.run_id
  GROUP BY t.blob_id)
SELECT substr(r.started_at, 1, 7) AS month, count(*) AS runs, sum(r.iterations) AS iterations,
  sum((SELECT count(*) FROM violations AS v WHERE v.run_id = r.id)) AS violations,
  coalesce((SELECT sum(length(b.data)) FROM first AS f JOIN blobs AS b ON b.id = f.blob_id WHERE f.month = substr(r.started_at, 1, 7)), 0) AS stored
FROM runs AS r
GROUP BY 1
ORDER BY 1;

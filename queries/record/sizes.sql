-- How much space the ledger uses. The columns are the keys of the structs in ledger/store.

-- The space that each table uses with its indexes, in whole pages.
-- name: read table sizes
SELECT coalesce(s.tbl_name, d.name) AS part, sum(d.pgsize) AS bytes
FROM dbstat AS d
LEFT JOIN sqlite_schema AS s ON s.name = d.name
WHERE d.aggregate = 1
GROUP BY 1
ORDER BY 1;

-- name: read free bytes
SELECT f.freelist_count * p.page_size AS bytes, c.page_count * p.page_size AS size
FROM pragma_freelist_count AS f, pragma_page_count AS c, pragma_page_size AS p;

-- A text of several kinds counts in each of them.
-- name: read text sizes
SELECT n.kind, count(*) AS count, sum(b.size) AS bytes, sum(length(b.data)) AS stored_bytes
FROM (SELECT kind, blob_id FROM slot_blobs
      UNION SELECT 'log', blob_id FROM gate_blobs
      UNION SELECT 'excerpt', blob_id FROM report_excerpts
      UNION SELECT 'change', blob_id FROM event_hunks) AS n
JOIN blobs AS b ON b.id = n.blob_id
GROUP BY n.kind
ORDER BY stored_bytes DESC, n.kind;

-- name: read growth
SELECT substr(r.started_at, 1, 7) AS month, count(*) AS runs, sum(r.iterations) AS iterations,
  sum((SELECT count(*) FROM violations AS v WHERE v.run_id = r.id)) AS violations, 0 AS stored_bytes
FROM runs AS r
GROUP BY 1
ORDER BY 1;

-- Texts by the month of the first run that refers to them.
-- name: read content growth
SELECT n.month, sum(length(b.data)) AS stored
FROM (SELECT t.blob_id, min(substr(r.started_at, 1, 7)) AS month
      FROM (SELECT b.blob_id, (SELECT s.iteration_id FROM slots AS s WHERE s.id = b.slot_id) AS iteration_id FROM slot_blobs AS b
            UNION ALL
            SELECT b.blob_id, (SELECT g.iteration_id FROM gates AS g WHERE g.id = b.gate_id) FROM gate_blobs AS b
            UNION ALL
            SELECT b.blob_id, (SELECT s.iteration_id FROM reports AS p JOIN slots AS s ON s.id = p.slot_id WHERE p.id = b.report_id) FROM report_excerpts AS b
            UNION ALL
            SELECT b.blob_id, (SELECT e.iteration_id FROM events AS e WHERE e.id = b.event_id) FROM event_hunks AS b) AS t
      JOIN iterations AS i ON i.id = t.iteration_id
      JOIN runs AS r ON r.id = i.run_id
      GROUP BY t.blob_id) AS n
JOIN blobs AS b ON b.id = n.blob_id
GROUP BY n.month
ORDER BY n.month;

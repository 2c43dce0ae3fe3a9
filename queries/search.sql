-- Full-text search. A row of search_words is a report or the notes of a slot: its migration says how
-- they are numbered.

-- Adds the words of reports that were just recorded, all with one statement, because FTS5 writes at the start of
-- each. A trigger adds the result of a violation.
-- name: IndexReports :exec
INSERT INTO search_words (rowid, title, issue, fix)
SELECT r.slot_id << 24 | r.position, r.title, r.issue, r.fix FROM reports AS r WHERE r.id >= @first ORDER BY 1;

-- The newest matching rows, with their scores: the smaller, the better. A match in the title counts more
-- than one in the issue, which counts more than one in the rest.
-- name: MatchingRows :many
SELECT CAST(coalesce(w.rowid, 0) AS INTEGER) AS id, CAST(bm25(search_words, 4.0, 3.0, 1.0, 1.0, 1.0) AS REAL) AS score
FROM search_words AS w
WHERE w.search_words MATCH CAST(@query AS TEXT) AND w.rowid < CAST(@before AS INTEGER)
ORDER BY w.rowid DESC
LIMIT CAST(@at_most AS INTEGER);

-- What the rows are. report is 0 for the notes of the slot, and violation for a report that does not
-- count for one.
-- name: SearchedRows :many
SELECT CAST(wanted.value AS INTEGER) AS id, s.id AS slot, CAST(coalesce(r.id, 0) AS INTEGER) AS report,
  CAST(coalesce(iif(r.counts, r.violation_id, 0), 0) AS INTEGER) AS violation, CAST(coalesce(s.ended_at, '') AS TEXT) AS at
FROM json_each(CAST(@ids AS TEXT)) AS wanted
JOIN slots AS s ON s.id = wanted.value >> 24
LEFT JOIN reports AS r ON r.slot_id = s.id AND r.position = wanted.value & 16777215;

-- The best part of each matching row, in which the characters 2 and 3 enclose what matches.
-- name: Snippets :many
SELECT CAST(coalesce(w.rowid, 0) AS INTEGER) AS id, CAST(coalesce(w.title, '') AS TEXT) AS title,
  CAST(snippet(search_words, -1, char(2), char(3), char(8230), 24) AS TEXT) AS snippet
FROM search_words AS w
WHERE w.search_words MATCH CAST(@query AS TEXT) AND w.rowid IN (SELECT CAST(wanted.value AS INTEGER) FROM json_each(CAST(@ids AS TEXT)) AS wanted);


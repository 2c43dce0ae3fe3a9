-- What a push asks before it sends anything.

-- Which states of runs are here, with how much of them was sent.
-- name: Revisions :many
SELECT r.id, r.revision, r.digest, r.content, p.kind AS repository_kind
FROM run AS r
JOIN repository AS p ON p.id = r.repository
WHERE r.id = ANY (@ids::text[]);

-- name: Tombstones :many
SELECT kind, key, before FROM tombstone;

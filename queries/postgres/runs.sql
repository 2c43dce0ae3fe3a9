-- The revisions of runs that are here, with how much of them was sent.
-- name: Revisions :many
SELECT r.id, r.revision, r.digest, r.content FROM run AS r WHERE r.id = ANY (@ids::text[]) ORDER BY r.id;

-- name: ListRuns :many
SELECT sqlc.embed(r), p.kind AS repository_kind, p.key AS repository_key
FROM run AS r JOIN repository AS p ON p.id = r.repository
WHERE r.started_at >= @since::timestamptz
  AND (sqlc.narg(statuses)::text[] IS NULL OR r.status = ANY (sqlc.narg(statuses)::text[]))
ORDER BY r.started_at DESC, r.id DESC
LIMIT sqlc.narg(at_most)::bigint;

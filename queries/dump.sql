-- What dumps and imports read besides the rows of records (queries/record).

-- name: LedgerFilled :one
SELECT EXISTS (SELECT 1 FROM runs UNION ALL SELECT 1 FROM jobs UNION ALL SELECT 1 FROM blobs
               UNION ALL SELECT 1 FROM cooldowns) AS filled;

-- name: NextBlob :one
SELECT sha256, size, data FROM blobs WHERE sha256 > @after ORDER BY sha256 LIMIT 1;

-- name: BlobByHash :one
SELECT size, data FROM blobs WHERE sha256 = unhex(CAST(@sha256 AS TEXT));

-- name: RunIDs :many
SELECT id FROM runs ORDER BY id;

-- Who owns the schema, and what roles may do. Parameters of statements that create or grant
-- something are names, and are inserted into the text.

-- name: schema owner
SELECT pg_get_userbyid(n.nspowner), current_user::text, pg_has_role(n.nspowner, 'USAGE')
FROM pg_namespace AS n
WHERE n.nspname = @schema;

-- name: make schema
CREATE SCHEMA @schema;

-- name: database
SELECT current_database()::text;

-- The rights of a role that pushes. They extend to tables of later migrations.
-- name: rights to push
GRANT TEMPORARY ON DATABASE @database TO @role;
GRANT USAGE ON SCHEMA @schema TO @role;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA @schema TO @role;
GRANT SELECT ON ALL TABLES IN SCHEMA @schema TO @role;
GRANT INSERT, UPDATE ON ALL TABLES IN SCHEMA @schema TO @role;
REVOKE INSERT, UPDATE ON @schema.meta, @schema.tombstone, @schema.goose_db_version FROM @role;
ALTER DEFAULT PRIVILEGES IN SCHEMA @schema GRANT USAGE ON SEQUENCES TO @role;
ALTER DEFAULT PRIVILEGES IN SCHEMA @schema GRANT SELECT ON TABLES TO @role;
ALTER DEFAULT PRIVILEGES IN SCHEMA @schema GRANT INSERT, UPDATE ON TABLES TO @role;

-- name: rights to read
GRANT USAGE ON SCHEMA @schema TO @role;
GRANT SELECT ON ALL TABLES IN SCHEMA @schema TO @role;
ALTER DEFAULT PRIVILEGES IN SCHEMA @schema GRANT SELECT ON TABLES TO @role;

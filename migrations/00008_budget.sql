-- Whether a run passed as a whole, and a quick way to such a run.

-- +goose Up

PRAGMA user_version = 8;

-- Every gate that applies has passed, over the whole change; "passed" is said where only
-- some of them ran, or only a part was reviewed.
INSERT INTO transition_causes (name, ends) VALUES ('passed_whole', 'happened');

CREATE INDEX runs_by_base ON runs (base, config_hash) WHERE finished_at IS NOT NULL;

-- +goose Up

PRAGMA user_version = 18;

-- The number of the last change of any run. Who keeps sums beside the ledger sees by it what
-- they lack.
CREATE TABLE changes (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL
) STRICT;
INSERT INTO changes (one, number) VALUES (1, 0);

ALTER TABLE runs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0; -- the number of its last change
CREATE INDEX runs_by_change ON runs (changed);

-- +goose StatementBegin
CREATE TRIGGER runs_are_new AFTER INSERT ON runs
BEGIN
  UPDATE changes SET number = number + 1;
  UPDATE runs SET changed = (SELECT c.number FROM changes AS c) WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_changed AFTER UPDATE OF revision, repository_id ON runs
BEGIN
  UPDATE changes SET number = number + 1;
  UPDATE runs SET changed = (SELECT c.number FROM changes AS c) WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER runs_are_removed AFTER DELETE ON runs
BEGIN
  UPDATE changes SET number = number + 1;
END;
-- +goose StatementEnd

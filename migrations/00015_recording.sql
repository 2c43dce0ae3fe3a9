-- SQLite compiles the triggers of a table with each statement that sets one of their columns,
-- whether or not they have anything to do. What a running slot or check sets counts when it
-- ends: only what ends it is looked at, which spares each iteration the others. Whatever
-- changes one that has ended sets its status as well.

-- +goose Up

PRAGMA user_version = 15;

DROP TRIGGER slots_are_counted_before;
DROP TRIGGER slots_are_counted_after;
DROP TRIGGER checks_are_counted_before;
DROP TRIGGER checks_are_counted_after;

-- +goose StatementBegin
CREATE TRIGGER slots_are_counted_before BEFORE UPDATE OF status, finished_at, noticed_at ON slots
WHEN OLD.finished_at IS NOT NULL OR OLD.noticed_at IS NOT NULL
BEGIN
  INSERT INTO slot_changes (slot_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER slots_are_counted_after AFTER UPDATE OF status, finished_at, noticed_at ON slots
WHEN NEW.finished_at IS NOT NULL OR NEW.noticed_at IS NOT NULL
BEGIN
  INSERT INTO slot_changes (slot_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checks_are_counted_before BEFORE UPDATE OF status ON gates
WHEN OLD.status IN ('passed', 'failed', 'error')
BEGIN
  INSERT INTO check_changes (gate_id, sign) VALUES (OLD.id, -1);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checks_are_counted_after AFTER UPDATE OF status ON gates
WHEN NEW.status IN ('passed', 'failed', 'error')
BEGIN
  INSERT INTO check_changes (gate_id, sign) VALUES (NEW.id, 1);
END;
-- +goose StatementEnd

-- A slot may come after what it reported, with its model known already: the totals of its
-- violations go to that model.

-- +goose Up

PRAGMA user_version = 11;

-- +goose StatementBegin
CREATE TRIGGER models_of_new_slots_are_counted_before BEFORE INSERT ON slots
WHEN NEW.model IS NOT NULL
BEGIN
  INSERT INTO violation_changes (violation_id, sign)
  SELECT v.id, -1
  FROM gates AS g
  CROSS JOIN iterations AS i ON i.id = g.iteration_id
  CROSS JOIN violations AS v ON v.run_id = i.run_id AND v.job_id = g.job_id AND v.first_iteration = i.number AND v.slot = NEW.review_index
  WHERE g.id = NEW.gate_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER models_of_new_slots_are_counted_after AFTER INSERT ON slots
WHEN NEW.model IS NOT NULL
BEGIN
  INSERT INTO violation_changes (violation_id, sign)
  SELECT v.id, 1
  FROM gates AS g
  CROSS JOIN iterations AS i ON i.id = g.iteration_id
  CROSS JOIN violations AS v ON v.run_id = i.run_id AND v.job_id = g.job_id AND v.first_iteration = i.number AND v.slot = NEW.review_index
  WHERE g.id = NEW.gate_id;
END;
-- +goose StatementEnd

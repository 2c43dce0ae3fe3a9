-- Full text search over what reviewers said and how it was answered.

-- +goose Up

PRAGMA user_version = 6;

-- The texts of each report, with the result of its violation beside the latest one. It
-- is what report_words is an index of, so it never changes.
CREATE VIEW report_texts AS
SELECT r.id, r.issue, r.fix, r.title, v.result
FROM reports AS r
LEFT JOIN violations AS v ON v.id = r.violation_id AND v.report_id = r.id;

-- The texts themselves are not stored again, and nothing is ranked by the lengths that
-- columnsize would keep.
CREATE VIRTUAL TABLE report_words USING fts5(
  issue, fix, title, result,
  content = 'report_texts', content_rowid = 'id', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
);

INSERT INTO report_words (report_words) VALUES ('rebuild');

-- The reports that filters removed, newest last.
CREATE INDEX reports_discarded ON reports (id) WHERE disposition <> 'accepted';

-- To take a text out of the index, one has to say what it was.

-- +goose StatementBegin
CREATE TRIGGER discarded_reports_are_searchable AFTER INSERT ON reports
WHEN NEW.disposition <> 'accepted'
BEGIN
  INSERT INTO report_words (rowid, issue, fix, title, result) VALUES (NEW.id, NEW.issue, NEW.fix, NEW.title, NULL);
END;
-- +goose StatementEnd

-- An accepted report is the latest of its violation, and takes the result over from the
-- one before.
-- +goose StatementBegin
CREATE TRIGGER accepted_reports_are_searchable AFTER UPDATE OF report_id ON violations
WHEN NEW.report_id IS NOT OLD.report_id
BEGIN
  INSERT INTO report_words (report_words, rowid, issue, fix, title, result)
  SELECT 'delete', r.id, r.issue, r.fix, r.title, OLD.result FROM reports AS r WHERE r.id = OLD.report_id AND OLD.result IS NOT NULL;
  INSERT INTO report_words (rowid, issue, fix, title, result)
  SELECT r.id, r.issue, r.fix, r.title, NULL FROM reports AS r WHERE r.id = OLD.report_id AND OLD.result IS NOT NULL;
  INSERT INTO report_words (rowid, issue, fix, title, result)
  SELECT r.id, r.issue, r.fix, r.title, NEW.result FROM reports AS r WHERE r.id = NEW.report_id;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER results_are_searchable AFTER UPDATE OF result ON violations
WHEN NEW.result IS NOT OLD.result AND NEW.report_id IS OLD.report_id
BEGIN
  INSERT INTO report_words (report_words, rowid, issue, fix, title, result)
  SELECT 'delete', r.id, r.issue, r.fix, r.title, OLD.result FROM reports AS r WHERE r.id = NEW.report_id;
  INSERT INTO report_words (rowid, issue, fix, title, result)
  SELECT r.id, r.issue, r.fix, r.title, NEW.result FROM reports AS r WHERE r.id = NEW.report_id;
END;
-- +goose StatementEnd

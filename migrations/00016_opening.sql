-- SQLite reads all views whenever it opens a ledger. Those that make totals anew are made by
-- the few commands that need them, for their connection only (queries/made).

-- +goose Up

PRAGMA user_version = 16;

DROP VIEW made_recurring_lines;
DROP VIEW made_violation_totals;
DROP VIEW made_slot_totals;
DROP VIEW made_slot_times;
DROP VIEW made_check_totals;
DROP VIEW made_file_totals;
DROP VIEW made_flaky_trees;
DROP VIEW made_run_parts;
DROP VIEW made_run_totals;
DROP VIEW made_run_times;
DROP VIEW made_event_totals;

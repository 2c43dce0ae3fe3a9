-- Code reviews, as programs with schema 2 wrote them.

INSERT INTO runs (id, ulid, kind, worktree, log_dir, base_ref, base, status, started_at, finished_at)
VALUES (100, '01REVIEW000000000000000000', 'code_review', '/work/review', '.code-review', 'main', 'b0', 'failed', '2026-01-02T03:04:05.000Z', '2026-01-02T03:09:00.000Z');
INSERT INTO code_reviews (run_id, review_id, scope, target, report_path) VALUES (100, '0123abcd', 'package', 'src', 'docs/code-reviews/x.md');
INSERT INTO iterations (id, run_id, number, mode, source, status, started_at, finished_at)
VALUES (100, 100, 1, 'first', 'package', 'failed', '2026-01-02T03:04:06.000Z', '2026-01-02T03:09:00.000Z');
INSERT INTO verdicts (iteration_id, run_id, mode, verdict, at, blocker, high, medium, low, info)
VALUES (100, 100, 'full', 'FAIL', '2026-01-02T03:09:00.000Z', 0, 1, 0, 0, 0);
INSERT INTO findings (violation_id, run_id, position, finding_id, domain, severity, system_breaking, confidence, file, line_range, title, recommendation, exported)
VALUES (1, 100, 1, 'quality-src', 'quality', 'high', 0, 0.8, 'src/new.go', '3-5', 'title', 'do', 'open');

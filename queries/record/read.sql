-- All rows of a run, for its record (ledger/exchange): each key of a dump is the name of a column
-- here, and other columns are left out. Rows refer to each other by what is the same in every ledger.

-- name: read run
SELECT r.ulid AS run, r.*, p.kind AS repository_kind, p.key AS repository
FROM runs AS r
JOIN repositories AS p ON p.id = r.repository_id
WHERE r.id = @id;

-- The runs that began since a time, with their states.
-- name: read revision
SELECT r.ulid AS run, r.*, p.kind AS repository_kind, p.key AS repository
FROM runs AS r
JOIN repositories AS p ON p.id = r.repository_id
WHERE r.started_at >= @since
ORDER BY r.id;

-- name: read iteration
SELECT r.ulid AS run, i.*
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id
WHERE i.run_id = @id
ORDER BY i.id;

-- name: read gate
SELECT r.ulid AS run, i.number AS iteration, j.job, g.*
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id
JOIN gates AS g ON g.iteration_id = i.id
JOIN jobs AS j ON j.id = g.job_id
WHERE i.run_id = @id
ORDER BY g.id;

-- name: read slot
SELECT {slot}, s.*
FROM {named slots}
WHERE i.run_id = @id
ORDER BY s.id;

-- The record also contains what events and reports make of a violation. Writing a record computes
-- these columns again, and they are then compared.
-- name: read violation
SELECT v.ulid AS violation, r.ulid AS run, j.job, v.*,
  pi.number AS report_iteration, ps.review_index AS report_slot, p.position AS report_position
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN jobs AS j ON j.id = v.job_id
LEFT JOIN reports AS p ON p.id = v.report_id
LEFT JOIN slots AS ps ON ps.id = p.slot_id
LEFT JOIN iterations AS pi ON pi.id = ps.iteration_id
WHERE v.run_id = @id
ORDER BY v.id;

-- name: read report
SELECT {slot}, v.ulid AS violation, p.*
FROM {named slots}
JOIN reports AS p ON p.slot_id = s.id
LEFT JOIN violations AS v ON v.id = p.violation_id
WHERE i.run_id = @id
ORDER BY p.id;

-- name: read event
SELECT v.ulid AS violation, r.ulid AS run, i.number AS iteration, e.*
FROM violations AS v
JOIN events AS e ON e.violation_id = v.id
JOIN iterations AS i ON i.id = e.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE v.run_id = @id
ORDER BY e.id;

-- name: read slot_entry
SELECT {slot}, v.ulid AS violation, n.*,
  pi.number AS report_iteration, pj.job AS report_job, ps.review_index AS report_slot, p.position AS report_position
FROM {named slots}
JOIN slot_entries AS n ON n.slot_id = s.id
JOIN violations AS v ON v.id = n.violation_id
JOIN reports AS p ON p.id = n.report_id
JOIN slots AS ps ON ps.id = p.slot_id
JOIN jobs AS pj ON pj.id = ps.job_id
JOIN iterations AS pi ON pi.id = ps.iteration_id
WHERE i.run_id = @id
ORDER BY s.id, n.position;

-- name: read slot_blob
SELECT {slot}, b.sha256, sb.*
FROM {named slots}
JOIN slot_blobs AS sb ON sb.slot_id = s.id
JOIN blobs AS b ON b.id = sb.blob_id
WHERE i.run_id = @id
ORDER BY s.id, sb.kind, sb.call;

-- name: read gate_blob
SELECT r.ulid AS run, i.number AS iteration, j.job, b.sha256
FROM iterations AS i
JOIN runs AS r ON r.id = i.run_id
JOIN gates AS g ON g.iteration_id = i.id
JOIN jobs AS j ON j.id = g.job_id
JOIN gate_blobs AS gb ON gb.gate_id = g.id
JOIN blobs AS b ON b.id = gb.blob_id
WHERE i.run_id = @id
ORDER BY g.id;

-- name: read code_review
SELECT r.ulid AS run, c.*
FROM code_reviews AS c
JOIN runs AS r ON r.id = c.run_id
WHERE c.run_id = @id;

-- name: read verdict
SELECT r.ulid AS run, i.number AS iteration, d.*
FROM verdicts AS d
JOIN iterations AS i ON i.id = d.iteration_id
JOIN runs AS r ON r.id = d.run_id
WHERE d.run_id = @id
ORDER BY d.iteration_id;

-- name: read finding
SELECT v.ulid AS violation, r.ulid AS run, f.*
FROM findings AS f
JOIN violations AS v ON v.id = f.violation_id
JOIN runs AS r ON r.id = f.run_id
WHERE f.run_id = @id
ORDER BY f.position;

-- name: read transition
SELECT r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot, t.*
FROM transitions AS t
JOIN runs AS r ON r.id = t.run_id
LEFT JOIN slots AS s ON s.id = t.slot_id
LEFT JOIN gates AS g ON g.id = t.gate_id
LEFT JOIN jobs AS j ON j.id = coalesce(g.job_id, s.job_id)
LEFT JOIN iterations AS i ON i.id = coalesce(t.iteration_id, g.iteration_id, s.iteration_id)
WHERE t.run_id = @id
ORDER BY t.id;

-- name: read report_excerpt
SELECT {slot}, p.position, b.sha256, x.*
FROM {named slots}
JOIN reports AS p ON p.slot_id = s.id
JOIN report_excerpts AS x ON x.report_id = p.id
JOIN blobs AS b ON b.id = x.blob_id
WHERE i.run_id = @id
ORDER BY p.id;

-- name: read event_hunk
SELECT r.ulid AS run, v.ulid AS violation, e.number AS event, b.sha256
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN events AS e ON e.violation_id = v.id
JOIN event_hunks AS h ON h.event_id = e.id
JOIN blobs AS b ON b.id = h.blob_id
WHERE v.run_id = @id
ORDER BY e.id;

-- name: read remembered_skip
SELECT r.ulid AS run, v.ulid AS violation, e.number AS event, m.*
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN events AS e ON e.violation_id = v.id
JOIN remembered_skips AS m ON m.event_id = e.id
WHERE v.run_id = @id
ORDER BY e.id;

-- name: read met_skip
SELECT {slot}, p.position, t.*
FROM {named slots} AND s.remembered_skip > 0
JOIN reports AS p ON p.slot_id = s.id
JOIN met_skips AS t ON t.report_id = p.id
WHERE i.run_id = @id
ORDER BY p.id;

-- name: read slot_call
SELECT {slot}, c.*
FROM {named slots}
JOIN slot_calls AS c ON c.slot_id = s.id
WHERE i.run_id = @id
ORDER BY s.id, c.call;

-- name: read slot_note
SELECT {slot}, n.*
FROM {named slots}
JOIN slot_notes AS n ON n.slot_id = s.id
WHERE i.run_id = @id
ORDER BY s.id;

-- name: read claim_word
SELECT {slot}, v.ulid AS violation, w.*
FROM violations AS v
JOIN claim_words AS w ON w.violation_id = v.id
JOIN slots AS s ON s.id = w.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE v.run_id = @id
ORDER BY s.id, v.id;

-- name: read gone_word
SELECT {slot}, v.ulid AS violation, w.*
FROM violations AS v
JOIN gone_words AS w ON w.violation_id = v.id
JOIN slots AS s ON s.id = w.slot_id
JOIN jobs AS j ON j.id = s.job_id
JOIN iterations AS i ON i.id = s.iteration_id
JOIN runs AS r ON r.id = i.run_id
WHERE v.run_id = @id
ORDER BY v.id, s.id;

-- name: read violation_reporter
SELECT r.ulid AS run, v.ulid AS violation, t.*
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN violation_reporters AS t ON t.violation_id = v.id
WHERE v.run_id = @id
ORDER BY v.id, t.slot;

-- name: read violation_pair
SELECT r.ulid AS run, v.ulid AS violation, p.*
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN violation_pairs AS p ON p.violation_id = v.id
WHERE v.run_id = @id
ORDER BY v.id, p.other;

-- name: read violation_place
SELECT r.ulid AS run, v.ulid AS violation, l.*
FROM violations AS v
JOIN runs AS r ON r.id = v.run_id
JOIN violation_places AS l ON l.violation_id = v.id
WHERE v.run_id = @id
ORDER BY v.id, l.iteration, l.position;

-- name: read report_place
SELECT {slot}, p.position AS report, l.*
FROM {named slots}
JOIN reports AS p ON p.slot_id = s.id
JOIN report_places AS l ON l.report_id = p.id
WHERE i.run_id = @id
ORDER BY p.id, l.position;

-- name: part: slot
r.ulid AS run, i.number AS iteration, j.job, s.review_index AS slot;

-- name: part: named slots
iterations AS i
JOIN runs AS r ON r.id = i.run_id
JOIN slots AS s ON s.iteration_id = i.id
JOIN jobs AS j ON j.id = s.job_id;

-- What does not belong to a run. Files and blobs are read in pages.

-- name: read forgotten_skip
SELECT * FROM forgotten_skips ORDER BY violation, event;

-- name: read forgotten skips of run
SELECT f.* FROM violations AS v JOIN forgotten_skips AS f ON f.violation = v.ulid WHERE v.run_id = @id ORDER BY f.violation, f.event;

-- name: read jobs of run
SELECT j.job, j.kind, j.entry_point, j.name FROM jobs AS j
WHERE j.id IN (SELECT g.job_id FROM iterations AS i JOIN gates AS g ON g.iteration_id = i.id WHERE i.run_id = @id
               UNION SELECT v.job_id FROM violations AS v WHERE v.run_id = @id)
ORDER BY j.job;

-- name: read run of violation
SELECT run_id FROM violations WHERE ulid = @violation;

-- name: read meta
SELECT key, value FROM meta ORDER BY key;

-- name: read job
SELECT job, kind, entry_point, name FROM jobs ORDER BY job;

-- name: read cooldown
SELECT adapter, until, reason, set_at FROM cooldowns ORDER BY adapter;

-- name: read file
SELECT p.kind AS repository_kind, p.key AS repository, f.file
FROM files AS f
LEFT JOIN repositories AS p ON p.id = f.repository_id
WHERE (f.repository_id, f.file) > (coalesce((SELECT q.id FROM repositories AS q WHERE q.kind = @kind AND q.key = @key), 0), @file)
ORDER BY f.repository_id, f.file LIMIT 1000;

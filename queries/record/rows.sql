-- All rows of a run, for a record of it (ledger/exchange). A struct is read and written with the
-- columns of its table that are its keys, and with what the keys below stand for: rows refer to
-- others by what is the same in every ledger. Statements are by the table that the rows refer to.

-- A key that is not a column is the first of these whose tables are there. x is the table of the
-- rows. What is only a column of it is written there, too.
-- name: keys
runs.run x.ulid
runs.fixed x.verified
violations.violation x.ulid
skipped x.violation
event x.number
slot x.review_index
run (SELECT r.ulid FROM runs AS r WHERE r.id = @id)
iteration i.number
iteration (SELECT n.number FROM iterations AS n WHERE n.id = x.iteration_id)
job j.job
job (SELECT n.job FROM jobs AS n WHERE n.id = x.job_id)
slot s.review_index
report p.position
position p.position
violation v.ulid
violation (SELECT n.ulid FROM violations AS n WHERE n.id = x.violation_id)
event e.number
report_iteration pi.number
report_job pj.job
report_slot ps.review_index
report_position p.position
sha256 (SELECT n.sha256 FROM blobs AS n WHERE n.id = x.blob_id)
repository (SELECT n.key FROM repositories AS n WHERE n.id = x.repository_id)
repository_kind (SELECT n.kind FROM repositories AS n WHERE n.id = x.repository_id);

-- name: read rows of runs
SELECT @columns FROM @table AS x WHERE x.run_id = @id ORDER BY @order;

-- name: read rows of iterations
SELECT @columns FROM iterations AS i
CROSS JOIN @table AS x ON x.iteration_id = i.id
WHERE i.run_id = @id
ORDER BY @order;

-- name: read rows of gates
SELECT @columns FROM {gates}
CROSS JOIN @table AS x ON x.gate_id = g.id
WHERE i.run_id = @id
ORDER BY @order;

-- name: read rows of slots
SELECT @columns FROM {slots}
CROSS JOIN @table AS x ON x.slot_id = s.id
WHERE i.run_id = @id
ORDER BY @order;

-- name: read rows of reports
SELECT @columns FROM {slots}
CROSS JOIN reports AS p ON p.slot_id = s.id
CROSS JOIN @table AS x ON x.report_id = p.id
WHERE i.run_id = @id
ORDER BY @order;

-- name: read rows of violations
SELECT @columns FROM violations AS v
CROSS JOIN @table AS x ON x.violation_id = v.id
WHERE v.run_id = @id
ORDER BY @order;

-- name: read rows of events
SELECT @columns FROM violations AS v
CROSS JOIN events AS e ON e.violation_id = v.id
CROSS JOIN @table AS x ON x.event_id = e.id
WHERE v.run_id = @id
ORDER BY @order;

-- name: part: gates
iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id;

-- name: part: slots
iterations AS i
CROSS JOIN gates AS g ON g.iteration_id = i.id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN slots AS s ON s.gate_id = g.id;

-- name: part: its report
LEFT JOIN reports AS p ON p.id = x.report_id
LEFT JOIN slots AS ps ON ps.id = p.slot_id
LEFT JOIN gates AS pg ON pg.id = ps.gate_id
LEFT JOIN jobs AS pj ON pj.id = pg.job_id
LEFT JOIN iterations AS pi ON pi.id = pg.iteration_id;

-- name: read run
SELECT @columns FROM runs AS x WHERE x.id = @id;

-- Which runs there are, and in which state.
-- name: read revision
SELECT @columns FROM runs AS x WHERE x.started_at >= @since ORDER BY x.id;

-- What events and reports make of a violation is in the record, too, and compared after
-- a record was written, in which triggers make it again.
-- name: read violation
SELECT @columns FROM violations AS x
{its report}
WHERE x.run_id = @id
ORDER BY x.id;

-- name: read slot_entry
SELECT @columns FROM {slots}
CROSS JOIN slot_entries AS x ON x.slot_id = s.id
{its report}
WHERE i.run_id = @id
ORDER BY @order;

-- name: read finding
SELECT @columns FROM findings AS x WHERE x.run_id = @id ORDER BY x.position;

-- name: read transition
SELECT @columns FROM transitions AS x
LEFT JOIN slots AS s ON s.id = x.slot_id
LEFT JOIN gates AS g ON g.id = coalesce(x.gate_id, s.gate_id)
LEFT JOIN jobs AS j ON j.id = g.job_id
LEFT JOIN iterations AS i ON i.id = coalesce(x.iteration_id, g.iteration_id)
WHERE x.run_id = @id
ORDER BY x.id;

-- name: read gone_word
SELECT @columns FROM violations AS v
CROSS JOIN gone_words AS x ON x.violation_id = v.id
CROSS JOIN slots AS s ON s.id = x.slot_id
CROSS JOIN gates AS g ON g.id = s.gate_id
CROSS JOIN jobs AS j ON j.id = g.job_id
CROSS JOIN iterations AS i ON i.id = g.iteration_id
WHERE v.run_id = @id
ORDER BY @order;

-- The columns of a table that are stored, and their places in its primary key.
-- name: columns
SELECT c.name, c.pk FROM pragma_table_info(?) AS c ORDER BY c.cid;

-- A parameter is a key of the row, or the row in this ledger of what it refers to, or is itself:
-- @slot_id of a slot.

-- name: add rows
INSERT INTO @table (@columns) VALUES (@values);

-- name: change rows
UPDATE @table SET (@columns) = (@values) WHERE id = @row;

-- name: text
(SELECT n.id FROM blobs AS n WHERE n.sha256 = @sha256);

-- What of a slot is not written when it is added: the kind of an error comes when the transitions have set the status.
-- name: later
slots.error_kind;

-- What may change of a run that is open, or of a code review. A closed run of gates is
-- never changed.
-- name: change run
UPDATE runs
SET session_ref = @session_ref, status = @status, finished_at = @finished_at, iterations = @iterations, verified = @fixed,
  skipped = @skipped, open = @open, claimed = @claimed, withdrawn = @withdrawn, revision = max(revision + 1, @revision)
WHERE id = @run_id AND (finished_at IS NULL OR kind = 'code_review');

-- The transitions of a run that was just added have set its status last.
-- name: end run
UPDATE runs SET status = @status, finished_at = @finished_at WHERE id = @run_id;

-- A violation is added as it began: its events and reports make the rest.
-- name: add violation
INSERT INTO violations (ulid, run_id, job_id, status, status_at, short_id, slot, adapter, file, priority, first_iteration,
  last_iteration, fingerprint, fingerprint_version, first_seen, last_seen, seen_before, related, moved, abandoned)
VALUES (@violation, @run_id, @job_id, 'new', @first_seen, @short_id, @slot, @adapter, @file, @priority, @first_iteration,
  @last_iteration, @fingerprint, @fingerprint_version, @first_seen, @last_seen, @seen_before, @related, @moved,
  (SELECT r.status = 'abandoned' FROM runs AS r WHERE r.id = @run_id));

-- The rest is made of it here, too, but for a priority that fell when the violation was not
-- open, for a record has all reports before all events, and one that a duplicate has raised.
-- name: change violation
UPDATE violations SET last_iteration = @last_iteration, last_seen = @last_seen, priority = @priority, related = @related, file = @file, moved = @moved WHERE id = @violation_id;

-- It is taken up.
-- name: change report
UPDATE reports SET violation_id = @violation_id WHERE id = @report_id AND violation_id IS NULL AND @violation_id IS NOT NULL;

-- name: change slot_entry
UPDATE slot_entries SET status = @status, result = @result WHERE slot_id = @slot_id AND position = @position;

-- name: change finding
UPDATE findings SET exported = @exported WHERE violation_id = @violation_id;

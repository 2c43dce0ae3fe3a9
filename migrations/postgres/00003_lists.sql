-- What lists of violations are filtered by. The functions are parts of the queries that call
-- them: the planner sees what each value leaves, and its index.

-- +goose Up

CREATE INDEX run_unfinished ON run (started_at) WHERE finished_at IS NULL;

-- Whether a value is in a list. No list leaves nothing out.
-- +goose StatementBegin
CREATE FUNCTION among(value text, list text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION among(value bigint, list bigint[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT list IS NULL OR CASE WHEN cardinality(list) = 1 THEN value = list[1] ELSE value = ANY (list) END
$$;
-- +goose StatementEnd

-- Whether a time lies in a period. An end that is NULL is open.
-- +goose StatementBegin
CREATE FUNCTION within(at timestamptz, since timestamptz, until timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (since IS NULL OR at >= since) AND (until IS NULL OR at < until)
$$;
-- +goose StatementEnd

-- The violations that a filter keeps. Each condition stands here, and only here. What is NULL
-- leaves nothing out; a flag does so when it is false.
-- +goose StatementBegin
CREATE FUNCTION filtered(
  ids text[], runs text[], branch text, jobs text[], repositories bigint[], statuses text[], priorities text[], reasons text[],
  actors text[], adapter text, model text, slot bigint, iteration bigint, fingerprint text, files text[], folder text,
  alone boolean, in_fix_lines boolean, recurring boolean,
  since timestamptz, until timestamptz, changed_since timestamptz, changed_until timestamptz,
  events text[], event_since timestamptz, event_until timestamptz, event_iteration bigint
) RETURNS SETOF violation LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT v.*
  FROM violation AS v
  WHERE among(v.id, filtered.ids) AND among(v.run, filtered.runs) AND among(v.job, filtered.jobs)
    AND among(v.repository, filtered.repositories)
    AND (filtered.branch IS NULL OR v.branch = filtered.branch)
    AND CASE WHEN filtered.statuses <@ ARRAY['new', 'reopened'] AND filtered.statuses @> ARRAY['new', 'reopened']
      THEN v.status IN ('new', 'reopened') AND NOT v.abandoned ELSE among(v.shown, filtered.statuses) END
    AND among(v.priority, filtered.priorities)
    AND (filtered.reasons IS NULL OR v.shown = 'skipped' AND among(coalesce(nullif(v.reason, ''), 'none'), filtered.reasons))
    AND among(v.status_by, filtered.actors)
    AND (filtered.adapter IS NULL OR v.adapter = filtered.adapter)
    AND (filtered.model IS NULL OR v.model = filtered.model)
    AND (filtered.slot IS NULL OR v.slot = filtered.slot)
    AND (filtered.iteration IS NULL OR v.first_iteration = filtered.iteration)
    AND (filtered.fingerprint IS NULL OR v.fingerprint = filtered.fingerprint)
    AND among(v.file, filtered.files)
    AND (filtered.folder IS NULL OR v.file >= filtered.folder AND v.file < filtered.folder || '0'
      AND (v.file = filtered.folder OR v.file > filtered.folder || '/'))
    AND (NOT filtered.alone OR NOT v.shared)
    AND (NOT filtered.in_fix_lines OR v.in_fix_lines)
    AND (NOT filtered.recurring OR v.recurring)
    AND within(v.first_seen, filtered.since, filtered.until)
    AND within(v.status_at, filtered.changed_since, filtered.changed_until)
    AND (filtered.events IS NULL OR EXISTS (
      SELECT 1 FROM event AS e
      WHERE e.violation = v.id AND among(e.status, filtered.events) AND within(e.at, filtered.event_since, filtered.event_until)
        AND (filtered.event_iteration IS NULL OR e.iteration = filtered.event_iteration)))
$$;
-- +goose StatementEnd

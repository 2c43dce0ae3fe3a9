/*
Reviewledger is the gate and the memory of a coding agent's review loop.

It runs check gates (shell commands) and review gates (reviewer CLIs in numbered
slots) on the changes in a git repository, and keeps every run, iteration, slot,
report, violation and status change in a SQLite ledger. The rows decide what a
rerun shows a reviewer, which slots are skipped, which reports are filtered and
whether the run passes; the files that agents read and edit are exports of the
rows.

# Usage

	reviewledger run | check | review   [-b REF] [-g GATE]... [-c COMMIT | -u] [--force] [--again] [--whole] [--baseline] [-q] [--format table|json]
	reviewledger code-review            [--quick | --verify] [--scope S] [--target T] [--findings FILE|-] [--format F]
	reviewledger status                 [--format table|json]
	reviewledger clean
	reviewledger detect                 [-b REF] [-g GATE] [-c COMMIT | -u] [--format F]
	reviewledger list                   [--format F]
	reviewledger runs                   [filters] [--format F]
	reviewledger show [RUN]             [--format F]
	reviewledger violations             [filters] [--format F|csv]
	reviewledger search WORDS...        [filters] [--without WORD] [--format F]
	reviewledger history VIOLATION      [--format F]
	reviewledger why VIOLATION|ADDRESS|RUN [--format F]
	reviewledger log ADDRESS|VIOLATION  [--prompt | --answer | --stderr] [--call N]
	reviewledger compare A B            [--format F]
	reviewledger report                 [filters] [--format F|csv]
	reviewledger dashboard              [--addr HOST:PORT] [--open]
	reviewledger mark VIOLATION... fixed|skipped|disputed|new [--result TEXT] [--reason R]
	reviewledger mark VIOLATION... skipped [--remember | --no-remember] [--like VIOLATION]
	reviewledger mark --all [filters] fixed|skipped|disputed|new
	reviewledger triage
	reviewledger skips                  [--format F]
	reviewledger skips forget VIOLATION
	reviewledger db path | check | backup FILE | stats | prune
	reviewledger validate
	reviewledger init                   [--yes] [--agents NAMES]
	reviewledger doctor                 [--ask] [--format F]
	reviewledger demo                   [--dir DIR]
	reviewledger skill
	reviewledger mcp                    [--read-only] [--repo DIR]
	reviewledger hook install|remove    --agent A [--dry-run]
	reviewledger hook status            [--agent A]
	reviewledger hook stop              --agent A
	reviewledger hook snooze DURATION
	reviewledger completion SHELL
	reviewledger man DIR
	reviewledger export sarif           [--run RUN] [-o FILE] [--for github] [--category C] [--with-skipped]
	reviewledger export rdjson | rdjsonl | github | gitlab | junit | openmetrics | markdown [--run RUN] [-o FILE]
	reviewledger export slot RUN/ITERATION/JOB[@INDEX] [--log] [-o FILE]
	reviewledger export verdict         [--run RUN]
	reviewledger export ndjson
	reviewledger import PATH
	reviewledger schema answer|answer-code-review|slot|verdict
	reviewledger version

Commands work from any folder inside the repository. The format F is table (the
default), json or ndjson. Use --db FILE or REVIEWLEDGER_DB for a ledger other
than <git common dir>/reviewledger/ledger.db.

# First use

demo plays a whole loop in a scratch repository. init proposes a configuration
for the current repository and writes it to .gauntlet/ without ever overwriting
files; with --agents it installs the output of skill where claude, codex, cursor,
gemini, copilot and opencode look for it, and registers mcp. doctor checks everything that a loop
needs, changes nothing, and shows how to fix each problem. The adapter builtin
does not need a program: it finds what git diff --check finds.

# The loop

With an empty log directory, run starts a run: it takes a snapshot of the whole
working tree, untracked files included, compares it with the merge base of the
base branch, and runs the gates of every entry point that the changes touch.

While there are logs, run verifies. First it reads what was marked in the JSON
file of each slot: status can be set to "fixed" or "skipped", and result can
explain how or why. Every other edit causes a warning and has no effect. Then
checks run again, and reviewers are shown what changed since the snapshot that
they reviewed, with the claims to verify. A claim is verified when its slot answers without
reporting it again, and reopened when any slot of the gate reports it.

The run passes when nothing is open, no claim is unverified, and the latest
execution of every gate of the run passed. The run is then closed, and its files
are moved to previous/ in the log directory.

Where a run has passed on exactly this code, run says so and does nothing; --again
reviews everything again. With after_pass: changes in the configuration, the
reviewers of a run after one that passed are shown what changed since; --whole
shows them everything.

Only one invocation can run in a worktree; a second one is refused. An
interrupted or killed invocation leaves an iteration marked as interrupted, and
the next one continues.

Status says whether anything is left to do, without running or writing anything:
it exits with 0 only if a run passed on exactly this tree, merge base and
configuration with every gate that applies, or if nothing differs from the base.

# The verdict

Code-review asks the review gates (a gate's name is a finding's domain) about a
changeset, a folder, a team's paths or a file, and writes a verdict to
.code-review/review-latest.json: PASS, WARN (a High finding is open), FAIL (a
Blocker is open) or ABORT (a Blocker that breaks the system: a person has to
decide). It is separate from run, and can run at the same time. With --findings it
uses the findings of a skill instead.

A team fixes, sets the status of findings to fixed or wont_fix in that file, and
runs code-review --verify: the domains with fixed findings are asked again, about
the working tree as it is now. A finding whose place is reported again is
reopened, any other is verified. Every other edit of the file causes a warning,
has no effect and is undone. New findings have to wait for the next full review,
which archives the verdict.

Whether a Blocker breaks the system is stored in the ledger, not in the file: if
the ledger was lost, every Blocker of an ABORT counts as one.

# Questions and marks

runs, show, violations, search, history, why, log, compare and report only read the ledger: they work
during an iteration and on a read-only file system, and never create a ledger. A
violation or run is named by its ID or a unique prefix, a run also by last, last~1
or a branch, a slot by RUN/ITERATION/JOB@INDEX, a check by RUN/ITERATION/JOB. The latest
run is that of the worktree, if it has one. mark does the same as an edit of the JSON files: it
records that violations of the open run are fixed, skipped or open again, in the
ledger and in the latest files that list them. It also marks findings of the
current verdict. A skip that a person marks is remembered: later runs leave out the
same report, and skips lists what is remembered.
docs/json.md describes the JSON, and the views for SQL.

# Agents

mcp serves the ledger to an MCP client: how the loop stands, violations with their
history, logs, and marks as an agent. hook install makes an agent's tool ask hook stop
before the agent stops: if something is left to do, the agent is told and goes on, at
most three times in a session. Neither runs gates. See docs/agents.md.

# Files

	.gauntlet/config.yml, .gauntlet/checks/*.yml, .gauntlet/reviews/*.md
		the configuration; see docs/configuration.md
	gauntlet_logs/check_<entry>_<name>.<N>.log
		a check's output in iteration N, and its result
	gauntlet_logs/review_<entry>_<name>_<adapter>@<slot>.<N>.json
		a slot's violations, to be marked
	gauntlet_logs/review_<entry>_<name>_<adapter>@<slot>.<N>.log
		the answer of the reviewer, and how it was processed
	gauntlet_logs/console.<N>.log
		what iteration N printed
	gauntlet_logs/.session_ref
		the commit whose tree reruns compare with
	gauntlet_logs/.run
		whose the logs are: the run, its newest iteration and its base
	gauntlet_logs/previous/
		the files of the last loop

	.code-review/review-latest.json
		the current verdict, whose findings are to be marked
	.code-review/review-<id>.json
		the verdicts before it, read-only
	.code-review/abort-reason.md
		why a person has to decide; only with an ABORT
	.code-review/*.log, .code-review/previous/
		logs of the last code review, and of the one before
	docs/code-reviews/<date>-<scope>-<id>.md
		the review document of a full review; --verify writes another beside it

# Exit codes

	0    passed, passed with warnings, no changes, or no gate applies
	1    a gate failed, the retry limit is exceeded, or the verdict is FAIL or ABORT
	2    error: usage, configuration, git, lock, or a gate in error while no
	     gate failed
	130  interrupted

# Environment

	REVIEWLEDGER_DB  the ledger's database
	CI               gates with run_in_ci: false do not run, if this is true
	NO_COLOR         no colour on a terminal
	BASE_BRANCH      is set for checks

# Limitations

A reviewer reads the working tree while it reviews: edits made meanwhile may
confuse it, and are reviewed in the next iteration. Untracked files over 50 MB
are left out of snapshots, with a warning. Changes inside a submodule are seen as
its new commit only. Violations are recognised across runs by a fingerprint of
their line, which a change of that line changes.
*/
package main

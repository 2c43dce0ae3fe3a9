/*
Reviewledger is the gate and the memory of a coding agent's review loop.

It runs check gates (shell commands) and review gates (reviewer CLIs in numbered
slots) on the changes in a git repository, and keeps every run, iteration, slot,
report, violation and status change in a SQLite ledger. The rows decide what a
rerun shows a reviewer, which slots are skipped, which reports are filtered and
whether the run passes; the files that agents read and edit are exports of the
rows.

# Usage

`reviewledger help` lists the commands in groups: the loop, findings, history, setup,
integrations and database. Each command has --help, with all of its flags, examples and exit
codes; `reviewledger man DIR` writes the same as man pages. Commands work from any folder inside
the repository. Use --db FILE or REVIEWLEDGER_DB for a ledger other than
<git common dir>/reviewledger/ledger.db.

The commands of the loop change files: run, check, review, clean, code-review, mark and triage;
so do init, hook install and hook remove.
Other commands only read the ledger, unless their help says otherwise: they work during an
iteration and on a read-only file system, and never create a ledger. A violation or run is named
by its ID or a unique prefix, a run also by last, last~1 or a branch, a slot by
RUN/ITERATION/JOB@INDEX, and a check by RUN/ITERATION/JOB.

The README shows a first loop. docs/rules.md explains the rules of the loop, docs/configuration.md
the configuration, docs/verdict.md code reviews, docs/agents.md the work of agents, docs/json.md
the JSON and the SQL views, docs/formats.md the formats of other tools, and docs/team.md the team
store.

# Files

	.gauntlet/config.yml, .gauntlet/checks/*.yml, .gauntlet/reviews/*.md
		the configuration; see docs/configuration.md
	gauntlet_logs/check_<entry>_<name>.<N>.log
		a check's output in iteration N, and its result
	gauntlet_logs/review_<entry>_<name>_<adapter>@<slot>.<N>.json
		the violations of a slot, to be marked
	gauntlet_logs/review_<entry>_<name>_<adapter>@<slot>.<N>.log
		the answer of the reviewer, and how it was processed
	gauntlet_logs/console.<N>.log
		what iteration N printed
	gauntlet_logs/.session_ref
		the commit whose tree reruns compare with
	gauntlet_logs/.run
		the run that the logs belong to, its newest iteration and its base
	gauntlet_logs/previous/
		the files of the last loop

	.code-review/review-latest.json
		the current verdict, with findings to be marked
	.code-review/review-<id>.json
		earlier verdicts, read-only
	.code-review/abort-reason.md
		why a person has to decide; only for ABORT
	.code-review/*.log, .code-review/previous/
		logs of the last code review and of the one before
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
	CI               if true, gates with run_in_ci: false do not run
	NO_COLOR         if set, no color on a terminal
	PAGER            shows lists and logs on a terminal (default: less); empty or
	                 cat: none. REVIEWLEDGER_PAGER comes first
	BASE_BRANCH      set for checks: the base branch

# Limitations

A reviewer reads the working tree while it reviews: edits made meanwhile may
confuse it, and are reviewed in the next iteration. Untracked files over 50 MB
are left out of snapshots, with a warning. Changes inside a submodule are only seen
as its new commit. Violations are recognized across runs by a fingerprint of
their line, so not after a change of that line. Whether a Blocker breaks the system
is stored in the ledger, not in the verdict file: if the ledger is lost, every
Blocker of an ABORT counts as one that does.
*/
package main

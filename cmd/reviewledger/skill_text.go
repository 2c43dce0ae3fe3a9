package main

// skillText tells an agent how to play the loop.
const skillText = `# The reviewledger loop

` + "`reviewledger`" + ` runs checks and reviewers over what changed in this repository and
remembers every finding. Your part: fix what is right, skip what is not worth it
and say why, and run it again until it passes.

## The loop

1. Run ` + "`reviewledger run`" + ` and let it end; reviews can take minutes. Do not edit files
   while it runs.
2. Read the end of its output.
   - ` + "`Status: Passed`" + ` or ` + "`Status: Passed with warnings`" + `: done. Report.
   - ` + "`Status: Retry limit exceeded`" + `: stop, and report what is left.
   - ` + "`No changes detected`" + `: nothing to do. Say so if violations are outstanding.
   - ` + "`Status: Failed`" + `: go on with 3.
   - ` + "`Status: Error`" + ` or exit code 2: read the ` + "`[ERROR]`" + ` and ` + "`error:`" + ` lines and the logs
     that they name. Run ` + "`reviewledger doctor`" + `. Leave what you cannot fix to your user.
3. For each ` + "`[FAIL]`" + ` line, open the file under it.
   - ` + "`Log:`" + ` is a failed check. Fix what it reports; there is nothing to mark.
   - ` + "`Review:`" + ` is a reviewer's JSON file. Look at each entry of ` + "`violations`" + ` whose
     ` + "`status`" + ` is ` + "`new`" + `: read the code at its place before you decide.
4. Fix or skip by the trust level, and mark each one.
5. Go to 1. A reviewer now checks your claims: what is not really fixed comes back
   as ` + "`new`" + `, under the same id, and new findings may join it.

## The trust level

Your user may name one; without a word it is medium.

- high: fix everything that is reported, and skip only what is plainly wrong.
- medium: fix what you agree with after reading the code, and skip false positives, taste,
  and what is out of the change's scope.
- low: fix only what you are sure is a real defect in this change, and skip all else.

Never skip a ` + "`critical`" + ` one without telling your user. Never weaken a test, a check or
` + "`.gauntlet/`" + ` to make the loop pass.

## How to mark

Without editing a file, by the id of the violation:

    reviewledger mark a5ntf7t8 fixed --result 'checks the length first'
    reviewledger mark a5ntf7t8 skipped --reason style --result 'the project writes it so'
    reviewledger mark a5ntf7t8 disputed --result 'the caller holds the lock, see store.go:40'

Or, in the newest ` + "`Review:`" + ` file of each reviewer, change two keys of a violation and
nothing else. Without a mark, a violation stays open even if you fixed it.

    "status": "fixed",    "result": "checks the length before reading"
    "status": "skipped",  "result": "the project writes it so"
    "status": "disputed", "result": "the caller holds the lock, see store.go:40"

` + "`result`" + ` says how you fixed it, or why you skip or dispute it, in a sentence that a
reviewer can check. Skipped ones are not shown to reviewers again. Dispute what is wrong: the
next run asks the reviewer who reported it, who withdraws it, or it is open again. Once
is enough: then fix it, or leave it to your user.

If the console says that a violation ` + "`was skipped before`" + ` and the reason still holds, run
the command beside it. Never use ` + "`--remember`" + ` or ` + "`--as human`" + `: what later runs leave
out is decided by a person.

## At the end, report

- the status, and how many iterations it took
- what was fixed, one line each; what was skipped, with the reason
- what is still open, if the loop did not pass
- checks or reviewers that were in error, and so judged nothing

` + "`reviewledger clean`" + ` abandons an open loop and starts over. Do not use it to get rid
of findings.
`

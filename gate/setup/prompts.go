package setup

const builtinReviewFile = `---
# Needs no program, network or account: finds what "git diff --check" finds.
cli_preference: [builtin]
---

Conflict markers, whitespace errors and blank lines at the end of a file.
`

// reviewPrompt is what the reviewers of a gate are asked to look for. What to
// answer, how and about which lines is added by the program.
func reviewPrompt(name string) string {
	switch name {
	case "security":
		return securityPrompt
	case "error-handling":
		return errorPrompt
	case "tests":
		return testsPrompt
	}
	return qualityPrompt
}

const qualityPrompt = `Review the change for bugs, and for what will become one.

Look for:

- wrong results: off by one, inverted conditions, wrong operator or unit, missing case
- state: data races, stale caches, mutation of what others hold, leaks of files or memory
- boundaries: empty, null, negative, huge, duplicate, non-ASCII, concurrent
- contracts: callers that the change breaks, documentation or types that no longer tell the truth
- code that is dead, duplicated, or much harder to follow than the problem needs

Trace each suspicion to an input or an order of events that shows it. Do not
report matters of taste, formatting, or what a linter or compiler finds.
`

const securityPrompt = `Review the change as somebody who wants to break in.

Look for:

- injection: SQL, shell, path, template, header, log; anything built by joining text
- missing or wrong authentication and authorisation, confused deputies, trust in the client
- secrets in code, logs, errors or URLs; weak or home-made cryptography and randomness
- unsafe parsing and deserialisation, unbounded input, denial of service
- files and permissions: traversal, symbolic links, races, temporary files, modes
- new dependencies and build steps, and what they are allowed to do

Say who can attack, with which input, and what they gain. Report nothing that
only a privileged user could do to themselves.
`

const errorPrompt = `Review how the change behaves when something goes wrong.

Look for:

- errors that are dropped, swallowed, or turned into a success or a default
- cleanup that does not happen on every way out: files, locks, transactions, processes
- half-done work: what is left behind when the second of two steps fails
- retries without a limit, missing timeouts, cancellation that is ignored
- messages that do not say what was being done, to what, and what to do next
- panics, exits and asserts on input that can really occur

For each, name the failure that leads there. Do not ask for handling of what
cannot happen.
`

const testsPrompt = `Review whether the tests would notice if the change were wrong.

Look for:

- new behaviour, branches and error paths that no test reaches
- a fixed bug without a test that fails before the fix
- tests that cannot fail: no assertion, a mock of what is tested, an expectation copied from the output
- tests that depend on time, order, network, or each other
- existing tests that the change weakened, skipped or deleted

Name the mistake that would go unnoticed, and the shortest test that would catch
it. Do not ask for tests of trivial code, or for coverage as such.
`

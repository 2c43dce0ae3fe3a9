package main

import (
	"encoding/json"
	"fmt"
)

// demoScript is the script that the demo's agent changes.
const demoScript = "src/total.sh"

// demoOriginal is the script on the branch main.
const demoOriginal = `#!/bin/sh
# Adds up the amounts in a file, one a line: total.sh FILE
sum=0
while read -r amount; do
	sum=$((sum + amount))
done <"$1"
echo "$sum"
`

// demoChanged is the change under review. Its defects: without PERCENT the sum is a syntax error; a
// file name with a space breaks the loop; without TMPDIR the script deletes /totals; and the
// percentage is truncated, not rounded.
const demoChanged = `#!/bin/sh
# Adds up the amounts in a file, one a line, takes a percentage off, and keeps
# a copy of the file: total.sh FILE [PERCENT]
percent=$2
sum=0
while read -r amount; do
	sum=$((sum + amount))
done <$1
echo $((sum - sum * $percent / 100))
rm -rf $TMPDIR/totals
mkdir -p "$TMPDIR/totals"
cp "$1" "$TMPDIR/totals"
`

// demoBotched is the agent's first fix: quotes do not help if TMPDIR is empty.
const demoBotched = `#!/bin/sh
# Adds up the amounts in a file, one a line, takes a percentage off, and keeps
# a copy of the file: total.sh FILE [PERCENT]
percent=${2:-0}
sum=0
while read -r amount; do
	sum=$((sum + amount))
done <"$1"
echo $((sum - sum * percent / 100))
rm -rf "$TMPDIR/totals"
mkdir -p "$TMPDIR/totals"
cp "$1" "$TMPDIR/totals"
`

// demoFixed is the agent's second fix.
const demoFixed = `#!/bin/sh
# Adds up the amounts in a file, one a line, takes a percentage off, and keeps
# a copy of the file: total.sh FILE [PERCENT]
percent=${2:-0}
sum=0
while read -r amount; do
	sum=$((sum + amount))
done <"$1"
echo $((sum - sum * percent / 100))
copies=${TMPDIR:-/tmp}/totals
mkdir -p "$copies"
cp "$1" "$copies"
`

const demoTest = `#!/bin/sh
# Tests total.sh: without a percentage, and with one.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
printf '%s\n' 10 20 30 >"$TMPDIR/amounts"
test "$(sh total.sh "$TMPDIR/amounts")" = 60 || { echo "wrong total without a percentage"; exit 1; }
test "$(sh total.sh "$TMPDIR/amounts" 10)" = 54 || { echo "wrong total with 10 percent off"; exit 1; }
echo ok
`

// demoConfig has a placeholder for the path of this program.
const demoConfig = `# The configuration of the demo. In your own repository, "reviewledger init" writes
# this file.
base_branch: main
cli:
  default_preference: [safety, logic, layout]
  adapters:
    # Your own reviewers: the prompt on stdin, the answer on stdout.
    safety: {command: [%[1]s, demo-reviewer, safety]}
    logic: {command: [%[1]s, demo-reviewer, logic]}
    layout: {command: [%[1]s, demo-reviewer, layout]}
entry_points:
  - path: src
    checks: [test]
    reviews: [code-quality]
`

const demoReview = `---
num_reviews: 3
---
Look for what goes wrong with unusual input, an unusual environment, or both.
`

// demoFiles returns the files of the first commit by name.
func demoFiles(executable string) map[string]string {
	quoted, _ := json.Marshal(executable) // cannot fail, and JSON strings are valid YAML
	return map[string]string{
		".gauntlet/config.yml":              fmt.Sprintf(demoConfig, quoted),
		".gauntlet/checks/test.yml":         "command: sh test.sh\nfix_instructions: Run \"sh test.sh\" in src/.\n",
		".gauntlet/reviews/code-quality.md": demoReview,
		".gitignore":                        "/gauntlet_logs/\n",
		demoScript:                          demoOriginal,
		"src/test.sh":                       demoTest,
	}
}

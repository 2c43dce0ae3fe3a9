package setup

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

// builtinReview is the review gate of the built-in reviewer.
const builtinReview = "diff-check"

// files writes the proposal down.
func files(facts Facts, p Proposal) []File {
	const main = ".gauntlet/config.yml"
	style := StyleOf(facts, main)
	written := []File{{main, style.yaml(configFile(facts, p, style))}}
	names := map[string]bool{}
	for _, entry := range p.Entries {
		for _, check := range entry.Checks {
			if !names[check.Name] {
				names[check.Name] = true
				name := ".gauntlet/checks/" + check.Name + ".yml"
				written = append(written, File{name, checkFile(check, StyleOf(facts, name))})
			}
		}
	}
	for _, name := range p.Reviews {
		text := reviewText(name)
		if name != builtinReview {
			text = frontmatter(name, facts.Reviewers) + text
		}
		written = append(written, File{".gauntlet/reviews/" + name + ".md", text})
	}
	return written
}

// quoted is a text as YAML reads it, whatever is in it.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

const configHead = `# What reviewledger runs on changes. All keys: docs/configuration.md of
# github.com/reviewledger/reviewledger; "reviewledger validate" checks this file.

# What changes are compared with.
base_branch: %s

# The files of the open loop: reviews to read and to mark. Kept out of git.
log_dir: gauntlet_logs

# How many iterations may follow a first one that failed.
max_retries: 3

# On a rerun, what is new and below this priority does not fail the loop.
rerun_new_issue_threshold: high

# After a pass, reviewers are shown what changed since; "everything": the whole change.
after_pass: changes

`

func configFile(facts Facts, p Proposal, style Style) string {
	var b strings.Builder
	fmt.Fprintf(&b, configHead, style.quoted(facts.BaseBranch))
	switch {
	case len(facts.Commands) > 0:
		b.WriteString("# Who reviews: a command gets the prompt on its standard input and answers on its\n" +
			"# standard output, as docs/answer.md says.\n")
	case len(facts.Reviewers) > 0:
		b.WriteString("# Who reviews, in order of preference: the reviewer CLIs that were found.\n")
	default:
		b.WriteString("# No reviewer CLI was found, so the built-in reviewer checks for conflict markers\n" +
			"# and whitespace errors. With claude, codex, gemini, github-copilot, cursor or\n" +
			"# opencode installed, delete this file and run \"reviewledger init\" again.\n")
	}
	reviewers := facts.Reviewers
	if len(reviewers) == 0 {
		reviewers = []string{"builtin"}
	}
	b.WriteString("cli:\n" + nameList("  ", "default_preference", reviewers))
	for i, reviewer := range facts.Commands {
		if i == 0 {
			b.WriteString("  adapters:\n")
		}
		fmt.Fprintf(&b, "    %s:\n      command: %s\n", reviewer.Name, style.quoted(reviewer.Command))
	}
	writeToolReviewers(&b, toolReviewers(facts), style)
	b.WriteByte('\n')
	b.WriteString("# Which gates run where: those of each entry point that has changed files. A\n# check runs in the entry point's folder.\nentry_points:\n")
	for _, entry := range p.Entries {
		writeEntry(&b, p, entry, style)
	}
	return b.String()
}

func writeEntry(b *strings.Builder, p Proposal, entry Entry, style Style) {
	names := ready(entry.Checks)
	switch {
	case len(names) > 0:
		fmt.Fprintf(b, "  - path: %s\n%s", style.quoted(entry.Path), nameList("    ", "checks", names))
	case entry.Path == ".":
		fmt.Fprintf(b, "  - path: %s\n", style.quoted(entry.Path))
	default: // nothing to run there yet
		fmt.Fprintf(b, "  # - path: %s\n", style.quoted(entry.Path))
	}
	for _, check := range entry.Checks {
		if check.Missing != "" {
			fmt.Fprintf(b, "    # add %s when %s is installed\n", check.Name, check.Missing)
		}
	}
	if entry.Path != "." {
		return
	}
	b.WriteString(nameList("    ", "reviews", p.Reviews))
}

// maxColumns is how wide a list in one line may be.
const maxColumns = 80

// nameList is a key with a list of names, in one line if it is not too wide.
func nameList(indent, key string, names []string) string {
	line := fmt.Sprintf("%s%s: [%s]\n", indent, key, strings.Join(names, ", "))
	if len(line) <= maxColumns {
		return line
	}
	return fmt.Sprintf("%s%s:\n%s  - %s\n", indent, key, indent, strings.Join(names, "\n"+indent+"  - "))
}

// ready are the checks that can run.
func ready(checks []Check) (names []string) {
	for _, check := range checks {
		if check.Missing == "" {
			names = append(names, check.Name)
		}
	}
	return names
}

func checkFile(c Check, style Style) string {
	return fmt.Sprintf("# Found: %s\ncommand: %s\n\n# Seconds until it is stopped, which is a failure.\ntimeout: 600\n",
		strings.ToValidUTF8(strings.Map(printable, c.Why), "?"), style.quoted(c.Command))
}

// printable keeps a comment on its line.
func printable(c rune) rune {
	if c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 {
		return '?'
	}
	return c
}

func reviewNames() []string {
	return []string{"code-quality", "security", "error-handling", "tests"}
}

// frontmatter comes before the prompt of a review.
func frontmatter(name string, reviewers []string) string {
	slots := 1
	if name == "code-quality" && len(reviewers) > 1 {
		slots = 2
	}
	return fmt.Sprintf("---\n# How many slots review it, filled from default_preference in turn.\nnum_reviews: %d\n---\n\n", slots)
}

//go:embed reviews/*.md
var reviews embed.FS

// reviewText is the whole file of the built-in review, and of others what their reviewers are asked
// to look for. What to answer, how and about which lines is added by the program.
func reviewText(name string) string {
	text, err := reviews.ReadFile("reviews/" + name + ".md")
	if err != nil { // the files are part of the program
		panic(err)
	}
	return string(text)
}

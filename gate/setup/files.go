package setup

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/reviewledger/reviewledger/gate/config"
)

// builtinReview is the review gate of the built-in reviewer.
const builtinReview = "diff-check"

// files returns the files of the proposal.
func files(facts Facts, p Proposal) []File {
	const main = config.File
	style := StyleOf(facts, main)
	written := []File{{main, style.yaml(configFile(facts, p, style))}}
	names := map[string]bool{}
	for _, entry := range p.Entries {
		for _, check := range entry.Checks {
			if !names[check.Name] {
				names[check.Name] = true
				written = append(written, CheckFile(facts, check))
			}
		}
	}
	for _, name := range p.Reviews {
		written = append(written, ReviewFile(name, facts.Reviewers))
	}
	return written
}

// CheckFile returns the file of a check.
func CheckFile(facts Facts, check Check) File {
	name := config.ChecksDir + "/" + check.Name + ".yml"
	used := []string{"command", "timeout"}
	if len(check.Files) > 0 {
		used = append(used, "files")
	}
	return File{name, fill("check", StyleOf(facts, name), struct {
		Check
		Schema   string
		Optional []string
	}{check, schemaLine(facts, ".gauntlet/check.schema.json", "../check.schema.json"), config.Optional(config.CheckKeys(), used...)})}
}

// schemaLine returns the comment by which editors find the schema of a file, if it is there.
func schemaLine(facts Facts, name, relative string) string {
	if !facts.Exists(name) {
		return ""
	}
	return "# yaml-language-server: $schema=" + relative + "\n\n"
}

// comments returns the lines with an indentation.
func comments(indent string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(indent + line + "\n")
	}
	return b.String()
}

// quoted returns a text quoted for YAML, whatever it contains.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // encoding a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

//go:embed files.tmpl
var fileTexts string

// fill returns the text of one of the files in the style.
func fill(name string, style Style, data any) string {
	var b strings.Builder
	texts := template.New("").Funcs(template.FuncMap{"yaml": style.quoted, "names": nameList, "comments": comments, "ready": ready, "comment": comment,
		"files": func(files []string) string { return nameList("", "files", quotedAll(style, files)) }})
	if err := template.Must(texts.Parse(fileTexts)).ExecuteTemplate(&b, name, data); err != nil {
		panic(err) // the template is part of the program
	}
	return b.String()
}

func configFile(facts Facts, p Proposal, style Style) string {
	preference := facts.Reviewers
	if len(preference) == 0 {
		preference = []string{"builtin"}
	}
	return fill("config", style, struct {
		BaseBranch, Schema                                    string
		Reviewers, Preference, Review                         []string
		Commands, Tools                                       []Command
		Entries                                               []Entry
		Further                                               string
		Optional, CLIOptional, AdapterOptional, EntryOptional []string
	}{
		facts.BaseBranch, schemaLine(facts, ".gauntlet/config.schema.json", "config.schema.json"),
		facts.Reviewers, preference, p.Reviews, facts.Commands, toolReviewers(facts), p.Entries, strings.Join(p.Further, ","),
		config.Optional(config.ProjectKeys(), "base_branch", "log_dir", "max_retries", "rerun_new_issue_threshold", "after_pass"),
		config.Optional(config.CLIKeys()), config.Optional(config.AdapterKeys()), config.Optional(config.EntryKeys()),
	})
}

// maxColumns is the largest width of a list in one line.
const maxColumns = 80

// nameList returns a key with a list of names, in one line if it is not too wide.
func nameList(indent, key string, names []string) string {
	line := fmt.Sprintf("%s%s: [%s]\n", indent, key, strings.Join(names, ", "))
	if len(line) <= maxColumns {
		return line
	}
	return fmt.Sprintf("%s%s:\n%s  - %s\n", indent, key, indent, strings.Join(names, "\n"+indent+"  - "))
}

// ready returns the names of the checks that can run.
func ready(checks []Check) (names []string) {
	for _, check := range checks {
		if check.Missing == "" {
			names = append(names, check.Name)
		}
	}
	return names
}

func quotedAll(style Style, texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, style.quoted(text))
	}
	return all
}

// comment makes a text fit into a comment of one line.
func comment(text string) string { return strings.ToValidUTF8(strings.Map(printable, text), "?") }

// printable replaces characters that would end the line.
func printable(c rune) rune {
	if c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029 {
		return '?'
	}
	return c
}

// frontmatter returns the frontmatter of a review.
func frontmatter(name string, reviewers []string) string {
	data := struct {
		Builtin  bool
		Slots    int
		Optional []string
	}{Builtin: name == builtinReview, Slots: 1}
	used := []string{"num_reviews"}
	if data.Builtin {
		used = append(used, "cli_preference", "timeout", "model", "require_distinct_adapters")
	}
	if name == mainReview && len(reviewers) > 1 {
		data.Slots = 2
	}
	data.Optional = config.Optional(config.ReviewKeys(), used...)
	return fill("review", Style{}, data)
}

//go:embed reviews/*.md
var reviews embed.FS

// reviewText returns the text of a review about what to look for. The program itself adds what to answer, in which form, and about which lines.
func reviewText(name string) string {
	text, err := reviews.ReadFile("reviews/" + name + ".md")
	if err != nil { // the files are part of the program
		panic(err)
	}
	return string(text)
}

package setup

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
)

// builtinReview is the review gate of the built-in reviewer.
const builtinReview = "diff-check"

// files returns the files of the proposal.
func files(facts Facts, p Proposal) []File {
	const main = ".gauntlet/config.yml"
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
	name := ".gauntlet/checks/" + check.Name + ".yml"
	return File{name, fill("check", StyleOf(facts, name), check)}
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
	texts := template.New("").Funcs(template.FuncMap{"yaml": style.quoted, "names": nameList, "ready": ready, "comment": comment,
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
		BaseBranch                    string
		Reviewers, Preference, Review []string
		Commands, Tools               []Command
		Entries                       []Entry
		Further                       string
	}{facts.BaseBranch, facts.Reviewers, preference, p.Reviews, facts.Commands, toolReviewers(facts), p.Entries, strings.Join(p.Further, ",")})
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
	slots := 1
	if name == mainReview && len(reviewers) > 1 {
		slots = 2
	}
	return fill("review", Style{}, slots)
}

//go:embed reviews/*.md
var reviews embed.FS

// reviewText returns the complete file of the built-in review, and of the others the text about
// what to look for. The program itself adds what to answer, in which form, and about which lines.
func reviewText(name string) string {
	text, err := reviews.ReadFile("reviews/" + name + ".md")
	if err != nil { // the files are part of the program
		panic(err)
	}
	return string(text)
}

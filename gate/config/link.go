package config

// This file checks what involves several files of the configuration: gates that entry points name,
// adapters that reviews ask, and logs with the same name.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/gate/clients"
)

// link checks what involves several files: names of gates and adapters, and jobs that would write
// the same log file. It also fills in defaults of reviews.
func (l *loader) link() {
	if !l.projectRead {
		return // other problems would only follow from that of config.yml
	}
	for _, e := range l.config.EntryPoints {
		l.defined("check", e.checkLines, l.checkFiles)
		l.defined("review", e.reviewLines, l.reviewFiles)
	}
	for _, p := range l.preferences {
		l.known(p)
	}
	for name, review := range l.config.Reviews {
		if len(review.CLIPreference) == 0 {
			review.CLIPreference = l.config.DefaultPreference
		}
		review.DistinctAdapters = review.DistinctAdapters || l.config.DistinctAdapters
		l.config.Reviews[name] = review
		asked := slices.ContainsFunc(review.CLIPreference, l.config.AsksModel)
		if strings.TrimSpace(review.Prompt) == "" && (asked || len(review.CLIPreference) == 0) {
			l.problems = append(l.problems, Problem{File: l.reviewFiles[name],
				Message: "the prompt is missing; describe after the frontmatter what to look for"})
		}
	}
	l.problems = append(l.problems, collisions(l.config.AllJobs())...)
}

func (l *loader) defined(kind string, gates []scalar, files map[string]string) {
	known := slices.Sorted(maps.Keys(files))
	for _, gate := range gates {
		if _, ok := files[gate.value]; ok {
			continue
		}
		message := fmt.Sprintf("undefined %s %q: no %[1]s is defined; add %[3]s", kind, gate.value, gateFile(kind, "<name>"))
		if len(known) > 0 {
			message = strings.Replace(unknown(kind, gate.value, "defined", known), "unknown", "undefined", 1)
		}
		l.problems = append(l.problems, Problem{File, gate.line, message})
	}
}

func gateFile(kind, name string) string {
	if kind == "review" {
		return ReviewsDir + "/" + name + ".md"
	}
	return ChecksDir + "/" + name + ".yml"
}

func (l *loader) known(p preference) {
	allowed := clients.Names()
	builtIn := len(allowed)
	for name := range l.config.Adapters {
		if !slices.Contains(allowed, name) {
			allowed = append(allowed, name)
		}
	}
	slices.Sort(allowed[builtIn:])
	for _, t := range p.adapters {
		if !slices.Contains(allowed, t.value) {
			l.problems = append(l.problems, Problem{p.file, t.line, p.key + ": " + unknown("adapter", t.value, "allowed", allowed) +
				"; any other needs cli.adapters.<name>.command in " + File})
		}
	}
	if !p.given && p.key == "cli_preference" && len(l.config.DefaultPreference) == 0 {
		l.problems = append(l.problems, Problem{p.file, p.line,
			"no adapter to review with: set cli_preference here or cli.default_preference in " + File})
	}
}

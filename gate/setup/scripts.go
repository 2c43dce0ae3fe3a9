package setup

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// maxScripts is how many scripts of one package.json become checks at most.
const maxScripts = 12

// scriptNames returns names of scripts that check, by purpose. For each purpose the first script
// that does not rewrite files is proposed.
func scriptNames() [][]string {
	return [][]string{
		{"lint", "lint:check", "lint:ci"}, {"typecheck", "type-check", "check-types", "tsc"},
		{"test:ci", "test"},
	}
}

// checkingName matches the usual names of scripts that check.
var checkingName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(check|format|typecheck|type-check|lint)([:._-][A-Za-z0-9:._-]*)?$`)
})

// checkingScripts returns the scripts to propose: one for each purpose, and all others that are
// named like checks and do not change files. It leaves out a script that only runs other proposed
// ones, because it would report everything twice.
func (f folder) checkingScripts(scripts map[string]string) (proposed []string) {
	for _, names := range scriptNames() {
		for _, script := range names {
			if command, ok := scripts[script]; ok && !strings.Contains(command, "no test specified") && !f.rewrites(scripts, script) {
				proposed = append(proposed, script)
				break
			}
		}
	}
	var named []string
	for _, script := range slices.Sorted(maps.Keys(scripts)) {
		if checkingName().MatchString(script) && !slices.Contains(proposed, script) && !sameUse(proposed, script) && f.onlyChecks(scripts, script) {
			named = append(named, script)
		}
	}
	all := append(slices.Clone(proposed), named...)
	for _, script := range named {
		parts := onlyRuns(scripts, script)
		rest := slices.ContainsFunc(parts, func(part string) bool { return !runsAll(scripts, all, part, len(scripts)) })
		if len(parts) == 0 || rest {
			proposed = append(proposed, script)
		}
	}
	return proposed[:min(len(proposed), maxScripts)]
}

// sameUse reports whether a proposed script serves the same purpose.
func sameUse(proposed []string, script string) bool {
	return slices.ContainsFunc(scriptNames(), func(names []string) bool {
		return slices.Contains(names, script) && slices.ContainsFunc(proposed, func(p string) bool { return slices.Contains(names, p) })
	})
}

// onlyChecks reports whether a script that is named like a check does not change files. A formatter
// does, unless an option makes it only check.
func (f folder) onlyChecks(scripts map[string]string, script string) bool {
	if f.rewrites(scripts, script) {
		return false
	}
	if !strings.HasPrefix(script, "format") {
		return true
	}
	checking := []string{"--check", "-c", "--list-different", "-l", "--dry-run", "--diff", "check", "ci"}
	return slices.ContainsFunc(allWords(scripts, script), func(word string) bool { return slices.Contains(checking, word) })
}

// commands returns the commands of a script as words. It does not include those of scripts that it
// runs.
func commands(text string) (list [][]string) {
	for part := range strings.SplitSeq(strings.NewReplacer("&&", "\n", "||", "\n", ";", "\n", "&", "\n", "|", "\n").Replace(text), "\n") {
		if words := strings.Fields(part); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}

// started returns the scripts that one command of a script runs.
func started(scripts map[string]string, words []string) (names []string) {
	several := slices.Contains([]string{"run-s", "run-p", "npm-run-all", "npm-run-all2"}, words[0])
	for i, word := range words[1:] {
		word = strings.Trim(word, `"'`)
		after := slices.Contains([]string{"run", "yarn", "pnpm", "npm", "bun"}, words[i])
		for _, name := range slices.Sorted(maps.Keys(scripts)) {
			fits, _ := path.Match(word, name) // a word that is not a pattern does not match
			if after && name == word || several && fits {
				names = append(names, name)
			}
		}
	}
	return names
}

// eachCommand calls visit for the commands of a script and of those that it runs, as npm does.
func eachCommand(scripts map[string]string, script string, visit func(words []string)) {
	seen := map[string]bool{}
	var look func(name string)
	look = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, words := range commands(scripts[name]) {
			visit(words)
			for _, next := range started(scripts, words) {
				look("pre" + next)
				look(next)
				look("post" + next)
			}
		}
	}
	look("pre" + script)
	look(script)
	look("post" + script)
}

func allWords(scripts map[string]string, script string) (all []string) {
	eachCommand(scripts, script, func(words []string) { all = append(all, words...) })
	return all
}

// onlyRuns returns the scripts that a script runs, if it does nothing else.
func onlyRuns(scripts map[string]string, script string) (parts []string) {
	if scripts["pre"+script]+scripts["post"+script] != "" {
		return nil
	}
	for _, words := range commands(scripts[script]) {
		names := started(scripts, words)
		if len(names) == 0 {
			return nil
		}
		parts = append(parts, names...)
	}
	return parts
}

// runsAll reports whether the scripts in all together do what one script does. Scripts may run each
// other in a circle, so depth bounds the recursion.
func runsAll(scripts map[string]string, all []string, script string, depth int) bool {
	if slices.Contains(all, script) {
		return true
	}
	parts := onlyRuns(scripts, script)
	return depth > 0 && len(parts) > 0 &&
		!slices.ContainsFunc(parts, func(part string) bool { return !runsAll(scripts, all, part, depth-1) })
}

// rewrites reports whether a script, or one that it runs, makes a tool rewrite files or watch for
// changes.
func (f folder) rewrites(scripts map[string]string, script string) (writes bool) {
	eachCommand(scripts, script, func(words []string) {
		writes = writes || f.compilesOutput(words) || slices.ContainsFunc(words, func(word string) bool {
			return isWriting(word) || strings.HasPrefix(word, "--watch") || word == "watch" || word == "lint-staged"
		})
	})
	return writes
}

// compilesOutput reports whether a command makes the TypeScript compiler write its output.
func (f folder) compilesOutput(words []string) bool {
	at := slices.IndexFunc(words, func(word string) bool { return path.Base(word) == "tsc" })
	if at < 0 || slices.Contains(words, "--noEmit") {
		return false
	}
	if slices.Contains(words, "-b") || slices.Contains(words, "--build") { // it keeps its output
		return true
	}
	text := f.read(typeProject(words[at+1:]))
	return !regexp.MustCompile(`"noEmit"\s*:\s*true`).MatchString(text) && text != ""
}

// typeProject returns the project that the compiler is told to compile.
func typeProject(arguments []string) string {
	for i, word := range arguments {
		if (word == "-p" || word == "--project") && i+1 < len(arguments) {
			project := strings.Trim(arguments[i+1], `"'`)
			if path.Ext(project) != ".json" {
				project = path.Join(project, "tsconfig.json")
			}
			return path.Clean(project)
		}
	}
	return "tsconfig.json"
}

// typeProjects returns the projects that scripts compile with `tsc -p` and that can be compiled
// without writing anything, sorted.
func (f folder) typeProjects(scripts map[string]string) (projects []string) {
	for _, script := range slices.Sorted(maps.Keys(scripts)) {
		for _, words := range commands(scripts[script]) {
			at := slices.IndexFunc(words, func(word string) bool { return path.Base(word) == "tsc" })
			named := slices.Contains(words, "-p") || slices.Contains(words, "--project")
			if at < 0 || !named || slices.ContainsFunc(words, needsOutput) {
				continue
			}
			project := typeProject(words[at+1:])
			if isPlain(project) && !strings.Contains(f.read(project), `"emitDeclarationOnly"`) {
				projects = append(projects, project)
			}
		}
	}
	slices.Sort(projects)
	return slices.Compact(projects)
}

// needsOutput reports whether the option is one with which the compiler refuses --noEmit.
func needsOutput(word string) bool {
	return slices.Contains([]string{"-b", "--build", "--emitDeclarationOnly", "--watch", "-w"}, word)
}

// compiles reports whether a command compiles a project.
func compiles(words []string, project string) bool {
	at := slices.IndexFunc(words, func(word string) bool { return path.Base(word) == "tsc" })
	return at >= 0 && typeProject(words[at+1:]) == project
}

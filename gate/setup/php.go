package setup

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// composerScripts proposes those scripts of composer.json that check and do not write.
func (f folder) composerScripts([]Check) (checks []Check) {
	var manifest struct {
		Scripts map[string]any `json:"scripts"`
	}
	// A file that cannot be parsed has no scripts to propose.
	if json.Unmarshal([]byte(f.facts.Read(f.manifest)), &manifest) != nil {
		return nil
	}
	for _, script := range slices.Sorted(maps.Keys(manifest.Scripts)) {
		if !isComposerCheck(script) {
			continue
		}
		words := composerWords(manifest.Scripts, script, map[string]bool{})
		if len(words) == 0 || writes(strings.Join(words, " ")) {
			continue
		}
		check := f.check("composer-"+strings.ReplaceAll(script, ":", "-"), "composer run "+script, f.manifest+`, script "`+script+`"`)
		check.runs = words
		checks = append(checks, check)
	}
	return checks[:min(len(checks), maxScripts)]
}

// isComposerCheck reports whether a script is named like a check.
func isComposerCheck(script string) bool {
	return script == "test" || slices.Contains([]string{"phpstan", "psalm", "analyse", "analyze", "stan", "phpcs", "cs", "static-analysis"}, script) ||
		checkingName().MatchString(script)
}

// composerWords returns the words of a script and of those that it runs. It returns none for a
// script that is code of PHP.
func composerWords(scripts map[string]any, script string, seen map[string]bool) (words []string) {
	if seen[script] {
		return nil
	}
	seen[script] = true
	parts, _ := scripts[script].([]any)
	if one, ok := scripts[script].(string); ok {
		parts = []any{one}
	}
	for _, part := range parts {
		command, _ := part.(string)
		if strings.Contains(command, "::") {
			return nil
		}
		first, _, _ := strings.Cut(command, " ")
		if called, ok := strings.CutPrefix(first, "@"); ok && scripts[called] != nil {
			words = append(words, composerWords(scripts, called, seen)...)
			continue
		}
		words = append(words, strings.Fields(command)...)
		words = append(words, "&&")
	}
	return words
}

// needsVendor reports whether the PHP project in the folder has packages to install, or classes that
// composer finds.
func needsVendor(facts Facts, dir string) bool {
	var manifest struct {
		Require     map[string]any `json:"require"`
		RequireDev  map[string]any `json:"require-dev"`
		Autoload    any            `json:"autoload"`
		AutoloadDev any            `json:"autoload-dev"`
	}
	_ = json.Unmarshal([]byte(facts.Read(path.Join(dir, "composer.json"))), &manifest)
	for _, names := range []map[string]any{manifest.Require, manifest.RequireDev} {
		for name := range names {
			if strings.Contains(name, "/") { // the rest is PHP itself, and its extensions
				return true
			}
		}
	}
	return manifest.Autoload != nil || manifest.AutoloadDev != nil
}

package main

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/ledger/team"
)

func testRoot() *cobra.Command {
	return newRootCommand(environment{
		stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{},
		lookupenv: func(string) (string, bool) { return "", false }, dir: ".",
	})
}

// allCommands lists a command and all commands below it.
func allCommands(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, below := range cmd.Commands() {
		all = append(all, allCommands(below)...)
	}
	return all
}

// The help of every command has examples of that command and its exit codes, on lines of at most 80
// columns.
func TestEveryCommandHasExamplesAndExitCodes(t *testing.T) {
	t.Parallel()
	root := testRoot()
	for _, cmd := range allCommands(root) {
		if !strings.Contains(cmd.Example, " "+cmd.Name()) && cmd != root {
			t.Errorf("%s: its help has no example of it", cmd.Name())
		}
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Errorf("%s: %v", cmd.Name(), err)
		}
		if !strings.Contains(help.String(), "\nExit codes: 0 ") && !strings.Contains(help.String(), "\nExit codes:\n") {
			t.Errorf("%s: its help does not list its exit codes", cmd.Name())
		}
		for line := range strings.Lines(help.String()) {
			if len([]rune(strings.TrimSuffix(line, "\n"))) > 80 {
				t.Errorf("%s: a line of its help is longer than 80 columns: %s", cmd.Name(), line)
			}
		}
	}
}

// withoutJSON are the commands without --format json, and why they have none.
var withoutJSON = map[string]string{
	"":                helps,
	"completion":      "a script for a shell",
	"dashboard":       "serves pages; its first line is their address",
	"db":              helps,
	"demo":            "a show for people",
	"demo-reviewer":   "a reviewer of the demo, which answers in the form",
	"export":          helps,
	"export github":   formats,
	"export gitlab":   formats,
	"export junit":    formats,
	"export markdown": formats,
	"export ndjson":   formats,
	"export rdjson":   formats,
	"export rdjsonl":  formats,
	"export sarif":    formats,
	"export slot":     "a file as it is, which is JSON already, or a log",
	"export verdict":  "a file as it is, which is JSON already",
	"hook":            helps,
	"hook pre-push":   "git asks and reads its exit code",
	"hook stop":       "an agent's client asks, and has its own form of an answer",
	"man":             "writes pages for man",
	"mcp":             "speaks the Model Context Protocol",
	"schema":          "a JSON Schema already",
	"skill":           "a text for agents",
	"team":            helps,
	"triage":          "a dialogue on a terminal",
}

const helps, formats = "prints its help", "the format of another tool"

// Every command that says something has --format json, or a reason why not, and docs/json.md names it.
func TestHouseEveryCommandHasJSON(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	root, reasons := testRoot(), maps.Clone(withoutJSON)
	for _, cmd := range allCommands(root) {
		name := strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), root.Name()))
		flag := cmd.Flags().Lookup("format")
		reason, excepted := reasons[name]
		delete(reasons, name)
		switch {
		case flag == nil && reason == "":
			t.Errorf("%q has no --format json, and no reason why not", name)
		case flag != nil && excepted:
			t.Errorf("%q has --format, and a reason why not: %s", name, reason)
		case flag == nil:
		case flag.Value.Set("json") != nil:
			t.Errorf("%q has --format, but not json", name)
		case !strings.Contains(string(manual), name):
			t.Errorf("docs/json.md does not name %q", name)
		}
	}
	for name := range reasons {
		t.Errorf("there is no command %q", name)
	}
}

// docs/json.md names each key with which a command says what it did or found, in the row of the command.
func TestKeysOfAnswersAreDocumented(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for command, answer := range map[string]any{
		"clean": cleanJSON{}, "db path": pathJSON{}, "db backup": pathJSON{}, "db check": checkJSON{}, "db prune": prunedJSON{},
		"hook install": changedHookJSON{}, "hook status": hookStatusJSON{}, "hook snooze": snoozeJSON{},
		"import": importedJSON{}, "init": initJSON{}, "log": logJSON{}, "validate": validateJSON{}, "version": versionJSON{},
		"team forget": deletedJSON{}, "team migrate": team.Migrated{}, "team pull": team.Pulled{}, "team push": team.Sent{},
	} {
		row := regexp.MustCompile("(?m)^\\| [^|]*`" + command + "`[^|]*\\|.*$").FindString(string(manual))
		for _, key := range keysOf(reflect.TypeOf(answer)) {
			if !strings.Contains(row, "`"+key+"`") {
				t.Errorf("docs/json.md does not name %q of %q", key, command)
			}
		}
	}
}

// keysOf returns the keys of a type in JSON, and those of what it contains.
func keysOf(t reflect.Type) (keys []string) {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return keysOf(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if key == "-" {
				continue
			}
			if key != "" {
				keys = append(keys, key)
			}
			keys = append(keys, keysOf(t.Field(i).Type)...)
		}
	}
	return keys
}

// Every command that the help lists is in a group, its usage comes before its exit codes, and its
// man page is the same each time.
func TestHelpAndManPages(t *testing.T) {
	t.Parallel()
	root := testRoot()
	for _, cmd := range root.Commands() {
		if !cmd.Hidden && cmd.GroupID == "" {
			t.Errorf("%s: it is in no group of the help", cmd.Name())
		}
	}
	for _, cmd := range visible(root) {
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		usage, codes := strings.Index(help.String(), "Usage:"), strings.Index(help.String(), "Exit codes:")
		if usage < 0 || codes < usage {
			t.Errorf("%s: the exit codes do not follow the usage:\n%s", cmd.Name(), &help)
		}
		page := string(manPage(cmd))
		if !strings.Contains(page, "\n.SH EXIT STATUS\n") || strings.Contains(page, "\n'") {
			t.Errorf("%s: its man page:\n%s", cmd.Name(), page)
		}
	}
	if got := string(manPage(root)); !strings.HasPrefix(got, ".TH \"REVIEWLEDGER\" 1 \"\" \"reviewledger\"\n") {
		t.Errorf("the head of the page:\n%s", got)
	}
	if got, want := roff(".x\\y\n'z-"), "\\&.x\\ey\n\\&'z\\-"; got != want {
		t.Errorf("roff gives %q, want %q", got, want)
	}
}

// Every flag with a vocabulary has a completion.
func TestVocabulariesComplete(t *testing.T) {
	t.Parallel()
	vocabulary := []string{
		"adapter", "agents", "as", "base-branch", "branch", "disposition", "entry-point", "event", "file", "format", "gate", "kind",
		"like", "priority", "reason", "reset", "scope", "sort", "status",
	}
	for _, cmd := range allCommands(testRoot()) {
		for _, name := range vocabulary {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			if _, ok := cmd.GetFlagCompletionFunc(name); !ok {
				t.Errorf("%s --%s is not completed", cmd.CommandPath(), name)
			}
		}
	}
}

// A variable that is set to a word for no, as in CI=false, counts as not set.
func TestIsTrue(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"": false, "0": false, "false": false, "FALSE": false, "no": false, "1": true, "true": true, "yes": true, "github": true} {
		if got := isTrue(value); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}

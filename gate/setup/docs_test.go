package setup

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/languages.md has the table. With -update it is written.
func TestLanguagesAreDocumented(t *testing.T) {
	t.Parallel()
	const name = "../../docs/languages.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const tried = "\n## Tried\n"
	const end = "a test compares them. -->\n"
	before, rest, _ := strings.Cut(string(data), end)
	have, after, found := strings.Cut(rest, tried)
	want := documented()
	if *update {
		if found {
			after = tried + after
		}
		if err := os.WriteFile(name, []byte(before+end+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("run this test with -update (-want +got):\n%s", diff)
	}
}

// documented returns a section for each ecosystem.
func documented() string {
	var b strings.Builder
	for _, e := range ecosystems() {
		where := map[scope]string{
			everyFolder: "in each folder with one", topFolders: "in the topmost folders with one",
			onlyRoot: "in the root", anywhere: "in the root, for all of them",
		}[e.scope]
		fmt.Fprintf(&b, "\n## %s\n\nShown by %s; checked %s.", e.name, named(e.files), where)
		if e.also != "" {
			fmt.Fprintf(&b, "\n%s.", e.also)
		}
		b.WriteString("\n")
		header := "\n| check | command | proposed |\n|---|---|---|\n"
		for _, c := range e.checks {
			if c.command == "" {
				continue
			}
			fmt.Fprintf(&b, "%s| `%s` | `%s` | %s |\n", header, c.name, strings.ReplaceAll(c.command, "|", `\|`), condition(e, c))
			header = ""
		}
	}
	return b.String()
}

// condition says where a check is proposed.
func condition(e ecosystem, c candidate) string {
	var parts []string
	if c.when != "" {
		parts = append(parts, "with "+named(c.when))
	}
	if c.and != "" {
		parts = append(parts, "and with "+named(c.and))
	}
	if c.unless != "" {
		other := slices.IndexFunc(e.checks, func(o candidate) bool { return o.when == c.unless })
		if other >= 0 {
			parts = append(parts, "where `"+e.checks[other].name+"` is not")
		} else {
			parts = append(parts, "not with "+named(c.unless))
		}
	}
	if len(parts) == 0 {
		return "always"
	}
	return strings.Join(parts, ", ")
}

// named returns alternatives as text: files, then those in which a line is looked for.
func named(list string) string {
	var files, with []string
	for _, one := range alternatives(list) {
		name, _, hasText := strings.Cut(one, ": ")
		name = "`" + name + "`"
		switch {
		case hasText && !slices.Contains(with, name):
			with = append(with, name)
		case !hasText:
			files = append(files, name)
		}
	}
	text := strings.Join(files, ", ")
	if len(with) == 0 {
		return text
	}
	if len(files) > 0 {
		text += ", or "
	}
	return text + "a line for it in " + strings.Join(with, ", ")
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// recipes returns the shell lines of the recipes in docs/ci.md, by name.
func recipes() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, block := range strings.Split(string(data), "```sh\n# recipe: ")[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		found[name], _, _ = strings.Cut(rest, "```")
	}
	return found, nil
}

func scriptRecipe(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: recipe NAME FILE")
	}
	all, err := recipes()
	ts.Check(err)
	if all[args[0]] == "" {
		ts.Fatalf("docs/ci.md has no recipe %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("set -e\n"+all[args[0]]), 0o644))
}

// actionFile is the tested part of action.yml.
type actionFile struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			Name, ID, Shell, Run, Uses, If string
			Env                            map[string]string
		}
	}
}

func readAction() (a actionFile, err error) {
	data, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(data, &a)
	}
	return a, err
}

func scriptAction(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: action STEP FILE")
	}
	a, err := readAction()
	ts.Check(err)
	for _, step := range a.Runs.Steps {
		if step.Name == args[0] && step.Run != "" {
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("set -e\n"+step.Run), 0o644)) // as the runner's `sh -e`
			return
		}
	}
	ts.Fatalf("action.yml has no step %q with shell lines", args[0])
}

// Text of the caller must not become part of the shell lines of the action, so it is passed through
// the environment.
func TestAction(t *testing.T) {
	t.Parallel()
	a, err := readAction()
	if err != nil || a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatal(a, err)
	}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %q: %s", step.Name, step.Run)
		}
		if (step.Run == "") == (step.Uses == "") || step.Run != "" && step.Shell != "sh" {
			t.Errorf("step %q: %+v", step.Name, step)
		}
	}
	var hooks []struct {
		ID, Name, Entry, Language string
		Stages                    []string
	}
	data, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	if err == nil {
		err = yaml.Unmarshal(data, &hooks)
	}
	if err != nil || len(hooks) != 4 {
		t.Fatal(hooks, err)
	}
	scripts := readAll(t, "testdata/script/docs_ci.txtar")
	run := fmt.Sprint(scripts, readAll(t, "testdata/script/status_push.txtar"))
	for i, hook := range hooks[:2] {
		installed := hooks[i+2]
		if !strings.Contains(run, "exec "+hook.Entry+"\n") {
			t.Errorf("hook %+v is not run by a script", hook)
		}
		if hook.Language != "golang" || installed.Language != "system" || installed.ID != hook.ID+"-system" || installed.Entry != hook.Entry ||
			!slices.Equal(installed.Stages, hook.Stages) {
			t.Errorf("hook %+v is not that of the installed program, %+v", hook, installed)
		}
	}
	all, err := recipes()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for name := range all {
		for _, script := range scripts {
			if !strings.Contains(script, "\nrecipe "+name+" ") {
				t.Errorf("recipe %q is not run by a script", name)
			}
		}
	}
}

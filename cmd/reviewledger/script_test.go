package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reviewledger/reviewledger/internal/testing/reviewtest"
	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
)

// TestMain makes the program itself available to scripts as a command on PATH.
func TestMain(m *testing.M) {
	commands := map[string]func(){
		"reviewledger": func() {
			if os.Getenv(serverVariable) != "" {
				os.Exit(serveExecutions())
			}
			os.Exit(checked(mainCode, os.Stderr))
		},
		"walk-gate": func() { os.Exit(walkGate()) },
	}
	testscript.Main(withServer{m}, commands)
}

// withServer lets the tests start a PostgreSQL server, which ends with them.
type withServer struct{ *testing.M }

// Run implements [testscript.TestingM].
func (m withServer) Run() int {
	if signal.Ignored(syscall.SIGHUP) { // ignored because of nohup; processes that scripts start must not inherit that
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	defer stopServers()
	var err error
	if prepared, err = os.MkdirTemp("", "script-prepared-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(prepared)
	return teamtest.Main(m.M)
}

// prepared is a folder for what the tests make once.
var prepared string

// withFakes returns a PATH on which the reviewer CLIs are those of package reviewtest.
var withFakes = sync.OnceValues(func() (path string, err error) {
	folder := filepath.Join(prepared, "fakes")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	return folder + string(filepath.ListSeparator) + os.Getenv("PATH"), reviewtest.Build(folder)
})

// TestScripts runs the scripts. Each file is named for the behavior that it tests.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               onServers(t, filepath.Join("testdata", "script")),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds:                scriptCommands(),
		Condition:           scriptCondition,
	})
}

// setUp isolates a script from the machine's configuration.
func setUp(env *testscript.Env) error {
	// Reviewers start outside of the repository, which may be the whole work folder.
	temporary, err := os.MkdirTemp("", "script-tmp-")
	if err != nil {
		return err
	}
	env.Defer(func() { _ = os.RemoveAll(temporary) })
	path, err := withFakes()
	if err != nil {
		return err
	}
	env.Setenv("PATH", path)
	env.Setenv("TMPDIR", temporary)
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL":   os.DevNull,
		"GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME":     "Author", "GIT_AUTHOR_EMAIL": "author@example.com",
		"GIT_COMMITTER_NAME": "Committer", "GIT_COMMITTER_EMAIL": "committer@example.com",
		"HOME": filepath.Join(env.WorkDir, "home"),
		"TZ":   "UTC", "LC_ALL": "C", "NO_COLOR": "", "CI": "",
		"FAKE_DIR": filepath.Join(env.WorkDir, "fake"),
	} {
		env.Setenv(name, value)
	}
	for _, dir := range []string{"home", "fake"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	keepVariables(env)
	return nil
}

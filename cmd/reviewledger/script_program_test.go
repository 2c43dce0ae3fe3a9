package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// A script executes the program a dozen times, and most of what that takes is the start of a
// process. So the lines that only need arguments, variables and a folder are executed by a server:
// one process that executes them one after another, each with its own variables and folder. What
// needs a process of its own gets one: the background, an input, a terminal, a shell that does more
// than print the exit code, signals.

// The scripts that are executed have "program" where a server executes the program, and "setenv" for
// "env": testscript does not list the variables of a script. They have "exitcode" where a shell would
// print the exit code.
const programCommand, assignCommand, exitCommand = "program", "setenv", "exitcode"

// serverVariable is set for a process of the program that is to be a server.
const serverVariable = "REVIEWLEDGER_TEST_SERVER"

// An execution is what a server is asked to do: the program with these arguments.
type execution struct {
	Args, Env []string
	Dir       string
}

// An outcome is what an execution printed, and its exit code.
type outcome struct {
	Stdout, Stderr []byte
	Code           int
}

// serveExecutions executes what it is asked on stdin until that ends.
func serveExecutions() int {
	requests, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	limitMemory(os.Getenv)
	addThread(os.Getenv)
	for {
		var e execution
		if err := requests.Decode(&e); err == io.EOF {
			return 0
		} else if err != nil {
			return serverFailed(err)
		}
		o, err := e.execute()
		if err == nil {
			err = answers.Encode(o)
		}
		if err != nil {
			return serverFailed(err)
		}
	}
}

func serverFailed(err error) int {
	fmt.Fprintf(os.Stderr, "server of executions: %v\n", err)
	return 1
}

func (e execution) execute() (o outcome, err error) {
	os.Clearenv()
	for _, variable := range e.Env {
		name, value, _ := strings.Cut(variable, "=")
		if err := os.Setenv(name, value); err != nil {
			return o, err
		}
	}
	if err := os.Chdir(e.Dir); err != nil {
		return o, err
	}
	// Files, as those of a process: the program asks whether they are terminals.
	stdin, stdinClosed, err := os.Pipe()
	if err != nil {
		return o, err
	}
	defer stdin.Close()
	_ = stdinClosed.Close()
	stdout, err := newCollector()
	if err != nil {
		return o, err
	}
	stderr, err := newCollector()
	if err != nil {
		return o, err
	}
	o.Code = checked(func() int {
		return run(context.Background(), environment{
			args: e.Args, stdin: stdin, stdout: stdout.File, stderr: stderr.File, lookupenv: os.LookupEnv, dir: ".",
		})
	}, stderr.File)
	o.Stdout, o.Stderr = stdout.collected(), stderr.collected()
	return o, nil
}

// collector is a file that is a pipe into memory.
type collector struct {
	*os.File
	text bytes.Buffer
	done chan struct{}
}

func newCollector() (*collector, error) {
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &collector{File: writing, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer reading.Close()
		_, _ = io.Copy(&c.text, reading)
	}()
	return c, nil
}

func (c *collector) collected() []byte {
	_ = c.Close()
	<-c.done
	return c.text.Bytes()
}

// server is a process that executes the program for tests, for one after another.
type server struct {
	process *exec.Cmd
	input   io.WriteCloser
	answers *json.Decoder
}

// servers has the processes that have nothing to do. There are as many as tests that run in
// parallel.
var servers struct {
	sync.Mutex
	idle []*server
}

// executeProgram lets a server execute the program, which is started if all are busy.
func executeProgram(e execution) (o outcome, err error) {
	s, err := idleServer()
	if err != nil {
		return o, err
	}
	if err = json.NewEncoder(s.input).Encode(e); err == nil {
		err = s.answers.Decode(&o)
	}
	if err != nil {
		s.stop()
		return o, fmt.Errorf("the program ended its process: %w", err)
	}
	servers.Lock()
	defer servers.Unlock()
	servers.idle = append(servers.idle, s)
	return o, nil
}

func idleServer() (*server, error) {
	servers.Lock()
	if n := len(servers.idle); n > 0 {
		s := servers.idle[n-1]
		servers.idle = servers.idle[:n-1]
		servers.Unlock()
		return s, nil
	}
	servers.Unlock()
	program, err := exec.LookPath("reviewledger") // this test binary, see TestMain
	if err != nil {
		return nil, err
	}
	s := &server{process: exec.Command(program)}
	s.process.Env = append(os.Environ(), serverVariable+"=1", "TZ=UTC")
	s.process.Stderr = os.Stderr
	if s.input, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.answers = json.NewDecoder(output)
	return s, s.process.Start()
}

func (s *server) stop() {
	_ = s.input.Close()
	_ = s.process.Wait()
}

// stopServers ends the processes when all tests have ended.
func stopServers() {
	servers.Lock()
	defer servers.Unlock()
	for _, s := range servers.idle {
		s.stop()
	}
	servers.idle = nil
}

var (
	// executes matches the start of a line that executes the program.
	executes = regexp.MustCompile(`^((?:\[[^]]+\] )*(?:! )?)exec reviewledger( |$)`)
	// tells matches a line that executes the program, with plain words, in a shell that only prints or
	// passes over its exit code.
	tells = regexp.MustCompile(`^exec sh -c 'reviewledger((?: [\w./@:,=-]+)*); (?:(echo) "?exit \$\?"?|true)'\s*$`)
	// killsItself matches a command in which something may kill the program. The command kill of testscript
	// begins a line, and ends what is in the background.
	killsItself = regexp.MustCompile(`(?m).kill\b`)
	// ownProcess matches a line that says that the program needs a process.
	ownProcess = regexp.MustCompile(`&\w*&?\s*$`)
	// gives matches a line that gives the next execution an input.
	gives = regexp.MustCompile(`^(?:\[[^]]+\] )*(?:stdin|ttyin) `)
	// assigns matches the start of a line that sets variables.
	assigns = regexp.MustCompile(`^((?:\[[^]]+\] )*)env (\w+=)`)
)

// onServers writes the scripts of a folder anew, into a temporary one, so that servers execute the
// program wherever that is the same. It returns their names.
func onServers(t *testing.T, folder string) (scripts []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("scripts in %q: %d, %v", folder, len(names), err)
	}
	to := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(to, filepath.Base(name))
		if err := os.WriteFile(script, []byte(onServer(string(data))), 0o644); err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, script)
	}
	return scripts
}

func onServer(script string) string {
	commands, files, _ := strings.Cut(script, "\n-- ")
	kills := strings.Contains(files, "kill") || killsItself.MatchString(commands)
	lines := strings.SplitAfter(script, "\n")
	given := false
	for n, line := range lines {
		switch {
		case strings.HasPrefix(line, "-- "): // the files follow
			return strings.Join(lines, "")
		case assigns.MatchString(line):
			lines[n] = assigns.ReplaceAllString(line, "${1}"+assignCommand+" $2")
		case tells.MatchString(line) && !kills && !given:
			lines[n] = tells.ReplaceAllString(line, exitCommand+" ${2}-$1") + "\n"
		case gives.MatchString(line):
			given = true
		case executes.MatchString(line):
			if !given && !ownProcess.MatchString(line) {
				lines[n] = executes.ReplaceAllString(line, "${1}"+programCommand+"$2")
			}
			given = false
		}
	}
	return strings.Join(lines, "")
}

// variables has the names of the variables of a script.
type variables map[string]bool

type variablesKey struct{}

// keepVariables remembers which variables a script has.
func keepVariables(env *testscript.Env) {
	known := variables{}
	for _, variable := range env.Vars {
		name, _, _ := strings.Cut(variable, "=")
		known[name] = true
	}
	env.Values[variablesKey{}] = known
}

// setVariable sets a variable of the script.
func setVariable(ts *testscript.TestScript, name, value string) {
	ts.Setenv(name, value)
	if known, ok := ts.Value(variablesKey{}).(variables); ok {
		known[name] = true
	}
}

// scriptAssign is the command env of testscript, for variables that servers must know.
func scriptAssign(ts *testscript.TestScript, _ bool, args []string) {
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		setVariable(ts, name, value)
	}
}

// scriptProgram executes the program on a server.
func scriptProgram(ts *testscript.TestScript, neg bool, args []string) {
	code := executeForScript(ts, args)
	if code != 0 {
		ts.Logf("[exit status %d]", code)
	}
	switch {
	case code == 0 && neg:
		ts.Fatalf("unexpected command success")
	case code != 0 && !neg:
		ts.Fatalf("unexpected command failure")
	}
}

// scriptExitCode executes the program on a server, whatever its exit code is. The first argument is
// "echo-" if that is printed, else "-".
func scriptExitCode(ts *testscript.TestScript, _ bool, args []string) {
	code := executeForScript(ts, args[1:])
	if args[0] == "echo-" {
		fmt.Fprintf(ts.Stdout(), "exit %d\n", code)
	}
}

// executeForScript executes the program and keeps what it prints as the output of the command.
func executeForScript(ts *testscript.TestScript, args []string) (code int) {
	o, err := executeProgram(executionIn(ts, args))
	ts.Check(err)
	_, _ = ts.Stdout().Write(o.Stdout)
	_, _ = ts.Stderr().Write(o.Stderr)
	return o.Code
}

// executionIn is the execution of the program where the script is.
func executionIn(ts *testscript.TestScript, args []string) execution {
	e := execution{Args: args, Dir: ts.MkAbs(".")}
	for name := range ts.Value(variablesKey{}).(variables) {
		e.Env = append(e.Env, name+"="+ts.Getenv(name))
	}
	e.Env = append(e.Env, "PWD="+e.Dir)
	return e
}

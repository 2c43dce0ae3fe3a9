package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// nodePlatform is the name of this platform in packages of npm.
func nodePlatform() string {
	return strings.NewReplacer("windows", "win32").Replace(runtime.GOOS) + "-" + strings.NewReplacer("amd64", "x64").Replace(runtime.GOARCH)
}

// npmPackage puts the package together with one of this platform, whose program is a shell script. It returns
// the command that starts it.
func npmPackage(t *testing.T, program string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil || runtime.GOOS == "windows" {
		t.Skip("it needs node and sh")
	}
	modules := filepath.Join(t.TempDir(), "node_modules")
	start := filepath.Join(modules, "reviewledger", "bin", "reviewledger.js")
	text, err := os.ReadFile(filepath.Join("..", "npm", "reviewledger.js"))
	err = errors.Join(err, os.MkdirAll(filepath.Dir(start), 0o755), os.WriteFile(start, text, 0o755))
	if program != "" {
		bin := filepath.Join(modules, "@reviewledger", nodePlatform(), "bin")
		err = errors.Join(err, os.MkdirAll(bin, 0o755), os.WriteFile(filepath.Join(bin, "reviewledger"), []byte("#!/bin/sh\n"+program), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command("node", start, "mark", "two words")
}

func TestNPM(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		program, out string
		code         int
	}{
		"arguments and exit code":   {program: `echo "$#: $2"; exit 3`, out: "2: two words\n", code: 3},
		"without the platform's":    {out: "error: start reviewledger: the package @reviewledger/" + nodePlatform() + " is not installed.", code: 2},
		"a signal ends the program": {program: "kill -KILL $$", code: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := npmPackage(t, c.program)
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.out) {
				t.Errorf("exit code %d (%v)\n%s", code, err, out)
			}
		})
	}
}

// A request to end reaches the program, which ends as it does without npm.
func TestNPMTerminates(t *testing.T) {
	t.Parallel()
	cmd := npmPackage(t, `trap 'exit 130' TERM; echo ready; while :; do read line || exit 1; done`)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe() // stays open: the program waits for a line
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Errorf("it printed %q (error %v)", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Error(err)
	}
}

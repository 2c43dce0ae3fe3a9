//go:build !unix

package process

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func terminateGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func signalName(*os.ProcessState) string { return "" }

func dieWithParent(*exec.Cmd, bool) {}

func startWatchdog() {}

func guard(int) (release func()) { return func() {} }

func keepFiles() {}

//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func signalName(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}

// firstInherited is the first file descriptor after stdin, stdout and stderr.
const firstInherited = 3

// keepFirstFiles marks the files that a shell or a build tool usually leaves open.
func keepFirstFiles() {
	const some = 64
	for fd := firstInherited; fd < some; fd++ {
		syscall.CloseOnExec(fd)
	}
}

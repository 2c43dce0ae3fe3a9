package process

import (
	"math"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent covers the time before the watchdog knows the child, and children that it never
// knows: git, which may wait for something, and which cleans up if it is asked to end.
func dieWithParent(cmd *exec.Cmd, guarded bool) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	if guarded {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
}

// keepFiles marks open files that were inherited, so that children do not inherit them too. Files
// that Go opens are marked already.
func keepFiles() {
	if unix.CloseRange(firstInherited, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC) != nil { // before Linux 5.11
		keepFirstFiles()
	}
}

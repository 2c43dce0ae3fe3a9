//go:build unix

package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// peakMemory returns the peak resident size, in bytes, of a command that has ended, or of one of
// its children.
func peakMemory(cmd *exec.Cmd) int64 {
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}

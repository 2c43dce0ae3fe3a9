//go:build unix

package diff

import "syscall"

// makeFIFO makes a named pipe, for which no snapshot may wait.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o644) }

//go:build unix

package diff

import "syscall"

// makeFIFO makes a named pipe, which no snapshot may wait for.
func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o644) }

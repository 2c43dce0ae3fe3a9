//go:build !linux && !darwin

package main

// fileSystemOf is not known on this system.
func fileSystemOf(string) (kind string, network bool, free uint64, ok bool) {
	return "", false, 0, false
}

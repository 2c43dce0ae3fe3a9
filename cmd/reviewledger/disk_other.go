//go:build !linux && !darwin

package main

// networkFileSystem returns "", because file systems are not recognized on this system.
func networkFileSystem(string) string { return "" }

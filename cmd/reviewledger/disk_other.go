//go:build !linux && !darwin

package main

// networkFileSystem is not known on this system.
func networkFileSystem(string) string { return "" }

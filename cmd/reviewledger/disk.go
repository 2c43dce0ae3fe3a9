package main

import "fmt"

// byteSize is a number of bytes for people.
func byteSize(n uint64) string {
	const unit = 1024
	size, names := float64(n), []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	at := 0
	for size >= unit && at < len(names)-1 {
		size /= unit
		at++
	}
	if at == 0 {
		return fmt.Sprintf("%d %s", n, names[0])
	}
	return fmt.Sprintf("%.1f %s", size, names[at])
}

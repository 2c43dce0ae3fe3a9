package text

import "fmt"

// Bytes formats a number of bytes for people, as in "1.5 MiB".
func Bytes[N int64 | uint64](n N) string {
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

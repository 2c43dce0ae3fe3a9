package text_test

import (
	"testing"

	"github.com/reviewledger/reviewledger/internal/text"
)

func TestBytes(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1.0 KiB", 200 << 20: "200.0 MiB", 3 << 40: "3.0 TiB", 1 << 60: "1048576.0 TiB"} {
		if got := text.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger"
)

func TestBoundedLog(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, head, want string
		lines, chunk     int
		last             string
		tail             int64 // 21, unless another is given
	}{
		{"short", "header\n", "header\nline 1\nline 2\n", 2, 3, "", 0},
		{"exactly full", "", strings.Join([]string{"line 1", "line 2", "line 3", "line 4", "line 5", "line 6", ""}, "\n"), 6, 42, "", 0},
		{"one line more", "x\n", "x\nline 1\nline 2\nline 3\n\n--- 14 bytes are left out here: a log keeps 42 bytes of its output ---\nline 6\nline 7\n", 7, 5, "", 0},
		{"many rounds", "x\n", "x\nline 1\nline 2\nline 3\n\n--- 570 bytes are left out here: a log keeps 42 bytes of its output ---\nline 76\nline 77\n", 77, 1000, "", 0},
		{"byte by byte", "", "line 1\nline 2\nline 3\n\n--- 570 bytes are left out here: a log keeps 42 bytes of its output ---\nline 76\nline 77\n", 77, 1, "", 0},
		{"one long line at last", "", "line 1\nline 2\nline 3\n\n--- 28 bytes are left out here: a log keeps 42 bytes of its output ---\nabcdefghijklmnopqrst", 7, 5, "abcdefghijklmnopqrst", 0},
		{"the rest of a long line", "", strings.Repeat("x", 21) + "\n--- 380 bytes are left out here: a log keeps 221 bytes of its output ---\nend\n", 0, 9, strings.Repeat("x", 400) + "\nend\n", 200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file, err := os.Create(filepath.Join(t.TempDir(), "log"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if _, err := file.WriteString(test.head); err != nil {
				t.Fatal(err)
			}
			var all strings.Builder
			for n := range test.lines {
				fmt.Fprintf(&all, "line %d\n", n+1)
			}
			all.WriteString(test.last)
			log := &boundedLog{file: file, start: int64(len(test.head)), head: 21, tail: 21}
			if test.tail > 0 {
				log.tail = test.tail
			}
			for chunk := range slices.Chunk([]byte(all.String()), test.chunk) {
				if n, err := log.Write(chunk); n != len(chunk) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := log.finish(); err != nil {
				t.Fatal(err)
			}
			if n, err := log.Write([]byte("late")); n != 0 || err == nil {
				t.Errorf("%d bytes written after the end, error %v", n, err)
			}
			got, err := os.ReadFile(file.Name())
			if err != nil || string(got) != test.want {
				t.Errorf("log %q, error %v\nwant %q", got, err, test.want)
			}
		})
	}
}

// If the log cannot be written, the command can still print, and the error is told.
func TestOutputWithoutRoom(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Open(path) // cannot be written
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	o, err := collect(log)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.pipe.Write(make([]byte, 1<<20)); err != nil {
		t.Errorf("the command is told: %v", err)
	}
	if err := o.finish(); err == nil {
		t.Error("no error")
	}
}

// TestLogIsBounded runs a command that prints more than a log keeps.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "check.log")
	result, err := Run(t.Context(), Request{JobID: "check:.:flood", Dir: t.TempDir(), LogPath: path,
		Command: "echo first; yes 'and so on' | head -c 80000000; echo last; exit 3"})
	if err != nil || result.Status != ledger.GateFailed || result.ExitCode != 3 {
		t.Fatalf("result %+v, error %v", result, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if extra := len(data) - maxOutput; extra > 1000 {
		t.Errorf("the log has %d bytes more than %d", extra, maxOutput)
	}
	for _, want := range []string{" ---\nfirst\nand so on\n", " bytes are left out here: ", "and so on\nlast\n--- End of output ", "Result: fail - exited with code 3\n"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	if status := ParseResult(strings.NewReader(string(data))); status != ledger.GateFailed {
		t.Errorf("the log says %q", status)
	}
}

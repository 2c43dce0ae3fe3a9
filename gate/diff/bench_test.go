package diff

import (
	"bytes"
	"context"
	"fmt"
	"testing"
)

func BenchmarkParse30MB(b *testing.B) {
	var text bytes.Buffer
	for file := 0; text.Len() < 30<<20; file++ {
		fmt.Fprintf(&text, "diff --git a/dir/file%d.go b/dir/file%d.go\nindex 1..2 100644\n--- a/dir/file%d.go\n+++ b/dir/file%d.go\n", file, file, file, file)
		for hunk := range 50 {
			line := 1 + 40*hunk
			fmt.Fprintf(&text, "@@ -%d,8 +%d,8 @@ func example()\n", line, line)
			for _, mark := range []string{" ", " ", " ", "-", "-", "+", "+", " ", " ", " "} {
				text.WriteString(mark + "\tsome line of a program with about fifty characters\n")
			}
		}
	}
	output := []byte(listOf(text.String()) + text.String())
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parse(output); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	s := newSandbox(b)
	for i := range 2000 {
		s.write(fmt.Sprintf("dir%d/file%d", i%40, i), lines(i, i+50))
	}
	first := s.commit()
	s.write("dir1/file1", "1\n")
	s.commit()
	for i := range 20 {
		s.write(fmt.Sprintf("dir%d/file%d", i%40, i), lines(i, i+60))
		s.write(fmt.Sprintf("dir%d/new%d", i%40, i), lines(i, i+50))
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(ctx, s.dir)
		if err != nil {
			b.Fatal(err)
		}
		snapshot, err := r.Snapshot(ctx, SnapshotOptions{Exclude: []string{"logs"}})
		if err != nil {
			b.Fatal(err)
		}
		for _, from := range []string{r.Head, first} {
			if _, err := r.Diff(ctx, from, snapshot.Tree, []string{"logs"}); err != nil {
				b.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

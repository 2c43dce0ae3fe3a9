package diff

import "testing"

func TestCovers(t *testing.T) {
	t.Parallel()
	modified := func(path string, blocks ...Block) File {
		return File{Old: path, New: path, Kind: Modified, Blocks: blocks}
	}
	lines := func(start, count int) Block {
		return Block{OldStart: start, OldCount: 1, NewStart: start, NewCount: count}
	}
	deleted := func(at int) Block { return Block{OldStart: at, OldCount: 2, NewStart: at} }
	tests := []struct {
		name        string
		whole, part []File
		want        bool
	}{
		{"nothing", nil, nil, true},
		{"nothing of something", nil, []File{modified("a", lines(1, 1))}, false},
		{"the same", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(3, 4))}, true},
		{"lines inside", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(4, 2))}, true},
		{"one line more", []File{modified("a", lines(3, 4))}, []File{modified("a", lines(4, 4))}, false},
		{"lines over two blocks with a gap", []File{modified("a", lines(3, 2), lines(6, 2))}, []File{modified("a", lines(4, 3))}, false},
		{"another file", []File{modified("b", lines(1, 9))}, []File{modified("a", lines(1, 1))}, false},
		{"a deletion beside a change", []File{modified("a", lines(3, 1))}, []File{modified("a", deleted(4))}, false},
		{"of a new file", []File{{New: "a", Kind: Added}}, []File{modified("a", lines(7, 1))}, true},
		{"a file that was deleted", []File{modified("a", lines(1, 1))}, []File{{Old: "a", Kind: Deleted}}, false},
		{"a file that both delete", []File{{Old: "a", Kind: Deleted}}, []File{{Old: "a", Kind: Deleted}}, true},
		{"a change of mode alone", []File{modified("a", lines(1, 1))}, []File{{Old: "a", New: "a", Kind: ModeChanged}}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			whole, part := &Diff{Files: test.whole}, &Diff{Files: test.part}
			if got := whole.Covers(part); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
			all := whole.With(part)
			if added := len(all.Files) - len(test.whole); (added == 0) != test.want || !all.Covers(whole) && test.want {
				t.Errorf("with what it does not cover it has %d more files", added)
			}
		})
	}
}

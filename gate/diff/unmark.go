package diff

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
)

// unmark makes git look for changes in all files again. The marks are bits of the index, and
// are taken out of the stage's copy here; of a format that is not known here, git takes
// them out.
func (st *stage) unmark(ctx context.Context, facts *indexFacts) error {
	if len(facts.assumed)+len(facts.skipped) == 0 {
		return nil
	}
	info, err := os.Stat(st.index)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(st.index)
	if err != nil {
		return err
	}
	if st.repo.clearMarks(data, facts) {
		if err := os.WriteFile(st.index, data, 0o600); err != nil {
			return err
		}
		// The time is that of the index, as in copyIndex.
		return os.Chtimes(st.index, info.ModTime(), info.ModTime())
	}
	for _, mark := range []struct {
		option string
		paths  []string
	}{
		{"--no-assume-unchanged", facts.assumed},
		{"--no-skip-worktree", facts.skipped},
	} {
		if len(mark.paths) == 0 {
			continue // it would start git for nothing
		}
		args := []string{"update-index", mark.option, "-z", "--stdin"}
		if _, err := st.git.run(ctx, call{args: args, stdin: strings.Join(mark.paths, "\x00")}); err != nil {
			return err
		}
	}
	return nil
}

// clearMarks takes the marks of the facts out of an index, in place. It reports false for a
// format that [parseIndex] does not know.
func (r *Repo) clearMarks(data []byte, facts *indexFacts) bool {
	hashSize := len(r.EmptyTree()) / 2
	if !parseIndex(data, hashSize, nil, func(indexEntry) {}) {
		return false
	}
	assumed, skipped := setOf(facts.assumed), setOf(facts.skipped)
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	body, path := data[:len(data)-hashSize], []byte(nil)
	rest := body[indexHeader:]
	for range count {
		flags := rest[indexStat+hashSize:]
		entry, after, ok := cutIndexEntry(rest, hashSize, version, &path)
		if !ok {
			return false
		}
		if entry.assumed && assumed[string(path)] {
			flags[0] &^= flagAssumed >> 8
		}
		if entry.skipped && skipped[string(path)] {
			flags[2] &^= flagSkipped >> 8 // of the extended flags, which follow the others
		}
		rest = after
	}
	// Git may be told to write no checksum: zeros.
	if sum := data[len(body):]; !bytes.Equal(sum, make([]byte, hashSize)) {
		is, _ := hex.DecodeString(r.hash(body)) // it is hexadecimal
		copy(sum, is)
	}
	return true
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}

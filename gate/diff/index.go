package diff

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// indexFacts are what has to be known of the index before files are staged, and what
// git's other commands do not tell.
type indexFacts struct {
	// assumed and skipped are tracked files whose changes git was told not to
	// look for: assume-unchanged, and skip-worktree though the file is there.
	assumed, skipped []string
	// gitlinks are the commits of other repositories that stand for folders.
	gitlinks []string
	// excluded are the tracked files in excluded folders.
	excluded []string
}

// indexEntry is what a line of the index says of a file.
type indexEntry struct {
	path                      string
	assumed, skipped, gitlink bool
}

// add takes in an entry. A path in a conflict has several.
func (f *indexFacts) add(root string, entry indexEntry, exclude []string) {
	if n := len(f.excluded); isWithin(entry.path, exclude) && (n == 0 || f.excluded[n-1] != entry.path) {
		f.excluded = append(f.excluded, entry.path)
	}
	if entry.assumed {
		f.assumed = append(f.assumed, entry.path)
	}
	if entry.gitlink {
		f.gitlinks = append(f.gitlinks, entry.path)
	}
	if entry.skipped {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(entry.path))); err == nil {
			f.skipped = append(f.skipped, entry.path)
		}
	}
}

// readIndex finds out the facts of the stage's index. The file is read here, since
// starting git to list 80,000 files takes longer than all else; of a format that is
// not known here, git lists them.
func (st *stage) readIndex(ctx context.Context, exclude []string) (*indexFacts, error) {
	data, err := os.ReadFile(st.index)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	facts := &indexFacts{}
	take := func(entry indexEntry) { facts.add(st.repo.Root, entry, exclude) }
	if len(data) == 0 || parseIndex(data, len(st.repo.EmptyTree())/2, exclude, take) {
		return facts, nil
	}
	facts = &indexFacts{}
	out, err := st.git.run(ctx, call{args: []string{"ls-files", "-z", "-v", "--stage"}})
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(string(out.stdout), "\x00") {
		if entry, ok := listedEntry(line); ok {
			take(entry)
		}
	}
	return facts, nil
}

// listedEntry reads what git lists of an entry: a letter, mode, object id, stage; a tab; the
// path. The letter is small if the file is marked assume-unchanged, and S if skip-worktree.
func listedEntry(line string) (entry indexEntry, ok bool) {
	about, path, ok := strings.Cut(line, "\t")
	tag, rest, _ := strings.Cut(about, " ")
	return indexEntry{
		path: path, assumed: strings.ToUpper(tag) != tag, skipped: strings.EqualFold(tag, "S"), gitlink: strings.HasPrefix(rest, submoduleMode),
	}, ok
}

// The parts of an index file, as gitformat-index(5) has them.
const (
	indexHeader     = 12 // "DIRC", the version, the number of entries
	indexStat       = 40 // what stat(2) says
	indexMode       = 24 // where in it the mode is
	flagAssumed     = 0x8000
	flagExtended    = 0x4000
	flagSkipped     = 0x4000 // of the extended flags
	gitlinkModeBits = 0xe000
	modeTypeMask    = 0xf000
)

// parseIndex calls take for each entry of an index file that is marked, a gitlink, or
// in an excluded folder. It reports false if it does not know the format: other
// versions, and indexes of which a part is elsewhere or stands for many files.
func parseIndex(data []byte, hashSize int, exclude []string, take func(indexEntry)) bool {
	if len(data) < indexHeader+hashSize || string(data[:4]) != "DIRC" {
		return false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return false
	}
	rest, path := data[indexHeader:len(data)-hashSize], []byte(nil)
	for range count {
		entry, after, ok := cutIndexEntry(rest, hashSize, version, &path)
		if !ok {
			return false
		}
		rest = after
		if entry != (indexEntry{}) || isWithinBytes(path, exclude) {
			entry.path = string(path)
			take(entry)
		}
	}
	for len(rest) >= 8 {
		name, size := string(rest[:4]), int(binary.BigEndian.Uint32(rest[4:]))
		// In lower case are those without which the index cannot be understood.
		if name[0] < 'A' || name[0] > 'Z' || size > len(rest)-8 {
			return false
		}
		rest = rest[8+size:]
	}
	return len(rest) == 0
}

// cutIndexEntry takes one entry off an index. The path is that of the entry before,
// and becomes that of this one; entry.path stays empty.
func cutIndexEntry(data []byte, hashSize int, version uint32, path *[]byte) (entry indexEntry, rest []byte, ok bool) {
	fixed := indexStat + hashSize + 2
	if len(data) < fixed+2 {
		return entry, nil, false
	}
	flags := binary.BigEndian.Uint16(data[indexStat+hashSize:])
	entry.assumed = flags&flagAssumed != 0
	entry.gitlink = binary.BigEndian.Uint32(data[indexMode:])&modeTypeMask == gitlinkModeBits
	if flags&flagExtended != 0 {
		entry.skipped = binary.BigEndian.Uint16(data[fixed:])&flagSkipped != 0
		fixed += 2
	}
	if version < 4 {
		length := bytes.IndexByte(data[fixed:], 0)
		padded := (fixed + length + 8) &^ 7
		if length < 0 || padded > len(data) {
			return entry, nil, false
		}
		*path = data[fixed : fixed+length]
		return entry, data[padded:], true
	}
	strip, rest, ok := cutVarint(data[fixed:])
	length := bytes.IndexByte(rest, 0)
	if !ok || length < 0 || strip > len(*path) {
		return entry, nil, false
	}
	*path = append((*path)[:len(*path)-strip:len(*path)-strip], rest[:length]...)
	return entry, rest[length+1:], true
}

// cutVarint takes a number off data, in the encoding of version 4: as the offsets in
// pack files have it.
func cutVarint(data []byte) (value int, rest []byte, ok bool) {
	for i, b := range data[:min(len(data), 5)] {
		if i > 0 {
			value++
		}
		value = value<<7 | int(b&0x7f)
		if b&0x80 == 0 {
			return value, data[i+1:], true
		}
	}
	return 0, nil, false
}

// isWithinBytes is [isWithin] for a path that need not become a string.
func isWithinBytes(path []byte, folders []string) bool {
	for _, folder := range folders {
		n := len(folder)
		if len(path) >= n && string(path[:n]) == folder && (len(path) == n || path[n] == '/') {
			return true
		}
	}
	return false
}

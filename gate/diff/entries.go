package diff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
)

// indexEntry is what an index says of a path: whether it is marked assume-unchanged or
// skip-worktree, and whether it is the commit of another repository.
type indexEntry struct {
	path                      string
	assumed, skipped, gitlink bool
}

// Sizes and bits of git's index, of which git's index-format documentation speaks.
const (
	indexHeader   = 12 // "DIRC", the version, the number of entries
	indexStats    = 40 // times, device, inode, mode, owner and size of a file
	indexMode     = 24 // where its mode is in these
	markAssumed   = 0x8000
	markExtended  = 0x4000 // two more bytes of marks follow
	markSkipped   = 0x4000 // in these
	kindOfMode    = 0xf000
	kindOfGitlink = 0xe000
)

// readEntries reads an index of version 2 or 3 whose object ids have that many bytes. ok is false for
// any other: version 4, an index of which another file has a part, or one that has folders instead of
// files. A missing index is an empty one.
func readEntries(file string, idSize int) (entries []indexEntry, ok bool) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true
	}
	if err != nil || len(data) < indexHeader+idSize || string(data[:4]) != "DIRC" {
		return nil, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version != 2 && version != 3 {
		return nil, false
	}
	rest := data[indexHeader : len(data)-idSize]
	for range count {
		e, size := readEntry(rest, idSize)
		if size == 0 {
			return nil, false
		}
		entries, rest = append(entries, e), rest[size:]
	}
	return entries, hasOnlyOptional(rest)
}

// readEntry reads the first entry, and returns its size, which is 0 if it is not one.
func readEntry(data []byte, idSize int) (e indexEntry, size int) {
	name := indexStats + idSize + 2
	if len(data) < name {
		return e, 0
	}
	marks := binary.BigEndian.Uint16(data[name-2:])
	if marks&markExtended != 0 {
		if name += 2; len(data) < name {
			return e, 0
		}
		e.skipped = binary.BigEndian.Uint16(data[name-2:])&markSkipped != 0
	}
	length := bytes.IndexByte(data[name:], 0)
	size = (name + length + 8) &^ 7 // one to eight zeros follow the name
	if length <= 0 || size > len(data) {
		return e, 0
	}
	e.path = string(data[name : name+length])
	e.assumed = marks&markAssumed != 0
	e.gitlink = binary.BigEndian.Uint32(data[indexMode:])&kindOfMode == kindOfGitlink
	return e, size
}

// hasOnlyOptional reports whether all extensions may be passed over: their names begin with a capital
// letter.
func hasOnlyOptional(extensions []byte) bool {
	for len(extensions) > 0 {
		if len(extensions) < 8 || extensions[0] < 'A' || extensions[0] > 'Z' {
			return false
		}
		size := uint64(binary.BigEndian.Uint32(extensions[4:])) + 8
		if size > uint64(len(extensions)) {
			return false
		}
		extensions = extensions[size:]
	}
	return true
}

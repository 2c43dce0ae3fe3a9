package diff

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// storeTree stores the tree of the stage's index, as git write-tree does, whose start takes
// longer. It reports false where git has to: in a repository that is not an ordinary one,
// and for an index of which git alone knows the tree.
func (st *stage) storeTree() (tree string, ok bool) {
	if !st.repo.plain {
		return "", false
	}
	data, err := os.ReadFile(st.index)
	if err != nil {
		return "", false
	}
	// Folders in which nothing is listed are as in HEAD, whose trees are there.
	touched := map[string]bool{"": true}
	for _, path := range st.listed {
		for at := strings.LastIndexByte(path, '/'); at >= 0; at = strings.LastIndexByte(path, '/') {
			path = path[:at]
			touched[path] = true
		}
	}
	objects := filepath.Join(st.repo.CommonDir, "objects")
	var failed error
	tree, ok = st.repo.indexTree(data, func(made madeTree) {
		if touched[made.folder] {
			failed = errors.Join(failed, storeLoose(objects, made.id, made.object))
		}
	})
	return tree, ok && failed == nil
}

// storeLoose stores an object as git does that is in no pack. One that is there becomes as
// young as a new one, for git prunes those that nothing refers to by their age.
func storeLoose(objects, id string, object []byte) error {
	folder := filepath.Join(objects, id[:2])
	path := filepath.Join(folder, id[2:])
	now := time.Now()
	if err := os.Chtimes(path, now, now); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Git removes files of such a name that a killed process left behind.
	temporary := filepath.Join(folder, "tmp_obj_"+id[2:])
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	_, err = file.Write(zlibStored(object))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err
}

// zlibStored is data in the form of zlib, not compressed: to set up a compressor takes
// longer than all else here.
func zlibStored(data []byte) []byte {
	const longest = 1<<16 - 1 // of a block
	packed := make([]byte, 0, len(data)+len(data)/longest*5+11)
	packed = append(packed, 0x78, 0x01)
	for rest := data; ; {
		block := rest[:min(len(rest), longest)]
		rest = rest[len(block):]
		last := byte(0)
		if len(rest) == 0 {
			last = 1
		}
		packed = append(packed, last)
		packed = binary.LittleEndian.AppendUint16(packed, uint16(len(block)))
		packed = binary.LittleEndian.AppendUint16(packed, ^uint16(len(block)))
		packed = append(packed, block...)
		if last == 1 {
			return binary.BigEndian.AppendUint32(packed, adler32.Checksum(data))
		}
	}
}

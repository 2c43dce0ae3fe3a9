package diff

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

const (
	flagStage       = 0x3000 // of the flags: which side of a conflict
	flagIntentToAdd = 0x2000 // of the extended flags
)

// indexFile is a file as an index has it.
type indexFile struct {
	path string
	mode uint32
	id   []byte
}

// madeTree is the tree of a folder, "" being the root, as an object with its id.
type madeTree struct {
	folder, id string
	object     []byte
}

// indexTree is the id of the tree that an index holds, as git write-tree has it, without
// starting git, and calls made for each tree in it. It reports false for an index in a
// conflict, and for formats that [parseIndex] does not know.
func (r *Repo) indexTree(data []byte, made func(madeTree)) (tree string, ok bool) {
	hashSize := len(r.EmptyTree()) / 2
	if !parseIndex(data, hashSize, nil, func(indexEntry) {}) {
		return "", false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	rest, path := data[indexHeader:len(data)-hashSize], []byte(nil)
	files := make([]indexFile, 0, count)
	for range count {
		stat := rest
		var known bool
		if _, rest, known = cutIndexEntry(rest, hashSize, version, &path); !known {
			return "", false
		}
		flags := binary.BigEndian.Uint16(stat[indexStat+hashSize:])
		if flags&flagStage != 0 {
			return "", false
		}
		if flags&flagExtended != 0 && binary.BigEndian.Uint16(stat[indexStat+hashSize+2:])&flagIntentToAdd != 0 {
			continue // git leaves it out, too
		}
		files = append(files, indexFile{string(path), binary.BigEndian.Uint32(stat[indexMode:]), stat[indexStat : indexStat+hashSize]})
	}
	return r.treeOf(files, 0, made), true
}

// treeOf is the id of the tree of files that begin with the same folder, whose name with
// the slash has the given length. The files are in the order of an index, so those of a
// folder stand together, and what stands in a tree is in its order.
func (r *Repo) treeOf(files []indexFile, folder int, made func(madeTree)) string {
	var body []byte
	for n := 0; n < len(files); {
		file := files[n]
		name := file.path[folder:]
		slash := bytes.IndexByte([]byte(name), '/')
		if slash < 0 {
			body = fmt.Appendf(body, "%o %s\x00", file.mode, name)
			body = append(body, file.id...)
			n++
			continue
		}
		prefix, end := file.path[:folder+slash+1], n+1
		for end < len(files) && len(files[end].path) > len(prefix) && files[end].path[:len(prefix)] == prefix {
			end++
		}
		id, _ := hex.DecodeString(r.treeOf(files[n:end], len(prefix), made)) // it is hexadecimal
		body = fmt.Appendf(body, "40000 %s\x00", name[:slash])
		body = append(body, id...)
		n = end
	}
	object := append(fmt.Appendf(nil, "tree %d\x00", len(body)), body...)
	id := r.hash(object)
	name := ""
	if folder > 0 {
		name = files[0].path[:folder-1]
	}
	made(madeTree{name, id, object})
	return id
}

// mayHave reports whether the repository may have the object, without starting git: it
// is false only if none of its files has it.
func (r *Repo) mayHave(id string) bool {
	objects := filepath.Join(r.CommonDir, "objects")
	for _, name := range []string{filepath.Join(id[:2], id[2:]), filepath.Join("info", "alternates")} {
		if _, err := os.Stat(filepath.Join(objects, name)); err == nil {
			return true
		}
	}
	raw, err := hex.DecodeString(id)
	packs, readErr := os.ReadDir(filepath.Join(objects, "pack"))
	if err != nil || readErr != nil && !errors.Is(readErr, fs.ErrNotExist) {
		return true
	}
	return slices.ContainsFunc(packs, func(pack fs.DirEntry) bool {
		if filepath.Ext(pack.Name()) != ".idx" {
			return false
		}
		data, err := os.ReadFile(filepath.Join(objects, "pack", pack.Name()))
		return err != nil || packHas(data, raw)
	})
}

// packHas reports whether the index of a pack lists the object, or is of a format that is
// not known here: version 2 begins with a mark and how many objects begin with each byte
// or a lesser one, and lists their ids in order.
func packHas(data, id []byte) bool {
	const header, fanout = 8, 256 * 4
	if len(data) < header+fanout || string(data[:header]) != "\377tOc\x00\x00\x00\x02" {
		return true
	}
	count := int(binary.BigEndian.Uint32(data[header+fanout-4:]))
	ids := data[header+fanout:]
	if len(ids) < count*len(id) {
		return true
	}
	at := func(n int) []byte { return ids[n*len(id) : (n+1)*len(id)] }
	n := sort.Search(count, func(n int) bool { return bytes.Compare(at(n), id) >= 0 })
	return n < count && bytes.Equal(at(n), id)
}

package diff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// submoduleMode is the mode of a submodule in a tree.
const submoduleMode = "160000"

// cutList parses the list of changed files that git prints before the patch. It returns the files,
// without their lines, and the patch.
func cutList(output []byte) (files []File, patch []byte, err error) {
	files, rest, err := cutFiles(output)
	if err != nil {
		return nil, nil, err
	}
	patch, ok := bytes.CutPrefix(rest, []byte{0})
	if ok != (len(files) > 0) || !ok && len(patch) > 0 {
		return nil, nil, fmt.Errorf("found %q instead of a list of files", shorten(rest))
	}
	return files, patch, nil
}

// cutFiles parses the list of changed files (--raw -z). It returns the files, without their lines,
// and what follows the list.
func cutFiles(output []byte) (files []File, rest []byte, err error) {
	for len(output) > 0 && output[0] == ':' {
		about, rest, _ := bytes.Cut(output[1:], []byte{0})
		name, rest, err := cutName(rest)
		if err != nil {
			return nil, nil, err
		}
		f, err := listedFile(string(about), name)
		if err == nil && f.Kind == Renamed {
			f.New, rest, err = cutName(rest)
		}
		if err != nil {
			return nil, nil, err
		}
		files, output = append(files, f), rest
	}
	return files, output, nil
}

// cutName cuts a path off the list. It rejects a path that git would never check out: a tree object
// made by hand can hold such names.
func cutName(list []byte) (name string, rest []byte, err error) {
	before, rest, _ := bytes.Cut(list, []byte{0})
	if name = string(before); !isRepoPath(name) {
		err = fmt.Errorf("the path %q leads outside the repository", name)
	}
	return name, rest, err
}

// listedFile returns the file of an entry of the list. about holds two modes, two object ids and a
// letter for the kind of change.
func listedFile(about, name string) (File, error) {
	fields := strings.Fields(about)
	if len(fields) != 5 {
		return File{}, fmt.Errorf("found %q in the list of files", about)
	}
	f := File{Old: name, New: name, ids: [2]string{fields[2], fields[3]}, Submodule: fields[0] == submoduleMode || fields[1] == submoduleMode}
	switch fields[4][0] {
	case 'A':
		f.Kind, f.Old = Added, ""
	case 'D':
		f.Kind, f.New = Deleted, ""
	case 'M':
		f.Kind = Modified
	case 'R':
		f.Kind = Renamed
	case 'T':
		f.Kind = TypeChanged
	default:
		return f, errors.New("a file in the list has the unknown status " + fields[4])
	}
	return f, nil
}

// blobs returns the object ids of the file's contents, without the zeros that mean no file.
func (f *File) blobs() (ids []string) {
	for _, id := range f.ids {
		if strings.Trim(id, "0") != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

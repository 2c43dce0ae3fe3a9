package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var packed = time.Unix(1_700_000_000, 0).UTC()

// An archive depends on the names, the contents and the right to execute of its files, not on when
// they were written or on the umask.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	one := fstest.MapFS{
		"b/page.1": {Data: []byte("page"), Mode: 0o600, ModTime: packed.Add(time.Hour)},
		"a":        {Data: []byte("program"), Mode: 0o700},
	}
	other := fstest.MapFS{
		"a":        {Data: []byte("program"), Mode: 0o755, ModTime: packed.Add(time.Minute)},
		"b/page.1": {Data: []byte("page"), Mode: 0o664},
	}
	for _, name := range []string{"x.tar.gz", "x.zip"} {
		first, second := archiveOf(t, name, one), archiveOf(t, name, other)
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
		if got, want := contents(t, name, first), []string{"a 0755 program", "b/page.1 0644 page"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	err := write(io.Discard, "x.zip", fstest.MapFS{"link": {Data: []byte("/etc/passwd"), Mode: fs.ModeSymlink | 0o777}}, packed)
	if err == nil || !strings.Contains(err.Error(), `"link" is not a regular file`) {
		t.Error(err)
	}
}

func archiveOf(t *testing.T, name string, files fs.FS) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, name, files, packed); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// contents lists name, mode and text of each file of an archive, and checks their times.
func contents(t *testing.T, name string, archive []byte) (list []string) {
	t.Helper()
	err := eachEntry(name, archive, func(info fs.FileInfo, path string, in io.Reader) error {
		data, err := io.ReadAll(in)
		list = append(list, fmt.Sprintf("%s %#o %s", path, info.Mode().Perm(), data))
		if !info.ModTime().Equal(packed) {
			t.Errorf("%s: %s is of %v, want %v", name, path, info.ModTime(), packed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// eachEntry calls a function for each file of an archive.
func eachEntry(name string, archive []byte, do func(info fs.FileInfo, path string, in io.Reader) error) error {
	if strings.HasSuffix(name, ".zip") {
		files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return err
		}
		for _, file := range files.File {
			in, err := file.Open()
			if err != nil {
				return err
			}
			if err := errors.Join(do(file.FileInfo(), file.Name, in), in.Close()); err != nil {
				return err
			}
		}
		return nil
	}
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return err
	}
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(header.FileInfo(), header.Name, files); err != nil {
			return err
		}
	}
}

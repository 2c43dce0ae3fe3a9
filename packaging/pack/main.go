// Pack writes the files of a folder into an archive, which has the same bytes each time:
//
//	go run ./packaging/pack FILE DIR
//
// The name of the file says which kind of archive it is: .tar.gz, .tgz or .zip. Files are in the order
// of their names, are nobody's, and have the time SOURCE_DATE_EPOCH (seconds since 1970).
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := pack(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
}

func pack(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: pack FILE DIR")
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("read the time of the files from SOURCE_DATE_EPOCH: %w", err)
	}
	file, err := os.Create(args[0])
	if err != nil {
		return fmt.Errorf("create the archive %q: %w", args[0], err)
	}
	err = write(file, args[0], os.DirFS(args[1]), time.Unix(seconds, 0).UTC())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the folder %q into the archive %q: %w", args[1], args[0], err)
	}
	return nil
}

// write writes all files of a folder into an archive of the kind that the name says.
func write(out io.Writer, name string, folder fs.FS, at time.Time) error {
	if strings.HasSuffix(name, ".zip") {
		archive := zip.NewWriter(out)
		err := eachFile(folder, func(name string, mode fs.FileMode, data []byte) error {
			header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
			header.SetMode(mode)
			entry, err := archive.CreateHeader(header)
			if err == nil {
				_, err = entry.Write(data)
			}
			return err
		})
		return errors.Join(err, archive.Close())
	}
	compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	err = eachFile(folder, func(name string, mode fs.FileMode, data []byte) error {
		header := &tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: at}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err := archive.Write(data)
		return err
	})
	return errors.Join(err, archive.Close(), compressed.Close())
}

// eachFile calls a function for each file of a folder, in the order of their names. Of the mode only
// whether the file can be executed counts: the rest is as the umask of the machine had it.
func eachFile(folder fs.FS, do func(name string, mode fs.FileMode, data []byte) error) error {
	return fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%q is not a regular file", name)
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		return do(name, mode, data)
	})
}

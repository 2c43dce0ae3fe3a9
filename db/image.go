package db

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	_ "embed" // the image
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// emptyImage is an empty ledger as a compressed SQLite file: running the migrations takes twenty
// times as long as unpacking it. A test compares the two.
//
//go:embed empty.sqlite.gz
var emptyImage []byte

// unpacked returns emptyImage uncompressed.
var unpacked = sync.OnceValues(func() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(emptyImage))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
})

// Placeholders in the image for the ID of a ledger and the time of its creation. They have the same
// length as the real values.
const (
	noID   = "00000000000000000000000000000000"
	noTime = "0000-01-01 00:00:00"
)

// stamped returns the image with the ID and creation time of one ledger. The bytes are replaced in
// place: to do this with SQL, SQLite would first have to parse the whole schema.
func stamped(image []byte, id [16]byte, at time.Time) ([]byte, error) {
	if n := bytes.Count(image, []byte(noID)); n != 1 {
		return nil, fmt.Errorf("the image of an empty ledger has %d places for an ID, not one", n)
	}
	image = bytes.Replace(image, []byte(noID), []byte(hex.EncodeToString(id[:])), 1)
	return bytes.ReplaceAll(image, []byte(noTime), []byte(at.UTC().Format(time.DateTime))), nil
}

// Offsets of the format versions for writing and reading in the header of a SQLite file
// (sqlite.org/fileformat2.html, 1.3.3). Version 1 has a rollback journal, version 2 a -wal.
const (
	writeVersion, readVersion = 18, 19
	withWAL                   = 2
)

// writeEmpty creates an empty ledger with an ID of its own at path, where no file may exist. With
// wal, the file is synced and in WAL mode, as every ledger is. Without, no other process may open
// it until its mode is changed.
func writeEmpty(path string, wal bool) error {
	image, err := unpacked()
	if err != nil {
		return fmt.Errorf("unpack the empty ledger: %w", err)
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	if image, err = stamped(image, id, time.Now()); err != nil {
		return err
	}
	if wal {
		image[writeVersion], image[readVersion] = withWAL, withWAL
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(image)
	if err == nil && wal {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

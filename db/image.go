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

// emptyImage is an empty ledger as a SQLite file, compressed: to run the migrations takes
// twenty times as long as to unpack it. A test compares the two.
//
//go:embed empty.sqlite.gz
var emptyImage []byte

// unpacked is emptyImage as it is read.
var unpacked = sync.OnceValues(func() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(emptyImage))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
})

// What stands in the image in place of the ID of a ledger and of the time at which it was
// made, in as many bytes.
const (
	noID   = "00000000000000000000000000000000"
	noTime = "0000-01-01 00:00:00"
)

// stamped is the image with the ID and the time of one ledger. The bytes are replaced where
// they stand: to do so with SQL, SQLite would first have to read the whole schema.
func stamped(image []byte, id [16]byte, at time.Time) ([]byte, error) {
	if n := bytes.Count(image, []byte(noID)); n != 1 {
		return nil, fmt.Errorf("the image of an empty ledger has %d places for an ID, not one", n)
	}
	image = bytes.Replace(image, []byte(noID), []byte(hex.EncodeToString(id[:])), 1)
	return bytes.ReplaceAll(image, []byte(noTime), []byte(at.UTC().Format(time.DateTime))), nil
}

// Where the header of a SQLite file says which versions of the format write and read it
// (sqlite.org/fileformat2.html, 1.3.3): 1 is one with a rollback journal, 2 one with a -wal.
const (
	writeVersion, readVersion = 18, 19
	withWAL                   = 2
)

// writeEmpty makes an empty ledger of its own at path, on the disk, where there is no file.
// With wal the file is in WAL mode, as every ledger is. Without, no other process may open it before
// its mode is changed.
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

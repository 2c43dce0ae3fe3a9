package lists_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reviewledger/reviewledger/ledger/lists"
)

// Records come in order and none is lost, whether they fit into memory or not. No file is left
// behind.
func TestSorter(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder) // Windows
	for _, c := range []struct {
		records, size int
	}{{0, 0}, {1, 10}, {1000, 100}, {2000, 20_000}, {3, 3 << 20}, {200_000, 150}} {
		random := rand.New(rand.NewPCG(1, uint64(c.records)))
		var want [][]byte
		var sorter lists.Sorter
		filler := bytes.Repeat([]byte("x"), c.size)
		for range c.records {
			key := binary.BigEndian.AppendUint64(nil, random.Uint64N(uint64(c.records)))
			want = append(want, key)
			if err := sorter.Add(append(slices.Clone(key), filler[:random.IntN(c.size+1)]...)); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(want, bytes.Compare)
		at := 0
		for record, err := range sorter.Each() {
			if err != nil || at >= len(want) || !bytes.HasPrefix(record, want[at]) {
				t.Fatalf("%d records: record %d: %v", c.records, at, err)
			}
			at++
		}
		if at != c.records {
			t.Errorf("%d records: %d came back", c.records, at)
		}
		if err := sorter.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("%d records: files left: %v, %v", c.records, left, err)
		}
	}
}

// If no file can be created, the error says where, and what can be done.
func TestSorterWithoutAFolder(t *testing.T) {
	t.Setenv("TMPDIR", "/nowhere/at/all")
	t.Setenv("TMP", `Z:\nowhere\at\all`)
	var sorter lists.Sorter
	var err error
	for range 2 {
		if err = sorter.Add(make([]byte, 9<<20)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error: %v", err)
	}
	if err := sorter.Close(); err != nil {
		t.Error(err)
	}
}

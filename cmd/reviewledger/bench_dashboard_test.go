//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

// BenchmarkPages requests every page over a ledger of 1,000,000 violations, 3,000,000 events and
// 100,000 slots. It reports the median time and the size of each page, plain and compressed, and at
// the end the peak memory of the dashboard. Generating the ledger takes a minute.
func BenchmarkPages(b *testing.B) {
	w := newBench(b)
	path := filepath.Join(w.dir, "ledger.db")
	if err := storetest.Generate(b.Context(), path, storetest.Million(), time.Now()); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(w.binary, "--db", path, "dashboard", "--no-token")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	base, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	base = strings.TrimSuffix(strings.TrimSpace(base), "/")
	pages := append(kindsOfPages(), "/?since=30d", "/reviewers?since=30d", "/violations?q=unnoticed", "/violations?q=failure+passes&open=1", "/violations?adapter=claude", "/violations?status=verified&sort=changed", "/runs?branch=feature-7")
	for _, kind := range []string{"/runs", "/violations"} {
		var rows []struct{ ID string }
		page, _ := fetch(b, base+kind+"?limit=2&format=json")
		if err := json.Unmarshal(page, &rows); err != nil {
			b.Fatal(err)
		}
		pages = append(pages, kind+"/"+rows[0].ID)
		if kind == "/runs" {
			pages = append(pages, "/compare?a="+rows[0].ID+"&b="+rows[1].ID)
		}
	}
	for _, address := range pages {
		b.Run(strings.ReplaceAll(address, "/", "_"), func(b *testing.B) {
			var took []time.Duration
			var page []byte
			var packed int
			for b.Loop() {
				start := time.Now()
				page, packed = fetch(b, base+address)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(len(page))/1000, "kB")
			b.ReportMetric(float64(packed)/1000, "kB-gzip")
		})
	}
	peak := float64(peakOf(b, cmd.Process.Pid)) / 1000
	if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
		b.Fatal(err)
	}
	b.Run("memory", func(b *testing.B) {
		for b.Loop() { // the value is a single number
		}
		b.ReportMetric(peak, "peak-MB")
	})
}

// fetch returns a page and the number of bytes that were transferred.
func fetch(b *testing.B, address string) (page []byte, packed int) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip") // set here, so that the client does not decompress it
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", address, response.Status, err)
	}
	if err := response.Body.Close(); err != nil {
		b.Fatal(err)
	}
	unpacked, err := gzip.NewReader(strings.NewReader(string(data)))
	if err != nil {
		b.Fatal(err)
	}
	if page, err = io.ReadAll(unpacked); err != nil {
		b.Fatal(err)
	}
	return page, len(data)
}

// peakOf returns the peak resident memory of a process, in kB. What the system reports after its
// end would include the process that it was forked from.
func peakOf(b *testing.B, process int) (kB int) {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		b.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(peak, &kB); err != nil {
		b.Fatal(err)
	}
	return kB
}

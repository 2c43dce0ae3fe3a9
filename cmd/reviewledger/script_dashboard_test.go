package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func scriptGet(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: get FILE PATH [STATUS]")
	}
	opened, err := url.Parse(firstLine(ts, args[0]))
	ts.Check(err)
	cookies, err := cookiejar.New(nil)
	ts.Check(err)
	client := &http.Client{Jar: cookies}
	address, err := opened.Parse(args[1])
	ts.Check(err)
	// The token is exchanged for a cookie first.
	for _, u := range []*url.URL{opened, address} {
		response, err := client.Get(u.String())
		ts.Check(err)
		body, err := io.ReadAll(response.Body)
		ts.Check(err)
		ts.Check(response.Body.Close())
		if u == opened {
			continue
		}
		if want := append(args[2:], "200")[0]; fmt.Sprint(response.StatusCode) != want {
			ts.Fatalf("get: %s: status %s:\n%s", args[1], response.Status, body)
		}
		_, err = ts.Stdout().Write(body)
		ts.Check(err)
	}
}

// firstLine waits for a line in the file.
func firstLine(ts *testscript.TestScript, name string) string {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		data, err := os.ReadFile(ts.MkAbs(name))
		if line, _, whole := strings.Cut(string(data), "\n"); err == nil && whole {
			return line
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("get: %s has no line: %v", name, err)
		}
	}
}

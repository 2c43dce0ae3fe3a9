package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func scriptGet(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: get FILE PATH [STATUS]")
	}
	b := openPages(ts, args[0])
	request, err := http.NewRequest(http.MethodGet, b.address(args[1]), nil)
	ts.Check(err)
	b.print(request, append(args[2:], "200")[0])
}

func scriptSend(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 4 {
		ts.Fatalf("usage: send FILE PATH STATUS NAME=VALUE...")
	}
	b := openPages(ts, args[0])
	request, err := http.NewRequest(http.MethodGet, b.address(args[1]), nil)
	ts.Check(err)
	form := url.Values{}
	for _, field := range hiddenFields.FindAllStringSubmatch(b.do(request, "200"), -1) {
		form.Set(field[1], field[2])
	}
	for _, field := range args[3:] {
		name, value, _ := strings.Cut(field, "=")
		form.Set(name, value)
	}
	request, err = http.NewRequest(http.MethodPost, b.address(args[1]), strings.NewReader(form.Encode()))
	ts.Check(err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "http://"+b.opened.Host)
	b.print(request, args[2])
}

var hiddenFields = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)

// scriptBrowser has the cookie of a dashboard.
type scriptBrowser struct {
	ts     *testscript.TestScript
	opened *url.URL
	client *http.Client
}

// openPages exchanges the token in the URL of a dashboard for a cookie.
func openPages(ts *testscript.TestScript, file string) *scriptBrowser {
	opened, err := url.Parse(firstLine(ts, file))
	ts.Check(err)
	cookies, err := cookiejar.New(nil)
	ts.Check(err)
	b := &scriptBrowser{ts, opened, &http.Client{Jar: cookies}}
	response, err := b.client.Get(opened.String())
	ts.Check(err)
	ts.Check(response.Body.Close())
	return b
}

func (b *scriptBrowser) address(path string) string {
	address, err := b.opened.Parse(path)
	b.ts.Check(err)
	return address.String()
}

// do returns the response, which must have the status.
func (b *scriptBrowser) do(request *http.Request, status string) string {
	response, err := b.client.Do(request)
	b.ts.Check(err)
	body, err := io.ReadAll(response.Body)
	b.ts.Check(err)
	b.ts.Check(response.Body.Close())
	if fmt.Sprint(response.StatusCode) != status {
		b.ts.Fatalf("%s %s: status %s:\n%s", request.Method, request.URL.Path, response.Status, body)
	}
	return string(body)
}

func (b *scriptBrowser) print(request *http.Request, status string) {
	_, err := io.WriteString(b.ts.Stdout(), b.do(request, status))
	b.ts.Check(err)
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

// Package e2e tests the dashboard in a real browser, with the built program and a ledger in
// a temporary folder. It is a module of its own, so that the browser's driver does not
// become a dependency of reviewledger.
package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/reviewledger/reviewledger/internal/testing/storetest"
)

var screenshots = flag.String("screenshots", "", "folder to write screenshots to")

// Made once for all tests.
var (
	browserPath string
	program     string // reviewledger
	ledgers     map[string]string
)

func TestMain(m *testing.M) {
	if os.Getenv(playedRepository) != "" {
		if err := playReviewer(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	code, err := prepare(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// prepare builds the program and the ledgers that are looked at, and runs the tests.
func prepare(m *testing.M) (code int, err error) {
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if browserPath, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if browserPath == "" {
		if os.Getenv("CI") != "" {
			return 1, errors.New("there is no browser: install Debian's chromium-headless-shell, or another Chromium")
		}
		fmt.Println("e2e: skipped, because there is no browser: install Debian's chromium-headless-shell, or another Chromium")
		return 0, nil
	}
	folder, err := os.MkdirTemp("", "reviewledger-e2e-*")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	program = filepath.Join(folder, "reviewledger")
	build := exec.Command("go", "build", "-o", program, "./cmd/reviewledger")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build: %w\n%s", err, out)
	}
	demo := exec.Command(program, "demo", "--dir", filepath.Join(folder, "shop"))
	if out, err := demo.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("demo: %w\n%s", err, out)
	}
	ledgers = map[string]string{
		"demo":  filepath.Join(folder, "shop", ".git", "reviewledger", "ledger.db"),
		"empty": filepath.Join(folder, "nothing.db"),
		"many":  filepath.Join(folder, "many.db"),
	}
	size := storetest.Size{Runs: 60, Iterations: 4, Violations: 48}
	if err := storetest.Generate(context.Background(), ledgers["many"], size, time.Now()); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// dashboard is a dashboard that is served.
type dashboard struct {
	t      *testing.T
	url    string // opens the pages
	base   string // without a path
	client *http.Client
}

// serve starts a dashboard over the ledger, and ends it with the test.
func serve(t *testing.T, ledger string) *dashboard {
	t.Helper()
	return serveIn(t, ".", "--db", ledger, "dashboard")
}

// serveIn starts a dashboard in the folder with these arguments, and ends it with the test.
func serveIn(t *testing.T, folder string, args ...string) *dashboard {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = folder
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			t.Errorf("the dashboard ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &dashboard{t: t, url: strings.TrimSpace(line), client: &http.Client{Jar: jar}}
	d.base, _, _ = strings.Cut(d.url, "/?")
	d.get("/?" + strings.SplitN(d.url, "?", 2)[1])
	return d
}

// get is what the dashboard answers without a browser.
func (d *dashboard) get(path string) []byte {
	d.t.Helper()
	response, err := d.client.Get(d.base + path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		d.t.Fatalf("%s: %s, %v\n%s", path, response.Status, err, body)
	}
	return body
}

// ids are those of the rows of a list, the first first.
func (d *dashboard) ids(path string) []string {
	d.t.Helper()
	var rows []struct{ ID string }
	if err := json.Unmarshal(d.get(path), &rows); err != nil {
		d.t.Fatal(err)
	}
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	return ids
}

// slot is the first slot of a run that was asked.
func (d *dashboard) slot(run string) string {
	d.t.Helper()
	var shown struct {
		PerIteration []struct {
			Iteration int
			Gates     []struct {
				Job   string
				Slots []struct{ Slot int }
			}
		} `json:"per_iteration"`
	}
	if err := json.Unmarshal(d.get("/runs/"+run+"?format=json"), &shown); err != nil {
		d.t.Fatal(err)
	}
	for _, iteration := range shown.PerIteration {
		for _, gate := range iteration.Gates {
			for _, slot := range gate.Slots {
				return fmt.Sprintf("%s/%d/%s@%d", run, iteration.Iteration, gate.Job, slot.Slot)
			}
		}
	}
	d.t.Fatalf("run %s has no slot", run)
	return ""
}

// pages are an address of every kind of page that the ledger has something for.
func (d *dashboard) pages() []string {
	list := []string{"/", "/runs", "/violations", "/reviewers", "/files", "/skips", "/checks", "/verdicts", "/compare", "/violations?discarded=1", "/violations?q=variable", "/violations?status=newe"}
	runs := d.ids("/runs?format=json&limit=2")
	for _, run := range runs {
		list = append(list, "/runs/"+run)
	}
	if len(runs) == 2 {
		list = append(list, "/compare?a="+runs[0]+"&b="+runs[1])
	}
	for _, violation := range d.ids("/violations?format=json&limit=2") {
		list = append(list, "/violations/"+violation)
	}
	if len(runs) > 0 {
		list = append(list, "/log/"+d.slot(runs[0]))
	}
	return list
}

// tab opens a browser of its own, with the given width and theme, at the dashboard's
// first page.
func (d *dashboard) tab(width int64, theme string) context.Context {
	d.t.Helper()
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(browserPath)}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), 5*time.Minute)
	d.t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	d.t.Cleanup(cancel)
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	})
	if err == nil {
		err = chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(d.url))
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return ctx
}

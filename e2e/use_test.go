package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A keyboard alone leads from the list of runs to a run, to a violation and back.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	d := serve(t, ledgers["demo"])
	ctx := d.tab(1280, "light")
	press := func(keys, arrives string) {
		t.Helper()
		if err := chromedp.Do(ctx, chromedp.KeyEvent(keys)); err != nil {
			t.Fatal(err)
		}
		waitFor(t, ctx, "location.pathname.startsWith("+quoted(arrives)+") && document.readyState === 'complete'")
	}
	press("gr", "/runs")
	press("j"+kb.Enter, "/runs/")
	press("j"+kb.Enter, "/violations/")
	press("go", "/")

	// Without single keys: the link to the content comes first, then every tab.
	if err := chromedp.Do(ctx, chromedp.Navigate(d.base+"/runs"), chromedp.KeyEvent(kb.Tab)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, ctx, "document.activeElement.getAttribute('href') === '#main'")
	for range 40 {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.Tab)); err != nil {
			t.Fatal(err)
		}
		href, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.activeElement.getAttribute('href') || ''"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(href, "/runs/") {
			press(kb.Enter, "/runs/")
			return
		}
	}
	t.Error("the tab key does not lead to a run")
}

// A page that is open shows a mark without being loaded again, and keeps the focus.
func TestLiveUpdate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(want int, name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
	}
	write(t, folder, ".gauntlet/config.yml", "base_branch: main\ncli:\n  default_preference: [builtin]\nentry_points:\n  - path: .\n    reviews: [blanks]\n")
	write(t, folder, ".gauntlet/reviews/blanks.md", "Find blanks.\n")
	write(t, folder, "a.txt", "one\n")
	in(0, "git", "init", "--quiet", "--initial-branch=main")
	in(0, "git", "add", "--all")
	in(0, "git", "commit", "--quiet", "--message=first")
	write(t, folder, "a.txt", "one\ntwo \n")
	in(1, program, "run")

	d := serve(t, filepath.Join(folder, ".git", "reviewledger", "ledger.db"))
	ctx := d.tab(1280, "light")
	const open = `document.querySelector("main").textContent.includes(%q)`
	waitFor(t, ctx, fmt.Sprintf(open, "Answer 1 finding"))
	before, err := chromedp.Run(ctx, chromedp.Evaluate[float64]("performance.timeOrigin"))
	if err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector('main [href^="/runs"]').focus()`)); err != nil {
		t.Fatal(err)
	}
	in(0, program, "mark", "--all", "skipped", "--reason", "style")
	waitFor(t, ctx, "!"+fmt.Sprintf(open, "Answer 1 finding"))
	waitFor(t, ctx, `(document.activeElement.getAttribute("href") || "").startsWith("/runs")`)
	after, err := chromedp.Run(ctx, chromedp.Evaluate[float64]("performance.timeOrigin"))
	if err != nil || before != after {
		t.Errorf("the page was loaded again (%v)", err)
	}
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// waitFor waits until an expression is true on the page. While another page comes, there
// is nothing to ask.
func waitFor(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && is {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			at, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + ' ' + document.activeElement.outerHTML.slice(0, 200)"))
			t.Fatalf("%s does not become true (%v); at %s", expression, err, at)
		}
	}
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil { // a text can always be written
		panic(err)
	}
	return string(data)
}

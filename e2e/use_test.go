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
	folder, in := openLoop(t)
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

// A form marks, with and without scripts, and says what it recorded. What was marked elsewhere in the
// meantime is shown instead, and the words are kept.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			scripts := (width == 360) == (theme == "light")
			t.Run(fmt.Sprintf("%s/%d/scripts=%t", theme, width, scripts), func(t *testing.T) {
				t.Parallel()
				markInBrowser(t, width, theme, scripts)
			})
		}
	}
}

func markInBrowser(t *testing.T, width int64, theme string, scripts bool) {
	folder, in := openLoop(t)
	d := serveIn(t, folder, "dashboard", "--marks")
	id := d.ids("/violations?format=json")[0]
	ctx := d.tab(width, theme)
	problems := watchConsole(t, ctx)
	look := func(says string) {
		t.Helper()
		waitFor(t, ctx, "document.readyState === 'complete' && document.querySelector('main').textContent.includes("+quoted(says)+")")
		lookAt(t, ctx, says)
		shoot(t, ctx, fmt.Sprintf("marks-%s-%d", theme, width), "/"+says, true)
	}
	press := func(words, button string) {
		t.Helper()
		// Loaded again, because looking at a page allows scripts.
		allowScripts(t, ctx, scripts)
		if err := chromedp.Do(ctx, chromedp.Navigate(d.base+"/violations/"+id), chromedp.SendKeys("textarea", words)); err != nil {
			t.Fatal(err)
		}
		if button == "fixed" {
			in(0, program, "mark", id, "skipped", "--as", "human", "--result", "elsewhere")
		}
		if err := chromedp.Do(ctx, chromedp.Click("button[value="+button+"]")); err != nil {
			t.Fatal(err)
		}
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(d.base+"/violations/"+id)); err != nil {
		t.Fatal(err)
	}
	look("Mark it")
	press("it is <b>meant</b>", "skipped")
	look("skipped, was new")
	in(0, program, "mark", id, "new")
	press("removed the blanks", "fixed")
	look("has changed since you saw it")
	kept, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.querySelector('textarea').value"))
	if err != nil || kept != "removed the blanks" {
		t.Errorf("the words are now %q (%v)", kept, err)
	}
	for _, text := range problems() {
		if !strings.Contains(text, "409") { // the refusal
			t.Error(text)
		}
	}
}

// openLoop makes a repository with an open finding. in executes a program in it, which must exit with the
// code.
func openLoop(t *testing.T) (folder string, in func(want int, name string, args ...string)) {
	t.Helper()
	folder = t.TempDir()
	in = func(want int, name string, args ...string) {
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
	return folder, in
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

package e2e

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe finds what keeps people from using a page. See testdata/axe-core/LICENSE.
//
//go:embed testdata/axe-core/axe.min.js
var axe string

// problem is what axe found.
type problem struct {
	ID, Help string
	Nodes    []struct{ HTML, FailureSummary string }
}

const runAxe = `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v =>
	({ID: v.id, Help: v.help, Nodes: v.nodes.slice(0, 3).map(n => ({HTML: n.html, FailureSummary: n.failureSummary}))})))`

// Every page can be used by everybody, fits, and has no error on its console: in light
// and dark, narrow and wide, with and without scripts, over ledgers that hold nothing,
// one run, and many.
func TestPages(t *testing.T) {
	t.Parallel()
	for name, ledger := range ledgers {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1280} {
				for _, scripts := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%s/%d/scripts=%t", name, theme, width, scripts), func(t *testing.T) {
						lookAtPages(t, serve(t, ledger), width, theme, scripts, name)
					})
				}
			}
		}
	}
}

func lookAtPages(t *testing.T, d *dashboard, width int64, theme string, scripts bool, ledger string) {
	ctx := d.tab(width, theme)
	problems := watchConsole(t, ctx)
	for _, path := range d.pages() {
		allowScripts(t, ctx, scripts)
		if err := chromedp.Do(ctx, chromedp.Navigate(d.base+path)); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		lookAt(t, ctx, path)
		shoot(t, ctx, fmt.Sprintf("%s-%s-%d", ledger, theme, width), path, scripts)
	}
	for _, text := range problems() {
		t.Error(text)
	}
}

// lookAt checks that the page that is open fits, and that everybody can use it.
func lookAt(t *testing.T, ctx context.Context, path string) {
	t.Helper()
	allowScripts(t, ctx, true) // axe is one; those of the page do not run any more
	fits, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.documentElement.scrollWidth <= innerWidth"))
	if err != nil || !fits {
		t.Errorf("%s scrolls sideways (%v)", path, err)
	}
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](axe)); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]problem](runAxe, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, p := range found {
		t.Errorf("%s: %s: %s", path, p.ID, p.Help)
		for _, node := range p.Nodes {
			t.Logf("  %s\n  %s", node.HTML, node.FailureSummary)
		}
	}
}

// allowScripts switches scripts of pages on or off.
func allowScripts(t *testing.T, ctx context.Context, on bool) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
	if err != nil {
		t.Fatal(err)
	}
}

// watchConsole returns what the browser's console has said so far, but for the answers
// that the tests ask for: a page with the status 400.
func watchConsole(t *testing.T, ctx context.Context) func() []string {
	t.Helper()
	listening, stop := context.WithCancel(ctx)
	messages := chromedp.Console(listening)
	return func() (problems []string) {
		// Messages come in order: this one is the last.
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](`console.log("the end")`)); err != nil {
			t.Fatal(err)
		}
		defer stop()
		for m, err := range messages {
			switch {
			case err != nil:
				t.Fatal(err)
			case m.Text == "the end":
				return problems
			case m.IsException(), m.Type == chromedp.ConsoleError:
				if !strings.Contains(m.Text, "status of 400") {
					problems = append(problems, fmt.Sprintf("console: %s (%s)", m.Text, m.URL))
				}
			}
		}
		return problems
	}
}

// shoot writes a picture of the page, where pictures are wanted.
func shoot(t *testing.T, ctx context.Context, name, path string, scripts bool) {
	t.Helper()
	if *screenshots == "" || !scripts {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	page := strings.NewReplacer("/", "_", "?", "_", "&", "_", "=", "_").Replace(strings.Trim(path, "/"))
	if page == "" {
		page = "overview"
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+"-"+page+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "folder to write the pictures of the documents to")

// TestPictures makes the pictures of the documents: it plays the loops of the table with the built
// program, spreads them over the last weeks, and takes pictures of the dashboard over that ledger.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("it makes pictures: go test . -run TestPictures -pictures ../docs/pictures")
	}
	s := newStudio(t)
	began := map[string]time.Time{}
	for _, l := range loops {
		run := s.play(l)
		began[run] = l.began(time.Now().UTC())
		s.minutes[run] = l.minutes
		s.runs[l.branch] = run
	}
	s.write("loop.svg", s.recording.svg())
	d := serve(t, s.spread(began))
	s.shoot(d, "overview.png", "light", 1280, "/")
	s.shoot(d, "run.png", "light", 1180, "/runs/"+s.runs["csv-export"])
	s.shoot(d, "violation.png", "light", 1040, "/violations/"+s.hero)
	s.shoot(d, "violation-dark.png", "dark", 1040, "/violations/"+s.hero)
}

// studio is a scratch repository in which loops are played.
type studio struct {
	t         *testing.T
	dir, home string
	runs      map[string]string // by branch
	minutes   map[string]int    // by run
	hero      string            // the violation whose page is shown
	recording recording
}

func newStudio(t *testing.T) *studio {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatal("the project that is played needs python3 for its tests")
	}
	home := t.TempDir()
	s := &studio{t: t, home: home, dir: filepath.Join(home, "invoices"), runs: map[string]string{}, minutes: map[string]int{}}
	self, err := os.Executable()
	for _, name := range []string{"claude", "codex"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(home, "bin"), 0o755), os.Symlink(self, filepath.Join(home, "bin", name)))
	}
	err = errors.Join(err, os.Symlink(program, filepath.Join(home, "bin", "reviewledger")))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range project {
		s.edit(edit{path: f.path, new: f.text})
	}
	s.git("init", "-q", "-b", "main")
	s.git("add", ".")
	s.git("commit", "-qm", "Start")
	return s
}

// command is a command in the repository, with the played reviewers on PATH and nothing of this
// machine's configuration.
func (s *studio) command(name string, args ...string) *exec.Cmd {
	if name == "reviewledger" {
		name = program
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(s.home, "bin")+":"+os.Getenv("PATH"), "HOME="+s.home, "XDG_CONFIG_HOME="+s.home, "TZ=UTC",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_AUTHOR_NAME=Mira", "GIT_AUTHOR_EMAIL=mira@example.com", "GIT_COMMITTER_NAME=Mira", "GIT_COMMITTER_EMAIL=mira@example.com",
		"REVIEWLEDGER_DB=", "CI=", playedRepository+"="+s.dir, playedPause+"="+reviewerPause.String())
	return cmd
}

func (s *studio) git(args ...string) { s.run(0, "git", args...) }

// run executes a command that ends with the code, and returns what it printed.
func (s *studio) run(code int, name string, args ...string) []byte {
	s.t.Helper()
	cmd := s.command(name, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		s.t.Fatalf("%s %s: %v, not exit code %d\n%s", name, strings.Join(args, " "), err, code, out)
	}
	return out
}

// edit changes a file, which has the old text exactly once.
func (s *studio) edit(e edit) {
	s.t.Helper()
	path := filepath.Join(s.dir, e.path)
	text, err := os.ReadFile(path)
	if err != nil && (e.old != "" || !errors.Is(err, os.ErrNotExist)) {
		s.t.Fatal(err)
	}
	changed := string(text) + e.new
	if e.old != "" {
		if strings.Count(string(text), e.old) != 1 {
			s.t.Fatalf("%s has %q %d times:\n%s", e.path, e.old, strings.Count(string(text), e.old), text)
		}
		changed = strings.Replace(string(text), e.old, e.new, 1)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(changed), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}

// How long the played reviewers and agent take. The runs are stretched to minutes in the end, so these
// are what they take of them beside the checks, which are real.
const (
	reviewerPause = 800 * time.Millisecond
	agentPause    = 1200 * time.Millisecond
)

// play plays a loop on a branch of its own, merges that if it has passed, and returns the run.
func (s *studio) play(l loop) (run string) {
	s.git("checkout", "-q", "-b", l.branch)
	for i, it := range l.iterations {
		for _, e := range it.edits {
			s.edit(e)
		}
		if i > 0 {
			time.Sleep(agentPause)
		}
		if i == 0 {
			s.git("add", ".")
			s.git("commit", "-qm", l.subject)
		}
		if l.recorded {
			s.recording.say(it.says)
		}
		for _, m := range it.marks {
			s.mark(l, m)
		}
		code := 1
		if i == len(l.iterations)-1 && !l.open {
			code = 0
		}
		if l.recorded {
			s.record(code)
		} else {
			s.run(code, "reviewledger", "run")
		}
	}
	var all []struct{ ID string }
	s.decode(&all, "runs", "--limit", "1")
	if !l.open {
		s.git("add", ".")
		if s.command("git", "diff", "--cached", "--quiet").Run() != nil {
			s.git("commit", "-qm", "Answer the reviewers")
		}
		s.git("checkout", "-q", "main")
		s.git("merge", "-q", "--no-ff", "-m", "Merge "+l.branch, l.branch)
	}
	return all[0].ID
}

// mark answers the open finding with these words.
func (s *studio) mark(l loop, m mark) {
	s.t.Helper()
	var open []struct {
		ID, Issue, File string
		Line            int
	}
	s.decode(&open, "violations", "--open")
	for _, v := range open {
		if !strings.HasPrefix(v.Issue, m.issue) {
			continue
		}
		args := []string{"mark", fmt.Sprintf("%s:%d", v.File, v.Line), m.status, "--result", m.result}
		if !l.recorded {
			args[1] = v.ID // several may be open at a place
		}
		if m.reason != "" {
			args = append(args, "--reason", m.reason)
		}
		out := s.run(0, "reviewledger", args...)
		if l.recorded {
			s.hero = v.ID
			s.recording.enter(append([]string{"reviewledger"}, args...)...)
			if err := s.recording.print(bytes.NewReader(out)); err != nil {
				s.t.Fatal(err)
			}
		}
		return
	}
	s.t.Fatalf("%s: nothing is open that begins with %q: %v", l.branch, m.issue, open)
}

func (s *studio) decode(into any, args ...string) {
	s.t.Helper()
	if err := json.Unmarshal(s.run(0, "reviewledger", append(args, "--format", "json")...), into); err != nil {
		s.t.Fatal(err)
	}
}

func (s *studio) write(name string, data []byte) {
	s.t.Helper()
	if err := errors.Join(os.MkdirAll(*pictures, 0o755), os.WriteFile(filepath.Join(*pictures, name), data, 0o644)); err != nil {
		s.t.Fatal(err)
	}
	if len(data) > mostBytes || strings.HasSuffix(name, ".svg") && len(data) > mostBytes/4 {
		s.t.Errorf("%s has %d bytes, more than %d", name, len(data), mostBytes)
	}
}

// mostBytes is how large a picture may be.
const mostBytes = 250_000

// began is when a loop began, if it is now.
func (l loop) began(now time.Time) time.Time {
	if l.daysAgo == 0 {
		return now.Add(-time.Duration(l.hour) * time.Hour)
	}
	day := now.AddDate(0, 0, -l.daysAgo)
	return time.Date(day.Year(), day.Month(), day.Day(), l.hour, l.daysAgo*7%60, 0, 0, time.UTC) // not all of them on the hour
}

// spread makes a ledger of the played runs, each of which began at the given time, and returns its
// path.
func (s *studio) spread(began map[string]time.Time) string {
	moved, err := moveRuns(s.run(0, "reviewledger", "export", "ndjson"), began, s.minutes, s.dir, "/home/mira/invoices")
	if err != nil {
		s.t.Fatal(err)
	}
	dump, ledger := filepath.Join(s.home, "dump.ndjson"), filepath.Join(s.home, "spread", "invoices", ".git", "reviewledger", "ledger.db")
	if err := errors.Join(os.WriteFile(dump, moved, 0o600), os.MkdirAll(filepath.Dir(ledger), 0o755)); err != nil {
		s.t.Fatal(err)
	}
	s.run(0, "reviewledger", "--db", ledger, "import", dump)
	return ledger
}

// moment is a time in a dump.
var moment = regexp.MustCompile(`"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"`)

// took is a duration in a dump.
var took = regexp.MustCompile(`"duration_ms":(\d+)`)

// moveRuns moves the runs of a dump to other times and stretches them to some minutes. The path of
// the repository becomes another one.
func moveRuns(dump []byte, began map[string]time.Time, minutes map[string]int, from, to string) ([]byte, error) {
	type times struct{ first, last time.Time }
	const format = "2006-01-02T15:04:05.000Z"
	was := map[string]times{}
	var lines []string
	scanner := bufio.NewScanner(bytes.NewReader(dump))
	scanner.Buffer(nil, 1<<26)
	runOf := func(line string) (string, error) {
		var record struct{ Row struct{ Run string } }
		err := json.Unmarshal([]byte(line), &record)
		return record.Row.Run, err
	}
	for scanner.Scan() {
		line := strings.ReplaceAll(scanner.Text(), from, to)
		lines = append(lines, line)
		run, err := runOf(line)
		if err != nil {
			return nil, err
		}
		for _, found := range moment.FindAllStringSubmatch(line, -1) {
			at, err := time.Parse(format, found[1])
			if err != nil {
				return nil, err
			}
			known := was[run]
			if known.first.IsZero() || at.Before(known.first) {
				known.first = at
			}
			if at.After(known.last) {
				known.last = at
			}
			was[run] = known
		}
	}
	var out strings.Builder
	for _, line := range lines {
		run, err := runOf(line)
		if err != nil {
			return nil, err
		}
		if start, moves := began[run]; moves {
			stretch := float64(minutes[run]) * float64(time.Minute) / float64(was[run].last.Sub(was[run].first))
			line = moment.ReplaceAllStringFunc(line, func(quoted string) string {
				at, _ := time.Parse(format, strings.Trim(quoted, `"`)) // parsed above
				return `"` + start.Add(time.Duration(float64(at.Sub(was[run].first))*stretch)).UTC().Format(format) + `"`
			})
			line = took.ReplaceAllStringFunc(line, func(pair string) string {
				var ms float64
				_, _ = fmt.Sscanf(pair, `"duration_ms":%g`, &ms) // digits
				return fmt.Sprintf(`"duration_ms":%.0f`, ms*stretch)
			})
		}
		out.WriteString(line + "\n")
	}
	return []byte(out.String()), scanner.Err()
}

// A run that is moved keeps its order, and nothing but its times and paths changes.
func TestMoveRuns(t *testing.T) {
	t.Parallel()
	dump := `{"record":"meta","row":{"key":"made","value":"2026-01-01T00:00:00.000Z"}}
{"record":"run","row":{"run":"A","worktree":"/tmp/x/invoices","started_at":"2026-01-01T10:00:00.000Z","finished_at":"2026-01-01T10:00:02.000Z"}}
{"record":"slot","row":{"run":"A","duration_ms":500,"finished_at":"2026-01-01T10:00:01.000Z","noticed_at":null}}
{"record":"run","row":{"run":"B","started_at":"2026-01-01T11:00:00.000Z","finished_at":null}}
`
	want := `{"record":"meta","row":{"key":"made","value":"2026-01-01T00:00:00.000Z"}}
{"record":"run","row":{"run":"A","worktree":"/home/mira/invoices","started_at":"2025-12-01T09:00:00.000Z","finished_at":"2025-12-01T09:04:00.000Z"}}
{"record":"slot","row":{"run":"A","duration_ms":60000,"finished_at":"2025-12-01T09:02:00.000Z","noticed_at":null}}
{"record":"run","row":{"run":"B","started_at":"2026-01-01T11:00:00.000Z","finished_at":null}}
`
	began := map[string]time.Time{"A": time.Date(2025, 12, 1, 9, 0, 0, 0, time.UTC)}
	got, err := moveRuns([]byte(dump), began, map[string]int{"A": 4}, "/tmp/x/invoices", "/home/mira/invoices")
	if err != nil || string(got) != want {
		t.Errorf("error %v, moved to\n%s", err, got)
	}
}

// scale is how many pixels of a picture are one of the page: a README is some 830 pixels wide, and
// screens have two pixels for each of those.
const scale = 1.6

// shoot writes a picture of a page, without its footer.
func (s *studio) shoot(d *dashboard, name, theme string, width int64, path string) {
	s.t.Helper()
	ctx := d.tab(width, theme)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900, chromedp.EmulateScale(scale)), chromedp.Navigate(d.base+path)); err != nil {
		s.t.Fatal(err)
	}
	height, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`document.querySelector("main").getBoundingClientRect().bottom`))
	if err != nil {
		s.t.Fatal(err)
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		s.t.Fatal(err)
	}
	small, err := reduce(picture, int(height*scale))
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(name, small)
}

// mostColors is how many colors a picture has: a page has few, and shades of them where a letter
// ends. That makes it a third as large.
const mostColors = 128

// reduce cuts a picture below a line, and writes it with fewer colors: each is replaced by one that
// is near, the most frequent ones stay.
func reduce(picture []byte, height int) ([]byte, error) {
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	bounds := full.Bounds()
	bounds.Max.Y = min(bounds.Max.Y, bounds.Min.Y+height)
	count := map[color.Color]int{}
	var colors color.Palette // the most frequent first
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := full.At(x, y)
			if count[c]++; count[c] == 1 {
				colors = append(colors, c)
			}
		}
	}
	slices.SortStableFunc(colors, func(a, b color.Color) int { return count[b] - count[a] })
	reduced := image.NewPaletted(bounds, apart(colors))
	index := map[color.Color]uint8{}
	for _, c := range colors {
		index[c] = uint8(reduced.Palette.Index(c))
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			reduced.SetColorIndex(x, y, index[full.At(x, y)])
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, reduced)
	return out.Bytes(), err
}

// apart returns at most [mostColors] of the colors: the first ones, which fill areas, and then those
// that are not near an earlier one, so that the color of a small symbol stays, too.
func apart(colors color.Palette) color.Palette {
	areas := min(len(colors), mostColors/4)
	for distance := 0; ; distance++ {
		chosen := slices.Clone(colors[:areas])
		for _, c := range colors[areas:] {
			if !slices.ContainsFunc(chosen, func(other color.Color) bool { return far(c, other) <= distance }) {
				chosen = append(chosen, c)
			}
		}
		if len(chosen) <= mostColors {
			return chosen
		}
	}
}

// far returns how different two colors are: the largest difference of red, green and blue, of 255.
func far(a, b color.Color) int {
	r, g, blue, _ := a.RGBA()
	r2, g2, blue2, _ := b.RGBA()
	most := 0
	for _, pair := range [][2]uint32{{r, r2}, {g, g2}, {blue, blue2}} {
		most = max(most, int(pair[0]>>8)-int(pair[1]>>8), int(pair[1]>>8)-int(pair[0]>>8))
	}
	return most
}

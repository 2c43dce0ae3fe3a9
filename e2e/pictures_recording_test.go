package e2e

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"
	"unicode/utf8"
)

// The terminal of a recording, in characters and in pixels of the picture.
const (
	terminalColumns, terminalRows = 80, 28
	columnWidth, rowHeight        = 8.4, 19
	terminalMargin                = 14
)

// recording is what a terminal showed, and when. Waiting is cut short.
type recording struct {
	at   time.Duration
	rows []recordedRow
}

type recordedRow struct {
	at    time.Duration
	spans []span
	end   int // columns
}

// span is text of one color, which is a class of the picture's style.
type span struct{ Class, Text string }

// How long a recording stays on what somebody has to read.
const (
	beforeCommand = 700 * time.Millisecond
	afterCommand  = 500 * time.Millisecond
	afterOutput   = 3500 * time.Millisecond
	longestWait   = 900 * time.Millisecond
	atTheEnd      = 6 * time.Second
)

// say shows a line that begins with a number sign, as in a shell.
func (r *recording) say(words string) {
	if words != "" {
		r.show([]span{{"muted", "# " + words}})
		r.at += beforeCommand
	}
}

// enter shows a command line.
func (r *recording) enter(args ...string) {
	r.at += beforeCommand
	for i, arg := range args {
		if strings.ContainsAny(arg, " '…") {
			args[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	r.show([]span{{"muted", "$ "}, {"command", strings.Join(args, " ")}})
	r.at += afterCommand
}

// print shows output of a command until it ends.
func (r *recording) print(out io.Reader) error {
	last := time.Now()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		now := time.Now()
		r.at += min(now.Sub(last), longestWait)
		last = now
		r.show(painted(lines.Text()))
	}
	r.at += afterOutput
	r.show(nil)
	return lines.Err()
}

// show adds a line, which a terminal breaks where its width ends.
func (r *recording) show(spans []span) {
	row := recordedRow{at: r.at}
	for _, s := range spans {
		for s.Text != "" {
			cut := 0
			for i := range s.Text {
				if row.end == terminalColumns {
					break
				}
				_, size := utf8.DecodeRuneInString(s.Text[i:])
				cut, row.end = i+size, row.end+1
			}
			if cut > 0 {
				row.spans = append(row.spans, span{s.Class, s.Text[:cut]})
			}
			if s.Text = s.Text[cut:]; s.Text != "" {
				r.rows = append(r.rows, row)
				row = recordedRow{at: r.at}
			}
		}
	}
	r.rows = append(r.rows, row)
}

var (
	escape    = regexp.MustCompile("\x1b\\[([0-9;?]*)([A-Za-z])")
	sgrColors = map[string]string{"31": "red", "32": "green", "33": "yellow"}
)

// painted splits a line of a terminal into spans by its colors. It drops other sequences and
// control characters.
func painted(line string) (spans []span) {
	class := ""
	add := func(text string) {
		text = strings.Map(func(c rune) rune {
			if c < ' ' || c == 0x7f || c == utf8.RuneError || c == 0xfffe || c == 0xffff {
				return -1
			}
			return c
		}, text)
		if text != "" {
			spans = append(spans, span{class, text})
		}
	}
	for {
		found := escape.FindStringSubmatchIndex(line)
		if found == nil {
			add(line)
			return spans
		}
		add(line[:found[0]])
		if line[found[4]:found[5]] == "m" {
			class = sgrColors[line[found[2]:found[3]]]
		}
		line = line[found[1]:]
	}
}

// drawing is the picture of a recording: all lines below each other, and a cover over those that are
// still to come. Both move up as a terminal scrolls. Without animations it shows the end.
var drawing = template.Must(template.New("").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" role="img" aria-label="A terminal: reviewledger run fails, contradicts a claim, and passes after the fix">
<style>
svg{--bg:#fff;--line:#d0d7de;--fg:#1f2328;--muted:#59636e;--red:#cf222e;--green:#1a7f37;--yellow:#9a6700}
@media (prefers-color-scheme:dark){svg{--bg:#0d1117;--line:#3d444d;--fg:#e6edf3;--muted:#9198a1;--red:#ff7b72;--green:#3fb950;--yellow:#d29922}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--fg);white-space:pre}
.muted{fill:var(--muted)}.red{fill:var(--red)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.command{font-weight:600}
.frame{fill:var(--bg);stroke:var(--line);stroke-width:2}.cover{fill:var(--bg)}
.scroll,.cover{animation:scroll {{.Seconds}}s step-end infinite}.cover{animation-name:cover}
@keyframes scroll{ {{- range .Frames}}{{.Percent}}%{transform:translateY(-{{.Scroll}}px)}{{end -}} }
@keyframes cover{ {{- range .Frames}}{{.Percent}}%{transform:translateY({{.Cover}}px)}{{end -}} }
@media (prefers-reduced-motion:reduce){.scroll,.cover{animation:none}}
</style>
<rect class="frame" width="{{.Width}}" height="{{.Height}}" rx="6"/>
<svg y="{{.Margin}}" width="{{.Width}}" height="{{.High}}" viewBox="-{{.Margin}} 0 {{.Width}} {{.High}}"><g class="scroll" transform="translate(0 -{{.Last.Scroll}})">
{{range .Lines}}<text y="{{.Y}}" textLength="{{.Length}}" xml:space="preserve">{{range .Spans}}{{if .Class}}<tspan class="{{.Class}}">{{html .Text}}</tspan>{{else}}{{html .Text}}{{end}}{{end}}</text>
{{end}}<rect class="cover" x="-9" width="{{.Covered}}" height="{{.Last.Cover}}" transform="translate(0 {{.Last.Cover}})"/></g></svg>
</svg>
`))

// frame is a state of the picture.
type frame struct {
	Percent       string // of the time
	Scroll, Cover int    // how far they have moved
}

func (r *recording) svg() []byte {
	type line struct {
		Y      int
		Length string
		Spans  []span
	}
	var frames []frame
	var lines []line
	total := (r.at + atTheEnd).Seconds()
	for i, row := range r.rows {
		if len(row.spans) > 0 {
			lines = append(lines, line{i*rowHeight + 14, fmt.Sprintf("%.1f", float64(row.end)*columnWidth), row.spans})
		}
		if i+1 < len(r.rows) && r.rows[i+1].at-row.at < 40*time.Millisecond {
			continue // they come together
		}
		frames = append(frames, frame{fmt.Sprintf("%.2f", 100*row.at.Seconds()/total), max(0, i+1-terminalRows) * rowHeight, (i + 1) * rowHeight})
	}
	frames[0].Percent = "0"
	inside, high := terminalColumns*columnWidth, terminalRows*rowHeight
	var out bytes.Buffer
	err := drawing.Execute(&out, map[string]any{
		"Width": inside + 2*terminalMargin, "Height": high + 2*terminalMargin, "Covered": inside + 18, "High": high, "Margin": terminalMargin,
		"Seconds": fmt.Sprintf("%.1f", total), "Frames": frames, "Last": frames[len(frames)-1], "Lines": lines,
	})
	if err != nil {
		panic(err) // a template of the test
	}
	return out.Bytes()
}

// record runs the program on a terminal, which has to end with the exit code.
func (s *studio) record(code int) {
	s.t.Helper()
	s.recording.enter("reviewledger", "run")
	cmd := s.command("script", "--quiet", "--return", "--flush", "--command", "reviewledger run", os.DevNull)
	// In CI there is no region at the end that changes all the time.
	cmd.Env = append(cmd.Env, fmt.Sprintf("COLUMNS=%d", terminalColumns), "CI=1", "TERM=xterm", playedPause+"=4s")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		err = errors.Join(s.recording.print(out), cmd.Wait())
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		s.t.Fatalf("record with script(1) of util-linux: %v, not exit code %d", err, code)
	}
}

// A recording shows text as text, whatever it is, in lines of a terminal.
func TestRecording(t *testing.T) {
	t.Parallel()
	var r recording
	r.enter("echo", `it's <b> & "c"`)
	long := strings.Repeat("━", terminalColumns) + "</text>"
	if err := r.print(strings.NewReader("\x1b[31m[FAIL]\x1b[0m \x1b[2K<script>\x00]]>\n" + long + "\n")); err != nil {
		t.Fatal(err)
	}
	shown := r.svg()
	var lines []string
	decoder := xml.NewDecoder(bytes.NewReader(shown))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, shown)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "style", "rect", "g", "text", "tspan"}, token.Name.Local) {
				t.Errorf("there is an element %q", token.Name.Local)
			}
			if token.Name.Local == "text" {
				lines = append(lines, "")
			}
		case xml.CharData:
			if len(lines) > 0 {
				lines[len(lines)-1] += strings.TrimSuffix(string(token), "\n")
			}
		}
	}
	want := []string{`$ echo 'it'\''s <b> & "c"'`, "[FAIL] <script>]]>", strings.Repeat("━", terminalColumns), "</text>"}
	if !slices.Equal(lines, want) {
		t.Errorf("it shows %q, not %q", lines, want)
	}
	if !bytes.Contains(shown, []byte(`<tspan class="red">[FAIL]</tspan>`)) {
		t.Errorf("[FAIL] is not red:\n%s", shown)
	}
}

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateTutorial = flag.Bool("tutorial.update", false, "write what the commands print into docs/tutorial.md")

// The commands of the tutorial print what it shows. Lines may come in another order, because gates
// run side by side; IDs, times and durations are others.
func TestTutorial(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the commands are for sh")
	}
	const name = "../../docs/tutorial.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := &tutorial{t: t, folder: filepath.Join(t.TempDir(), "shop"), home: t.TempDir()}
	if err := os.Mkdir(p.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	played := p.play(string(data))
	if *updateTutorial {
		if err := os.WriteFile(name, []byte(played), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if p.commands < 10 {
		t.Errorf("only %d commands were found", p.commands)
	}
}

// tutorial plays a document.
type tutorial struct {
	t            *testing.T
	folder, home string
	// shown and given are the ID of the finding in the document, and in this play.
	shown, given string
	commands     int
}

var (
	tutorialBlock = regexp.MustCompile("(?ms)(?:^`([^`\n]+)`:\n\n)?^```(\\w+)\n(.*?)^```$")
	findingLine   = regexp.MustCompile(`(?m)^  ([0-9a-hjkmnp-tv-z]{8})  high `)
)

// play writes the files of the document and executes its commands, and returns it with what they
// printed.
func (p *tutorial) play(text string) string {
	p.shown = "8f3kq2zt" // until it is updated
	if found := findingLine.FindStringSubmatch(text); found != nil {
		p.shown = found[1]
	}
	return tutorialBlock.ReplaceAllStringFunc(text, func(block string) string {
		parts := tutorialBlock.FindStringSubmatch(block)
		switch {
		case parts[1] != "":
			p.write(parts[1], parts[3])
		case parts[2] == "console":
			return "```console\n" + p.console(parts[3]) + "```"
		}
		return block
	})
}

func (p *tutorial) write(name, text string) {
	path := filepath.Join(p.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// console executes the commands of a block, and compares what each prints.
func (p *tutorial) console(block string) string {
	var played strings.Builder
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		if p.given != "" {
			command = strings.ReplaceAll(command, p.shown, p.given)
		}
		p.commands++
		got := p.execute(command)
		if !*updateTutorial && p.comparable(got) != p.comparable(want) {
			p.t.Errorf("$ %s\nprints\n%s\nthe document has\n%s", command, got, want)
		}
		played.WriteString("$ " + command + "\n" + got)
	}
	return played.String()
}

func (p *tutorial) execute(command string) string {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = p.folder
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "REVIEWLEDGER_")
	}),
		"HOME="+p.home, "XDG_CONFIG_HOME="+p.home, "GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "CI=",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed { // a run that fails is a part of the story
		p.t.Fatal(err)
	}
	if found := findingLine.FindStringSubmatch(string(out)); found != nil && p.given == "" {
		p.given = found[1]
	}
	return string(out)
}

// varying matches what is different each time.
var varying = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b|\b\d{4}-\d\d-\d\d \d\d:\d\d\b|\(\d+\.\d\ds\)|\b\d+ seconds? ago`)

// comparable returns the lines of an output sorted, without what is different each time.
func (p *tutorial) comparable(output string) string {
	for _, id := range []string{p.shown, p.given} {
		if id != "" {
			output = strings.ReplaceAll(output, id, "ID")
		}
	}
	lines := strings.Split(varying.ReplaceAllString(strings.TrimSpace(output), "*"), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

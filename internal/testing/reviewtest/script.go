package reviewtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// record takes the next number for a call of name, and records the call's arguments, environment,
// prompt and folder.
func record(dir, name string, prompt []byte) (call int, err error) {
	for call = 1; ; call++ {
		stem := filepath.Join(dir, name+"."+strconv.Itoa(call))
		file, err := os.OpenFile(stem+".args", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		err = errors.Join(
			json.NewEncoder(file).Encode(os.Args[1:]),
			file.Close(),
			os.WriteFile(stem+".env", []byte(strings.Join(slices.Sorted(slices.Values(os.Environ())), "\n")+"\n"), 0o600),
			os.WriteFile(stem+".prompt", prompt, 0o600),
			os.WriteFile(stem+".dir", []byte(folder()), 0o600),
		)
		return call, err
	}
}

// folder describes the current folder: its path, then a line for each file in it.
func folder() string {
	here, err := os.Getwd()
	if err != nil {
		return err.Error() + "\n"
	}
	all := []string{here}
	err = filepath.WalkDir(here, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && len(all) < 20 {
			all = append(all, strings.TrimPrefix(name, here))
		}
		return nil
	})
	if err != nil {
		all = append(all, err.Error())
	}
	return lines(all...)
}

// script is the content of the files of one stem, by suffix.
type script map[string]string

func suffixes() []string {
	return []string{"answer", "verbatim", "raw", "stderr", usageLimit, rateLimit, auth, "exit", "signal", "hang"}
}

// chooseScript returns the script of the first stem that has one, else an empty script.
func chooseScript(dir, name string, call int, prompt string) (script, error) {
	stems, err := matchingLabels(dir, name, prompt)
	if err != nil {
		return nil, err
	}
	stems = append(stems, name+"."+strconv.Itoa(call), name, "any")
	for _, stem := range stems {
		found := script{}
		for _, suffix := range suffixes() {
			content, err := os.ReadFile(filepath.Join(dir, stem+"."+suffix))
			if err == nil {
				found[suffix] = string(content)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return script{}, nil
}

// matchingLabels returns the stems whose conditions hold for the prompt.
func matchingLabels(dir, name, prompt string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, err
	}
	var stems []string
	for _, entry := range entries {
		stem, isCondition := strings.CutSuffix(entry.Name(), ".when")
		owner, _, _ := strings.Cut(stem, ".")
		if !isCondition || owner != name && owner != "any" {
			continue
		}
		condition, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		if holds(string(condition), prompt) {
			stems = append(stems, stem)
		}
	}
	return stems, nil
}

func holds(condition, prompt string) bool {
	for line := range strings.Lines(condition) {
		line = strings.TrimSuffix(line, "\n")
		text, negated := strings.CutPrefix(line, "!")
		if strings.Contains(prompt, text) == negated {
			return false
		}
	}
	return true
}

// play does what the script says, with the output shape of the fake.
func (s script) play(fake shape, prompt string) (code int, err error) {
	if _, hangs := s["hang"]; hangs {
		return hang(fake)
	}
	out := s.output(fake, prompt)
	out.stderr = s["stderr"] + out.stderr
	if exit, found := s["exit"]; found {
		if out.code, err = strconv.Atoi(strings.TrimSpace(exit)); err != nil {
			return 0, fmt.Errorf("exit code %q: %w", exit, err)
		}
	}
	code, err = out.print()
	if err == nil && s["signal"] != "" {
		err = signalSelf(strings.TrimSpace(s["signal"]))
	}
	return code, err
}

func (s script) output(fake shape, prompt string) printed {
	if raw, found := s["raw"]; found {
		return printed{stdout: raw}
	}
	for _, kind := range []string{usageLimit, rateLimit, auth} {
		if message, found := s[kind]; found {
			return fake.fail(kind, strings.TrimSpace(message))
		}
	}
	text, found := s["answer"]
	if !found {
		text = passing
	}
	_, verbatim := s["verbatim"]
	return fake.answer(said(strings.TrimSuffix(text, "\n"), prompt, verbatim))
}

// hang waits until a signal ends the process. If the real CLI exits with 0 when it is asked to end,
// so does the fake.
func hang(fake shape) (code int, err error) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	<-asked
	if fake.endsCalmly {
		return 0, nil
	}
	signal.Reset(syscall.SIGTERM)
	return 0, signalSelf("TERM")
}

func signalSelf(name string) error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	switch name {
	case "KILL":
		err = self.Kill()
	case "TERM":
		err = self.Signal(syscall.SIGTERM)
	default:
		return fmt.Errorf("unknown signal %q", name)
	}
	if err != nil {
		return err
	}
	for { // until the signal arrives; a bare select would count as a deadlock
		time.Sleep(time.Second)
	}
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// walkPatience is the time limit for the next action of the program.
const walkPatience = time.Minute

// greeting is what a gate of the walk sends when it starts, and reply what it should do.
type (
	greeting struct{ Name, Prompt string }
	reply    struct {
		Out  string
		Code int
	}
)

// walkGate is a check or reviewer that asks the test what to say: walk-gate NAME ADDRESS. It fails
// if the test does not answer.
func walkGate() int {
	if len(os.Args) != 3 {
		return 99
	}
	hello := greeting{Name: os.Args[1]}
	if hello.Name != "check" {
		prompt, err := io.ReadAll(os.Stdin)
		if err != nil {
			return 99
		}
		hello.Prompt = string(prompt)
	}
	conn, err := net.Dial("tcp", os.Args[2])
	if err != nil {
		return 99
	}
	defer func() { _ = conn.Close() }()
	var r reply
	if json.NewEncoder(conn).Encode(hello) != nil || json.NewDecoder(conn).Decode(&r) != nil {
		return 98
	}
	_, _ = os.Stdout.WriteString(r.Out)
	return r.Code
}

// callServer has the gates that wait for a reply.
type callServer struct {
	address string
	calls   chan call
	waiting map[string]call // by name
	prompts map[string]string
}

type call struct {
	greeting
	conn net.Conn
}

func newCallServer(t *testing.T) *callServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &callServer{address: listener.Addr().String(), calls: make(chan call, 16), waiting: map[string]call{}, prompts: map[string]string{}}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c := call{conn: conn}
			if json.NewDecoder(conn).Decode(&c.greeting) == nil {
				s.calls <- c
			}
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		group.Wait()
	})
	return s
}

// await waits until the named gate waits for a reply.
func (s *callServer) await(name string, run *walkRun) error {
	deadline := time.After(walkPatience)
	for {
		if _, ok := s.waiting[name]; ok {
			return nil
		}
		select {
		case c := <-s.calls:
			s.waiting[c.Name], s.prompts[c.Name] = c, c.Prompt
			run.conns = append(run.conns, c.conn)
		case <-run.ended:
			return fmt.Errorf("the program ended with the exit code %d before it asked %q:\n%s", run.code, name, run.output())
		case <-deadline:
			return fmt.Errorf("the program does not ask %q:\n%s", name, run.output())
		}
	}
}

// say sends a reply to the named gate, which then ends.
func (s *callServer) say(name string, r reply) error {
	c := s.waiting[name]
	delete(s.waiting, name)
	return errors.Join(json.NewEncoder(c.conn).Encode(r), c.conn.Close())
}

// listed returns the IDs under a heading of the latest prompt.
func (s *callServer) listed(name, heading string) []string {
	ids, inside := []string{}, false
	for line := range strings.Lines(s.prompts[name]) {
		if strings.HasPrefix(line, "# ") {
			inside = strings.TrimSpace(line) == heading
		}
		if entry, ok := strings.CutPrefix(line, "- "); ok && inside {
			if id, _, more := strings.Cut(entry, " "); more && len(id) == 8 {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// shows reports whether the diff in the latest prompt has the file.
func (s *callServer) shows(name, file string) bool {
	_, diff, _ := strings.Cut(s.prompts[name], "\n# The diff\n")
	diff, _, _ = strings.Cut(diff, "\n# ")
	return strings.Contains(diff, "+++ b/"+file+"\n")
}

// nothingNew reports whether the prompt says that nothing is new to the slot.
func (s *callServer) nothingNew(name string) bool {
	return strings.Contains(s.prompts[name], "\n## New since your last answer\n\nNothing")
}

// walkRun is an invocation of the program.
type walkRun struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	conns  []net.Conn // connections of the gates
	lines  chan string
	ended  chan struct{} // closed when the program has ended
	code   int           // valid when the program has ended

	mutex sync.Mutex
	said  strings.Builder
}

func startWalk(w *scratchRepository, command ...string) *walkRun {
	run := &walkRun{cmd: w.command(w.program, command...), lines: make(chan string, 1000), ended: make(chan struct{})}
	run.cmd.Stderr = &run.stderr
	stdout, err := run.cmd.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := run.cmd.Start(); err != nil {
		w.Fatal(err)
	}
	go func() {
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			run.mutex.Lock()
			run.said.WriteString(lines.Text() + "\n")
			run.mutex.Unlock()
			run.lines <- lines.Text()
		}
		_ = run.cmd.Wait()
		run.code = run.cmd.ProcessState.ExitCode()
		close(run.ended)
	}()
	return run
}

// await waits until the program has printed how the gate or slot with the label ended.
func (r *walkRun) await(label string) error {
	deadline := time.After(walkPatience)
	for {
		select {
		case line := <-r.lines:
			if strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "[START]") && strings.Contains(line, label) {
				return nil
			}
		case <-r.ended:
			return fmt.Errorf("the program ended with the exit code %d before %s:\n%s", r.code, label, r.output())
		case <-deadline:
			return fmt.Errorf("the program does not say what became of %s:\n%s", label, r.output())
		}
	}
}

// end waits until the program has ended.
func (r *walkRun) end() (code int, err error) {
	select {
	case <-r.ended:
		return r.code, nil
	case <-time.After(walkPatience):
		return 0, errors.New("the program does not end")
	}
}

// kill kills the program. Gates that it started end because their connections are closed.
func (r *walkRun) kill() {
	_ = r.cmd.Process.Kill()
	for _, conn := range r.conns {
		_ = conn.Close()
	}
	<-r.ended
}

// output returns what the program has printed.
func (r *walkRun) output() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	out := r.said.String()
	select {
	case <-r.ended:
		out += r.stderr.String()
	default: // it may still write
	}
	return out
}

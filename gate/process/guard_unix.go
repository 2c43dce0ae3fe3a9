//go:build unix

package process

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// watchdog is a shell that knows the process groups of all guarded children. It reads them from a
// pipe to which only this process writes. So its input ends when this process does, and it then
// stops the remaining groups.
//
// It has its own session, so that neither the terminal nor a signal to the group of this process
// reaches it. One shell serves all children, because starting this program again would take longer
// than most children do.
type watchdog struct {
	once  sync.Once
	mutex sync.Mutex
	pipe  *os.File // nil if there is none
	// guarded counts the groups that the watchdog has been given.
	guarded int
}

// There is one watchdog per process.
var theWatchdog watchdog

//go:embed watch.sh
var watch string

func startWatchdog() { theWatchdog.once.Do(theWatchdog.start) }

// guard gives the child's process group to the watchdog. The function that it returns takes the
// group back. Without a watchdog the child runs nevertheless.
func guard(group int) (release func()) {
	theWatchdog.tell('+', group)
	return func() { theWatchdog.tell('-', group) }
}

func (w *watchdog) start() {
	reading, writing, err := os.Pipe() // Go closes both in every child
	if err != nil {
		return
	}
	defer reading.Close()
	cmd := exec.Command("sh", "-c", watch)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Stdin = reading
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		_ = writing.Close()
		return
	}
	_ = cmd.Process.Release() // it outlives this process
	w.pipe = writing
}

func (w *watchdog) tell(what rune, group int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.pipe != nil {
		_, _ = fmt.Fprintf(w.pipe, "%c %d\n", what, group) // if the watchdog is dead, nothing guards
	}
	if what == '+' {
		w.guarded++
	}
}

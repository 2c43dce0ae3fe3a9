package agent

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/gate/scratch"
	"github.com/reviewledger/reviewledger/internal/files"
)

// keepSessions is how long the file of a session is kept after it was last written.
const keepSessions = 7 * 24 * time.Hour

// Sessions manages the small files in which the hook remembers what it told each agent. They are in
// git's folder, or where that cannot be written in the folder for temporary files.
type Sessions struct {
	Folder string
	Now    time.Time
}

const (
	sessionPrefix = "session-"
	snoozePrefix  = "snooze-"
	callPrefix    = "called-"
	stateEnding   = ".json"
)

func stateName(prefix, key string) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%s%x%s", prefix, sum[:12], stateEnding)
}

// maxState is the largest size of a state file, in bytes.
const maxState = 4096

// spare returns the folder of the files while Folder cannot be written, as in a read-only checkout.
// It may not be there.
func (s Sessions) spare() (string, error) {
	sum := sha256.Sum256([]byte(s.Folder))
	return scratch.Lasting(os.TempDir(), fmt.Sprintf("hooks-%x", sum[:12]))
}

func (s Sessions) read(name string, into any) error {
	if spare, err := s.spare(); err == nil {
		if _, err := os.Lstat(filepath.Join(spare, name)); err == nil { // else Folder has the latest
			return s.readFrom(spare, name, into)
		}
	}
	return s.readFrom(s.Folder, name, into)
}

func (s Sessions) readFrom(folder, name string, into any) error {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := files.ReadRegular(root, name, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("read %q: %w", filepath.Join(folder, name), err)
	}
	return nil
}

func (s Sessions) write(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	spare, notFound := s.spare()
	err = s.writeTo(s.Folder, name, data)
	if err == nil && notFound == nil {
		return os.RemoveAll(filepath.Join(spare, name)) // it is older
	}
	if !files.IsReadOnly(err) {
		return err
	}
	if errors.Is(notFound, fs.ErrNotExist) {
		notFound = os.Mkdir(spare, 0o700)
	}
	if notFound != nil {
		return errors.Join(err, notFound)
	}
	return s.writeTo(spare, name, data)
}

func (s Sessions) writeTo(folder, name string, data []byte) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("create the folder of the stop hook: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	s.sweep(root)
	if err := files.WriteAtomicMode(root, name, data, 0o600); err != nil {
		return fmt.Errorf("write %q: %w", filepath.Join(folder, name), err)
	}
	return nil
}

// sweep removes the files of sessions that ended long ago.
func (s Sessions) sweep(root *os.Root) {
	folder, err := root.Open(".")
	if err != nil {
		return
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	for _, name := range names {
		if !strings.HasPrefix(name, sessionPrefix) || !strings.HasSuffix(name, stateEnding) {
			continue
		}
		if info, err := root.Lstat(name); err == nil && s.Now.Sub(info.ModTime()) > keepSessions {
			_ = root.Remove(name)
		}
	}
}

// Load returns what is remembered of the session; the zero value for a new session.
func (s Sessions) Load(session string) (state Session, err error) {
	err = s.read(stateName(sessionPrefix, session), &state)
	return state, err
}

// Save remembers the state of a session, and removes the files of sessions that are older than 7
// days.
func (s Sessions) Save(session string, state Session) error {
	return s.write(stateName(sessionPrefix, session), state)
}

type snooze struct {
	Until time.Time `json:"until"`
}

type call struct {
	At time.Time `json:"at"`
}

// Snooze lets every agent of the worktree stop until the given time.
func (s Sessions) Snooze(worktree string, until time.Time) error {
	return s.write(stateName(snoozePrefix, worktree), snooze{until})
}

// SnoozedUntil returns the time until which every agent of the worktree may stop, or the zero time.
func (s Sessions) SnoozedUntil(worktree string) (time.Time, error) {
	var state snooze
	err := s.read(stateName(snoozePrefix, worktree), &state)
	if !s.Now.Before(state.Until) {
		return time.Time{}, err
	}
	return state.Until, err
}

// NoteCall remembers that the host has called its hook, which means that the hook is trusted.
func (s Sessions) NoteCall(h Host) error {
	if s.Called(h) {
		return nil
	}
	return s.write(callPrefix+h.Name+stateEnding, call{s.Now})
}

// Called reports whether the host has ever called its hook here.
func (s Sessions) Called(h Host) bool {
	var first call
	return s.read(callPrefix+h.Name+stateEnding, &first) == nil && !first.At.IsZero()
}

//go:build unix

package teamtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// postgres returns the user that the server runs as if this process is root, because PostgreSQL
// refuses to run as root: the user postgres, or a user that owns nothing if there is none.
func postgres() (uid, gid int) {
	if found, err := user.Lookup("postgres"); err == nil {
		uid, errUID := strconv.Atoi(found.Uid)
		gid, errGID := strconv.Atoi(found.Gid)
		if errUID == nil && errGID == nil {
			return uid, gid
		}
	}
	return 65534, 65534
}

// giveAway makes the server's user the owner of the folder.
func giveAway(folder string) error {
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid := postgres()
	return os.Chown(folder, uid, gid)
}

// unprivileged makes a command run as the server's user, in a process group of its own, so that an
// interrupt at the terminal does not end the server before the tests.
func unprivileged(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		uid, gid := postgres()
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

//go:build unix

package teamtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// postgres is the user that the server runs as where this process is root, which
// PostgreSQL refuses to run as. Without such a user it is the one that owns nothing.
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

// giveAway makes the folder the server's.
func giveAway(folder string) error {
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid := postgres()
	return os.Chown(folder, uid, gid)
}

// unprivileged runs a command as the server's user, in a process group of its own: an
// interrupt at the terminal must not end the server before the tests.
func unprivileged(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		uid, gid := postgres()
		command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

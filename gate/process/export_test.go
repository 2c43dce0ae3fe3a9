//go:build unix

package process

// Guarded returns how many groups the watchdog has been given.
func Guarded() int {
	theWatchdog.mutex.Lock()
	defer theWatchdog.mutex.Unlock()
	return theWatchdog.guarded
}

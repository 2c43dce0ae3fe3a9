// Package slotfiles writes the files of the log directory that agents and people read, and reads
// those that can be edited or that a run can be restored from: the JSON file and the log of each
// slot, the session reference, and the archive of a loop. It does not touch git or the ledger.
//
// # Rules
//
// The ledger is the only truth; the files are exports of it. All except logs are written atomically
// ([github.com/reviewledger/reviewledger/internal/files.WriteFile]). Logs grow during the iteration
// ([SlotLog]).
//
// The log directory belongs to the agent, so everything in it is treated as hostile. Only regular
// files are opened, never through a symbolic link, never so that a FIFO could block, and never if
// they are over the size limit.
//
// Nothing that is read becomes a pass by mistake. A file that cannot be read is an error that names
// the file, and a log that says FAIL without saying why yields a violation.
//
// Control characters in the text of reviewers and agents and in file names are escaped (package
// text), and such text cannot imitate the lines that a reader of the file relies on.
//
// # Names
//
// A job's ID is sanitised for file names ([ledger.Sanitize]):
//
//	check_<entry>_<name>.<N>.log
//	review_<entry>_<name>_<adapter>@<index>.<N>.log and .json
//	console.<N>.log
//
// A review name without @index was written by an older tool and is read as slot 1.
package slotfiles

// Package slotfiles writes the files of the log directory that agents and people read, and
// reads back those that can be edited or restored from: the JSON and the log of each slot,
// the session reference, and the archive of a loop. It does not touch git or the ledger.
//
// # Rules
//
// The ledger is the only truth, the files are exports of it. All but logs are
// written atomically ([github.com/reviewledger/reviewledger/internal/files.WriteFile]); logs grow as the iteration goes
// ([SlotLog]).
//
// The log directory belongs to the agent, so whatever lies in it is hostile. A
// file is opened only if it is a regular one, never through a symbolic link,
// never so that a FIFO could block, and never when it is over the size limit.
//
// Nothing that is read ever turns into a pass by mistake. What cannot be read
// is an error that names the file, and a log that says FAIL without saying why
// yields a violation of its own.
//
// Text of reviewers, agents and file names is shown with its control characters
// escaped (package text), and cannot imitate the lines that a reader
// of the file relies on.
//
// # Names
//
// A job's id in file names is its sanitised form ([ledger.Sanitize]):
//
//	check_<entry>_<name>.<N>.log
//	review_<entry>_<name>_<adapter>@<index>.<N>.log and .json
//	console.<N>.log
//
// A review name without @index comes from older tools and is read as slot 1.
package slotfiles

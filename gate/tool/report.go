// Package tool lets analysis tools review. It reads what they report, in SARIF 2.1.0 and
// in reviewdog's rdjson, result by result: a report may be much larger than what of it
// concerns a change.
//
// A report that does not parse to its end, that is empty, or in which the tool says that it
// could not look, is an error and never a report without results. All of it is hostile: no
// path leaves the repository, and no text is more than text. The package runs the tool in
// the repository's root and reads files there; it does not touch git or the ledger.
package tool

import (
	"errors"
	"fmt"
	"io"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// Result is one finding of a tool.
type Result struct {
	// Entry has a file relative to the repository's root, with slashes. It is empty where the tool
	// does not name a file, or one outside of the repository: that is Outside, as the tool wrote it.
	// Also are the other places that the tool gives in files that the change touches, and the issue
	// begins with the rule's id, if there is one.
	ledger.Entry
	Outside string
}

// Report is the part of a tool's report that concerns a change.
type Report struct {
	// Results are the results in files that the change touches, in files that do not exist,
	// and outside of the repository, in order.
	Results []Result
	// Suppressed are findings that the tool calls suppressed, in files that the change
	// touches, and Undecided those places in them of which it says that it could not tell,
	// or that a person must look. They are not results.
	Suppressed, Undecided []Result
	// Elsewhere counts the results in files that the change does not touch.
	Elsewhere int
	// NotFailed counts what the tool does not call a failure, Absent what it no longer
	// finds, and AllSuppressed all that is suppressed, wherever it is.
	NotFailed, Absent, AllSuppressed int
}

// Options say where a tool ran.
type Options struct {
	// Root is the absolute path of the repository's root, in which the tool ran.
	Root string
	// Folder is the folder under review, relative to the root.
	Folder string
	// Touched are the files that the change touches, sorted, relative to the root.
	Touched []string
	// ExitCodes are the exit codes of a tool that wrote a complete report; nil allows every
	// code that a report may name.
	ExitCodes []int
}

// Read reads a report. It may read it twice.
func Read(format clients.Output, from io.ReadSeeker, options Options) (Report, error) {
	paths, err := newPaths(options)
	if err != nil {
		return Report{}, err
	}
	defer paths.close()
	r := reader{from: from, paths: paths}
	switch format {
	case clients.OutputSARIF:
		err = r.sarif()
	case clients.OutputRDJSON:
		err = r.rdjson()
	default:
		err = fmt.Errorf("unknown format %q", format)
	}
	if err != nil {
		return Report{}, err
	}
	return r.report, nil
}

// reader reads one report.
type reader struct {
	from   io.ReadSeeker
	paths  *paths
	report Report
}

// keep sorts a result into the report.
func (r *reader) keep(result Result, where []place) {
	at := r.paths.choose(where)
	result.Place, result.Outside = at.Place, at.outside
	if at.elsewhere {
		r.report.Elsewhere++
		return
	}
	result.Also = r.paths.also(where, at.Place)
	r.report.Results = append(r.report.Results, result)
}

var errEmpty = errors.New("the output is empty")

// Package tool makes reviewers of analysis tools. It reads their reports, in SARIF 2.1.0 or in
// reviewdog's rdjson, result by result: a report may be much larger than the part of it that
// concerns a change.
//
// A report that cannot be parsed to its end, that is empty, or in which the tool says that it could
// not look, is an error and never a report without results. All of it is hostile: no path leaves
// the repository, and texts are only ever shown. The package runs the tool in the repository's root
// and reads files there; it does not touch git or the ledger.
package tool

import (
	"errors"
	"fmt"
	"io"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// Report is the part of a tool's report that concerns a change.
type Report struct {
	// Results are the results in files that the change touches, in files that do not exist, and
	// outside of the repository, in order. A file is relative to the repository's root, with
	// slashes, or [clients.WholeChange] if the tool does not name one. A result outside of the
	// repository has no file, which makes it malformed, and its issue names the place. Also has the
	// tool's other places in files that the change touches. The issue begins with the rule's id, if
	// there is one.
	Results []ledger.Entry
	// Suppressed are findings in files that the change touches that are suppressed in the tool.
	// Undecided are those about which the tool says that it could not tell, or that a person must
	// look. Neither are results.
	Suppressed, Undecided []ledger.Entry
	// All counts everything in the report that is a result, whatever became of it.
	All int
	// Elsewhere counts the results in files that the change does not touch.
	Elsewhere int
	// NotFailed counts what the tool does not call a failure, Absent what it no longer finds, and
	// AllSuppressed everything that is suppressed in it, in any file.
	NotFailed, Absent, AllSuppressed int
	// Unseen is what the tool says that it did not look at, of what is under review. Warnings are
	// whatever else a reader of the results has to know, and Notes what the tool notes besides.
	Unseen          []Unseen
	Warnings, Notes []string
}

// add adds the report on other files.
func (r *Report) add(other Report) {
	r.Results = append(r.Results, other.Results...)
	r.Suppressed, r.Undecided = append(r.Suppressed, other.Suppressed...), append(r.Undecided, other.Undecided...)
	r.All, r.Elsewhere = r.All+other.All, r.Elsewhere+other.Elsewhere
	r.NotFailed, r.Absent, r.AllSuppressed = r.NotFailed+other.NotFailed, r.Absent+other.Absent, r.AllSuppressed+other.AllSuppressed
	r.Unseen = append(r.Unseen, other.Unseen...)
	r.Warnings, r.Notes = append(r.Warnings, other.Warnings...), append(r.Notes, other.Notes...)
}

// Options say where a tool ran, and what to expect of its report.
type Options struct {
	// Root is the absolute path of the repository's root, in which the tool ran.
	Root string
	// Folder is the folder under review, relative to the root.
	Folder string
	// Touched are the files that the change touches, sorted, relative to the root.
	Touched []string
	// ExitCodes are the meanings of the tool's exit codes; nil allows every code that a report may
	// name.
	ExitCodes clients.ExitCodes
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

// keep adds a result to the report, or only counts it. A flow through a file that the change touches
// may make it a result about the change, wherever it is.
//
// Rule: In range is what a diff of this run showed.
func (r *reader) keep(result ledger.Entry, where, flow []place) {
	at := r.paths.choose(where)
	result.Flow = r.paths.touchedPlaces(flow, at.Place, maxFlow)
	if at.elsewhere && len(result.Flow) == 0 {
		r.report.Elsewhere++
		return
	}
	result.Place, result.Also = at.Place, r.paths.touchedPlaces(where, at.Place, maxAlso)
	switch {
	case at.outside != "":
		result.Issue = fmt.Sprintf("%s (in %s)", result.Issue, at.outside)
	case result.Place.File == "":
		result.Place.File = clients.WholeChange
	}
	if at.nonsense != "" {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("a result in %q names line %s, which is none; it counts as about the file", result.Place.File, at.nonsense))
	}
	r.report.Results = append(r.report.Results, result)
}

var errEmpty = errors.New("the output is empty")

package tool

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/process"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxReport is the largest size of a tool's report, in bytes.
const maxReport = 1 << 30

// tool is an analysis tool as a reviewer. It runs in the repository's root and reads no prompt: its
// answer is what it reports in files that the change touches or that a claim is about.
//
// Rule: A tool that could not look has not passed.
type tool struct {
	clients.Unprompted
	options clients.Options
	// busy is locked while the tool runs, if it writes to a file with a fixed name.
	busy *sync.Mutex
}

// New returns a tool as a reviewer. Its options have a command and the format of its report.
func New(options clients.Options) clients.Reviewer { return newTool(options) }

func newTool(options clients.Options) tool {
	if options.ExitCodes == nil {
		options.ExitCodes = []int{0, 1}
	}
	return tool{options: options, busy: fileLock(options.File)}
}

// fileLocks has a lock for each file that tools write, because several slots may run the same tool
// at once.
var fileLocks sync.Map

func fileLock(file string) *sync.Mutex {
	if file == "" {
		return &sync.Mutex{}
	}
	lock, _ := fileLocks.LoadOrStore(file, &sync.Mutex{})
	return lock.(*sync.Mutex)
}

// ReadsPrompts implements [clients.Reviewer].
func (tool) ReadsPrompts() bool { return false }

// Review implements [clients.Reviewer].
func (t tool) Review(ctx context.Context, call clients.Call) (reply clients.Reply, err error) {
	start := time.Now()
	if t.options.File != "" {
		t.busy.Lock()
		defer t.busy.Unlock()
	}
	free := 0.0 // no model is called
	reply.Usage.CostUSD = &free
	defer func() { reply.Duration = time.Since(start) }()
	call.Timeout = cmp.Or(call.Timeout, clients.DefaultTimeout)
	in := call.Subject
	if in == nil {
		in = &clients.Subject{}
	}
	if file := unseen(call.Dir, in.Files); file != "" {
		return reply, &clients.CallError{Kind: ledger.ErrorCrashed, What: fmt.Sprintf("cannot look at %q, which is not in the working tree", file)}
	}
	asked := touchedFiles(in)
	files := existing(call.Dir, asked)
	if len(files) == 0 && slices.Contains(t.options.Command, clients.FilesWord) {
		reply.Text = clients.Found(nil, claimsLeft(call.Dir, in.Claims))
		reply.Notes = []string{"Not run: the change leaves no file to look at"}
		return reply, nil
	}
	folder, err := clients.NewScratch(call.Dir)
	if err != nil {
		return reply, clients.StartError(err)
	}
	defer func() { _ = folder.Remove() }() // SweepScratch removes what is left
	run := toolRun{tool: t, call: call, scratch: folder.Path, files: files}
	if err := run.run(ctx, &reply); err != nil {
		return reply, err
	}
	report, err := run.read(in, asked)
	if err != nil {
		return reply, &clients.CallError{Kind: ledger.ErrorBadAnswer, What: "its report cannot be used", Message: clients.OneLine(err.Error()), Err: err}
	}
	reply.Notes, reply.Elsewhere, reply.Suppressed = reportNotes(report), report.Elsewhere, report.AllSuppressed
	chooseChanged(report.Results, in)
	words := append(claimsAt(report.Suppressed, in.Claims, "still found, and suppressed: "),
		claimsAt(report.Undecided, in.Claims, "the tool does not say that it is gone: ")...)
	reply.Text = clients.Found(report.Results, words)
	return reply, nil
}

// touchedFiles returns the files in which the tool's results count, sorted: those of the change,
// and those of claims and open violations.
func touchedFiles(in *clients.Subject) []string {
	var files []string
	for _, f := range in.Files {
		files = append(files, f.Path())
	}
	for _, list := range [][]ledger.Violation{in.Claims, in.Known} {
		for _, v := range list {
			for _, place := range v.Places() {
				files = append(files, place.File)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// unseen returns the first of the changed files that the working tree does not have, unless the
// change deletes it, or "". A sparse checkout may leave it out, even with a file in place of its
// folder, or somebody may have just deleted it.
//
// Rule: A tool that could not look has not passed.
func unseen(dir string, changed []diff.File) string {
	for _, f := range changed {
		if f.Kind == diff.Deleted {
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f.Path()))); err != nil {
			return f.Path()
		}
	}
	return ""
}

func existing(dir string, files []string) (there []string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	for _, file := range files {
		if info, err := root.Stat(filepath.FromSlash(file)); err == nil && info.Mode().IsRegular() {
			there = append(there, file)
		}
	}
	return there
}

// claimsLeft returns words on the claims that the tool cannot confirm because it was not run: those
// with a place that still exists, such as the whole change or a folder. In a file that no longer
// exists nothing can be found.
//
// Rule: A tool that could not look has not passed.
func claimsLeft(dir string, claims []ledger.Violation) (words []ledger.ClaimWord) {
	for _, c := range claims {
		there := func(place ledger.Place) bool { return !diff.Gone(dir, place.File) }
		if slices.ContainsFunc(c.Places(), there) {
			words = append(words, ledger.ClaimWord{ID: c.ShortID, Verdict: ledger.ClaimCannotTell, Evidence: "the tool was not run: the change leaves no file to look at"})
		}
	}
	return words
}

type toolRun struct {
	tool
	call    clients.Call
	scratch string
	files   []string
}

// outputFile returns the path that replaces {output}.
func (r toolRun) outputFile() string {
	return filepath.Join(r.scratch, "output."+map[clients.Output]string{clients.OutputSARIF: "sarif", clients.OutputRDJSON: "json"}[r.options.Output])
}

func (r toolRun) stdoutFile() string { return filepath.Join(r.scratch, "stdout") }

// args returns the command line. A file name that looks like an option gets a prefix, so that it
// cannot be one.
func (r toolRun) args() []string {
	var args []string
	for _, word := range r.options.Command {
		if word != clients.FilesWord {
			args = append(args, strings.ReplaceAll(word, clients.OutputWord, r.outputFile()))
			continue
		}
		for _, file := range r.files {
			if strings.HasPrefix(file, "-") || strings.HasPrefix(file, "@") {
				file = "./" + file
			}
			args = append(args, file)
		}
	}
	return args
}

// run runs the tool, after removing what an earlier call left.
func (r toolRun) run(ctx context.Context, reply *clients.Reply) error {
	if err := r.removeFile(); err != nil {
		return clients.StartError(err)
	}
	stdout, err := os.OpenFile(r.stdoutFile(), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return clients.StartError(err)
	}
	reply.Command = r.args()
	result, stderr, err := clients.RunWithoutPrompt(ctx, reply.Command, r.call, stdout, maxReport)
	reply.Stderr = stderr
	if err := errors.Join(err, stdout.Close()); err != nil {
		return clients.StartError(err)
	}
	failure := r.judge(ctx, result)
	if failure == nil {
		return nil
	}
	failure.Message = lastLine(reply.Stderr)
	reply.Stdout = beginning(r.stdoutFile())
	return failure
}

// judge returns the reason why the tool has not reported, or nil.
func (r toolRun) judge(ctx context.Context, result process.Result) *clients.CallError {
	if stopped := clients.Stopped(ctx, result, r.call.Timeout, maxReport); stopped != nil {
		return stopped
	}
	switch {
	case result.Signal != "":
		return &clients.CallError{Kind: ledger.ErrorCrashed, What: "ended by signal " + result.Signal}
	case !slices.Contains(r.options.ExitCodes, result.ExitCode):
		return &clients.CallError{Kind: ledger.ErrorCrashed,
			What: fmt.Sprintf("exited with code %d, which is not one of its exit_codes %v", result.ExitCode, r.options.ExitCodes)}
	}
	return nil
}

// removeFile removes the report that an earlier call left in the tool's file.
func (r toolRun) removeFile() error {
	if r.options.File == "" {
		return nil
	}
	root, err := os.OpenRoot(r.call.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(r.options.File)
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		return fmt.Errorf("%q, which the tool is to write, is a folder", r.options.File)
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %q, which an earlier call left: %w", r.options.File, err)
	}
	return nil
}

// read reads the report from where the tool writes it.
func (r toolRun) read(in *clients.Subject, asked []string) (Report, error) {
	file, err := r.open()
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	return Read(r.options.Output, file, Options{
		Root: r.call.Dir, Folder: in.EntryPoint, Touched: asked, ExitCodes: r.options.ExitCodes,
	})
}

func (r toolRun) open() (*os.File, error) {
	dir, name := r.scratch, "stdout"
	switch {
	case r.options.File != "":
		dir, name = r.call.Dir, filepath.FromSlash(r.options.File)
	case slices.ContainsFunc(r.options.Command, func(word string) bool { return strings.Contains(word, clients.OutputWord) }):
		name = filepath.Base(r.outputFile())
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the tool did not write it")
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > maxReport:
		return nil, fmt.Errorf("it is not a regular file of at most %d MiB", maxReport>>20)
	}
	return root.Open(name)
}

// claimsAt returns words on the claims at whose places the tool still finds something that is not a
// result, because it is suppressed or left for others to decide: such a claim is not fixed.
//
// Rule: A tool that could not look has not passed.
func claimsAt(aside []ledger.Entry, claims []ledger.Violation, evidence string) (words []ledger.ClaimWord) {
	for _, c := range claims {
		i := slices.IndexFunc(aside, func(r ledger.Entry) bool {
			at := c.Place
			at.End = max(at.Start, at.End)
			return r.Place.Meets(at) || r.Place.File == at.File && r.Issue == c.Issue
		})
		if i >= 0 {
			words = append(words, ledger.ClaimWord{ID: c.ShortID, Verdict: ledger.ClaimNotFixed, Evidence: evidence + aside[i].Issue})
		}
	}
	return words
}

// reportNotes returns what a report has besides the answer.
func reportNotes(r Report) (notes []string) {
	note := func(n int, text string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n, text))
		}
	}
	note(r.Elsewhere, "in files that the change does not touch")
	note(r.NotFailed, "not called a failure by the tool")
	note(r.Absent, "no longer found by the tool")
	return notes
}

// lastLine returns the last line that is not blank, for a message.
func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return clients.OneLine(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}

// beginning returns the part of an output that a log shows if the output is not a report.
func beginning(file string) []byte {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 64<<10)) // as much as can be read
	return data
}

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
		options.ExitCodes = clients.ListedExitCodes(0, 1)
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
	report, err := t.look(ctx, call, in, asked, files, &reply)
	if err != nil {
		return reply, err
	}
	t.tell(report, &reply)
	chooseChanged(report.Results, in)
	reply.Text = clients.Found(report.Results, slices.Concat(
		claimsAt(report.Suppressed, in, "still found, and suppressed: "),
		claimsAt(report.Undecided, in, "the tool does not say that it is gone: "),
		wordsOn(report.Unseen, in.Claims)))
	return reply, nil
}

// look runs the tool, once for each part of the files that fits into a command line, and returns its
// reports as one.
//
// Rule: A tool that could not look has not passed.
func (t tool) look(ctx context.Context, call clients.Call, in *clients.Subject, asked, files []string, reply *clients.Reply) (report Report, err error) {
	folder, err := clients.NewScratch(call.Dir)
	if err != nil {
		return report, clients.StartError(err)
	}
	defer func() { _ = folder.Remove() }() // SweepScratch removes what is left
	parts, end := t.parts(files), time.Now().Add(call.Timeout)
	for n, part := range parts {
		run := toolRun{tool: t, call: call, scratch: folder.Path, files: part}
		run.call.Timeout = max(time.Until(end), time.Millisecond)
		one, failure := run.report(ctx, in, asked, reply)
		if failure != nil && len(parts) > 1 {
			failure.What = fmt.Sprintf("part %d of %d of the files: %s", n+1, len(parts), failure.What)
		}
		if failure != nil {
			return report, failure
		}
		report.add(one)
	}
	return report, nil
}

// maxCommand is how many bytes of files one command line has. Systems differ; some allow little more
// for all arguments and the environment together.
const maxCommand = 96 << 10

// parts divides the files into parts that fit into a command line. Without {files} in the command,
// there is one part.
func (t tool) parts(files []string) (parts [][]string) {
	const perWord = 16 // for the end of the word and its address
	if !slices.Contains(t.options.Command, clients.FilesWord) {
		return [][]string{files}
	}
	from, size := 0, 0
	for i, file := range files {
		if size += len(file) + perWord; size > maxCommand && i > from {
			parts, from, size = append(parts, files[from:i]), i, len(file)+perWord
		}
	}
	return append(parts, files[from:])
}

// maxUnseen is how many statements about what a tool did not look at are kept with the slot. Its log
// has all of them.
const maxUnseen = 20

// tell puts into the reply what a report has besides the answer.
func (t tool) tell(report Report, reply *clients.Reply) {
	reply.Notes = append(reply.Notes, reportNotes(report)...)
	reply.Log, reply.Warnings = append(reply.Log, report.Notes...), append(reply.Warnings, report.Warnings...)
	reply.Elsewhere, reply.Suppressed = report.Elsewhere, report.AllSuppressed
	var unseen []string
	for _, u := range report.Unseen {
		files := u.Files[0]
		if more := len(u.Files) - 1; more > 0 {
			files += fmt.Sprintf(" and %s", ledger.Plural(more, "other file"))
		}
		unseen = append(unseen, files+": "+u.Words)
		reply.Warnings = append(reply.Warnings, "the tool says that it did not look at all of "+files+": "+u.Words)
	}
	if more := len(unseen) - maxUnseen; more > 0 {
		unseen = append(unseen[:maxUnseen], fmt.Sprintf("and %d more", more))
	}
	reply.Unseen = strings.Join(unseen, "\n")
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

// report runs the tool and reads its report.
//
// Rule: A tool that could not look has not passed.
func (r toolRun) report(ctx context.Context, in *clients.Subject, asked []string, reply *clients.Reply) (Report, *clients.CallError) {
	exit, failure := r.run(ctx, reply)
	if failure != nil {
		return Report{}, failure
	}
	report, err := r.read(in, asked)
	if err != nil {
		return report, &clients.CallError{Kind: ledger.ErrorBadAnswer, What: "its report cannot be used", Message: clients.OneLine(err.Error()), Err: err}
	}
	if report.All == 0 && r.options.ExitCodes.Of(exit) == clients.ExitFindings {
		reply.Stdout = beginning(r.stdoutFile())
		return report, &clients.CallError{Kind: ledger.ErrorBadAnswer, Message: lastLine(reply.Stderr),
			What: fmt.Sprintf("exited with code %d, which says that it found something, and its report has no result", exit)}
	}
	return report, nil
}

// run runs the tool, after removing what an earlier call left, and returns its exit code.
func (r toolRun) run(ctx context.Context, reply *clients.Reply) (exit int, failure *clients.CallError) {
	if err := r.removeFiles(); err != nil {
		return 0, clients.StartError(err)
	}
	stdout, err := os.OpenFile(r.stdoutFile(), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, clients.StartError(err)
	}
	reply.Command = r.args()
	result, stderr, err := clients.RunWithoutPrompt(ctx, reply.Command, r.call, stdout, maxReport)
	reply.Stderr = append(reply.Stderr, stderr...)
	if err := errors.Join(err, stdout.Close()); err != nil {
		return 0, clients.StartError(err)
	}
	if result.Signal == "" && !result.TimedOut && !result.Interrupted {
		reply.Log = append(reply.Log, fmt.Sprintf("Exit code: %d (%s)", result.ExitCode, r.options.ExitCodes.Of(result.ExitCode)))
	}
	failure = r.judge(ctx, result)
	if failure != nil {
		failure.Message = lastLine(stderr)
		reply.Stdout = beginning(r.stdoutFile())
	}
	return result.ExitCode, failure
}

// judge returns the reason why the tool has not reported, or nil.
func (r toolRun) judge(ctx context.Context, result process.Result) *clients.CallError {
	if stopped := clients.Stopped(ctx, result, r.call.Timeout, maxReport); stopped != nil {
		return stopped
	}
	switch {
	case result.Signal != "":
		return &clients.CallError{Kind: ledger.ErrorCrashed, What: "ended by signal " + result.Signal}
	case r.options.ExitCodes.Refuse(result.ExitCode) != "":
		return &clients.CallError{Kind: ledger.ErrorCrashed, What: r.options.ExitCodes.Refuse(result.ExitCode)}
	}
	return nil
}

// removeFiles removes what an earlier call left.
func (r toolRun) removeFiles() error {
	for _, file := range []string{r.stdoutFile(), r.outputFile()} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return r.removeFile()
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
// result, because it is suppressed or left for others to decide: such a claim is not fixed. So is one
// whose words the tool finds on a line of its file that was changed: the claim's line may be there
// now. On a line that is as it was, equal words are about that line.
//
// Rule: A tool that could not look has not passed.
func claimsAt(aside []ledger.Entry, in *clients.Subject, evidence string) (words []ledger.ClaimWord) {
	if len(aside) == 0 || len(in.Claims) == 0 {
		return nil
	}
	lines := readReviewedLines(&clients.Subject{Files: in.Files, WholeFiles: in.WholeFiles})
	for _, c := range in.Claims {
		i := slices.IndexFunc(aside, func(r ledger.Entry) bool {
			at := c.Place
			at.End = max(at.Start, at.End)
			switch {
			case r.Place.Meets(at) && !(at.WholeFile() && !r.Place.WholeFile()):
				return true
			case r.Place.Meets(at):
				return ledger.RuleOf(r.Issue) == ledger.RuleOf(c.Issue) || lines.meet(r.Place)
			}
			return r.Place.File == at.File && r.Issue == c.Issue && lines.meet(r.Place)
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

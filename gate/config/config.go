// Package config reads the configuration of the gates and determines which jobs apply to a set of
// changed files.
//
// The configuration is .gauntlet/config.yml, one YAML file per check gate in .gauntlet/checks and
// one markdown file (YAML frontmatter, then the prompt) per review gate in .gauntlet/reviews. These
// rules apply:
//
//   - A gate is named by its file, without the extension.
//   - Nothing is guessed: an unknown or repeated key, a value of the wrong
//     kind, an undefined gate or two jobs that would share a log file are
//     errors with file and line, and [Load] returns all of them at once.
//   - Keys that belong to the tool that this format comes from and have no
//     meaning here are accepted with a warning.
//   - Where a string is expected, a plain scalar is used as it is written.
//   - If a pattern is ambiguous, the reading that covers more files is used,
//     because a file that no entry point covers is never checked.
//
// Every path is relative to the repository's root, with slashes. The package only reads files of
// the configuration; it does not start processes or touch git or the ledger.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/ledger"
)

// These are the paths of the configuration in the repository.
const (
	Dir        = ".gauntlet"
	File       = Dir + "/config.yml"
	ChecksDir  = Dir + "/checks"
	ReviewsDir = Dir + "/reviews"
)

// maxFile is the largest size of a configuration file, in bytes.
const maxFile = 1 << 20

// ErrNoConfig is wrapped by the error of [Load] when the repository has no configuration.
var ErrNoConfig = errors.New("there is no configuration here: write one with `reviewledger init`")

// Config is a valid configuration, with every default filled in.
type Config struct {
	// Root is the worktree's absolute path, as given to [Load].
	Root string
	// BaseBranch is the revision that changes are counted from.
	BaseBranch string
	// LogDir is a folder inside the worktree that may not exist yet.
	LogDir        string
	AllowParallel bool
	// MaxRetries is how many iterations may follow a first one that failed.
	MaxRetries int
	// NewIssueThreshold is the lowest priority (critical, high, medium, low) with which a rerun
	// accepts a new report.
	//
	// Rule: A rerun filters what is new and below the threshold.
	NewIssueThreshold string
	// AfterPassChanges means that reviewers of a run after one that passed are shown only what
	// changed since.
	AfterPassChanges bool
	// IncludeSecrets means that reviewers are also shown untracked files that are named like a
	// secret.
	IncludeSecrets bool
	// Repository is the repository's name in a ledger that several share, or empty.
	Repository string
	// KeepContent is how long after its end a run keeps its prompts, answers, logs and excerpts. 0
	// means forever.
	KeepContent time.Duration
	// MaxPreviousLogs is the number of ended loops whose files the log directory keeps.
	MaxPreviousLogs int
	// Budget is what a run, or a code review, may spend.
	Budget ledger.Budget
	// DistinctAdapters makes it an error if a review has fewer healthy adapters than slots.
	DistinctAdapters bool
	// AskOnce makes an answer without the form an error at once; the reviewer is not asked once
	// more.
	AskOnce bool
	// WordsRequired makes a plain answer an error where claims were put: the reviewer must answer
	// about each.
	WordsRequired bool
	// DefaultPreference lists the adapters of reviews that do not name any.
	DefaultPreference []string
	Adapters          map[string]Adapter
	EntryPoints       []EntryPoint
	// Teams maps a team's name to the paths that it owns.
	Teams map[string][]string
	// Team is the store to which runs are pushed.
	Team    Team
	Checks  map[string]Check
	Reviews map[string]Review
	// Warnings are complete lines with file and line number, sorted.
	Warnings []string
}

// Adapter is the configuration of one reviewer CLI.
type Adapter struct {
	// Options have a command for every adapter that is not built in.
	clients.Options
	// Timeout is 0 if none is configured.
	Timeout time.Duration
	// AskOnce and WordsRequired are the same as those of [Config], for this adapter.
	AskOnce, WordsRequired bool
}

// RequiresWords reports whether the adapter must answer about each claim that is put to it.
//
// Rule: Only an answer confirms.
func (c *Config) RequiresWords(adapter string) bool {
	return c.WordsRequired || c.Adapters[adapter].WordsRequired
}

// Repairs reports whether the adapter is asked once more if its answer does not have the form.
//
// Rule: What is not an answer is an error.
func (c *Config) Repairs(adapter string) bool {
	return !c.AskOnce && !c.Adapters[adapter].AskOnce
}

// Gate has the settings about when a gate runs, which all gates have.
type Gate struct {
	Parallel            bool
	RunInCI, RunLocally bool
	// Timeout is 0 if none is configured: a check then has no limit.
	Timeout time.Duration
	// Files restricts the gate to files that match one of these patterns; empty means all files.
	Files []string
}

// Check is a gate that is a shell command.
type Check struct {
	Gate
	Command string
	// WorkingDirectory is empty for the default, which is the job's own folder.
	WorkingDirectory string
	// FailFast means that no more checks of the run start after this one fails. It is never set
	// together with Parallel.
	FailFast bool
	// FixInstructions are for the agent, after a failure; they may be empty.
	FixInstructions string
}

// Review is a gate that asks reviewers.
type Review struct {
	Gate
	// Prompt is the text of the file after the frontmatter.
	Prompt string
	// CLIPreference lists the adapters; there is at least one.
	CLIPreference []string
	// NumReviews is how many slots the review has, from 1 to [maxReviews].
	NumReviews int
	// Model is empty for the adapter's model.
	Model string
	// DistinctAdapters makes it an error if there are fewer healthy adapters than slots.
	DistinctAdapters bool
	// Security means that its findings are security alerts for other tools.
	Security bool
}

// loader collects the configuration and its problems while the files are read.
type loader struct {
	root     *os.Root
	config   *Config
	problems []Problem
	warnings []Problem
	// projectRead reports that config.yml could be parsed into known keys.
	projectRead bool
	// checkFiles and reviewFiles map a gate's name to its file, even if the file is not valid: a
	// gate with a mistake in it is not undefined.
	checkFiles, reviewFiles map[string]string
	// preferences are the lists of adapters, which are checked when all adapters are known.
	preferences []preference
}

// Load reads the configuration of the worktree at root. The error wraps [ErrNoConfig] if there is
// none, and is an [*Error] with all problems if there are any.
//
// Rule: A mistake is found before anything runs.
func Load(root string) (*Config, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open repository %q: %w", root, err)
	}
	defer dir.Close()
	l := &loader{
		root:        dir,
		config:      &Config{Root: root},
		checkFiles:  map[string]string{},
		reviewFiles: map[string]string{},
	}
	if _, err := dir.Lstat(File); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open %q: %w", File, ErrNoConfig)
	}
	l.project()
	l.gates(ChecksDir, []string{".yml", ".yaml"}, l.checkFiles, l.check)
	l.gates(ReviewsDir, []string{".md"}, l.reviewFiles, l.review)
	l.link()
	if len(l.problems) > 0 {
		sortProblems(l.problems)
		return nil, &Error{l.problems}
	}
	sortProblems(l.warnings)
	for _, w := range l.warnings {
		l.config.Warnings = append(l.config.Warnings, w.String())
	}
	return l.config, nil
}

// take adds the problems and warnings that a reader has collected.
func (l *loader) take(r *reader) {
	l.problems = append(l.problems, r.problems...)
	l.warnings = append(l.warnings, r.warnings...)
}

// read returns the text of a file, or false after a problem with it. A symbolic link that leaves
// the repository is a problem.
func (l *loader) read(r *reader) (string, bool) {
	data, err := readRegular(l.root, r.file)
	if err != nil {
		r.problem(0, "%s", reason(err))
		return "", false
	}
	if !utf8.ValidString(data) {
		r.problem(0, "the file is not UTF-8 text")
		return "", false
	}
	return strings.TrimPrefix(data, "\uFEFF"), true
}

func readRegular(root *os.Root, name string) (string, error) {
	info, err := root.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	file, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("larger than %d KiB", maxFile>>10)
	}
	return string(data), err
}

// reason returns a file error without operation and path: the problem made of it names the file.
func reason(err error) string {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// gates reads every file of a folder that has one of the extensions. Folders and hidden files
// (usually an editor's) are not gates.
func (l *loader) gates(dir string, extensions []string, files map[string]string, read func(file, name string)) {
	entries, err := readFolder(l.root, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		l.problems = append(l.problems, Problem{File: dir, Message: reason(err)})
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, entry := range entries {
		extension := path.Ext(entry.Name())
		if entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || !slices.Contains(extensions, extension) {
			continue
		}
		l.gate(dir+"/"+entry.Name(), strings.TrimSuffix(entry.Name(), extension), files, read)
	}
}

// readFolder lists a folder. It does not open anything else: a pipe would wait for a writer.
func readFolder(root *os.Root, name string) ([]fs.DirEntry, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("not a folder")
	}
	folder, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.ReadDir(-1)
}

func (l *loader) gate(file, name string, files map[string]string, read func(file, name string)) {
	if hasControl(name) || !utf8.ValidString(name) {
		l.problems = append(l.problems, Problem{File: file,
			Message: "a gate's file name contains control characters; rename the file"})
		return
	}
	if other, ok := files[name]; ok {
		l.problems = append(l.problems, Problem{File: file,
			Message: fmt.Sprintf("the gate %q is also defined in %q; remove one of the files", name, other)})
		return
	}
	files[name] = file
	read(file, name)
}

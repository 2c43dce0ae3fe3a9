package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/reviewledger/reviewledger/gate/agent"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/setup"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

func newInitCommand(global *globalOptions) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration for this repository",
		Long: `Look at the repository and the machine (languages and their tools, the base
branch, installed reviewer CLIs), propose a configuration, ask, write .gauntlet/
and add the log directory to .gitignore. Files are never overwritten; a
repository that is already configured is not changed. docs/languages.md lists
what is found, and the checks that are proposed for it.

With --check NAME=COMMAND, add a check of your own, for the whole repository. If the
repository is configured, that adds its file, and its name in .gauntlet/config.yml.

It writes one review, code-quality, which covers errors, security and tests, too.
--reviews gives these a gate, and a call of a reviewer, of their own. If the repository
is configured, that adds their files, and their names in .gauntlet/config.yml.

With --agents, also write the instructions of "reviewledger skill" to where each
agent looks for them, and register "reviewledger mcp" in the project's MCP
settings of the agent, if there are none yet.

With --reviewer NAME=COMMAND, reviews ask your own command instead of the
reviewer CLIs that are installed. It gets the prompt on stdin and answers on
stdout.

The base branch is the default of the remote origin, as far as git knows it here, or
else the local main branch. On a terminal, it offers to commit what it wrote; else it
prints the commands. None of them pushes.

Exit codes: 0 written, nothing to write, or declined; 2 error.`,
		Example: `  reviewledger init
  reviewledger init --yes
  reviewledger init --yes --check 'test=make test' --check 'lint=make lint'
  reviewledger init --yes --agents claude,codex
  reviewledger init --reviews security,error-handling,tests
  reviewledger init --reviewer 'mine=./tools/review.sh --strict'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runInit(cmd.Context(), global, o)
		},
	}
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "write without asking")
	cmd.Flags().StringSliceVar(&o.agents, "agents", nil, "install instructions for these agents: "+strings.Join(agentNames(), ", "))
	cmd.Flags().StringArrayVar(&o.reviewers, "reviewer", nil, "ask your own command: `NAME=COMMAND`")
	cmd.Flags().StringArrayVar(&o.checks, "check", nil, "add a check of your own: `NAME=COMMAND`")
	cmd.Flags().StringSliceVar(&o.reviews, "reviews", nil, "give these reviews a gate of their own: "+strings.Join(setup.FurtherReviews(), ", "))
	complete(global, cmd, "reviews", completeWords(setup.FurtherReviews()))
	complete(global, cmd, "agents", completeWords(agentNames()))
	addAnswer(global, cmd, &o.format)
	return cmd
}

// initOptions are the flags of init.
type initOptions struct {
	yes       bool
	agents    []string
	reviewers []string
	checks    []string
	reviews   []string
	format    format
}

// initJSON says what became of each file, and how many calls of models an iteration makes at most.
type initJSON struct {
	Files      []initFileJSON `json:"files"`
	Committed  bool           `json:"committed"`
	ModelCalls int            `json:"model_calls"`
}

// initFileJSON is a file that was written, changed, unchanged (it is as it would be written), or kept (it
// is another one).
type initFileJSON struct {
	File  string `json:"file"`
	State string `json:"state"`
}

// again returns the command line with these options that does not ask.
func (o initOptions) again() string {
	command := "reviewledger init --yes"
	if len(o.agents) > 0 {
		command += " --agents " + text.ShellWord(strings.Join(o.agents, ","))
	}
	if len(o.reviews) > 0 {
		command += " --reviews " + text.ShellWord(strings.Join(o.reviews, ","))
	}
	for _, reviewer := range o.reviewers {
		command += " --reviewer " + text.ShellWord(reviewer)
	}
	for _, check := range o.checks {
		command += " --check " + text.ShellWord(check)
	}
	return command
}

// commands parses the user's own reviewers, each given as NAME=COMMAND.
func (o initOptions) commands() ([]setup.Command, error) {
	return named("--reviewer", "mine=./tools/review.sh --strict", o.reviewers, config.CheckCommand)
}

// ownChecks parses the user's own checks, each given as NAME=COMMAND.
func (o initOptions) ownChecks() ([]setup.Command, error) {
	return named("--check", "test=make test", o.checks, checkProblem)
}

// named parses values of a flag that are given as NAME=COMMAND.
func named(flag, example string, values []string, check func(name, command string) string) (commands []setup.Command, err error) {
	for _, value := range values {
		name, command, ok := strings.Cut(value, "=")
		if !ok {
			return nil, usageError("%s %q: use NAME=COMMAND, such as '%s'", flag, value, example)
		}
		if problem := check(name, command); problem != "" {
			return nil, usageError("%s %q: %s", flag, value, problem)
		}
		if slices.ContainsFunc(commands, func(c setup.Command) bool { return c.Name == name }) {
			return nil, usageError("%s %q: the name %q is given twice", flag, value, name)
		}
		commands = append(commands, setup.Command{Name: name, Command: command})
	}
	return commands, nil
}

// checkProblem returns what is wrong with the name or the command of a check, or "".
func checkProblem(name, command string) string {
	switch {
	case !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`).MatchString(name):
		return fmt.Sprintf("the name %q must have at most 60 characters: letters, digits, \"-\", \".\" and \"_\", and begin with a letter or a digit", name)
	case strings.TrimSpace(command) == "":
		return fmt.Sprintf("the command of %q is empty", name)
	case !utf8.ValidString(command):
		return fmt.Sprintf("the command of %q is not UTF-8 text", name)
	}
	return ""
}

// initializer writes the files of init to one repository.
type initializer struct {
	global *globalOptions
	repo   *diff.Repo
	root   *os.Root
	stdin  *bufio.Reader
	out    io.Writer // for people
	done   initJSON
	// wrote are the files that were created or changed.
	wrote []string
	// extended is set to the configuration with further gates, if it is configured already.
	extended string
	// ignore are folders that checks create.
	ignore []string
}

func runInit(ctx context.Context, global *globalOptions, o initOptions) error {
	agentFiles, err := filesForAgents(o.agents)
	if err != nil {
		return err
	}
	commands, err := o.commands()
	if err != nil {
		return err
	}
	checks, err := o.ownChecks()
	if err != nil {
		return err
	}
	for _, name := range o.reviews {
		if !slices.Contains(setup.FurtherReviews(), name) {
			return usageError("--reviews %q: use %s", name, strings.Join(setup.FurtherReviews(), ", "))
		}
	}
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return err
	}
	if err := repo.NotCheckedOut(ctx, config.Dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(repo.Root)
	if err != nil {
		return fmt.Errorf("open repository %q: %w", repo.Root, err)
	}
	defer root.Close()
	i := &initializer{global: global, repo: repo, root: root, stdin: bufio.NewReader(global.stdin), out: global.stdout, done: initJSON{Files: []initFileJSON{}}}
	if o.format == formatJSON {
		i.out = global.stderr
	}
	if err := i.setUp(ctx, o, setup.Facts{Commands: commands, Checks: checks, Reviews: o.reviews}, agentFiles); err != nil || o.format != formatJSON {
		return err
	}
	return printJSON(global.stdout, i.done)
}

// setUp proposes files, asks, and writes them.
func (i *initializer) setUp(ctx context.Context, o initOptions, facts setup.Facts, agentFiles []setup.File) error {
	files, err := i.configuration(ctx, facts)
	if err != nil {
		return err
	}
	files = i.styled(append(files, agentFiles...))
	if len(files) > 0 && !o.yes && !i.confirmed(files) {
		i.print("Nothing was written. To write without a prompt: `%s`", text.EscapeLine(o.again()))
		return nil
	}
	for _, file := range files {
		if err := i.write(file); err != nil {
			return err
		}
	}
	if err := i.extend(); err != nil {
		return err
	}
	if err := sweepDead(i.repo.Root, writtenByInit...); err != nil {
		return err
	}
	i.register(o.agents)
	return i.finish(ctx, o)
}

// styled formats files in the style of the project's formatter.
func (i *initializer) styled(list []setup.File) []setup.File {
	for n, file := range list {
		list[n].Text = styled(i.read, file.Name, file.Text)
	}
	return list
}

// styled returns the text of a new file in the style of the project's formatter.
func styled(read func(name string) string, name, text string) string {
	style := setup.StyleOf(setup.Facts{Read: read}, name)
	if filepath.Ext(name) == ".json" {
		text = style.JSON(text)
	}
	return style.Lines(text)
}

// register says how to register the MCP server if no file was written for it.
func (i *initializer) register(agents []string) {
	for _, name := range agents {
		a, _ := agent.AgentNamed(strings.TrimSpace(name))
		switch r := a.MCP; {
		case r.Command != "":
			i.print("To register the MCP server: `%s`", r.Command)
		case r.File != "" && !strings.Contains(i.read(r.File), `"reviewledger"`):
			i.print("To register the MCP server, add this to %s:\n%s", r.File, strings.TrimSuffix(r.Text, "\n"))
		}
	}
}

func (i *initializer) print(format string, args ...any) {
	_, _ = fmt.Fprintf(i.out, format+"\n", args...)
}

// became records what became of a file, and prints it.
func (i *initializer) became(state, file, more string) {
	i.done.Files = append(i.done.Files, initFileJSON{file, state})
	i.print("%-9s  %s%s", state, file, more)
	if state == stateWrote || state == stateChanged {
		i.wrote = append(i.wrote, file)
	}
}

// What becomes of a file.
const (
	stateWrote     = "wrote"
	stateChanged   = "changed"
	stateUnchanged = "unchanged"
	stateKept      = "kept"
)

// configuration proposes the files of .gauntlet/, with what the user named. It returns none if the
// repository is already configured.
func (i *initializer) configuration(ctx context.Context, facts setup.Facts) ([]setup.File, error) {
	facts.Read, facts.Exists, facts.Installed = i.read, i.exists, installed
	if _, err := i.root.Lstat(config.File); err == nil && len(facts.Commands) > 0 {
		return nil, fmt.Errorf("this repository is already configured: add the reviewer %q to cli.adapters and cli.default_preference in %s", facts.Commands[0].Name, config.File)
	} else if err == nil && len(facts.Reviews)+len(facts.Checks) > 0 {
		return i.furtherGates(facts)
	} else if err == nil {
		i.print("This repository is already configured: %s stays as it is.", config.File)
		return nil, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for %q: %w", config.File, err)
	}
	base, err := i.repo.FindBase(ctx)
	if err != nil {
		return nil, err
	}
	if facts.Files, err = i.repo.Files(ctx); err != nil {
		return nil, err
	}
	facts.BaseBranch = cmp.Or(base, "main")
	for _, c := range facts.Commands {
		facts.Reviewers = append(facts.Reviewers, c.Name)
	}
	if len(facts.Commands) == 0 {
		facts.Reviewers = installedReviewers()
	}
	p := setup.Propose(facts)
	i.ignore = p.Ignore
	i.explain(facts, p)
	return p.Files, nil
}

// furtherGates returns the files of gates for a repository that is configured, and keeps the
// configuration with their names.
func (i *initializer) furtherGates(facts setup.Facts) (files []setup.File, err error) {
	text := i.read(config.File)
	if info, err := i.root.Lstat(config.File); err != nil || !info.Mode().IsRegular() || len(text) >= maxManifest {
		return nil, fmt.Errorf("add gates to %q: it is not a regular file of less than %d bytes; add the names to the checks or reviews of an entry point", config.File, maxManifest)
	}
	i.extended = text
	var names []string
	for _, check := range facts.Checks {
		names = append(names, check.Name)
		files = append(files, setup.CheckFile(facts, setup.OwnCheck(check)))
	}
	if len(names) > 0 {
		i.extended, err = setup.AddChecks(i.extended, names)
	}
	if err == nil && len(facts.Reviews) > 0 {
		i.extended, err = setup.AddReviews(i.extended, facts.Reviews)
	}
	if err != nil {
		return nil, fmt.Errorf("add gates to %q: %w", config.File, err)
	}
	for _, name := range facts.Reviews {
		files = append(files, setup.ReviewFile(name, nil))
	}
	return files, nil
}

// extend writes the configuration with the names of further gates.
func (i *initializer) extend() error {
	if i.extended == "" || i.extended == i.read(config.File) {
		return nil
	}
	if err := files.WriteFile(filepath.Join(i.repo.Root, filepath.FromSlash(config.File)), []byte(i.extended)); err != nil {
		return err
	}
	i.became(stateChanged, config.File, "")
	return nil
}

// maxManifest is how many bytes of a file are read for a proposal.
const maxManifest = 1 << 20

// read returns the text of a file of the repository, or "" if it cannot be read. It is only used
// for proposals.
func (i *initializer) read(name string) string {
	if info, err := i.root.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := i.root.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxManifest))
	if err != nil {
		return ""
	}
	return string(data)
}

// exists reports whether the file or folder exists.
func (i *initializer) exists(name string) bool {
	_, err := i.root.Lstat(name)
	return err == nil
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// installedReviewers returns the adapters whose program is on PATH, in order of preference.
func installedReviewers() (found []string) {
	for _, adapter := range clients.Names() {
		if program := clients.Executable(adapter, nil); program != "" && installed(program) {
			found = append(found, adapter)
		}
	}
	return found
}

// explain shows what was found and what is proposed.
func (i *initializer) explain(facts setup.Facts, p setup.Proposal) {
	or := func(names []string, none string) string {
		if len(names) == 0 {
			return none
		}
		return strings.Join(names, ", ")
	}
	i.print("Found:        %s", or(p.Found, "nothing that docs/languages.md lists"))
	i.print("Base branch:  %s", text.EscapeLine(facts.BaseBranch))
	i.print("Reviewers:    %s", or(facts.Reviewers, "none found; the built-in one checks for conflict markers"))
	for _, entry := range p.Entries {
		for _, check := range entry.Checks {
			missing := ""
			if check.Missing != "" {
				missing = ", omitted until " + check.Missing + " is installed"
			}
			i.print("Check:        %s in %s: %s (%s%s)", check.Name, text.EscapeLine(entry.Path),
				text.EscapeLine(check.Command), text.EscapeLine(check.Why), missing)
		}
	}
	if !p.HasChecks() {
		i.print("Checks:       none found. To name one: reviewledger init --check 'test=make test'")
	}
	for _, note := range p.Notes {
		i.print("Note:         %s", text.EscapeLine(note))
	}
	for _, lack := range p.Lacking {
		i.print("Missing:      %s: the checks cannot pass before %s", text.EscapeLine(lack.Path), text.EscapeLine(lack.Fix))
	}
	i.print("Reviews:      %s", strings.Join(p.Reviews, ", "))
	if len(p.Further) > 0 {
		i.print("              For gates of their own: reviewledger init --reviews %s", strings.Join(p.Further, ","))
	}
}

// confirmed shows the files and asks. No answer means no.
func (i *initializer) confirmed(files []setup.File) bool {
	i.print("\nTo write:")
	for _, file := range files {
		i.print("  %s", file.Name)
	}
	return confirmed(i.out, i.stdin, "Write these files?")
}

// write writes a new file inside the repository. An existing file is kept.
func (i *initializer) write(file setup.File) error {
	info, err := i.root.Lstat(file.Name)
	if err == nil {
		if info.Mode().IsRegular() && i.read(file.Name) == file.Text {
			i.became(stateUnchanged, file.Name, "")
		} else {
			i.became(stateKept, file.Name, " (already exists)")
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %q: %w", file.Name, err)
	}
	folder := filepath.Dir(filepath.FromSlash(file.Name))
	if err := i.root.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("create the folder of %q: %w", file.Name, err)
	}
	// Fails if a symbolic link leads out of the repository.
	if _, err := i.root.Stat(folder); err != nil {
		return fmt.Errorf("write %q: %w", file.Name, err)
	}
	if err := files.WriteFile(filepath.Join(i.repo.Root, filepath.FromSlash(file.Name)), []byte(file.Text)); err != nil {
		return err
	}
	i.became(stateWrote, file.Name, "")
	return nil
}

// finish checks the configuration, adds what is not for git to .gitignore, and says what to do next.
func (i *initializer) finish(ctx context.Context, o initOptions) error {
	c, err := config.Load(i.repo.Root)
	if err != nil {
		return err
	}
	for _, warning := range c.Warnings {
		_, _ = fmt.Fprintf(i.global.stderr, "warning: %s\n", text.EscapeLine(warning))
	}
	if i.extended == "" {
		for _, folder := range append([]string{c.LogDir}, i.ignore...) {
			if err := i.ignoreFolder(ctx, folder); err != nil {
				return err
			}
		}
	}
	if i.done.ModelCalls = modelCalls(c); i.done.ModelCalls > 0 {
		i.print("An iteration makes up to %s, more if a prompt has to be split.", ledger.Plural(i.done.ModelCalls, "model call"))
	} else {
		i.print("An iteration does not call a model.")
	}
	if i.repo.Head == "" {
		i.print("\nNext, make a first commit, then a change to review:\n  git add --all && git commit\n  reviewledger run")
		return nil
	}
	if err := i.offerCommit(ctx, c.BaseBranch, o); err != nil {
		return err
	}
	i.print("\nNext, with a change to review:\n  reviewledger detect   # what would run, and why\n  reviewledger run      # run it")
	return nil
}

// modelCalls returns the maximum number of model calls of a first iteration, without the built-in
// reviewer and tools. Each entry point with a pattern counts once.
func modelCalls(c *config.Config) (calls int) {
	for _, job := range c.AllJobs() {
		if job.Review == nil {
			continue
		}
		for slot := range job.Review.NumReviews {
			if c.AsksModel(job.Review.CLIPreference[slot%len(job.Review.CLIPreference)]) {
				calls++
			}
		}
	}
	return calls
}

const ignoreName = ".gitignore"

// ignoreFolder adds a line to .gitignore, unless git already ignores the folder.
func (i *initializer) ignoreFolder(ctx context.Context, folder string) error {
	ignored, err := i.repo.Ignores(ctx, folder)
	if err != nil || ignored {
		return err
	}
	lines := ""
	if info, err := i.root.Lstat(ignoreName); err == nil {
		if !info.Mode().IsRegular() || info.Size() > maxManifest {
			_, _ = fmt.Fprintf(i.global.stderr, "warning: .gitignore is not a regular file: add the line \"/%s/\" to it yourself\n", text.EscapeLine(folder))
			return nil
		}
		data, err := i.root.ReadFile(ignoreName)
		if err != nil {
			return fmt.Errorf("read %q: %w", ignoreName, err)
		}
		lines = string(data)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %q: %w", ignoreName, err)
	}
	ending := "\n"
	if strings.Contains(lines, "\r\n") {
		ending = "\r\n"
	}
	if lines != "" && !strings.HasSuffix(lines, "\n") {
		lines += ending
	}
	if err := files.WriteFile(filepath.Join(i.repo.Root, ignoreName), []byte(lines+"/"+folder+"/"+ending)); err != nil {
		return err
	}
	i.print("added      /%s/ to .gitignore", text.EscapeLine(folder))
	if !slices.Contains(i.wrote, ignoreName) {
		i.wrote = append(i.wrote, ignoreName)
		i.done.Files = append(i.done.Files, initFileJSON{ignoreName, stateChanged})
	}
	return nil
}

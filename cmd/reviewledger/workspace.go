package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/export/slotfiles"
	verdictfile "github.com/reviewledger/reviewledger/export/verdict"
	"github.com/reviewledger/reviewledger/gate/builtin"
	"github.com/reviewledger/reviewledger/gate/check"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/codereview"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/gate/loop"
	"github.com/reviewledger/reviewledger/gate/slots"
	"github.com/reviewledger/reviewledger/gate/tool"
	"github.com/reviewledger/reviewledger/gate/worktree"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
	"github.com/reviewledger/reviewledger/ledger/verdict"
)

// workspace is one worktree with its configuration, log directory and ledger.
type workspace struct {
	global *globalOptions
	repo   *diff.Repo
	config *config.Config
	// repository identifies the repository in the ledger.
	repository ledger.Repository
	// begun is the run that this checkout has begun and not ended, or "".
	begun   string
	console *console.Console
	logs    *slotfiles.Dir
	locks   []*flock.Flock
	ledger  *store.Store
}

// openWorkspace finds the worktree and reads its configuration. It does not write anything.
func openWorkspace(ctx context.Context, global *globalOptions) (*workspace, error) {
	return openWorkspaceOf(ctx, global, diff.Open)
}

// openWithBase is openWorkspace for a command that asks how far the base branch is.
func openWithBase(ctx context.Context, global *globalOptions) (*workspace, error) {
	return openWorkspaceOf(ctx, global, func(ctx context.Context, dir string) (*diff.Repo, error) {
		return diff.OpenWithBase(ctx, dir, config.BaseBranchIn)
	})
}

func openWorkspaceOf(ctx context.Context, global *globalOptions, open func(context.Context, string) (*diff.Repo, error)) (*workspace, error) {
	w, err := readWorkspace(ctx, global, open, func(error) bool { return false })
	if err != nil {
		return nil, err
	}
	return w, w.findRepository(ctx)
}

// openForQuestion is openWorkspace for a query that does not need a valid configuration.
func openForQuestion(ctx context.Context, global *globalOptions) (*workspace, error) {
	w, err := readWorkspace(ctx, global, diff.Open, func(err error) bool { // otherwise the configuration identifies the repository, so it must be readable
		return errors.Is(err, config.ErrNoConfig) || namedDatabase(global) == ""
	})
	if err != nil {
		return nil, err
	}
	return w, w.findRepository(ctx)
}

// withWorkspace opens the worktree with open and its ledger with openLedger, calls do, and closes
// both.
func withWorkspace(
	ctx context.Context, global *globalOptions,
	open func(context.Context, *globalOptions) (*workspace, error), openLedger func(*workspace, context.Context) error,
	do func(*workspace) error,
) (err error) {
	w, err := open(ctx, global)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := openLedger(w, ctx); err != nil {
		return err
	}
	return do(w)
}

// readWorkspace is openWorkspace without identifying the repository. If passOver accepts an error
// of the configuration, the configuration is empty.
func readWorkspace(ctx context.Context, global *globalOptions, open func(context.Context, string) (*diff.Repo, error), passOver func(error) bool) (*workspace, error) {
	repo, err := open(ctx, global.dir)
	if err != nil {
		return nil, err
	}
	conf, err := config.Load(repo.Root)
	if sparse := repo.NotCheckedOut(ctx, config.Dir); sparse != nil && !passOver(sparse) {
		return nil, sparse
	}
	switch {
	case err == nil:
	case passOver(err):
		conf = &config.Config{}
	default:
		return nil, err
	}
	w := &workspace{global: global, repo: repo, config: conf}
	w.console = console.NewConsole(global.stdout, global.stderr, global.style())
	w.console.Warn(repo.Elsewhere()...)
	w.console.Warn(conf.Warnings...)
	w.logs = w.folder(conf.LogDir).Keep(conf.MaxPreviousLogs).InCheckout(repo.GitDir)
	return w, nil
}

func (w *workspace) findRepository(ctx context.Context) (err error) {
	if w.begun, err = w.logs.Begun(); err != nil {
		return err
	}
	w.repository, err = worktree.FindRepository(ctx, w.repo, w.config, namedDatabase(w.global) == "")
	return err
}

// withoutLedger leaves the ledger to the caller.
func withoutLedger(*workspace, context.Context) error { return nil }

// lockAndOpen takes the worktree's lock and opens the ledger.
func (w *workspace) lockAndOpen(ctx context.Context) error {
	if err := w.takeLock(ctx); err != nil {
		return err
	}
	return w.openLedger(ctx)
}

func (w *workspace) openLedger(ctx context.Context) (err error) {
	w.ledger, err = openLedger(ctx, w.global, w.databasePath())
	return err
}

// openLedger opens the ledger for writing.
func openLedger(ctx context.Context, global *globalOptions, path string) (*store.Store, error) {
	return store.Open(ctx, path, ledgerOptions(global, path))
}

// databasePath returns the path of the ledger, whether or not it exists.
func (w *workspace) databasePath() string {
	if path := namedDatabase(w.global); path != "" {
		return path
	}
	return databaseIn(w.repo.CommonDir)
}

// namedDatabase returns the database that the user names, or "".
func namedDatabase(global *globalOptions) string {
	return cmp.Or(global.database, global.getenv("REVIEWLEDGER_DB"))
}

func databaseIn(commonDir string) string {
	return filepath.Join(commonDir, "reviewledger", "ledger.db")
}

// needLedger returns an error if there is no ledger, because opening it would create one.
func (w *workspace) needLedger() error {
	if _, err := os.Stat(w.databasePath()); err != nil {
		return fmt.Errorf("open ledger %q: %w", w.databasePath(), store.ErrMissing)
	}
	return nil
}

// needLedgerToMark is [workspace.needLedger] for marks, which can also be made in the files of a loop
// that outlived its ledger.
func (w *workspace) needLedgerToMark(ctx context.Context) error {
	missing := w.needLedger()
	if missing == nil {
		return nil
	}
	if err := w.loop().CheckKnown(ctx); err != nil {
		return fmt.Errorf("open ledger %q: %w", w.databasePath(), err)
	}
	return missing
}

// lockToMark is like [workspace.lockAndOpen], but the ledger must exist.
func (w *workspace) lockToMark(ctx context.Context) error {
	if err := w.needLedgerToMark(ctx); err != nil {
		return err
	}
	return w.lockAndOpen(ctx)
}

// openToMark opens the ledger, which must exist, and leaves the lock to [workspace.marker].
func (w *workspace) openToMark(ctx context.Context) error {
	if err := w.needLedgerToMark(ctx); err != nil {
		return err
	}
	return w.openExistingLedger(ctx)
}

func (w *workspace) openNeededLedger(ctx context.Context) error {
	if err := w.needLedger(); err != nil {
		return err
	}
	return w.openExistingLedger(ctx)
}

// openToRead opens the ledger, if there is one, for a command that only reads: on a read-only file
// system, too.
func (w *workspace) openToRead(ctx context.Context) (err error) {
	w.ledger, err = store.OpenReadOnly(ctx, w.databasePath(), store.Options{})
	if errors.Is(err, store.ErrMissing) {
		return nil
	}
	return err
}

// openExistingLedger opens the ledger if it exists.
func (w *workspace) openExistingLedger(ctx context.Context) (err error) {
	if _, err := os.Stat(w.databasePath()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	w.ledger, err = openLedger(ctx, w.global, w.databasePath())
	return err
}

func (w *workspace) close() error {
	var errs []error
	var closing sync.WaitGroup
	var notRemoved error
	closing.Go(func() { notRemoved = w.repo.Close() }) // while the ledger waits for the disk
	if w.ledger != nil {
		errs = append(errs, w.ledger.Close())
	}
	closing.Wait()
	errs = append(errs, notRemoved)
	for _, lock := range w.locks {
		errs = append(errs, lock.Unlock())
	}
	return errors.Join(errs...)
}

// folder returns a folder of the worktree with the files and logs of slots.
func (w *workspace) folder(name string) *slotfiles.Dir {
	return slotfiles.NewDir(w.repo.Root, name, check.ParseResult)
}

func (w *workspace) worktree() *worktree.Worktree {
	return &worktree.Worktree{Repo: w.repo, Config: w.config, Repository: w.repository, Begun: w.begun, CI: isTrue(w.global.getenv("CI")), Own: w.ownFiles(), Written: written(w.repo.Root)}
}

// ownFiles returns the files of a ledger inside the worktree, relative to its root.
func (w *workspace) ownFiles() (files []string) {
	path, err := filepath.Abs(w.databasePath())
	if err != nil {
		return nil
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	inside, err := filepath.Rel(w.repo.Root, path)
	if err != nil || !filepath.IsLocal(inside) || strings.HasPrefix(path, w.repo.CommonDir+string(filepath.Separator)) {
		return nil
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		files = append(files, filepath.ToSlash(inside)+suffix)
	}
	return files
}

func (w *workspace) adapters() slots.Adapters {
	return slots.Adapters{Reviewer: w.reviewer, Missing: w.missing}
}

// loop returns what executes iterations of runs of gates.
func (w *workspace) loop() *loop.Runner {
	return &loop.Runner{
		Worktree: w.worktree(), Adapters: w.adapters(), Ledger: w.ledger,
		Files: w.logs, Console: w.console, Now: time.Now,
	}
}

// codeReviews returns what executes code reviews and marks their findings.
func (w *workspace) codeReviews() *codereview.Runner {
	return &codereview.Runner{
		Worktree: w.worktree(), Adapters: w.adapters(), Ledger: w.ledger,
		Verdicts: w.verdicts(), Logs: w.logs, Console: w.console, Now: time.Now,
	}
}

func (w *workspace) verdicts() *verdictfile.Dir {
	return verdictfile.NewDir(w.repo.Root, verdict.Dir)
}

// lockCodeReviews takes the lock of code reviews, and makes their logs the workspace's logs.
func (w *workspace) lockCodeReviews(ctx context.Context) error {
	w.logs = w.folder(verdict.Dir)
	if err := w.takeLock(ctx); err != nil {
		return err
	}
	return w.verdicts().KeepOutOfGit()
}

func (w *workspace) reviewer(adapter string) (clients.Reviewer, error) {
	options := w.config.Adapters[adapter].Options
	switch {
	case len(options.Command) > 0 && options.Output.IsReport():
		return tool.New(options), nil
	case len(options.Command) == 0 && adapter == clients.BuiltinName:
		return builtin.New(), nil
	}
	return clients.New(adapter, options)
}

// missing says why the program of an adapter cannot be started, or returns "".
func (w *workspace) missing(adapter string) (program, why string) {
	program = clients.Executable(adapter, w.config.Adapters[adapter].Command)
	if program == "" {
		return "", "" // the built-in reviewer needs no program
	}
	return program, clients.Missing(program, w.repo.Root)
}

func isTrue(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no":
		return false
	}
	return true
}

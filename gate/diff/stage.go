package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reviewledger/reviewledger/gate/scratch"
	"github.com/reviewledger/reviewledger/internal/files"
)

// stage is a copy of the index in which a snapshot is prepared.
type stage struct {
	repo           *Repo
	index          string // path of the file
	git            git
	exclude        []string
	includeSecrets bool
	// infoOnly leaves the contents of files out of the object store.
	infoOnly bool
	// tree was written last. leftOut are the untracked files that it lacks, including refused,
	// which git does not accept. dirty are submodules of which it has only the commit, although not
	// everything in them is committed.
	tree                    string
	leftOut, refused, dirty []string
	// absent are files that are marked skip-worktree and do not exist in the working tree.
	absent []string
	// beside are untracked files in excluded folders.
	beside []string
	// changed are the answers of Repo.ChangedSince, by its questions.
	mu      sync.Mutex
	changed map[string][]string
}

// newStage makes a stage with a copy of the index.
func (r *Repo) newStage(opts SnapshotOptions) (*stage, error) {
	folder, err := r.temporary()
	if err != nil {
		return nil, err
	}
	index := filepath.Join(folder, "stage") // not "index", which the repository of Repo.reader would take for its own
	if err := copyIndex(filepath.Join(r.GitDir, "index"), index); err != nil {
		return nil, fmt.Errorf("copy the index: %w", err)
	}
	env := slices.Concat(r.git.env, []string{"GIT_INDEX_FILE=" + index})
	return &stage{
		repo: r, index: index, git: git{dir: r.Root, env: env, config: r.git.config},
		exclude: opts.Exclude, includeSecrets: opts.IncludeSecrets,
	}, nil
}

// temporary returns the folder for this invocation's temporary files, and makes it when it is first
// needed. It is in the git folder, because the system's may be in the working tree, unless the git
// folder cannot be written: then only questions are answered.
func (r *Repo) temporary() (string, error) {
	r.shared.mu.Lock()
	defer r.shared.mu.Unlock()
	if r.shared.folder == nil {
		folder, err := scratch.Make(r.GitDir, "git")
		if files.IsReadOnly(err) {
			folder, err = scratch.Make(os.TempDir(), "git")
		}
		if err != nil {
			return "", err
		}
		r.shared.folder = folder
	}
	return r.shared.folder.Path, nil
}

// Close removes the temporary files of all calls. The Repo can be used again.
func (r *Repo) Close() error {
	r.shared.mu.Lock()
	defer r.shared.mu.Unlock()
	folder := r.shared.folder
	r.shared.folder, r.shared.stage, r.shared.reader = nil, nil, false
	if folder == nil {
		return nil
	}
	if err := folder.Remove(); err != nil {
		return fmt.Errorf("remove temporary files: %w", err)
	}
	return nil
}

// Sweep removes what killed processes left in the git folder: copies of the index, and diffs.
func (r *Repo) Sweep(now time.Time) error {
	errs := []error{scratch.Sweep(r.CommonDir, now)}
	linked, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, err)
	}
	for _, worktree := range linked {
		errs = append(errs, scratch.Sweep(filepath.Join(r.CommonDir, "worktrees", worktree.Name()), now))
	}
	return errors.Join(append(errs, r.forgetCheckedOut())...)
}

// copyIndex copies an index file with its time. Git does not trust that a file is unchanged if the
// file is as young as the index; with a younger index it would miss a change made right after the
// last git command. A missing index is the same as an empty one.
func copyIndex(from, to string) error {
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// record updates the stage to the working tree and writes its tree.
func (st *stage) record(ctx context.Context) (Snapshot, error) {
	facts, warnings, unchanged, err := st.bringUp(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	args := []string{"write-tree"}
	if st.infoOnly {
		args = append(args, "--missing-ok")
	} else {
		hidden, err := st.hiddenGitlinks(ctx, facts.gitlinks)
		if err != nil {
			return Snapshot{}, err
		}
		warnings = append(warnings, hidden...)
	}
	out, err := st.git.run(ctx, call{args: args})
	if err != nil {
		return Snapshot{}, err
	}
	st.tree = out.line()
	return Snapshot{Tree: st.tree, Unchanged: unchanged, Unreviewed: facts.excluded, Beside: st.beside, Warnings: warnings}, nil
}

// bringUp updates the stage to the working tree. It returns warnings about what is left out, and
// whether there was nothing to stage.
func (st *stage) bringUp(ctx context.Context) (facts *indexFacts, warnings []string, unchanged bool, err error) {
	facts, status, err := st.look(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	warnings, err = st.stageAll(ctx, status)
	if gitFailed(err) {
		// A file may vanish, or become a folder, between the two steps.
		if status, err = st.status(ctx); err == nil {
			warnings, err = st.stageAll(ctx, status)
		}
	}
	return facts, warnings, err == nil && status.isEmpty(), err
}

// look returns the facts about the index and how the working tree differs from it, asking git for
// both at the same time. Git does not look at marked files; if there are any, which is rare, it is
// asked again without the marks.
func (st *stage) look(ctx context.Context) (facts *indexFacts, status *worktreeStatus, err error) {
	var listing sync.WaitGroup
	var listErr error
	listing.Go(func() { facts, listErr = st.readIndex(ctx) })
	if !st.infoOnly { // its tree is going to be compared
		listing.Go(func() { _, _ = st.repo.reader() })
	}
	status, err = st.status(ctx)
	listing.Wait()
	if err = cmp.Or(listErr, err); err != nil {
		return nil, nil, err
	}
	st.absent = slices.Clone(facts.skipped)
	if found := st.takeFound(); len(facts.assumed)+len(found) > 0 {
		if err = st.unmark(ctx, facts.assumed, found); err == nil {
			status, err = st.status(ctx)
		}
	}
	return facts, status, err
}

// stageAll stages what the status lists, and returns warnings about what is left out.
func (st *stage) stageAll(ctx context.Context, status *worktreeStatus) (warnings []string, err error) {
	st.dirty, st.beside = status.dirty, status.beside
	warnings = append(status.warnings, st.leaveOut(status)...)
	for _, path := range status.dirty {
		warnings = append(warnings, fmt.Sprintf("left out of the snapshot: what is not committed in the submodule %q", path))
	}
	if st.refused, err = st.update(ctx, status); err != nil {
		return nil, err
	}
	for _, name := range st.refused {
		warnings = append(warnings, fmt.Sprintf("left out of the snapshot: %q has a name that git keeps for itself", name))
	}
	return warnings, nil
}

// leaveOut removes untracked files that must not be staged from the status, and returns warnings
// with the reasons.
func (st *stage) leaveOut(s *worktreeStatus) (warnings []string) {
	st.leftOut = nil
	s.untracked = slices.DeleteFunc(s.untracked, func(name string) bool {
		reason := st.whyLeftOut(name)
		if reason == "" {
			return false
		}
		st.leftOut = append(st.leftOut, name)
		warnings = append(warnings, fmt.Sprintf("left out of the snapshot: %q %s", strings.TrimSuffix(name, "/"), reason))
		return true
	})
	return warnings
}

// stillLeftOut reports whether an untracked file is not in the snapshot, and would not be in a
// snapshot taken now.
func (st *stage) stillLeftOut(name string) bool {
	return slices.Contains(st.refused, name) || slices.Contains(st.leftOut, name) && st.whyLeftOut(name) != ""
}

// update stages what the status lists, without the untracked files that git refuses: paths with a
// part that some system would take for ".git".
func (st *stage) update(ctx context.Context, s *worktreeStatus) (refused []string, err error) {
	if s.resets {
		// This also resolves their conflicts, with which no tree can be written.
		args := slices.Concat([]string{"reset", "-q", "--"}, literalPathspecs(st.exclude))
		if _, err := st.git.run(ctx, call{args: args}); err != nil {
			return nil, err
		}
	}
	removed, hidden := st.behindLinks(s.removed)
	if len(hidden) > 0 {
		args := []string{"update-index", "-z", "--force-remove", "--stdin"}
		if _, err := st.git.run(ctx, call{args: args, stdin: strings.Join(hidden, "\x00")}); err != nil {
			return nil, err
		}
	}
	// Removed files come first, because their names may now be those of folders.
	paths := slices.Concat(removed, s.changed, s.untracked)
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"update-index", "-z", "--add", "--remove", "--replace"}
	if st.infoOnly {
		args = append(args, "--info-only")
	}
	args = append(args, "--stdin")
	out, err := st.git.run(ctx, call{args: args, stdin: strings.Join(paths, "\x00")})
	if err != nil || !strings.Contains(out.stderr, "Ignoring path ") {
		return nil, err
	}
	for _, name := range s.untracked {
		if strings.Contains("\n"+out.stderr, "\nIgnoring path "+name+"\n") {
			refused = append(refused, name)
		}
	}
	return refused, nil
}

// behindLinks splits the removed files into those whose folder is now a symbolic link, which are
// hidden, and the others. Git does not look behind a link, and refuses to record that such files
// are gone.
func (st *stage) behindLinks(removed []string) (others, hidden []string) {
	links := map[string]bool{".": false}
	var isLink func(folder string) bool
	isLink = func(folder string) bool {
		link, known := links[folder]
		if !known {
			info, err := os.Lstat(filepath.Join(st.repo.Root, filepath.FromSlash(folder)))
			link = err == nil && info.Mode()&fs.ModeSymlink != 0 || isLink(path.Dir(folder))
			links[folder] = link
		}
		return link
	}
	for _, name := range removed {
		if isLink(path.Dir(name)) {
			hidden = append(hidden, name)
		} else {
			others = append(others, name)
		}
	}
	return others, hidden
}

// hiddenGitlinks warns of folders of which git, and so a reviewer, sees only the id of another
// repository's commit: those that are not a submodule that can be fetched, or that hold other
// files.
func (st *stage) hiddenGitlinks(ctx context.Context, gitlinks []string) (warnings []string, err error) {
	if len(gitlinks) == 0 {
		return nil, nil
	}
	known, err := st.submodules(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range gitlinks {
		folder := filepath.Join(st.repo.Root, filepath.FromSlash(path))
		if !slices.Contains(known, path) {
			warnings = append(warnings, fmt.Sprintf("left out of the snapshot: the files in %q, which is the commit of another repository, and not named by .gitmodules", path))
			continue
		}
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) == 0 {
			continue // it is not checked out
		}
		if !slices.ContainsFunc(entries, func(entry fs.DirEntry) bool { return entry.Name() == ".git" }) {
			warnings = append(warnings, fmt.Sprintf("left out of the snapshot: the files in the submodule %q, whose folder is not a repository", path))
		}
	}
	return warnings, nil
}

// submodules lists the folders that .gitmodules names.
func (st *stage) submodules(ctx context.Context) ([]string, error) {
	name := filepath.Join(st.repo.Root, ".gitmodules")
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	out, err := st.git.run(ctx, call{args: []string{"config", "--file", name, "-z", "--get-regexp", `^submodule\..*\.path$`}})
	if exitedWith1(err) {
		return nil, nil // .gitmodules does not name a folder
	}
	if err != nil {
		return nil, err
	}
	var paths []string
	for entry := range slices.Values(out.list()) {
		if _, path, ok := strings.Cut(entry, "\n"); ok {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// gitWarnings returns the warnings that git wrote to stderr, such as "could not open directory".
func gitWarnings(stderr string) []string {
	var warnings []string
	for line := range strings.Lines(stderr) {
		if text, ok := strings.CutPrefix(line, "warning: "); ok {
			warnings = append(warnings, "git: "+strings.TrimSpace(text))
		}
	}
	return warnings
}

func literalPathspecs(paths []string) []string {
	specs := make([]string, len(paths))
	for i, path := range paths {
		specs[i] = ":(top,literal)" + path
	}
	return specs
}

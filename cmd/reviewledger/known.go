package main

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/config"
	"github.com/reviewledger/reviewledger/gate/diff"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// knownFilters rejects names that the ledger does not know, and makes the pattern of --file
// relative to the root.
func knownFilters(ctx context.Context, global *globalOptions, l *store.Store, v *filters.Violations) error {
	if err := known(ctx, global, l, &v.Scope); err != nil || v.Filter.File == "" {
		return err
	}
	var err error
	v.Filter.File, err = filePattern(ctx, global, l, v.Filter.File)
	return err
}

// known rejects names that are neither in the ledger nor in the configuration, and branches and
// worktrees without runs, except for the current ones.
func known(ctx context.Context, global *globalOptions, l filters.Namer, s *filters.Scope) error {
	return s.CheckKnown(ctx, l, filters.Elsewhere{
		Here: func() (branch, worktree string) {
			repo, err := diff.Open(ctx, global.dir)
			if err != nil {
				return "", ""
			}
			defer repo.Close()
			return repo.Branch, repo.Root
		},
		Names: func() ledger.Names { return configuredNames(configured(ctx, global)) },
	})
}

// configured returns the current configuration, or an empty one if there is none that can be read.
func configured(ctx context.Context, global *globalOptions) *config.Config {
	root, err := diff.Root(ctx, global.dir)
	if err == nil {
		if conf, err := config.Load(root); err == nil {
			return conf
		}
	}
	return &config.Config{}
}

func configuredNames(conf *config.Config) (names ledger.Names) {
	for _, job := range conf.AllJobs() {
		names.Gates, names.EntryPoints = append(names.Gates, job.Name), append(names.EntryPoints, job.Entry)
	}
	names.Adapters = slices.Collect(maps.Keys(conf.Adapters))
	return names
}

// filePattern returns the pattern for what the user names relative to the current folder: a file, a
// folder, which stands for everything below it, or a pattern. A name without wildcards that exists
// neither in the working tree nor in the ledger is an error.
func filePattern(ctx context.Context, global *globalOptions, l filters.Finder, name string) (string, error) {
	root, here := currentFolder(ctx, global.dir)
	clean := path.Clean(filepath.ToSlash(name))
	names := []string{path.Join(here, clean), clean} // other commands print names relative to the root
	if relative, err := filepath.Rel(root, name); filepath.IsAbs(name) && root != "" && err == nil {
		names = []string{filepath.ToSlash(relative)}
	}
	for _, name := range names {
		if name == "." {
			return "**", nil
		}
		if known, err := filters.KnownFile(ctx, l, name); err != nil || known != "" {
			return known, err
		}
		if root != "" && exists(filepath.Join(root, filepath.FromSlash(name))) {
			return ledger.EscapePattern(name) + "/**", nil // also matches the name itself
		}
	}
	if filters.IsPattern(name) {
		name = strings.TrimPrefix(name, "./")
		if here != "." && !strings.HasPrefix(name, "**") {
			name = path.Join(ledger.EscapePattern(here), name)
		}
		return name, filters.CheckPattern(name)
	}
	known, err := l.Files(ctx, "", filesCompared)
	if err != nil {
		return "", err
	}
	hint := ledger.DidYouMean(ledger.Closest(names[0], known), "") // quoted, so escaped
	return "", usageError("no file %q, neither in the working tree nor in the ledger%s", name, hint)
}

// filesCompared is how many files of the ledger are compared with an unknown one to suggest a name.
const filesCompared = 5000

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// currentFolder returns the root of the working tree, and the current folder relative to it, "."
// for the root. Outside of a repository the root is "".
func currentFolder(ctx context.Context, dir string) (root, here string) {
	root, err := diff.Root(ctx, dir)
	if err != nil {
		return "", "."
	}
	if dir, err = filepath.Abs(dir); err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return root, "."
	}
	inside, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(inside) {
		return root, "."
	}
	return root, filepath.ToSlash(inside)
}

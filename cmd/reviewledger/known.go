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
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// knownFilters refuses what the ledger does not know, and makes the pattern of --file one
// that is relative to the root.
func knownFilters(ctx context.Context, global *globalOptions, l ledger.Questions, v *filters.Violations) error {
	if err := known(ctx, global, l, v.Scope); err != nil || v.Filter.File == "" {
		return err
	}
	if err := v.CheckFile(); err != nil {
		return err
	}
	var err error
	v.Filter.File, err = filePattern(ctx, global, l, v.Filter.File)
	return err
}

// known refuses an unknown branch, gate, entry point, adapter, model or repository: a list
// that is empty for a typing mistake looks like good news.
func known(ctx context.Context, global *globalOptions, l ledger.Questions, s filters.Scope) error {
	if err := knownBranch(ctx, global, l, s.Branch); err != nil {
		return err
	}
	if s.Gate == "" && s.EntryPoint == "" && s.Adapter == "" && s.Model == "" && s.Repository == "" {
		return nil
	}
	names, err := l.Names(ctx)
	if err != nil {
		return err
	}
	if !isKnown(s.Gate, names.Gates) || !isKnown(s.EntryPoint, names.EntryPoints) || !isKnown(s.Adapter, names.Adapters) {
		// What is configured is known, too, before its first run.
		conf := configured(ctx, global)
		for _, job := range conf.AllJobs() {
			names.Gates, names.EntryPoints = append(names.Gates, job.Name), append(names.EntryPoints, job.Entry)
		}
		names.Adapters = slices.AppendSeq(names.Adapters, maps.Keys(conf.Adapters))
	}
	for _, filter := range []struct {
		what, name string
		known      []string
	}{
		{"gate", s.Gate, names.Gates}, {"entry point", s.EntryPoint, names.EntryPoints}, {"adapter", s.Adapter, names.Adapters},
		{"model", s.Model, append(names.Models, ledger.UnknownModel)},
		{"repository", s.Repository, names.Repositories},
	} {
		if err := knownName(filter.what, filter.name, filter.known); err != nil {
			return err
		}
	}
	return nil
}

func isKnown(name string, known []string) bool { return name == "" || slices.Contains(known, name) }

// configured is the configuration here, empty where there is none that can be read.
func configured(ctx context.Context, global *globalOptions) *config.Config {
	root, err := diff.Root(ctx, global.dir)
	if err == nil {
		if conf, err := config.Load(root); err == nil {
			return conf
		}
	}
	return &config.Config{}
}

// knownBranch refuses a branch that no run was on, unless it is the current one.
func knownBranch(ctx context.Context, global *globalOptions, l ledger.Questions, branch string) error {
	if branch == "" {
		return nil
	}
	branches, err := l.Branches(ctx)
	if err != nil {
		return err
	}
	if !isKnown(branch, branches) {
		if repo, err := diff.Open(ctx, global.dir); err == nil {
			branches = append(branches, repo.Branch)
			_ = repo.Close()
		}
	}
	return knownName("branch", branch, branches)
}

// knownName refuses a name that the ledger does not have, with those that may be meant.
func knownName(what, name string, known []string) error {
	if isKnown(name, known) {
		return nil
	}
	known = slices.DeleteFunc(slices.Sorted(slices.Values(known)), func(name string) bool { return name == "" })
	known = slices.Compact(known)
	hint := filters.DidYouMean(filters.Closest(name, known), "")
	switch {
	case hint != "":
	case len(known) == 0:
		hint = "(there is none yet)"
	default:
		hint = "(known: " + strings.Join(known[:min(len(known), namesShown)], ", ")
		if len(known) > namesShown {
			hint += ", …"
		}
		hint += ")"
	}
	return usageError("unknown %s %q %s", what, name, text.EscapeLine(hint))
}

// namesShown is how many known names an error lists.
const namesShown = 8

// filePattern is the pattern for what the user names, as seen from where the user is: a
// file, a pattern, or a folder, which stands for all below it. A name without wildcards
// that neither the tree nor the ledger has is an error.
func filePattern(ctx context.Context, global *globalOptions, l ledger.Questions, name string) (string, error) {
	root, here := standing(ctx, global.dir)
	if strings.ContainsAny(name, "*?[{\\") {
		name = strings.TrimPrefix(name, "./")
		if here != "." && !strings.HasPrefix(name, "**") {
			name = path.Join(ledger.EscapePattern(here), name)
		}
		return name, nil
	}
	clean := path.Clean(filepath.ToSlash(name))
	names := []string{path.Join(here, clean), clean} // what other commands print is relative to the root
	if relative, err := filepath.Rel(root, name); filepath.IsAbs(name) && root != "" && err == nil {
		names = []string{filepath.ToSlash(relative)}
	}
	for _, name := range names {
		if name == "." {
			return "**", nil
		}
		known, err := l.Files(ctx, name, 1)
		if err != nil || len(known) > 0 && known[0] == name {
			return name, err
		}
		if below, err := l.Files(ctx, name+"/", 1); err != nil || len(below) > 0 || root != "" && exists(filepath.Join(root, filepath.FromSlash(name))) {
			return name + "/**", err // matches the name itself, too
		}
	}
	known, err := l.Files(ctx, "", filesCompared)
	if err != nil {
		return "", err
	}
	hint := filters.DidYouMean(filters.Closest(names[0], known), "") // quoted, so escaped
	return "", usageError("no file %q, neither in the working tree nor in the ledger%s", name, hint)
}

// filesCompared is how many files of the ledger are compared with one that is unknown.
const filesCompared = 5000

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// standing is the root of the working tree, and the folder of it that the user is in: "."
// is the root. Outside of a repository the root is empty.
func standing(ctx context.Context, dir string) (root, here string) {
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

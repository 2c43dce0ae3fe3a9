package config

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Kind is the kind of a gate.
type Kind string

// Each kind is also the first word of a job's id.
const (
	KindCheck  Kind = "check"
	KindReview Kind = "review"
)

// Job is one gate on one entry point.
type Job struct {
	Kind Kind
	// Entry is the path of the entry point. For an entry point with a pattern it is the folder that
	// matched, or the pattern itself if that matches files.
	Entry string
	// Name is the gate's name.
	Name string
	// Check is set for a check, Review for a review.
	Check  *Check
	Review *Review

	// points are the entry points that apply this gate to this entry.
	points []EntryPoint
	dir    string
}

// Gate returns the settings that checks and reviews share, such as when they run.
func (j Job) Gate() Gate {
	switch {
	case j.Check != nil:
		return j.Check.Gate
	case j.Review != nil:
		return j.Review.Gate
	}
	return Gate{}
}

// ID returns the job's id, for example `check:src:lint`.
func (j Job) ID() string { return string(j.Kind) + ":" + j.Entry + ":" + j.Name }

// FileID returns the id as file names have it; see [ledger.Sanitize].
func (j Job) FileID() string { return ledger.Sanitize(j.ID()) }

// WorkingDirectory returns the folder in which the job works, relative to the repository's root:
// the configured one, else the entry's folder.
func (j Job) WorkingDirectory() string { return j.dir }

// Covers reports whether the file is in the job's entry, not excluded from it, and one that the
// gate looks at. If several entry points have the same job, it covers everything that any of them
// does.
func (j Job) Covers(file string) bool {
	return fits(j.Gate().Files, file) && slices.ContainsFunc(j.points, func(e EntryPoint) bool {
		entry, ok := e.entryOf(file)
		return ok && entry == j.Entry
	})
}

// Looks reports whether the job's gate looks at the file, in this or another of its entry points.
func (c *Config) Looks(j Job, file string) bool {
	return fits(j.Gate().Files, file) && slices.ContainsFunc(c.EntryPoints, func(e EntryPoint) bool {
		_, ok := e.entryOf(file)
		return ok && slices.Contains(e.gates(j.Kind), j.Name)
	})
}

// Covered returns [Job.Covers] for an earlier config.yml and an earlier file of the gate, given as
// texts. gate is nil if there was no such file. ok is false if a text cannot be parsed, or the
// first is nil.
func Covered(text, gate []byte, j Job) (covered func(file string) bool, ok bool) {
	r, m, ok := earlier(text)
	if !ok || !j.restrict(gate) {
		return nil, false
	}
	j.points = nil
	for _, e := range m.entryPoints() {
		if slices.Contains(e.gates(j.Kind), j.Name) {
			j.points = append(j.points, e)
		}
	}
	return j.Covers, len(r.problems) == 0
}

// FormerGate returns the name of a gate that applied to one of the changed files according to an
// earlier text of config.yml, or "". A gate is assumed to look at every file if its own file
// changed as well, or a link on the way to it, or what such a link leads to. It returns [File] if
// the text cannot be parsed, because some gate may have applied.
func (c *Config) FormerGate(text []byte, changed []string, ci bool) string {
	r, m, ok := earlier(text)
	if !ok {
		return File
	}
	for _, e := range m.entryPoints() {
		for _, kind := range []Kind{KindCheck, KindReview} {
			for _, name := range e.gates(kind) {
				if c.applied(e, kind, name, changed, ci) {
					return name
				}
			}
		}
	}
	if len(r.problems) > 0 {
		return File
	}
	return ""
}

// applied reports whether a gate that an earlier entry point lists applied to one of the changed
// files.
func (c *Config) applied(e EntryPoint, kind Kind, name string, changed []string, ci bool) bool {
	job, known := c.gate(kind, name)
	known = known && !slices.ContainsFunc(changed, job.isDefinedIn) &&
		!slices.ContainsFunc(linkedTo(c.Root, job.GateFile()), func(file string) bool { return slices.Contains(changed, file) })
	return slices.ContainsFunc(changed, func(file string) bool {
		_, in := e.entryOf(file)
		return in && (!known || c.Applies(job, ci) && fits(job.Gate().Files, file))
	})
}

// isDefinedIn reports whether the file may define the job's gate.
func (j Job) isDefinedIn(file string) bool {
	usual := j.GateFile()
	return strings.TrimSuffix(file, path.Ext(file)) == strings.TrimSuffix(usual, path.Ext(usual))
}

// maxLinks is how many links are followed to a file at most.
const maxLinks = 40

// linkedTo returns the links among a file's folders and itself, and what they lead to, as long as
// that is inside the root. It returns nothing if there are no links.
func linkedTo(root, file string) (met []string) {
	for range maxLinks {
		link, target := firstLink(root, file)
		if link == "" {
			break
		}
		met = append(met, link)
		if file = path.Join(path.Dir(link), target, strings.TrimPrefix(file, link)); path.IsAbs(target) || !filepath.IsLocal(file) {
			break
		}
		met = append(met, file)
	}
	return met
}

// firstLink returns the first link on the way to a file, and what it leads to.
func firstLink(root, file string) (link, target string) {
	for end := range len(file) + 1 {
		if end < len(file) && file[end] != '/' {
			continue
		}
		if target, err := os.Readlink(filepath.Join(root, file[:end])); err == nil {
			return file[:end], filepath.ToSlash(target)
		}
	}
	return "", ""
}

// BaseBranchOf returns the base branch in the text of an earlier config.yml. ok is false if the
// text cannot be parsed.
func BaseBranchOf(text []byte) (branch string, ok bool) {
	r, m, ok := earlier(text)
	if !ok {
		return "", false
	}
	branch = m.word("base_branch", defaultBase).value
	return branch, len(r.problems) == 0
}

// BaseBranchIn returns the base branch that the configuration below root names, or "" if it cannot be
// read.
func BaseBranchIn(root string) string {
	folder, err := os.OpenRoot(root)
	if err != nil {
		return ""
	}
	defer folder.Close()
	data, err := readRegular(folder, File)
	branch, ok := BaseBranchOf([]byte(data))
	if err != nil || !ok {
		return ""
	}
	return branch
}

// earlier parses the text of an earlier config.yml.
func earlier(text []byte) (r *reader, m mapping, ok bool) {
	r = &reader{file: File}
	m, ok = r.top(bytes.TrimPrefix(text, []byte("\uFEFF")))
	return r, m, ok
}

// gates returns the names of the entry point's gates of a kind.
func (e EntryPoint) gates(kind Kind) []string {
	switch kind {
	case KindCheck:
		return e.Checks
	case KindReview:
		return e.Reviews
	}
	return nil
}

// Jobs returns the jobs of the entry points with changed files: entry points as configured, the
// folders that one pattern matches sorted, checks before reviews, gates as listed. Each job is
// listed once. Two jobs whose log files would have the same name are an error that names both.
func (c *Config) Jobs(files []string) ([]Job, error) {
	var jobs []Job
	seen := map[string]bool{}
	for _, e := range c.EntryPoints {
		jobs = c.add(jobs, seen, e, e.touched(files), func(j Job) bool {
			return len(j.Gate().Files) == 0 || slices.ContainsFunc(files, j.Covers)
		})
	}
	if problems := collisions(jobs); len(problems) > 0 {
		return nil, &Error{problems}
	}
	return jobs, nil
}

// touched returns the entries that the files belong to, sorted.
func (e EntryPoint) touched(files []string) []string {
	var entries []string
	found := map[string]bool{}
	for _, file := range files {
		if entry, ok := e.entryOf(file); ok && !found[entry] {
			found[entry] = true
			entries = append(entries, entry)
		}
	}
	slices.Sort(entries)
	return entries
}

// AllJobs returns every job, whatever has changed, for listings. An entry point with a pattern
// appears once, with the pattern as its entry.
func (c *Config) AllJobs() []Job {
	var jobs []Job
	seen := map[string]bool{}
	for _, e := range c.EntryPoints {
		jobs = c.add(jobs, seen, e, []string{e.Path}, func(Job) bool { return true })
	}
	return jobs
}

// JobByID returns the job with the id, if the configuration has one, whatever has changed.
func (c *Config) JobByID(id string) (Job, bool) {
	kind, rest, _ := strings.Cut(id, ":")
	for _, e := range c.EntryPoints {
		for _, name := range e.gates(Kind(kind)) {
			if entry, ok := strings.CutSuffix(rest, ":"+name); ok && e.produces(entry) {
				return c.job(Kind(kind), entry, name)
			}
		}
	}
	return Job{}, false
}

// Applies reports whether the job runs in the present environment: run_in_ci decides in continuous
// integration, run_locally elsewhere.
func (c *Config) Applies(job Job, ci bool) bool {
	if ci {
		return job.Gate().RunInCI
	}
	return job.Gate().RunLocally
}

// add appends the wanted jobs of an entry point on the given entries.
func (c *Config) add(jobs []Job, seen map[string]bool, e EntryPoint, entries []string, wanted func(Job) bool) []Job {
	add := func(kind Kind, entry, name string) {
		// Ids of different jobs may be equal, but not these keys, since names cannot contain NUL.
		key := string(kind) + "\x00" + entry + "\x00" + name
		if job, ok := c.job(kind, entry, name); ok && !seen[key] && wanted(job) {
			seen[key] = true
			jobs = append(jobs, job)
		}
	}
	for _, entry := range entries {
		for _, kind := range []Kind{KindCheck, KindReview} {
			for _, name := range e.gates(kind) {
				add(kind, entry, name)
			}
		}
	}
	return jobs
}

// gate returns the gate as a job without an entry.
func (c *Config) gate(kind Kind, name string) (j Job, ok bool) {
	j = Job{Kind: kind, Name: name}
	if check, ok := c.Checks[name]; ok && kind == KindCheck {
		j.Check = &check
	} else if review, ok := c.Reviews[name]; ok && kind == KindReview {
		j.Review = &review
	}
	return j, j.Check != nil || j.Review != nil
}

func (c *Config) job(kind Kind, entry, name string) (Job, bool) {
	j, ok := c.gate(kind, name)
	if !ok {
		return Job{}, false
	}
	j.Entry = entry
	for _, e := range c.EntryPoints {
		if slices.Contains(e.gates(kind), name) && e.produces(entry) {
			j.points = append(j.points, e)
		}
	}
	if len(j.points) == 0 {
		return Job{}, false
	}
	j.dir = c.folderOf(j.points[0], entry)
	if j.Check != nil && j.Check.WorkingDirectory != "" {
		j.dir = j.Check.WorkingDirectory
	}
	return j, true
}

// folderOf returns the folder of an entry: the entry itself, or the folder that contains it if it
// is a file. A symbolic link counts as a file, so that nothing runs where a link leads.
func (c *Config) folderOf(e EntryPoint, entry string) string {
	info, err := os.Lstat(filepath.Join(c.Root, filepath.FromSlash(entry)))
	switch {
	case err == nil && info.IsDir():
		return entry
	case entry == e.Path && hasGlob(entry):
		return e.fixedFolder()
	case err == nil:
		return path.Dir(entry)
	}
	return entry
}

// collisions returns a problem for each job whose log files would have the same name as those of an
// earlier one.
func collisions(jobs []Job) []Problem {
	var problems []Problem
	owners := map[string]Job{}
	for _, j := range jobs {
		owner, taken := owners[j.FileID()]
		if !taken {
			owners[j.FileID()] = j
			continue
		}
		problems = append(problems, Problem{File, j.points[0].Line, fmt.Sprintf(
			"the jobs %q and %q would both write logs called %q; rename the gate or the folder of one of them",
			owner.ID(), j.ID(), j.FileID())})
	}
	return problems
}

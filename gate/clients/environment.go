package clients

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// InsideVariable is set to 1 in the environment of every reviewer, so that a reviewledger that a
// reviewer starts can tell.
const InsideVariable = "REVIEWLEDGER_INSIDE"

// environment has the differences between a client's environment and its user's.
type environment struct {
	// set holds variables that override the user's own.
	set   map[string]string
	unset []string
}

// gitLocation returns the variables that make git work on another repository, tree or index than
// that of the current folder. A git hook sets them for its children.
func gitLocation() []string {
	return []string{
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
		"GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE",
		"GIT_SHALLOW_FILE", "GIT_WORK_TREE",
	}
}

// baseEnvironment returns the environment from which a child's is derived: the call's, else our
// own.
func baseEnvironment(env []string) []string {
	if env == nil {
		return os.Environ()
	}
	return env
}

// childEnvironment returns the environment of a reviewer in the folder dir: base with the client's
// differences.
func childEnvironment(base []string, dir string, e environment) []string {
	set := map[string]string{
		"GIT_OPTIONAL_LOCKS": "0", // reading must not change the index
		InsideVariable:       "1",
	}
	if dir != "" {
		set["PWD"] = dir
	}
	maps.Copy(set, e.set)
	unset := append(gitLocation(), "OLDPWD")
	unset = append(unset, e.unset...)

	env := slices.DeleteFunc(slices.Clone(base), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		_, replaced := set[name]
		return replaced || slices.Contains(unset, name)
	})
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	return env
}

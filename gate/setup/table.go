package setup

import "strings"

// ecosystem is a row of the table: what shows that a project is of it, and what then checks it.
type ecosystem struct {
	name string
	// files are the names of files that show it, as NAME or *.EXTENSION, separated by " | ".
	files string
	scope scope
	// scripts proposes what the project itself calls its checks. A check of the table whose program
	// one of them runs is not proposed.
	scripts func(f folder, have []Check) []Check
	checks  []candidate
	// evidence and command replace [folder.evidence] and [folder.command].
	evidence func(f folder, c candidate) string
	command  func(f folder, c candidate) string
	// more proposes what is not in the table.
	more func(f folder, have []Check) []Check
	// also describes scripts and more for docs/languages.md.
	also string
}

// scope is where the checks of an ecosystem run.
type scope int

const (
	// everyFolder means in each folder with one of the files.
	everyFolder scope = iota
	// topFolders is the same without folders in such folders: the checks cover them.
	topFolders
	// onlyRoot means in the root of the repository, if it has one of the files.
	onlyRoot
	// anywhere means in the root, wherever the files are.
	anywhere
)

// candidate is a check that is proposed where the project has what it is for.
type candidate struct {
	name string
	// command is its command as a check gate, and review its command as a reviewer that fills a slot;
	// one of them may be empty.
	command, review string
	// when and and must both be shown, and unless must not. Each is alternatives, separated by " | ":
	// FILE, which may be a pattern, or "FILE: EXPRESSION" for a file with such a text.
	when, and, unless string
	// purpose is a word in the names of scripts that do the same.
	purpose string
	// files restricts the check to changes of such files.
	files []string
	// writes is a folder that the command creates.
	writes string
}

// alternatives splits what the table separates by " | ".
func alternatives(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, " | ")
}

func ecosystemNamed(name string) ecosystem {
	for _, e := range ecosystems() {
		if e.name == name {
			return e
		}
	}
	return ecosystem{}
}

func candidateNamed(list []candidate, name string) candidate {
	for _, c := range list {
		if c.name == name {
			return c
		}
	}
	return candidate{}
}

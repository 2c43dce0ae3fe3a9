package slotfiles

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/reviewledger/reviewledger/ledger"
)

// Suffixes of the files in a log directory.
const (
	LogExt  = ".log"
	JSONExt = ".json"
)

// maxNumber bounds iterations and slot indexes in file names. This tool does not write
// names with larger ones.
const MaxNumber = 1_000_000_000

// SlotName is the name, without suffix, that the files of a slot share, for
// example "review_src_code-quality_claude@1.2". Slot and iteration count from 1.
func SlotName(job, adapter string, slot, iteration int) string {
	return ledger.Sanitize(job) + "_" + ledger.Sanitize(adapter) +
		"@" + strconv.Itoa(slot) + "." + strconv.Itoa(iteration)
}

// SlotLogName is the name of a slot's log.
func SlotLogName(job, adapter string, slot, iteration int) string {
	return SlotName(job, adapter, slot, iteration) + LogExt
}

// SlotJSONName is the name of a slot's JSON file: that of its log, but for the
// suffix.
func SlotJSONName(job, adapter string, slot, iteration int) string {
	return SlotName(job, adapter, slot, iteration) + JSONExt
}

// CheckLogName is the name of a check's log, for example "check_src_lint.1.log".
func CheckLogName(job string, iteration int) string {
	return ledger.Sanitize(job) + "." + strconv.Itoa(iteration) + LogExt
}

// ConsoleLogName is the name of the file that holds what an iteration printed.
func ConsoleLogName(iteration int) string {
	return consolePrefix + "." + strconv.Itoa(iteration) + LogExt
}

const (
	checkPrefix   = "check_"
	reviewPrefix  = "review_"
	consolePrefix = "console"
)

// NameKind says what a file in a log directory is, by its name.
type NameKind string

// The kinds of file names.
const (
	NameCheck   NameKind = "check"
	NameReview  NameKind = "review"
	NameConsole NameKind = "console"
	// NameUnknown ends like a log of an iteration, and is not one of the others.
	NameUnknown NameKind = "unknown"
)

// Name is the parsed name of a file in a log directory.
type Name struct {
	Kind NameKind
	// Prefix is the name up to the slot's index, or the iteration: of a check
	// the sanitised job id, of a review that and the adapter, which [Split]
	// tells apart.
	Prefix string
	// Slot is the review index of a review, 1 where the name has none; else 0.
	Slot      int
	Iteration int
	// Ext is LogExt or JSONExt.
	Ext string
}

// ParseName reads the base name of a file. It reports false for what does not
// end in an iteration from 1 to a thousand million and .log or .json, and for
// hidden files.
func ParseName(base string) (Name, bool) {
	ext := filepath.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	dot := strings.LastIndexByte(stem, '.')
	if ext != LogExt && ext != JSONExt || dot <= 0 || base[0] == '.' {
		return Name{}, false
	}
	iteration, ok := parseNumber(stem[dot+1:])
	if !ok {
		return Name{}, false
	}
	name := Name{Kind: NameUnknown, Prefix: stem[:dot], Iteration: iteration, Ext: ext}
	name.classify()
	return name, true
}

// classify finds out the kind, and takes the slot's index off a review's prefix.
func (n *Name) classify() {
	prefix, index, indexed := strings.Cut(n.Prefix, "@")
	if prefix != ledger.Sanitize(prefix) {
		return
	}
	switch {
	case n.Prefix == consolePrefix && n.Ext == LogExt:
		n.Kind = NameConsole
	case !indexed && longerThan(prefix, checkPrefix):
		n.Kind = NameCheck
	case !indexed && longerThan(prefix, reviewPrefix):
		n.Kind, n.Slot = NameReview, 1
	case longerThan(prefix, reviewPrefix):
		if slot, ok := parseNumber(index); ok {
			n.Kind, n.Prefix, n.Slot = NameReview, prefix, slot
		}
	}
}

func longerThan(s, prefix string) bool {
	return len(s) > len(prefix) && strings.HasPrefix(s, prefix)
}

// parseNumber reads a decimal number from 1 to maxNumber without sign and
// leading zeros, so that no two names stand for the same file.
func parseNumber(text string) (int, bool) {
	if len(text) == 0 || len(text) > 10 || text[0] < '1' || text[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > MaxNumber {
		return 0, false
	}
	return int(n), true
}

// Split tells the job from the adapter in a review's [Name.Prefix], both of
// which may contain underscores. The jobs are the sanitised ids of the jobs
// that are known, of old iterations too; known reports whether fileID is one of
// them.
//
//   - The longest known job that the prefix equals, or that it begins with
//     followed by an underscore, is the job.
//   - Older tools left the gate out: "review_src_claude". If no job fits and
//     exactly one known job begins with what stands before the last underscore
//     ("review_src_") that is the job.
//   - Else the last underscore divides the two, and the job is not known.
func Split(prefix string, jobs []string) (fileID, adapter string, known bool) {
	longest := ""
	for _, job := range jobs {
		fits := prefix == job || strings.HasPrefix(prefix, job+"_")
		if fits && len(job) > len(longest) {
			longest = job
		}
	}
	if longest != "" {
		return longest, strings.TrimPrefix(prefix[len(longest):], "_"), true
	}
	last := strings.LastIndexByte(prefix, '_')
	if last < len(reviewPrefix) {
		return prefix, "", false
	}
	entry, adapter := prefix[:last], prefix[last+1:]
	if job, ok := onlyJobOf(entry, jobs); ok {
		return job, adapter, true
	}
	return entry, adapter, false
}

// onlyJobOf returns the one job that begins with "<entry>_".
func onlyJobOf(entry string, jobs []string) (string, bool) {
	found := ""
	for _, job := range jobs {
		if !longerThan(job, entry+"_") || job == found {
			continue
		}
		if found != "" {
			return "", false
		}
		found = job
	}
	return found, found != ""
}

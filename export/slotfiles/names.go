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

// MaxNumber is the largest iteration or review index that is accepted in file names. reviewledger
// does not write larger ones.
const MaxNumber = 1_000_000_000

// SlotName returns the name, without suffix, that the files of a slot share, for example
// "review_src_code-quality_claude@1.2". Slot and iteration count from 1.
func SlotName(job, adapter string, slot, iteration int) string {
	return ledger.Sanitize(job) + "_" + ledger.Sanitize(adapter) +
		"@" + strconv.Itoa(slot) + "." + strconv.Itoa(iteration)
}

// SlotLogName returns the name of a slot's log.
func SlotLogName(job, adapter string, slot, iteration int) string {
	return SlotName(job, adapter, slot, iteration) + LogExt
}

// SlotJSONName returns the name of a slot's JSON file. Only the suffix differs from its log.
func SlotJSONName(job, adapter string, slot, iteration int) string {
	return SlotName(job, adapter, slot, iteration) + JSONExt
}

// CheckLogName returns the name of a check's log, for example "check_src_lint.1.log".
func CheckLogName(job string, iteration int) string {
	return ledger.Sanitize(job) + "." + strconv.Itoa(iteration) + LogExt
}

// ConsoleLogName returns the name of the log of what an iteration printed.
func ConsoleLogName(iteration int) string {
	return consolePrefix + "." + strconv.Itoa(iteration) + LogExt
}

const (
	checkPrefix   = "check_"
	reviewPrefix  = "review_"
	consolePrefix = "console"
)

// NameKind is the kind of a file in a log directory, as its name tells.
type NameKind string

// Kinds of file names.
const (
	NameCheck   NameKind = "check"
	NameReview  NameKind = "review"
	NameConsole NameKind = "console"
	// NameUnknown ends like the name of a log or JSON file of an iteration, but is none of the
	// other kinds.
	NameUnknown NameKind = "unknown"
)

// Name is the parsed name of a file in a log directory.
type Name struct {
	Kind NameKind
	// Prefix is the name up to the review index or the iteration. For a check it is the sanitised
	// job ID; for a review it is the job ID and the adapter, which [Split] separates.
	Prefix string
	// Slot is the review index of a review, 1 if the name does not have one. For other kinds it is
	// 0.
	Slot      int
	Iteration int
	// Ext is LogExt or JSONExt.
	Ext string
}

// ParseName parses the base name of a file. It reports false for hidden files, and for names that
// do not end in an iteration, from 1 to [MaxNumber], and .log or .json.
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

// classify sets the kind, and for a review moves the review index from the prefix to Slot.
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

// parseNumber parses a decimal number from 1 to [MaxNumber] without a sign or leading zeros, so
// that no two names mean the same file.
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

// Split separates the job and the adapter in a review's [Name.Prefix]. Both may contain
// underscores. The jobs are the sanitised IDs of all known jobs, including those of old iterations;
// known reports whether fileID is one of them.
//
//   - The job is the longest known job that the prefix equals, or that it begins with, followed by
//     an underscore.
//   - Older tools omitted the gate: "review_src_claude". If no job fits and exactly one known job
//     begins with the part up to the last underscore ("review_src_"), that is the job.
//   - Otherwise the last underscore separates the two, and the job is unknown.
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

// onlyJobOf returns the job that begins with "<entry>_", if there is exactly one.
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

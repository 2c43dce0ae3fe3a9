package statistics

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Measure is a kind of thing that is counted.
type Measure string

// The measures. Each comment says what is counted and when, and lists the labels in their order.
const (
	// Violations are counted when they were first reported, by priority, status as shown, reason,
	// and flags: "shared", "fix_lines", "recurring" and "taken_up", separated by commas.
	Violations Measure = "violations"
	// Slots are counted when they ended, by [ledger.SlotFigure].
	Slots Measure = "slots"
	// Costs are what slots cost, by figure: cost_nano, with_cost and calls. They are kept by day
	// and week, without the iteration.
	Costs Measure = "costs"
	// AnswerTimes are answers by duration in milliseconds.
	AnswerTimes Measure = "answer_times"
	// Checks are executions of checks, counted when their iteration began, by "passed" or "failed"
	// and by duration in milliseconds.
	Checks Measure = "checks"
	// Runs are runs of gates, counted when they began, by status, number of iterations, and part. A
	// run is counted in the part "" and in one part for each of its gates, entry points and
	// adapters.
	Runs Measure = "runs"
	// RunTimes are runs of gates that passed, by duration in milliseconds and by part.
	RunTimes Measure = "run_times"
	// DayEvents are violations that had an event on a day, by the event's status. A violation
	// counts once for each status, however many such events it had. WeekEvents are the same for a
	// week.
	DayEvents  Measure = "day_events"
	WeekEvents Measure = "week_events"
	// Folders are the same as [Violations], in the bucket of the first folder of their path: see
	// folderBucket.
	Folders Measure = "folders"
	// Reviewers are the slots and the violations of reviewers, by "slots" or "violations".
	Reviewers Measure = "reviewers"
	// Files are violations by file, without duplicates, in a bucket for each outcome: see the
	// constants that begin with File. They have no time: most files have so few violations in a
	// month that there would be as many sums as violations.
	Files Measure = "files"
	// Lines are violations by fingerprint. Sums keep only fingerprints that occur in several runs
	// of a repository, in the bucket LineRuns.
	Lines Measure = "lines"
	// Trees are executions of a check by tree, in the buckets CheckPassed and CheckFailed. A tree
	// in both buckets is counted once as Flaky.
	Trees Measure = "trees"
	Flaky Measure = "flaky"
)

// Measures lists all measures.
func Measures() []Measure {
	return []Measure{
		Violations, Slots, Costs, AnswerTimes, Checks, Runs, RunTimes, DayEvents, WeekEvents,
		Folders, Reviewers, Files, Lines, Trees, Flaky,
	}
}

// The buckets of [Files] and [Lines].
const (
	FileViolations = "violations"
	FileOpen       = "open"
	FileAbandoned  = "abandoned"
	FileClaimed    = "claimed"
	FileVerified   = "verified"
	FileSkipped    = "skipped"
	FileWithdrawn  = "withdrawn"
	FileInFixLines = "in_fix_lines"
	FileReopened   = "reopened" // a claim or a dispute was contradicted at some time
	FileRuns       = "runs"
	LineRuns       = "runs"
)

// Of is the subject of a count. Fields that a measure does not use are empty.
type Of struct {
	Repository string // its key, or the key of the unknown repository
	Job        Job
	Adapter    string
	Model      string
	Iteration  int
	Labels     []string // see the measures
}

// A Job is a gate on an entry point.
type Job struct{ Kind, EntryPoint, Gate string }

// ID returns the job's name in the ledger.
func (j Job) ID() string { return j.Kind + ":" + j.EntryPoint + ":" + j.Gate }

// Keys and counts are written as lines of fields. Separators in names are escaped.
const (
	fieldEnd = "\x1f"
	lineEnd  = "\n"
)

var (
	escape   = strings.NewReplacer("\\", "\\\\", fieldEnd, "\\u", lineEnd, "\\n")
	unescape = strings.NewReplacer("\\\\", "\\", "\\u", fieldEnd, "\\n", lineEnd)
)

// Key returns the text that identifies the subject in sums.
func (o Of) Key() string {
	iteration := ""
	if o.Iteration != 0 {
		iteration = strconv.Itoa(o.Iteration)
	}
	key := make([]byte, 0, 128)
	for _, field := range [ofFields]string{o.Repository, o.Job.Kind, o.Job.EntryPoint, o.Job.Gate, o.Adapter, o.Model, iteration} {
		key = appendField(key, field)
	}
	for _, label := range o.Labels {
		key = appendField(key, label)
	}
	return string(key[:len(key)-len(fieldEnd)])
}

func appendField(key []byte, field string) []byte {
	if strings.Contains(field, "\\") || strings.Contains(field, fieldEnd) || strings.Contains(field, lineEnd) {
		field = escape.Replace(field)
	}
	return append(append(key, field...), fieldEnd...)
}

// SplitKey splits a key into its repository and the rest, which does not depend on the repository.
func SplitKey(key string) (repository, rest string) {
	end := max(strings.Index(key, fieldEnd), 0)
	return key[:end], key[end:]
}

// ofFields is how many fields a key has before its labels.
const ofFields = 7

// ParseKey parses a key. The error says what is wrong with it.
func ParseKey(key string) (o Of, err error) {
	fields := strings.Split(key, fieldEnd)
	if len(fields) < ofFields {
		return o, fmt.Errorf("read sums: the key %q has %d fields, and needs at least %d", key, len(fields), ofFields)
	}
	if strings.Contains(key, "\\") {
		for i := range fields {
			fields[i] = unescape.Replace(fields[i])
		}
	}
	o = Of{
		Repository: fields[0], Job: Job{Kind: fields[1], EntryPoint: fields[2], Gate: fields[3]},
		Adapter: fields[4], Model: fields[5], Labels: fields[ofFields:],
	}
	if fields[6] != "" {
		if o.Iteration, err = strconv.Atoi(fields[6]); err != nil {
			return o, fmt.Errorf("read sums: the key %q has the iteration %q, which is not a number", key, fields[6])
		}
	}
	return o, nil
}

// A Count is a number that a run adds to one measure at one time.
type Count struct {
	Measure Measure
	// At is the time, in milliseconds since 1970, or 0 if the measure has no time.
	At int64
	// Bucket is the only bucket that has the count. If it is empty, the buckets of its time have
	// it.
	Bucket string
	Key    string
	N      int64
}

// At converts a time to the field At of a [Count].
func At(t time.Time) int64 { return t.UnixMilli() }

// Counts are the contribution of one run.
type Counts []Count

// A Text is the encoded counts of a run. They are parsed when they are needed, because most queries
// need a few measures of many runs.
type Text string

// Text encodes the counts of a run, so that they can be subtracted again.
func (c Counts) Text() Text {
	var text strings.Builder
	for _, count := range c {
		for _, field := range []string{string(count.Measure), strconv.FormatInt(count.At, 10), strconv.FormatInt(count.N, 10), escape.Replace(count.Bucket)} {
			text.WriteString(field)
			text.WriteString(fieldEnd)
		}
		text.WriteString(count.Key)
		text.WriteString(lineEnd)
	}
	return Text(text.String())
}

// Counts parses the counts of all measures.
func (t Text) Counts() (Counts, error) { return t.parse(strings.Count(string(t), lineEnd), "") }

// Of parses the counts of one measure. The error is [ErrDamaged].
func (t Text) Of(m Measure) (Counts, error) {
	c, err := t.parse(0, string(m)+fieldEnd)
	if err != nil {
		return nil, damaged(err)
	}
	return c, nil
}

// parse parses the lines that begin with the prefix, about as many as expected.
func (t Text) parse(expected int, prefix string) (Counts, error) {
	c := make(Counts, 0, expected)
	for rest := string(t); rest != ""; {
		if !strings.HasPrefix(rest, prefix) {
			next := strings.Index(rest, lineEnd+prefix)
			if next < 0 {
				break
			}
			rest = rest[next+len(lineEnd):]
		}
		var line string
		line, rest, _ = strings.Cut(rest, lineEnd)
		count, err := parseCount(line)
		if err != nil {
			return nil, err
		}
		c = append(c, count)
	}
	return c, nil
}

func parseCount(line string) (c Count, err error) {
	measure, rest, _ := strings.Cut(line, fieldEnd)
	at, rest, _ := strings.Cut(rest, fieldEnd)
	n, rest, _ := strings.Cut(rest, fieldEnd)
	bucket, key, whole := strings.Cut(rest, fieldEnd)
	c = Count{Measure: Measure(measure), Bucket: unescape.Replace(bucket), Key: key}
	if c.At, err = strconv.ParseInt(at, 10, 64); err == nil {
		c.N, err = strconv.ParseInt(n, 10, 64)
	}
	if err != nil || !whole {
		return c, fmt.Errorf("read sums: the line %q is not a count", line)
	}
	return c, nil
}

// dayMillis is a day in milliseconds.
const dayMillis = 24 * 60 * 60 * 1000

// buckets returns the buckets that a count is added to. days caches the names of days.
func (c Count) buckets(branch string, days map[int64]string) []string {
	number := c.At / dayMillis
	day := days[number]
	if day == "" {
		day = time.UnixMilli(c.At).UTC().Format(time.DateOnly)
		days[number] = day
	}
	var buckets []string
	switch c.Measure {
	case Lines, Flaky:
		return nil
	case Files, Folders, Reviewers, Trees:
		return []string{c.Bucket}
	case DayEvents:
		buckets = []string{day}
	case WeekEvents:
		buckets = []string{weekBucket(time.UnixMilli(c.At))}
	case Costs:
		buckets = []string{day, weekBucket(time.UnixMilli(c.At))}
	case Checks, Runs:
		buckets = []string{"", day[:7], day, weekBucket(time.UnixMilli(c.At))}
	default:
		buckets = []string{"", day[:7], day}
	}
	if trunk(branch) {
		for _, bucket := range buckets {
			buckets = append(buckets, branchBucket(branch, bucket))
		}
	}
	return buckets
}

// trunk reports whether sums have separate buckets for the branch: a branch that others start from
// has too many runs to read one by one.
func trunk(branch string) bool {
	switch branch {
	case "main", "master", "trunk", "develop":
		return true
	}
	return false
}

// folderBucket returns the name of the bucket of the first folder of a path; "" is the root.
func folderBucket(folder string) string { return "/" + folder }

// branchBucket returns the name of a bucket for the runs of one branch.
func branchBucket(branch, bucket string) string { return "@" + branch + "@" + bucket }

// DayBucket returns the name of the bucket of the day, in UTC, that contains the time.
func DayBucket(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// weekBucket returns the name of the bucket of the week, from Monday 00:00 UTC, that contains the
// time.
func weekBucket(t time.Time) string {
	t = t.UTC()
	return "W" + t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
}

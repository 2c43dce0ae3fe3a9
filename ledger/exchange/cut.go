package exchange

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// Content is how much of a record may leave the machine.
type Content string

// Full includes words. Neither includes a command, a log directory or the path of a worktree.
const (
	// ContentWords has what reviewers and agents wrote, and the names of files and branches.
	ContentWords Content = "words"
	// ContentFull also has the prompts, answers, logs and excerpts.
	ContentFull Content = "full"
)

// Contents lists the levels, from the least content to the most.
func Contents() []Content { return []Content{ContentWords, ContentFull} }

// Less reports whether level c has less content than other.
func (c Content) Less(other Content) bool {
	return slices.Index(Contents(), c) < slices.Index(Contents(), other)
}

// contentKey is the key of the [Meta] that has the level of a dump that was cut.
const contentKey = "content"

// ContentOf returns the level of a ledger or a dump from its [Meta].
func ContentOf(meta []Meta) Content {
	for _, m := range meta {
		if m.Key == contentKey && slices.Contains(Contents(), Content(m.Value)) {
			return Content(m.Value)
		}
	}
	return ContentFull
}

// A Cutter cuts the records of one ledger down to what may leave the machine. Records that were
// already cut stay as they are.
type Cutter struct {
	content  Content
	database string
	homes    []string
}

// NewCutter returns a Cutter for the ledger with the id database. It shortens paths in the home
// folders, and in the home folder of the owner of a run's worktree, which it recognizes by the
// worktree's path.
func NewCutter(content Content, database string, homes ...string) *Cutter {
	return &Cutter{content, database, slices.DeleteFunc(homes, func(home string) bool { return len(home) < 2 })}
}

// hashMark is the prefix of hashes.
const hashMark = "hash:"

// hashed reports whether a text is already a hash.
func hashed(s string) bool {
	digits, is := strings.CutPrefix(s, hashMark)
	return is && len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == ""
}

// Known returns the path or name, or "" if only a hash of it was sent.
func Known(s string) string {
	if hashed(s) {
		return ""
	}
	return s
}

// hash returns the hash that replaces a text of this kind. Its key is the id of the ledger, which
// does not leave the machine, so that nobody else can find out names by trial.
func (c *Cutter) hash(kind, s string) string {
	if s == "" || hashed(s) {
		return s
	}
	mac := hmac.New(sha256.New, []byte(c.database))
	mac.Write([]byte(kind + "\x00" + s))
	return hashMark + hex.EncodeToString(mac.Sum(nil)[:16])
}

// Database returns the id of the ledger outside the machine. It never changes, and does not reveal
// the key of the hashes.
func (c *Cutter) Database() string { return c.hash("database", c.database) }

// A rule is what happens to a column.
type rule int

const (
	// kept is sent as it is: numbers, times, words of a fixed set, hashes of code and commits, and
	// the names of gates, adapters and models.
	kept rule = iota
	// late is sent like kept. The value may become known later, without a new revision.
	late
	// word is a text that somebody wrote, or a name. It is sent without the paths of the machine.
	word
	// machine is never sent. If it distinguishes rows, a hash replaces it.
	machine
	// gone is never sent and not replaced.
	gone
	// repository is hashed if it is a path.
	repository
	// long refers to a long text, which is sent only at [ContentFull].
	long
)

// keeps reports whether the column is sent unchanged if its row is sent.
func (r rule) keeps() bool { return r == kept || r == late || r == long }

// rules has the rule of every column, by kind of record and key. A column without a rule cannot be
// sent; a test makes sure that there is none.
var rules = map[string]map[rule]string{
	"run": {
		kept:       "run kind base head session_ref status started_at finished_at iterations verified skipped open claimed withdrawn config_hash content_removed_at revision",
		word:       "branch base_ref subject",
		late:       "repository_kind",
		machine:    "worktree log_dir",
		repository: "repository",
		gone:       "worktree_name",
	},
	"iteration": {
		kept: "run number mode source from_tree to_tree snapshot tree head base anew config_hash status started_at finished_at new reopened verified claimed skipped carried in_fix_lines noticed_at",
		word: "branch",
	},
	"gate": {
		kept: "run iteration job status exit_code problems num_reviews duration_ms not_run_reason started_at finished_at noticed_at rests_on",
		word: "reason",
		gone: "command excerpt config_hash",
	},
	"slot": {
		kept: "run iteration job slot adapter status pass_iteration reviewed model input_tokens cached_tokens output_tokens cost_usd calls duration_ms finished_at accepted out_of_diff below_threshold previously_skipped malformed merged outside_verify new reopened verified carried remembered_skip latch error_kind started_at noticed_at elsewhere repairs without_word",
		word: "reason unseen denied",
	},
	"violation": {
		kept: "violation run job short_id slot adapter priority first_iteration last_iteration fingerprint first_seen last_seen status answered_iteration status_at shared in_fix_lines report_iteration report_slot report_position seen_before handed_to block moved_in",
		word: "result reason file",
	},
	"report": {
		kept: "run iteration job slot violation position line_start line_end confidence system_breaking priority disposition in_fix_lines line_hash fingerprint line_repeated short_id",
		word: "issue fix title reason same_as file",
	},
	"event": {
		kept: "violation run iteration status actor confirmed at number",
		word: "result reason",
	},
	"slot_entry": {
		kept: "run iteration job slot violation report_iteration report_job report_slot report_position position",
		word: "status result",
	},
	"slot_blob":          {kept: "run iteration job slot kind call", long: "sha256"},
	"gate_blob":          {kept: "run iteration job", long: "sha256"},
	"code_review":        {kept: "run review_id scope", word: "target", gone: "report_path"},
	"verdict":            {kept: "run iteration mode verdict at blocker high medium low info"},
	"finding":            {kept: "violation run position exported", word: "finding_id"},
	"transition":         {kept: "run subject iteration job slot status at actor cause iterations"},
	"report_excerpt":     {kept: "run iteration job slot position first_line skip lines", long: "sha256"},
	"event_hunk":         {kept: "run violation event", long: "sha256"},
	"remembered_skip":    {kept: "run violation event fingerprint"},
	"met_skip":           {kept: "run iteration job slot position skipped event"},
	"slot_call":          {kept: "run iteration job slot call part repair input_tokens cached_tokens output_tokens cost_usd duration_ms", word: "misfit"},
	"slot_note":          {kept: "run iteration job slot", word: "notes"},
	"claim_word":         {kept: "run iteration job slot violation verdict confirmed", word: "evidence"},
	"gone_word":          {kept: "run iteration job slot violation", word: "evidence"},
	"violation_reporter": {kept: "run violation slot"},
	"violation_pair":     {kept: "run violation other"},
	"violation_place":    {kept: "run violation iteration position line_start line_end", word: "file"},
	"report_place":       {kept: "run iteration job slot report position line_start line_end", word: "file"},
	"file":               {kept: "repository_kind", repository: "repository", word: "file"},
}

// columnRules returns the rules of a kind of record in the order of its fields.
func columnRules(kind string, row reflect.Type) []rule {
	if known, ok := rulesByType.Load(row); ok {
		return known.([]rule)
	}
	byKey := map[string]rule{}
	for rule, keys := range rules[kind] {
		for key := range strings.FieldsSeq(keys) {
			byKey[key] = rule
		}
	}
	var list []rule
	for _, field := range fieldsOf(row) {
		rule, known := byKey[field.key]
		if !known {
			rule = gone
		}
		list = append(list, rule)
	}
	rulesByType.Store(row, list)
	return list
}

var rulesByType sync.Map

// Run returns a copy of the record without what must not leave the machine. An empty ledger can
// load the copy.
func (c *Cutter) Run(r *Run) *Run {
	w := &wording{Cutter: c, repositoryKind: ledger.RepositoryKind(r.Head.RepositoryKind)}
	w.paths = c.pathsOf(r.Head.Worktree)
	cut := *r
	w.row("run", reflect.ValueOf(&cut.Head).Elem())
	for kind, list := range cut.Lists() {
		rows := reflect.ValueOf(list).Elem()
		rowRules := columnRules(kind, rows.Type().Elem())
		switch {
		case slices.Contains(rowRules, long) && c.content != ContentFull:
			rows.SetZero()
		case slices.ContainsFunc(rowRules, func(r rule) bool { return !r.keeps() }):
			copied := reflect.MakeSlice(rows.Type(), rows.Len(), rows.Len())
			reflect.Copy(copied, rows)
			for i := range rows.Len() {
				w.row(kind, copied.Index(i))
			}
			rows.Set(copied)
		}
	}
	return &cut
}

// Put returns what remains of a record that does not belong to a run, or nil if nothing remains.
func (c *Cutter) Put(record any) any {
	switch r := record.(type) {
	case *Run:
		return c.Run(r)
	case Header:
		r.Database = c.Database()
		return r
	case Meta:
		if r.Value == c.database {
			r.Value = c.Database()
		}
		return r
	case File:
		w := &wording{Cutter: c, repositoryKind: ledger.RepositoryKind(r.RepositoryKind)}
		w.row("file", reflect.ValueOf(&r).Elem())
		return r
	case Blob:
		if c.content != ContentFull {
			return nil
		}
	case Cooldown: // it concerns only this machine
		return nil
	}
	return record
}

// Writer returns a function that puts what may be sent of the records into a dump. Different files
// may have become equal; each is put only once.
func (c *Cutter) Writer(put func(record any) error) func(record any) error {
	files, told := map[File]bool{}, false
	return func(record any) error {
		cut := c.Put(record)
		if cut == nil {
			return nil
		}
		if f, is := cut.(File); is {
			if files[f] {
				return nil
			}
			files[f] = true
		}
		if m, is := cut.(Meta); is && m.Key == contentKey { // the level may be lower now
			return nil
		}
		if err := put(cut); err != nil || told {
			return err
		}
		told = true // after the header, which comes first
		return put(Meta{Key: contentKey, Value: string(c.content)})
	}
}

// wording cuts the texts of one run.
type wording struct {
	*Cutter
	repositoryKind ledger.RepositoryKind
	paths          []shortened
}

func (w *wording) row(kind string, row reflect.Value) {
	fields := fieldsOf(row.Type())
	for i, rule := range columnRules(kind, row.Type()) {
		if rule.keeps() {
			continue
		}
		field := row.FieldByIndex(fields[i].index)
		if field.Kind() != reflect.Pointer {
			field.SetString(w.text(rule, field.String()))
			continue
		}
		if field.IsNil() {
			continue
		}
		cut := w.text(rule, field.Elem().String())
		if cut == "" && field.Elem().String() != "" {
			field.SetZero()
			continue
		}
		to := reflect.New(field.Type().Elem())
		to.Elem().SetString(cut)
		field.Set(to)
	}
}

func (w *wording) text(rule rule, s string) string {
	switch rule {
	case gone:
		return ""
	case machine:
		return w.hash("machine", s)
	case repository:
		return w.Repository(string(w.repositoryKind), s)
	}
	return w.shorten(s)
}

// Repository returns the key of a repository outside the machine: a hash if it is a path.
func (c *Cutter) Repository(kind, key string) string {
	if isPath(ledger.RepositoryKind(kind), key) {
		return c.hash("repository", key)
	}
	return key
}

// isPath reports whether a repository is identified by a path on a machine. The origin of a clone
// may be a path too.
func isPath(kind ledger.RepositoryKind, key string) bool {
	if kind == ledger.RepositoryPath {
		return true
	}
	windows := len(key) > 2 && key[1] == ':' && (key[2] == '/' || key[2] == '\\')
	return kind == ledger.RepositoryOrigin && (strings.HasPrefix(key, "/") || strings.HasPrefix(key, `\`) || windows)
}

// shortened is a folder of the machine, with the text that replaces it.
type shortened struct{ folder, short string }

// pathsOf returns the folders that no text may name, the longest first.
func (c *Cutter) pathsOf(worktree string) (all []shortened) {
	add := func(folder, short string) {
		folder = strings.TrimRight(folder, `/\`)
		if len(folder) < 2 || hashed(folder) {
			return
		}
		for _, form := range []string{folder, strings.ReplaceAll(folder, `\`, "/"), strings.ReplaceAll(folder, `\`, `\\`)} {
			if !slices.Contains(all, shortened{form, short}) {
				all = append(all, shortened{form, short})
			}
		}
	}
	add(worktree, "<worktree>")
	for _, home := range append(homesOf(worktree), c.homes...) {
		add(home, "~")
	}
	slices.SortStableFunc(all, func(a, b shortened) int { return len(b.folder) - len(a.folder) })
	return all
}

// homesOf returns the home folder that contains a path, if it is in one of the usual places.
func homesOf(path string) []string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if slashed == "/root" || strings.HasPrefix(slashed, "/root/") {
		return []string{"/root"}
	}
	root := slices.IndexFunc([]string{"/home/", "/Users/"}, func(root string) bool {
		before, _, found := strings.Cut(slashed, root)
		return found && (before == "" || len(before) == 2 && before[1] == ':')
	})
	if root < 0 {
		return nil
	}
	begin := strings.Index(slashed, []string{"/home/", "/Users/"}[root]) + len([]string{"/home/", "/Users/"}[root])
	end := strings.IndexByte(slashed[begin:], '/')
	if end <= 0 {
		return nil
	}
	return []string{path[:begin+end]}
}

// shorten removes the folders of the machine from a text.
func (w *wording) shorten(s string) string {
	for _, p := range w.paths {
		if strings.Contains(s, p.folder) {
			s = replacePath(s, p)
		}
	}
	return s
}

// replacePath replaces the folder wherever it occurs as a whole: "/src/ab" and "/my/src/a" do not
// contain "/src/a".
func replacePath(s string, p shortened) string {
	var out strings.Builder
	for from := 0; ; {
		i := strings.Index(s[from:], p.folder)
		if i < 0 {
			out.WriteString(s[from:])
			return out.String()
		}
		i += from
		end := i + len(p.folder)
		out.WriteString(s[from:i])
		if i > 0 && inName(s[i-1]) || end < len(s) && inName(s[end]) {
			out.WriteString(p.folder)
		} else {
			out.WriteString(p.short)
		}
		from = end
	}
}

// inName reports whether a byte next to a path makes the path part of a longer name. A dot does
// not, because it may end a sentence.
func inName(b byte) bool {
	return b == '_' || b == '-' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

package exchange

import (
	"slices"
	"strings"
	"sync"
)

// A Table describes the rows of one kind. What it does not list is not in a record, and so it is
// neither dumped nor sent.
type Table struct {
	// Kind is the name of the record in a dump. Its plural is the name of the table in a ledger.
	Kind string
	// Of is the kind of row that each row belongs to: another row of the run, or the run itself. It
	// is empty for the run and for what does not belong to a run.
	Of string
	// to lists further kinds of rows that each row refers to. later is one that comes after it, and
	// follows from other rows. needs is one that must be there although no column refers to it.
	to, later, needs string
	// key lists the columns that identify a row in its run.
	key string

	// The rows' own columns by what is sent of them. A name after "=" is that of the column in the
	// ledger.

	// kept is sent as it is: numbers, times, words of a fixed set, hashes of code and commits, and
	// the names of gates, adapters and models.
	kept string
	// word is a text that somebody wrote, or a name. It is sent without the paths of the machine.
	word string
	// machine is never sent. A hash replaces it, because it distinguishes rows.
	machine string
	// gone is never sent: it becomes null, and blank becomes "".
	gone, blank string

	// changes lists what may change in a run that continues: "*" stands for all but the key.
	changes string

	// Columns are the columns of a row in order: its key, the keys of the rows that it refers to, and
	// its own.
	Columns []Column
	// Refs are the references in order: what it belongs to first.
	Refs []Ref
	// ID is set if the rows have an ID in a ledger, which is also their order.
	ID bool
	// names are the columns of key, and keys their indexes.
	names []string
	keys  []int
	// named is set if other rows refer to rows of this kind.
	named bool
}

// Column is a column of a [Table].
type Column struct {
	// Key is its key in a dump. Name is the column in the ledger, which is empty if the value
	// follows from a reference.
	Key, Name string
	// Changes is set if it may change in a run that continues.
	Changes bool
	rule    rule
}

// Ref is a reference to rows of a kind. In a ledger it is the column Name, or not a column if Name is
// empty.
type Ref struct {
	Kind, Name string
	// Keys are the indexes of the columns that have the key of the other row.
	Keys []int
	// Later is set if that row comes later in a record.
	Later bool
}

// A rule says what is sent of a column, see [Table].
type rule int

const (
	kept rule = iota
	// late is sent like kept. The value may become known later, without a new revision.
	late
	word
	machine
	// repository is hashed if it is a path.
	repository
	gone
	blank
)

// inSlot is the key of a slot, and inAnswer that of a report.
const (
	inSlot   = "iteration job slot"
	inAnswer = inSlot + " position"
)

// described lists the tables in the order of a dump, in which no row refers to a later one.
var described = []Table{
	{Kind: "header", kept: "format database schema"},
	{Kind: "meta", key: "key", kept: "key value"},
	{Kind: "job", key: "job", kept: "job kind entry_point name"},
	{Kind: "cooldown", key: "adapter", kept: "adapter until reason set_at"},
	{Kind: "forgotten_skip", key: "violation event", kept: "violation event actor at"},
	{Kind: "blob", key: "sha256", kept: "sha256 data"},

	{
		Kind: "run", ID: true, to: "repository",
		kept: "run=ulid kind base head session_ref status started_at finished_at iterations verified skipped open claimed withdrawn config_hash content_removed_at revision",
		word: "branch base_ref subject", machine: "worktree log_dir", gone: "worktree_name",
		changes: "base base_ref session_ref status finished_at iterations verified skipped open claimed withdrawn revision",
	},
	{
		Kind: "iteration", ID: true, Of: "run", key: "iteration",
		kept: "iteration=number mode source from_tree to_tree snapshot tree head base anew config_hash status started_at finished_at new reopened verified claimed skipped carried in_fix_lines noticed_at",
		word: "branch", changes: "*",
	},
	{
		Kind: "gate", ID: true, Of: "iteration", to: "job", key: "iteration job",
		kept: "status exit_code problems num_reviews duration_ms not_run_reason started_at finished_at noticed_at rests_on",
		word: "reason", gone: "command excerpt config_hash", changes: "*",
	},
	{
		Kind: "slot", ID: true, Of: "iteration", to: "job", needs: "gate", key: inSlot,
		kept: "slot=review_index adapter status pass_iteration reviewed model input_tokens cached_tokens output_tokens cost_usd calls duration_ms finished_at accepted out_of_diff below_threshold previously_skipped malformed merged outside_verify new reopened verified carried remembered_skip latch error_kind started_at noticed_at elsewhere repairs without_word",
		word: "reason unseen denied notes", changes: "*",
	},
	{
		Kind: "violation", ID: true, Of: "run", to: "job", later: "report", key: "violation",
		kept: "violation=ulid short_id slot adapter priority first_iteration last_iteration fingerprint first_seen last_seen status answered_iteration status_at shared in_fix_lines seen_before handed_to block moved_in",
		word: "result reason file", changes: "last_iteration last_seen priority block handed_to file moved_in",
	},
	{
		Kind: "report", ID: true, Of: "slot", to: "violation", key: inAnswer,
		kept: "position line_start line_end confidence system_breaking priority disposition in_fix_lines line_hash fingerprint line_repeated short_id",
		word: "issue fix title reason same_as file", changes: "violation",
	},
	{
		Kind: "event", ID: true, Of: "violation", to: "iteration", key: "violation event",
		kept: "event=number status actor confirmed at fingerprint", word: "result reason",
	},
	{Kind: "slot_entry", Of: "slot", to: "violation report", key: inAnswer, kept: "position", word: "status result", changes: "status result"},
	{Kind: "slot_blob", Of: "slot", to: "blob", key: inSlot + " kind call", kept: "kind call"},
	{Kind: "gate_blob", Of: "gate", to: "blob", key: "iteration job"},
	{Kind: "code_review", Of: "run", kept: "review_id scope", word: "target", blank: "report_path"}, // at most one
	{Kind: "verdict", Of: "run", to: "iteration", needs: "code_review", key: "iteration", kept: "mode verdict at blocker high medium low info"},
	{Kind: "finding", Of: "run", to: "violation", needs: "code_review", key: "violation", kept: "position exported", word: "finding_id", changes: "exported"},
	{Kind: "transition", ID: true, Of: "run", to: "iteration gate slot", kept: "subject status at actor cause iterations"}, // of its subject only
	{Kind: "report_excerpt", Of: "report", to: "blob", key: inAnswer, kept: "first_line skip lines"},
	{Kind: "event_hunk", Of: "event", to: "blob", key: "violation event"},
	{Kind: "met_skip", Of: "report", key: inAnswer, kept: "skipped event"}, // of another run, which the ledger may not have
	{
		Kind: "slot_call", Of: "slot", key: inSlot + " call",
		kept: "call part repair input_tokens cached_tokens output_tokens cost_usd duration_ms", word: "misfit",
	},
	{Kind: "slot_word", Of: "violation", to: "slot", key: inSlot + " violation verdict", kept: "verdict confirmed", word: "evidence"},
	{Kind: "violation_pair", Of: "violation", key: "violation other", kept: "other"},
	{Kind: "violation_place", Of: "violation", key: "violation iteration position", kept: "iteration position line_start line_end", word: "file"},
	{Kind: "report_place", Of: "report", key: inAnswer + " number", kept: "number=position line_start line_end", word: "file"},

	{Kind: "end", kept: "rows"},
}

// Tables lists all tables in the order of a dump.
var Tables = sync.OnceValue(func() []*Table {
	tables := make([]*Table, len(described))
	for i := range described {
		tables[i] = &described[i]
		tables[i].complete()
	}
	for _, t := range tables {
		t.named = slices.ContainsFunc(tables, func(other *Table) bool {
			return slices.ContainsFunc(other.Refs, func(ref Ref) bool { return ref.Kind == t.Kind })
		})
	}
	return tables
})

// OfRun lists the tables with rows of a run, except for the run itself.
var OfRun = sync.OnceValue(func() (tables []*Table) {
	for _, t := range Tables() {
		if t.Of != "" {
			tables = append(tables, t)
		}
	}
	return tables
})

var byKind = sync.OnceValue(func() map[string]*Table {
	tables := map[string]*Table{}
	for _, t := range Tables() {
		tables[t.Kind] = t
	}
	return tables
})

// TableOf returns the table of a kind of row, or nil.
func TableOf(kind string) *Table { return byKind()[kind] }

// SQL returns the name of the table in a ledger.
func (t *Table) SQL() string {
	if t.Kind == "meta" {
		return t.Kind
	}
	return strings.Replace(t.Kind+"s", "ys", "ies", 1) // slot_entries
}

// KeyColumns returns the references, and the columns of its own, that identify a row in a ledger if it
// does not have an ID.
func (t *Table) KeyColumns() (refs, own []int) {
	for i, ref := range t.Refs {
		if ref.Name != "" && !slices.ContainsFunc(ref.Keys, func(key int) bool { return !slices.Contains(t.keys, key) }) {
			refs = append(refs, i)
		}
	}
	for _, key := range t.keys {
		if t.Columns[key].Name != "" {
			own = append(own, key)
		}
	}
	return refs, own
}

// Grows reports whether rows may change in a run that continues. All others are only added.
func (t *Table) Grows() bool { return t.changes != "" }

// Texts reports whether the rows are long texts, or say which ones belong to a run.
func (t *Table) Texts() bool { return t.Kind == "blob" || strings.Contains(t.to, "blob") }

// complete finds the columns and references of a table.
func (t *Table) complete() {
	if t.Of != "" {
		t.Columns = append(t.Columns, Column{Key: "run"})
	}
	t.names = strings.Fields(t.key)
	for _, key := range t.names {
		t.keys = append(t.keys, t.column(key))
	}
	t.refer(t.Of, "", "_id")
	for kind := range strings.FieldsSeq(t.to) {
		prefix := ""
		if kind == "report" { // the row belongs to another slot, or to none
			prefix = "report_"
		}
		t.refer(kind, prefix, "_id")
	}
	t.refer(t.needs, "", "")
	if t.later != "" {
		t.refer(t.later, t.later+"_", "_id")
		t.Refs[len(t.Refs)-1].Later = true
	}
	for _, own := range []struct {
		keys string
		rule rule
	}{{t.kept, kept}, {t.word, word}, {t.machine, machine}, {t.gone, gone}, {t.blank, blank}} {
		for key := range strings.FieldsSeq(own.keys) {
			key, name, another := strings.Cut(key, "=")
			if !another {
				name = key
			}
			i := t.column(key)
			t.Columns[i].Name, t.Columns[i].rule = name, own.rule
		}
	}
	for key, of := range map[string]rule{"repository_kind": late, "repository": repository} {
		if i := t.index(key); i >= 0 {
			t.Columns[i].rule = of
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Changes = slices.Contains(strings.Fields(t.changes), c.Key) || t.changes == "*" && c.Name != "" && !slices.Contains(t.keys, i)
	}
}

// refer adds the reference to a kind of row, and columns with the key of that row. suffix ends the
// name of the column in a ledger; if it is empty, there is not one.
func (t *Table) refer(kind, prefix, suffix string) {
	if kind == "" {
		return
	}
	ref := Ref{Kind: kind}
	if suffix != "" {
		ref.Name = kind + suffix
	}
	for key := range strings.FieldsSeq(keyOf(kind)) {
		ref.Keys = append(ref.Keys, t.column(prefix+key))
	}
	t.Refs = append(t.Refs, ref)
}

// keyOf returns the key of a kind of row.
func keyOf(kind string) string {
	if kind == "repository" { // its rows are only in the ledger
		return "repository_kind repository"
	}
	return described[slices.IndexFunc(described, func(t Table) bool { return t.Kind == kind })].key
}

// column returns the index of the column with this key, which is added if there is none.
func (t *Table) column(key string) int {
	if i := t.index(key); i >= 0 {
		return i
	}
	t.Columns = append(t.Columns, Column{Key: key})
	return len(t.Columns) - 1
}

// index returns the index of the column with this key, or -1.
func (t *Table) index(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

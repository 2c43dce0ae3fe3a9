package exchange

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

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

// contentKey is the key of the row "meta" that has the level of a dump that was cut.
const contentKey = "content"

// ContentOf returns the level of a ledger or a dump from its rows "meta".
func ContentOf(meta []Row) Content {
	for _, m := range meta {
		if level := Content(m.Text("value")); m.Text("key") == contentKey && slices.Contains(Contents(), level) {
			return level
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

// Run returns a copy of the record without what must not leave the machine. An empty ledger can
// load the copy.
func (c *Cutter) Run(r *Run) *Run {
	w := &wording{Cutter: c, repositoryKind: r.Head.Text("repository_kind")}
	w.paths = c.pathsOf(r.Head.Text("worktree"))
	cut := &Run{Head: w.row(r.Head), Rows: map[string][]Row{}, dangling: r.dangling}
	for _, t := range OfRun() {
		if t.Texts() && c.content != ContentFull {
			continue
		}
		for _, row := range r.Rows[t.Kind] {
			cut.Rows[t.Kind] = append(cut.Rows[t.Kind], w.row(row))
		}
	}
	return cut
}

// Row returns what remains of a row that does not belong to a run, if something remains.
func (c *Cutter) Row(r Row) (cut Row, remains bool) {
	switch r.Kind {
	case "header", "meta":
		r.Values = slices.Clone(r.Values)
		for i, value := range r.Values {
			if value == c.database {
				r.Values[i] = c.Database()
			}
		}
	case "blob":
		return r, c.content == ContentFull
	case "cooldown": // it concerns only this machine
		return r, false
	}
	return r, true
}

// Writer returns a function that puts what may be sent of the records into a dump.
func (c *Cutter) Writer(put func(Record) error) func(Record) error {
	told := false
	return func(record Record) error {
		if record.Run != nil {
			return put(Record{Run: c.Run(record.Run)})
		}
		cut, remains := c.Row(record.Row)
		switch {
		case !remains:
			return nil
		case cut.Kind == "meta" && cut.Text("key") == contentKey: // the level may be lower now
			return nil
		}
		if err := put(Record{Row: cut}); err != nil || told {
			return err
		}
		told = true // after the header, which comes first
		return put(Record{Row: NewRow("meta", contentKey, string(c.content))})
	}
}

// wording cuts the texts of one run.
type wording struct {
	*Cutter
	repositoryKind string
	paths          []shortened
}

func (w *wording) row(row Row) Row {
	copied := false
	for i, c := range row.Columns {
		if c.rule == kept || c.rule == late {
			continue
		}
		if !copied {
			row.Values, copied = slices.Clone(row.Values), true
		}
		row.Values[i] = w.value(c.rule, row.Values[i])
	}
	return row
}

func (w *wording) value(rule rule, value any) any {
	s, is := value.(string)
	switch {
	case rule == blank:
		return ""
	case rule == gone || !is:
		return nil
	case rule == machine:
		return w.hash("machine", s)
	case rule == repository:
		return w.Repository(w.repositoryKind, s)
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

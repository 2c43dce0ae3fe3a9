package pages

import (
	"net/url"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// links makes every address that a page points to, out of filters: its parameters are
// the flags of the command that prints the same rows. A report that is one file has no
// server to point to, so all its addresses are empty.
type links struct{ none bool }

// param is one parameter of an address, in the order in which it is written.
type param struct{ Name, Value string }

// to is an address of the server.
func (l links) to(path string, params ...param) string {
	if l.none {
		return ""
	}
	var b strings.Builder
	b.WriteString(path)
	separator := byte('?')
	for _, p := range params {
		b.WriteByte(separator)
		separator = '&'
		b.WriteString(url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value))
	}
	return b.String()
}

// flagParams are the arguments of a command as parameters; a flag without a value is 1.
func flagParams(args []string) []param {
	var list []param
	for i := 1; i < len(args); i++ { // the first is the command
		name := strings.TrimPrefix(args[i], "--")
		switch name {
		case "recurring", "alone", "in-fix-lines", "discarded":
			list = append(list, param{name, "1"})
			continue
		case "team": // every page of a dashboard asks the same store
			continue
		}
		if i++; i < len(args) {
			list = append(list, param{name, args[i]})
		}
	}
	return list
}

// violationParams are the parameters of a list of violations.
func violationParams(f ledger.ViolationFilter) []param {
	list := flagParams(listings.FilterArgs(f))
	if f.Sort != "" && f.Sort != ledger.SortNewest {
		list = append(list, param{"sort", string(f.Sort)})
	}
	return list
}

func (l links) violations(f ledger.ViolationFilter, more ...param) string {
	return l.to("/violations", append(violationParams(f), more...)...)
}

// count is the number with the list of exactly what it counts; none has no list.
func (l links) count(c ledger.Count) part {
	return l.counted(c, count(c.Violations))
}

// counted is a figure made of a count, with the list of what was counted.
func (l links) counted(c ledger.Count, shown string) part {
	if c.Violations == 0 {
		return part{Text: shown}
	}
	return part{Text: shown, Href: l.violations(c.Filter)}
}

func (l links) runs(f ledger.RunFilter, more ...param) string {
	return l.to("/runs", append(flagParams(listings.RunArgs(f)), more...)...)
}

func (l links) run(id string) string       { return l.to("/runs/" + url.PathEscape(id)) }
func (l links) violation(id string) string { return l.to("/violations/" + url.PathEscape(id)) }

// log is the address of a slot's log; index 0 is a check's.
func (l links) log(run string, ref ledger.SlotRef, more ...param) string {
	address := ledger.SlotName(run, ref)
	if ref.Slot == 0 {
		address = strings.TrimSuffix(address, "@0")
	}
	var parts []string
	for part := range strings.SplitSeq(address, "/") {
		parts = append(parts, url.PathEscape(part))
	}
	return l.to("/log/"+strings.Join(parts, "/"), more...)
}

// statisticsParams are the parameters of a page of figures.
func statisticsParams(f ledger.StatisticsFilter) []param {
	var list []param
	add := func(name, value string) {
		if value != "" {
			list = append(list, param{name, value})
		}
	}
	add("run", f.Run)
	add("branch", f.Branch)
	add("worktree", f.Worktree)
	add("entry-point", f.EntryPoint)
	add("gate", f.Gate)
	add("adapter", f.Adapter)
	add("model", f.Model)
	add("repository", f.Repository)
	if at := text.Timestamp(f.Period.Since); at != nil {
		add("since", *at)
	}
	if at := text.Timestamp(f.Period.Until); at != nil {
		add("until", *at)
	}
	return list
}

// without leaves the parameters of a name out.
func without(list []param, name string) []param {
	return slices.DeleteFunc(slices.Clone(list), func(p param) bool { return p.Name == name })
}

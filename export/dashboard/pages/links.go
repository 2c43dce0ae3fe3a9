package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
)

// links makes every address that a page points to, out of filters: its parameters are the
// flags of the command that prints the same rows. A report in one file does not have a
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

// flagParams are the flags of a command as parameters; a switch is 1. Every page of a
// dashboard asks the same store, so it does not say which.
func flagParams(flags []listings.Flag) []param {
	var list []param
	for _, flag := range flags {
		if flag.Name != "team" {
			list = append(list, param{flag.Name, cmp.Or(flag.Value, "1")})
		}
	}
	return list
}

// violationParams are the parameters of a list of violations.
func violationParams(f ledger.ViolationFilter) []param {
	list := flagParams(listings.FilterFlags(f))
	if f.Sort != "" && f.Sort != ledger.SortNewest {
		list = append(list, param{"sort", string(f.Sort)})
	}
	return list
}

func (l links) violations(f ledger.ViolationFilter) string {
	return l.to("/violations", violationParams(f)...)
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

func (l links) runs(f ledger.RunFilter) string {
	return l.to("/runs", flagParams(listings.RunFlags(f))...)
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
	return flagParams(listings.StatisticsFlags(f))
}

// without leaves the parameters of a name out.
func without(list []param, name string) []param {
	return slices.DeleteFunc(slices.Clone(list), func(p param) bool { return p.Name == name })
}

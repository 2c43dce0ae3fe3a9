package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// links builds all addresses that a page links to. Their parameters are the flags of the command
// that prints the same rows. A report in one file has no server to link to, so all addresses are
// empty.
type links struct {
	none bool
	// team is set if commands ask the team store.
	team bool
	// now is when the page is made, in the zone in which times are shown.
	now time.Time
}

// command returns a command that asks what the pages show.
func (l links) command(command string) part {
	if l.team {
		command += " --team"
	}
	return code(command)
}

// param is one parameter of an address.
type param struct{ Name, Value string }

// to returns the address of a path with parameters.
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

// flagParams returns filters as parameters of a page. The value of a switch is 1.
func flagParams(given []filters.Param) []param {
	var list []param
	for _, p := range given {
		list = append(list, param{p.Name, cmp.Or(p.Value, "1")})
	}
	return list
}

// violationParams returns the parameters of a list of violations.
func violationParams(f ledger.ViolationFilter) []param {
	list := flagParams(filters.OfViolations(f))
	if f.Sort != "" && f.Sort != usualSort {
		list = append(list, param{"sort", string(f.Sort)})
	}
	return list
}

func (l links) violations(f ledger.ViolationFilter) string {
	return l.to("/violations", violationParams(f)...)
}

// count returns a number linked to the list of exactly what it counts. Zero has no link.
func (l links) count(c ledger.Count) part {
	return l.counted(c, count(c.Violations))
}

// tally returns how many violations of a run count in the tally, linked to their list.
func (l links) tally(r ledger.Run, t ledger.Tally) part {
	return l.count(ledger.Count{Violations: r.Count(t), Filter: statusFilter(r.ID, t.Statuses()...)})
}

// counted returns a figure that is derived from a count, linked to the list of what was counted.
func (l links) counted(c ledger.Count, shown string) part {
	if c.Violations == 0 {
		return part{Text: shown}
	}
	return part{Text: shown, Href: l.violations(c.Filter)}
}

func (l links) runs(f ledger.RunFilter) string {
	return l.to("/runs", flagParams(filters.OfRuns(f))...)
}

func (l links) run(id string) string       { return l.to("/runs/" + url.PathEscape(id)) }
func (l links) violation(id string) string { return l.to("/violations/" + url.PathEscape(id)) }

// log returns the address of a slot's log, or of a check's log if the slot is 0.
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

// statisticsParams returns the parameters of a page of figures.
func statisticsParams(f figures.Filter) []param {
	return flagParams(filters.OfStatistics(f))
}

// without returns the parameters except those with the name.
func without(list []param, name string) []param {
	return slices.DeleteFunc(slices.Clone(list), func(p param) bool { return p.Name == name })
}

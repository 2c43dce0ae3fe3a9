package pages

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

const (
	wideCells   = 100 // cells of the treemap; the rest of each folder is one cell
	narrowCells = 40
)

func (p Files) content(f Frame, l links) content {
	return figurePage{
		Scope: p.Scope, path: "/files", title: "Files", own: param{"sort", p.Sort}, figures: p.Figures,
		there: func(s figures.Statistics) bool { return len(s.Files) > 0 },
		none:  "No file has violations", about: "A file is listed when a reviewer reports something in it.",
		sub:      func(s figures.Statistics) string { return p.sub(f, s) },
		sections: func(s figures.Statistics) []section { return p.sections(l, s) },
	}.content(f, l)
}

func (p Files) sub(f Frame, s figures.Statistics) string {
	if limit := p.Filter.Top; limit > 0 && len(s.Files) == limit {
		return fmt.Sprintf("The %s files with most violations %s", count(len(s.Files)), p.sinceWords(f.Now))
	}
	folders, total := map[string]bool{}, 0
	for _, file := range s.Files {
		folders[path.Dir(file.File)] = true
		total += file.Violations.Violations
	}
	return fmt.Sprintf("%s in %s, %s %s", plural(len(s.Files), "file"), plural(len(folders), "folder"), plural(total, "violation"), p.sinceWords(f.Now))
}

func (p Files) sections(l links, s figures.Statistics) []section {
	table := p.table(l, s.Files)
	first := s.Files[0].Violations.Violations
	if !slices.ContainsFunc(s.Files, func(f figures.File) bool { return f.Violations.Violations != first }) {
		return []section{below(table)} // a treemap of files with as many each compares nothing
	}
	return []section{below(treemap(l, s.Files), table)}
}

// treemap draws the files twice, for wide and for narrow windows.
func treemap(l links, files []figures.File) panel {
	most := 0
	for _, file := range files {
		most = max(most, file.Open.Violations)
	}
	made := panel{
		Title:  "Where violations are",
		Trees:  []chart.Tree{chart.Treemap(leaves(l, files, wideCells, most), 1166, 340, false), chart.Treemap(leaves(l, files, narrowCells, most), 310, 460, true)},
		Legend: []legend{{Part: plain("area: violations")}, {Swatch: `<rect class="h0" width="12" height="12"/>`, Part: plain("none open")}},
	}
	if most == 0 {
		return made
	}
	made.Legend = append(made.Legend, legend{Swatch: `<rect class="o1" width="12" height="12"/>`, Part: plain("1 open")})
	if most > 1 {
		made.Legend = append(made.Legend, legend{Swatch: `<rect class="o4" width="12" height="12"/>`, Part: plain(count(most) + ", the most")})
	}
	return made
}

// leaves returns the cells of a treemap: one for each file up to limit, and one for the rest of
// each folder.
func leaves(l links, files []figures.File, limit, most int) []chart.Leaf {
	var list []chart.Leaf
	rest := map[string]*chart.Leaf{}
	opens := map[string]int{}
	numbers := map[string]int{}
	for i, file := range files {
		folder := path.Dir(file.File) + "/"
		if folder == "./" {
			folder = "(top)"
		}
		if file.Repository != "" {
			folder = file.Repository + ": " + folder
		}
		folder = shownPath(folder)
		n, open := file.Violations.Violations, file.Open.Violations
		if i < limit {
			list = append(list, chart.Leaf{
				Folder: folder, Name: cutFront(path.Base(file.File), 60), Note: note(n, open), Size: float64(n), Class: warmth(open, most),
				Title: shownPath(file.File) + ": " + plural(n, "violation") + ", " + openWords(open), Href: l.violations(file.Violations.Filter),
			})
			continue
		}
		if rest[folder] == nil {
			rest[folder] = &chart.Leaf{Folder: folder}
		}
		rest[folder].Size += float64(n)
		opens[folder] += open
		numbers[folder]++
	}
	for folder, leaf := range rest {
		leaf.Name = plural(numbers[folder], "other")
		leaf.Note, leaf.Class = note(int(leaf.Size), opens[folder]), warmth(opens[folder], most)
		leaf.Title = fmt.Sprintf("%s: %s, %s, %s", folder, plural(numbers[folder], "other file"), plural(int(leaf.Size), "violation"), openWords(opens[folder]))
		list = append(list, *leaf)
	}
	return list
}

func note(violations, open int) string {
	if open == 0 {
		return count(violations)
	}
	return count(violations) + ", " + count(open) + " open"
}

func openWords(n int) string {
	if n == 0 {
		return "none open"
	}
	return count(n) + " open"
}

// warmth returns the class for a number of open violations, given the largest such number.
func warmth(open, most int) string {
	switch {
	case open == 0:
		return "h0"
	case open == 1:
		return "o1"
	case 3*open <= most:
		return "o2"
	case 3*open <= 2*most:
		return "o3"
	}
	return "o4"
}

func (p Files) table(l links, files []figures.File) panel {
	files = slices.Clone(files)
	by := func(n func(figures.File) int) {
		slices.SortStableFunc(files, func(a, b figures.File) int { return -cmp.Compare(n(a), n(b)) })
	}
	order := "most violations first"
	switch p.Sort {
	case "open":
		by(func(f figures.File) int { return f.Open.Violations })
		order = "most open first"
	case "reopened":
		by(func(f figures.File) int { return f.Reopened.Violations })
		order = "most reopened first"
	}
	sorted := func(title, name string) column {
		c := column{Title: title, Class: "num"}
		params := p.params()
		if name != "" {
			params = append(params, param{"sort", name})
		}
		if p.Sort == name {
			c.Title, c.Sorted = title+" ↓", "descending"
		}
		c.Href = l.to("/files", params...)
		return c
	}
	t := &table{Label: "Files", Class: "stack", Columns: []column{
		{Title: "File"}, {Title: "12 weeks", Class: "wide"}, sorted("Violations", ""), sorted("Open", "open"), {Title: "Verified", Class: "num"},
		{Title: "Skipped", Class: "num"}, sorted("Reopened", "reopened"), {Title: "In last fix", Class: "num"}, {Title: "Runs", Class: "num"},
	}}
	shown := files[:min(len(files), PageLength)]
	largest := 0
	for _, file := range shown {
		largest = max(largest, slices.Max(append(file.Weeks, 0)))
	}
	for _, file := range shown {
		t.Rows = append(t.Rows, []cell{
			inRepository(cell{Class: "find-cell full", Parts: phrase{{Text: shownPath(file.File), Class: "path", Href: l.violations(file.Violations.Filter)}}}, file.Repository),
			drawn("mid wide", spark("Violations per week: "+numbers(file.Weeks), chart.Spark(file.Weeks, largest, chart.Accent))),
			numeric("violations", l.count(file.Violations)), numeric("open", l.count(file.Open)), numeric("verified", l.count(file.Verified)),
			numeric("skipped", l.count(file.Skipped)), numeric("reopened", l.count(file.Reopened)), numeric("in last fix", l.count(file.InFixLines)),
			numeric("runs", plain(count(file.Runs))),
		})
	}
	footnote := "Reopened: a reviewer contradicted a claim or a dispute. In last fix: first reported in lines that the fix before it had touched, a sign that fixes there make new findings."
	if len(shown) < len(files) {
		footnote = fmt.Sprintf("The first %d of %s. ", len(shown), count(len(files))) + footnote
	}
	return panel{Title: "Files", More: words(order), Rows: true, Table: t, Footnote: strings.TrimSpace(footnote)}
}

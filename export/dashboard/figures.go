package dashboard

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/export/listings"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// figureParams has the parameters of a page of figures: the flags of `report`.
type figureParams struct {
	filters.Statistics
	since string
	// sort, job and verdict belong to one page each.
	sort    filesOrder
	job     string
	verdict ledger.VerdictWord
	own     string // which of them the page has, or empty
}

// allTime stands for the whole history.
const allTime = "all"

const day = 24 * time.Hour

// Add implements [parameters].
func (f *figureParams) Add(flags *pflag.FlagSet) {
	f.Statistics.Add(flags)
	since := flags.Lookup("since")
	since.Value = &sinceFlag{Value: since.Value, text: &f.since}
	switch f.own {
	case "sort":
		flags.Var(filters.Word(&f.sort, []filesOrder{"open", "reopened"}), "sort", "")
	case "job":
		flags.StringVar(&f.job, "job", "", "")
	case "verdict":
		flags.Var(filters.Word(&f.verdict, ledger.VerdictWords()), "verdict", "")
	}
}

// filesOrder is an order of files other than by number of violations.
type filesOrder string

// sinceFlag keeps the given text of a time, so that a page can mark the chosen period.
type sinceFlag struct {
	pflag.Value
	text *string
}

// Set implements [pflag.Value].
func (s *sinceFlag) Set(given string) error {
	*s.text = given
	if given == allTime {
		return nil
	}
	return s.Value.Set(given)
}

// scope returns what the answer is about: for a page the last twelve weeks, unless the URL has a period
// or a run, and for other formats what the command would print. A top above 0 limits the rows of each
// list unless the URL gives a number.
func (f *figureParams) scope(v *visit, top int, page bool) (pages.Scope, error) {
	if v.whyBroken() != nil {
		return pages.Scope{Since: f.since}, nil
	}
	filter, err := f.Resolve(v.ctx, v.ledger)
	if top > 0 && f.Top == filters.DefaultTop {
		filter.Top = top
	}
	switch {
	case f.since != "":
	case page && filter.Period == ledger.Period{} && filter.Run == "":
		f.since, filter.Period.Since = "12w", v.now.Add(-12*7*day)
	default: // what ended, or one run, may be older
		f.since = allTime
	}
	return pages.Scope{Filter: filter, Since: f.since}, err
}

func figuresOf(own string) func(*visit) parameters {
	return func(*visit) parameters { return &figureParams{own: own} }
}

// statistics queries sections of the figures.
func statistics(v *visit, scope pages.Scope, sections ...figures.Section) pages.Panel[figures.Statistics] {
	return ask(v, func() (figures.Statistics, error) { return v.figures(scope, sections...) })
}

// figuresAs returns a part of the figures, with the same numbers as `report`.
func figuresAs(top int, part func(*figureParams, figures.Statistics) answer, sections ...figures.Section) func(*visit) (answer, error) {
	return func(v *visit) (answer, error) {
		given := v.given.(*figureParams)
		scope, err := given.scope(v, top, false)
		if err != nil {
			return nil, err
		}
		found, err := try(v, func() (figures.Statistics, error) { return v.figures(scope, sections...) })
		return part(given, found), err
	}
}

// figuresView returns a page about one section of the figures, with at most top rows in each list
// unless the URL gives a number. own is the parameter that only this page has.
func figuresView(own string, top int, section figures.Section, page func(*visit, *figureParams, pages.Scope) pages.Page, part func(*figureParams, figures.Statistics) any) view {
	return view{
		parameters: figuresOf(own),
		page: func(v *visit) (pages.Page, error) {
			given := v.given.(*figureParams)
			scope, err := given.scope(v, top, true)
			if err != nil {
				return nil, err
			}
			return page(v, given, scope), nil
		},
		json: figuresAs(top, func(given *figureParams, s figures.Statistics) answer { return inJSON(part(given, s)) }, section),
	}
}

// Limits of what the pages show.
const (
	overviewRows = 6   // for recurring violations and for files
	treemapFiles = 200 // in the treemap, the rest of each folder is one cell
	verdictRows  = 50
)

func reviewersView() view {
	return figuresView("", 0, figures.SectionReviewers,
		func(v *visit, _ *figureParams, scope pages.Scope) pages.Page {
			return pages.Reviewers{Scope: scope, Figures: statistics(v, scope, figures.SectionReviewers)}
		},
		func(_ *figureParams, s figures.Statistics) any { return listings.Reviewers.Objects(s.Adapters) })
}

func filesView() view {
	return figuresView("sort", treemapFiles, figures.SectionFiles,
		func(v *visit, given *figureParams, scope pages.Scope) pages.Page {
			return pages.Files{Scope: scope, Figures: statistics(v, scope, figures.SectionFiles), Sort: string(given.sort)}
		},
		func(_ *figureParams, s figures.Statistics) any { return listings.Files.Objects(s.Files) })
}

func checksView() view {
	return figuresView("job", 0, figures.SectionChecks,
		func(v *visit, given *figureParams, scope pages.Scope) pages.Page {
			return pages.Checks{Scope: scope, Job: given.job, Figures: statistics(v, scope, figures.SectionChecks)}
		},
		func(given *figureParams, s figures.Statistics) any {
			return listings.Checks.Objects(slices.DeleteFunc(slices.Clone(s.Checks), func(c figures.Check) bool { return given.job != "" && c.Job != given.job }))
		})
}

func verdictsView() view {
	return figuresView("verdict", verdictRows, figures.SectionVerdicts,
		func(v *visit, given *figureParams, scope pages.Scope) pages.Page {
			return pages.Verdicts{Scope: scope, Verdict: given.verdict, Figures: statistics(v, scope, figures.SectionVerdicts)}
		},
		func(given *figureParams, s figures.Statistics) any {
			return listings.Verdicts.Objects(slices.DeleteFunc(slices.Clone(s.Verdicts), func(c figures.Verdict) bool { return given.verdict != "" && c.Verdict != given.verdict }))
		})
}

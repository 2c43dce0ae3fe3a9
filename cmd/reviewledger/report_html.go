package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard"
	"github.com/reviewledger/reviewledger/export/dashboard/pages"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
	"github.com/reviewledger/reviewledger/ledger/store"
)

const (
	reportFindings = 200 // maximum number of open findings
	reportFiles    = 200 // maximum number of files in the map
)

// writeReport writes the report as one document to the file, or to stdout.
func writeReport(ctx context.Context, global *globalOptions, l *store.Store, f figures.Filter, output string) error {
	report, name, err := reportPages(ctx, l, f)
	if err != nil {
		return err
	}
	return renderReport(global, report, name, output)
}

func renderReport(global *globalOptions, report pages.Report, name, output string) error {
	var out bytes.Buffer
	if err := pages.RenderReport(&out, pages.Frame{Ledger: name, Now: time.Now()}, report); err != nil {
		return err
	}
	return global.writeTo(output, out.Bytes())
}

// reportPages queries the content of the report, and the name of the ledger: the folder of its
// newest run.
func reportPages(ctx context.Context, l *store.Store, f figures.Filter) (r pages.Report, name string, err error) {
	ask := func(f figures.Filter, top int, sections ...figures.Section) pages.Panel[figures.Statistics] {
		f.Top, f.Sections = top, sections
		s, failed := l.Statistics(ctx, f)
		err = errors.Join(err, failed)
		return pages.Panel[figures.Statistics]{Value: s}
	}
	scope := pages.Scope{Filter: f}
	overview := ask(f, 10, figures.SectionSlots, figures.SectionRuns, figures.SectionWeeks, figures.SectionRecurring, figures.SectionFiles)
	always := f
	always.Period = ledger.Period{}
	open := ask(always, 0, figures.SectionTotals)
	r.Overview = pages.Overview{
		Scope: scope, Slots: overview, Runs: overview, Weeks: overview, Recurring: overview, Files: overview,
		Open: pages.Panel[map[ledger.RunKind]map[ledger.Priority]int]{Value: map[ledger.RunKind]map[ledger.Priority]int{}},
	}
	r.Violations.Facets.Value = openFacets(open.Value)
	for _, kind := range []ledger.RunKind{ledger.KindGates, ledger.KindCodeReview} {
		of := open.Value.Open.Filter
		of.Kind = kind
		facets, failed := l.Facets(ctx, of)
		err = errors.Join(err, failed)
		r.Overview.Open.Value[kind] = map[ledger.Priority]int{}
		for _, facet := range facets.Priorities {
			r.Overview.Open.Value[kind][ledger.Priority(facet.Value)] = facet.Violations
		}
	}
	r.Reviewers = pages.Reviewers{Scope: scope, Figures: ask(f, 0, figures.SectionReviewers)}
	files := ask(f, reportFiles, figures.SectionFiles)
	scope.Filter.Top = reportFiles
	r.Files = pages.Files{Scope: scope, Figures: files}
	if err != nil {
		return r, "", err
	}
	r.Violations.Filter = open.Value.Open.Filter
	r.Violations.Filter.Sort, r.Violations.Filter.Limit = ledger.SortPriority, reportFindings
	if r.Violations.Rows.Value, err = l.Violations(ctx, r.Violations.Filter); err != nil {
		return r, "", err
	}
	newest, err := l.Runs(ctx, ledger.RunFilter{Limit: 1})
	if r.Overview.Empty = len(newest) == 0; err != nil || r.Overview.Empty {
		return r, "", err
	}
	r.Overview.Next.Value, err = dashboard.NextSteps(ctx, l)
	return r, filepath.Base(newest[0].Worktree), err
}

// openFacets returns the number of open violations by priority.
func openFacets(s figures.Statistics) ledger.Facets {
	facets := ledger.Facets{Violations: s.Open}
	for _, p := range s.Priorities {
		facets.Priorities = append(facets.Priorities, ledger.Facet{Value: string(p.Priority), Count: p.Open})
	}
	return facets
}

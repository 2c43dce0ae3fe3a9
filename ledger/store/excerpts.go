package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
)

// maxSharedLines limits the lines of a text that several excerpts share, because reading one
// excerpt unpacks the whole text.
const maxSharedLines = 400

// A region is a part of a file that contains one or more excerpts.
type region struct {
	first, end int // line numbers; end is the line after the last
	text       strings.Builder
	excerpts   []placedExcerpt
}

type placedExcerpt struct {
	ledger.Excerpt
	file     string
	position int
	lines    int
}

// regionsOf returns regions that contain the excerpts. Excerpts that are close together share a
// region, because a tool may report a thousand problems in one file.
func regionsOf(excerpts []placedExcerpt) (list []*region) {
	slices.SortFunc(excerpts, func(a, b placedExcerpt) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.First, b.First), cmp.Compare(a.position, b.position))
	})
	for i, x := range excerpts {
		x.lines = strings.Count(x.Text, "\n")
		end := x.First + x.lines
		if i == 0 || x.file != excerpts[i-1].file || x.First > list[len(list)-1].end || end-list[len(list)-1].first > maxSharedLines {
			list = append(list, &region{first: x.First, end: x.First})
		}
		r := list[len(list)-1]
		if end > r.end {
			r.text.WriteString(someLines(x.Text, int64(r.end-x.First), nil))
			r.end = end
		}
		r.excerpts = append(r.excerpts, x)
	}
	return list
}

// someLines returns that many lines of the text, after the first skip lines; lines nil means all
// that follow.
func someLines(text string, skip int64, lines *int64) string {
	for ; skip > 0 && text != ""; skip-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	if lines == nil {
		return text
	}
	end := 0
	for range *lines {
		n := strings.IndexByte(text[end:], '\n')
		if n < 0 { // a dump may have any number
			return text
		}
		end += n + 1
	}
	return text[:end]
}

// putExcerpts stores the code at the places of the reports. The rows that refer to it are written
// with the reports.
func (w *answerWriter) putExcerpts(ctx context.Context, reports []ledger.Evaluated) error {
	w.excerpts = make(map[int]db.InsertReportExcerptParams, len(w.a.Content.Excerpts))
	var placed []placedExcerpt
	for _, r := range reports {
		x := w.a.Content.Excerpts[r.Position]
		if further := w.a.Content.Further[r.Position]; r.Further > 0 && r.Further <= len(further) {
			x = further[r.Further-1]
		}
		if x.First >= 1 {
			placed = append(placed, placedExcerpt{Excerpt: x, file: r.Place.File, position: r.Position})
		}
	}
	for _, r := range regionsOf(placed) {
		blob, err := w.putBlob(ctx, []byte(r.text.String()))
		if err != nil {
			return err
		}
		for _, x := range r.excerpts {
			kept := db.InsertReportExcerptParams{FirstLine: int64(x.First), BlobID: blob, Skip: int64(x.First - r.first)}
			if x.First+x.lines < r.end {
				kept.Lines = new(int64(x.lines))
			}
			w.excerpts[x.position] = kept
		}
	}
	return nil
}

// excerpts calls do with the code at the places of the reports of violations, by ULID, as far as it was kept.
func (t *tx) excerpts(ctx context.Context, violations []string, do func(db.ExcerptsRow, ledger.Excerpt)) error {
	rows, err := t.Excerpts(ctx, asJSON(violations))
	for _, row := range rows {
		code, err := unpack(row.Data, row.Size)
		if err != nil {
			return err
		}
		do(row, ledger.Excerpt{First: int(row.FirstLine), Text: someLines(code, row.Skip, row.Lines)})
	}
	return err
}

// Excerpts returns the code at the places of the latest reports of violations, by the violation's
// ULID, if it was kept.
func (l *Store) Excerpts(ctx context.Context, found []ledger.ListedViolation) (map[string]ledger.Excerpt, error) {
	ids := make([]string, 0, len(found))
	for _, v := range found {
		ids = append(ids, v.ID)
	}
	return answer(ctx, l, "read excerpts", func(t *tx) (map[string]ledger.Excerpt, error) {
		latest := map[string]ledger.Excerpt{}
		err := t.excerpts(ctx, ids, func(row db.ExcerptsRow, x ledger.Excerpt) {
			if row.Latest {
				latest[row.Ulid] = x
			}
		})
		return latest, err
	})
}

package pages

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"io/fs"

	"github.com/reviewledger/reviewledger/ledger"
)

// Report has the content of a report in one file: the overview, the reviewers, the files and the
// open findings.
type Report struct {
	Overview   Overview
	Reviewers  Reviewers
	Files      Files
	Violations Violations
}

// RenderReport writes the report as one self-contained document without scripts and without links
// to a server.
func RenderReport(w io.Writer, f Frame, r Report) error {
	style, err := fs.ReadFile(Static(), "app.css")
	if err != nil {
		return err
	}
	l := links{none: true, now: f.Now}
	parts := []content{r.Overview.content(f, l)}
	if !r.Overview.Empty { // if nothing was reviewed, "nothing is open" would be misleading
		parts = append(parts, r.Reviewers.content(f, l), r.Files.content(f, l), openFindings(f, l, r.Violations))
	}
	hash := sha256.Sum256(style)
	return execute(w, "report", struct {
		Frame
		Style     template.CSS
		StyleHash string
		AsOf      string
		Content   []content
	}{f, template.CSS(style), "sha256-" + base64.StdEncoding.EncodeToString(hash[:]), asOf(f.Now, f.Now), parts})
}

// openFindings shows the table of open findings, without links that need a server.
func openFindings(f Frame, l links, v Violations) content {
	c := content{Head: head{Title: "Open findings"}}
	c.Sections = []section{below(panelOf("", v.Rows, func(rows []ledger.ListedViolation) panel {
		if len(rows) == 0 {
			return panel{OK: "Nothing is open."}
		}
		made := panel{Table: v.table(f, l, listing{l: l}, rows)}
		if n, _ := v.found(); n > len(rows) {
			made.Footnote = "The first " + count(len(rows)) + " of " + count(n) + ". All: " + v.command()
		}
		return made
	}))}
	return c
}

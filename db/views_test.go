package db_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// viewHeading and viewColumn match how docs/json.md names a view and its columns.
var (
	viewHeading = regexp.MustCompile("^### (v_[a-z]+)$")
	viewColumn  = regexp.MustCompile("`([a-z_]+)`")
)

// Every column of a view for other programs is documented, and every documented column exists.
func TestViewsAreDocumented(t *testing.T) {
	t.Parallel()
	documented := map[string][]string{}
	view := ""
	for line := range strings.Lines(string(read(t, "../docs/json.md"))) {
		line = strings.TrimSpace(line)
		switch {
		case viewHeading.MatchString(line):
			view = viewHeading.FindStringSubmatch(line)[1]
		case strings.HasPrefix(line, "#"):
			view = ""
		case view != "" && strings.HasPrefix(line, "|"):
			first, _, _ := strings.Cut(line[1:], "|")
			for _, m := range viewColumn.FindAllStringSubmatch(first, -1) {
				documented[view] = append(documented[view], m[1])
			}
		}
	}
	handle := open(t, filepath.Join(t.TempDir(), "ledger.db"))
	there := map[string][]string{}
	// Views without v_ are used by triggers or by the search index.
	for _, row := range lines(t, handle, "SELECT s.name || ' ' || c.name FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c WHERE s.type = 'view' AND s.name GLOB 'v[_]*'") {
		name, column, _ := strings.Cut(strings.Trim(strings.TrimSuffix(row, ",true|"), `"`), " ")
		there[name] = append(there[name], column)
	}
	if len(there) != 11 {
		t.Errorf("%d views", len(there))
	}
	for _, columns := range []map[string][]string{documented, there} {
		for view := range columns {
			slices.Sort(columns[view])
		}
	}
	if d := cmp.Diff(there, documented); d != "" {
		t.Errorf("columns (-there +documented):\n%s", d)
	}
}

// Command shorten replaces the loop that sqlc generates for each query by a call of the one in
// internal/rows. The loops are all alike, and a third of the generated code.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
)

var (
	many = regexp.MustCompile(`(?s)\trows, err := (q\.db\.Query(?:Context)?\([^{}]*?\))\n\tif err != nil \{\n\t\treturn nil, err\n\t\}\n\tdefer rows\.Close\(\)\n\tvar items \[\](\S+)\n.*?\n\treturn items, nil\n`)
	one  = regexp.MustCompile(`(?s)\trow := (q\.db\.QueryRow(?:Context)?\([^{}]*?\))\n\tvar \w+ (\S+)\n\terr := row\.Scan\([^{}]*?\)\n\treturn \w+, err\n`)
)

const library = "github.com/reviewledger/reviewledger/internal/rows"

func main() {
	for _, folder := range os.Args[1:] {
		files, err := filepath.Glob(filepath.Join(folder, "*.sql.go"))
		if err != nil || len(files) == 0 {
			fail(folder, fmt.Errorf("it has no generated code: %v", err))
		}
		for _, name := range files {
			if err := shorten(name); err != nil {
				fail(name, err)
			}
		}
	}
}

func fail(name string, err error) {
	fmt.Fprintf(os.Stderr, "shorten %q: %v\n", name, err)
	os.Exit(1)
}

// shorten rewrites a file. It fails if a loop remains, because sqlc then generates different code
// than this program knows.
func shorten(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text = many.ReplaceAll(text, []byte("\treturn rows.All[$2]($1)\n"))
	text = one.ReplaceAll(text, []byte("\treturn rows.One[$2]($1)\n"))
	if bytes.Contains(text, []byte(".Scan(")) {
		return fmt.Errorf("sqlc reads rows in another way than this program knows")
	}
	if bytes.Contains(text, []byte("rows.")) {
		text = bytes.Replace(text, []byte("\n)\n"), []byte("\n\n\t\""+library+"\"\n)\n"), 1)
	}
	if text, err = format.Source(text); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

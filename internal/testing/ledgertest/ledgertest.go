// Package ledgertest has helpers for tests of the words and rows of package ledger.
package ledgertest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// Words returns the constants of type W that are declared in the package in a folder.
func Words[W ~string](t testing.TB, folder string) (words []W) {
	t.Helper()
	name := reflect.TypeFor[W]().Name()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if value, is := n.(*ast.ValueSpec); is {
				words = append(words, wordsOf[W](value, name)...)
			}
			return true
		})
	}
	if len(words) == 0 {
		t.Fatalf("%s has no constants of type %s", folder, name)
	}
	return words
}

func wordsOf[W ~string](value *ast.ValueSpec, name string) (words []W) {
	if of, is := value.Type.(*ast.Ident); !is || of.Name != name {
		return nil
	}
	for _, v := range value.Values {
		if literal, is := v.(*ast.BasicLit); is {
			word, _ := strconv.Unquote(literal.Value) // the package compiles, so the literal is valid
			words = append(words, W(word))
		}
	}
	return words
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// The program and its tests build for the other systems. Everything is checked from its source,
// because compiling SQLite for each system takes minutes.
func TestBuildsForOtherSystems(t *testing.T) {
	if os.Getenv("CI") != "true" {
		t.Skip("only with CI=true: packages of other systems may have to be downloaded")
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		if system == runtime.GOOS {
			continue
		}
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,GoFiles,ImportMap,Module", "./...")
			cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
			cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
			list, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if n := checkTypes(t, list); n < 100 {
				t.Errorf("checked %d packages: what the program imports is missing", n)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// checkTypes checks the packages of a list that has each one behind those that it imports. Of other
// modules it reads only what their packages export. It returns how many packages there were.
func checkTypes(t *testing.T, list io.Reader) (n int) {
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	fset, decoder := token.NewFileSet(), json.NewDecoder(list)
	for ; ; n++ {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			ImportMap       map[string]string
			Module          *struct{ Main bool }
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return n
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := p.Module != nil && p.Module.Main
		report := func(err error) {
			if ours {
				t.Error(err)
			}
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			if !filepath.IsAbs(name) { // as the main functions of tests are
				name = filepath.Join(p.Dir, name)
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		config := types.Config{
			IgnoreFuncBodies: !ours,
			Sizes:            types.SizesFor("gc", runtime.GOARCH),
			Error:            report,
			Importer: importerFunc(func(path string) (*types.Package, error) {
				if variant, there := p.ImportMap[path]; there {
					path = variant
				}
				if known := checked[path]; known != nil {
					return known, nil
				}
				return nil, fmt.Errorf("%s: package %q is not in the list", p.ImportPath, path)
			}),
		}
		checked[p.ImportPath], _ = config.Check(p.ImportPath, fset, files, nil) // report has the error
	}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

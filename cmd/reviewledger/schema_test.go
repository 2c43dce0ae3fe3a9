package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/ledger"
)

// exitInvalid is the exit code by which a script sees that the program wrote a file that violates
// its schema.
const exitInvalid = 99

// checked runs the program and then validates every verdict and slot file that it wrote against its
// schema, so that each script tests them too.
func checked(program func() int, stderr io.Writer) int {
	began := time.Now()
	code := program()
	if err := checkWritten(began); err != nil {
		fmt.Fprintf(stderr, "SCHEMA: %v\n", err)
		return exitInvalid
	}
	return code
}

// checkWritten validates the files of the worktree that were written since.
func checkWritten(since time.Time) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for dir := root; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			root = dir
		}
	}
	if filepath.Dir(root) == root { // the whole system
		return nil
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // another process has just moved the file away
		}
		if entry.Name() == ".git" || entry.Name() == "home" || entry.Name() == "fake" {
			return fs.SkipDir
		}
		info, err := entry.Info()
		schema := schemaOf(path)
		if err != nil || schema == "" || !info.Mode().IsRegular() || info.ModTime().Before(since) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		return validate(schema, path, data)
	})
}

// schemaOf returns the schema of a file, or "".
func schemaOf(path string) string {
	name := filepath.Base(path)
	switch {
	case filepath.Ext(name) != ".json":
		return ""
	case filepath.Base(filepath.Dir(path)) == ".code-review" && strings.HasPrefix(name, "review-"):
		return "verdict"
	case strings.HasPrefix(name, "review_") && strings.Contains(name, "@"):
		return "slot"
	}
	return ""
}

func validate(schema, name string, data []byte) error {
	rules, err := compile(schema)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err == nil {
		err = rules.Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, data)
	}
	return nil
}

// compiled has the schemas that this process has compiled.
var compiled sync.Map

func compile(name string) (*jsonschema.Schema, error) {
	if known, there := compiled.Load(name); there {
		return known.(*jsonschema.Schema), nil
	}
	schema, err := compileAnew(name)
	if err == nil {
		compiled.Store(name, schema)
	}
	return schema, err
}

func compileAnew(name string) (*jsonschema.Schema, error) {
	data, err := schemaData(name)
	if name == "sarif" {
		data, err = os.ReadFile("../../export/interop/testdata/sarif-schema-2.1.0.json")
	}
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

const exampleVerdict = `{
  "reviewId": "a3f8c12b", "timestamp": "2026-02-16T14:30:00Z", "scope": "changeset", "target": "origin/master..HEAD",
  "mode": "full", "verdict": "WARN", "summary": {"blocker": 0, "high": 2, "medium": 3, "low": 1, "info": 0},
  "reportPath": "docs/code-reviews/2026-02-16-changeset-a3f8c12b.md",
  "findings": [{"id": "api-patterns-a1b2c3d4-45-50", "domain": "api-patterns", "severity": "High", "confidence": 0.90,
    "file": "src/api/routes.ts", "lineRange": "45-50", "title": "Missing error handling", "recommendation": "Wrap it", "status": "open"}]
}`

// The schema of verdicts accepts the required form and nothing else.
func TestVerdictSchema(t *testing.T) {
	t.Parallel()
	if err := validate("verdict", "example", []byte(exampleVerdict)); err != nil {
		t.Error(err)
	}
	for _, wrong := range [][2]string{
		{`"a3f8c12b",`, `"A3F8C12B",`}, {`"WARN"`, `"BAD"`}, {`"full"`, `"fast"`}, {`"changeset"`, `"repo"`},
		{`"High"`, `"high"`}, {`"open"`, `"new"`}, {`0.90`, `0.4`}, {`0.90`, `"0.9"`}, {`"45-50",`, `45,`},
		{`"findings"`, `"finding"`}, {`"info": 0`, `"info": -1`}, {`"summary"`, `"extra": 1, "summary"`},
		{`"Missing error handling"`, `"` + strings.Repeat("x", 121) + `"`},
	} {
		if err := validate("verdict", "example", []byte(strings.Replace(exampleVerdict, wrong[0], wrong[1], 1))); err == nil {
			t.Errorf("%s instead of %s is valid", wrong[1], wrong[0])
		}
	}
}

// The schema of slots accepts further places, and findings that are reported as gone.
func TestSlotSchema(t *testing.T) {
	t.Parallel()
	data, err := slotfiles.MarshalSlot(ledger.SlotDocument{
		Adapter: "claude", Status: ledger.SlotFail, At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Violations: []ledger.SlotEntry{{
			ID: "8c31gnxt", File: "a.go", Line: 3, EndLine: 4, Issue: "leaks", Priority: "high", Status: "new",
			Also: []ledger.Place{{File: "b.go", Start: 1, End: 2}, {File: "whole.md"}}, Gone: ledger.Gone{By: "codex@2", Evidence: "it is closed"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate("slot", "example", data); err != nil {
		t.Error(err)
	}
	if err := validate("slot", "example", bytes.Replace(data, []byte(`"end_line"`), []byte(`"until"`), 1)); err == nil {
		t.Error("another key is taken")
	}
}

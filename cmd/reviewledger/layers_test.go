package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/reviewledger/reviewledger/"

// layers has the packages of the module that each package may import, with the reason.
var layers = map[string][]string{
	"migrations":                  {},                                                                                                                 // SQL, and its version number for everything above
	"queries":                     {},                                                                                                                 // SQL that sqlc does not generate code for
	"db":                          {"migrations", "queries", "internal/rows"},                                                                         // generated queries, and opening the file
	"migrations/postgres":         {},                                                                                                                 // the schema of the team store
	"ledger":                      {},                                                                                                                 // rules and values; only the standard library
	"ledger/match":                {"ledger"},                                                                                                         // what becomes of a report
	"ledger/verdict":              {"ledger"},                                                                                                         // the result of a code review
	"internal/testing/ledgertest": {"ledger"},                                                                                                         // words and rows of the ledger, only for tests
	"internal/testing/modeltest":  {"ledger", "ledger/match"},                                                                                         // the model of a run, only for tests
	"ledger/figures":              {"ledger"},                                                                                                         // types of figures
	"ledger/store":                {"ledger", "ledger/verdict", "ledger/match", "ledger/lists", "ledger/exchange", "ledger/figures", "db"},            // rows in SQLite
	"internal/testing/storetest":  {"db"},                                                                                                             // large ledgers, only for tests
	"ledger/lists":                {"ledger"},                                                                                                         // what lists of both stores have in common
	"ledger/team":                 {"ledger", "ledger/exchange", "ledger/store", "migrations/postgres", "queries", "internal/files", "internal/text"}, // the team store in PostgreSQL: push, pull, delete
	"internal/testing/teamtest":   {},                                                                                                                 // a server, only for tests
	"ledger/exchange":             {"ledger", "internal/strictjson", "internal/text"},                                                                 // a run as one record
	"internal/rows":               {},                                                                                                                 // scans query results into structs
	"internal/text":               {},                                                                                                                 // foreign text, tables and colors
	"internal/files":              {},                                                                                                                 // files that are written whole or not at all
	"internal/strictjson":         {"internal/text", "internal/files"},                                                                                // JSON that others wrote
	"export/schema":               {},                                                                                                                 // JSON Schemas of files
	"export/slotfiles":            {"ledger", "internal/text", "internal/files", "internal/strictjson"},
	"export/verdict":              {"ledger", "ledger/verdict", "internal/text", "internal/files", "internal/strictjson", "export/slotfiles"},
	"export/filters":              {"ledger", "ledger/figures", "internal/text"},                                                                                                       // flags of commands, and parameters of pages
	"export/dashboard":            {"ledger", "ledger/figures", "ledger/lists", "internal/strictjson", "internal/text", "export/filters", "export/listings", "export/dashboard/pages"}, // a server of pages
	"export/dashboard/pages":      {"ledger", "ledger/figures", "ledger/verdict", "internal/text", "export/filters", "export/listings", "export/dashboard/chart"},                      // turns rows into documents
	"export/dashboard/chart":      {},                                                                                                                                                  // positions of the marks of a chart
	"export/listings":             {"ledger", "ledger/figures", "ledger/verdict", "internal/text", "export/console", "export/filters"},
	"export/interop":              {"ledger", "internal/text"}, // formats of other tools
	"export/console":              {"ledger", "internal/text", "export/slotfiles"},
	"export/triage":               {"ledger", "internal/text", "export/listings"},
	"internal/testing/exporttest": {},                                                                                                                  // only for tests
	"gate/process":                {},                                                                                                                  // one child process
	"gate/scratch":                {"internal/files"},                                                                                                  // temporary files that do not outlive their process
	"gate/diff":                   {"ledger", "gate/process", "gate/scratch", "internal/files"},                                                        // the only place that runs git
	"internal/testing/difftest":   {"gate/diff"},                                                                                                       // git repositories, only for tests
	"gate/check":                  {"ledger", "gate/process", "internal/text"},                                                                         // the only place that runs a shell
	"gate/config":                 {"ledger", "gate/clients", "internal/text"},                                                                         // names of jobs in files are those of the ledger, and adapters those of the table
	"gate/clients":                {"ledger", "gate/answer", "gate/diff", "gate/process", "gate/scratch"},                                              // reviewers use words of the ledger, but no rows
	"gate/tool":                   {"ledger", "gate/answer", "gate/clients", "gate/diff", "gate/process"},                                              // analysis tools as reviewers
	"gate/builtin":                {"ledger", "gate/answer", "gate/clients", "gate/diff"},                                                              // the reviewer that does not need a program
	"internal/testing/reviewtest": {},                                                                                                                  // fakes, only for tests
	"gate/answer":                 {"ledger", "internal/text"},                                                                                         // the form in which reviewers answer
	"gate/paths":                  {"gate/diff"},                                                                                                       // names of files as reviewers write them
	"gate/prompt":                 {"ledger", "gate/diff"},                                                                                             // what a reviewer is asked
	"gate/setup":                  {"gate/config", "internal/text"},                                                                                    // proposes a configuration from facts, with the keys that there are
	"gate/worktree":               {"ledger", "ledger/verdict", "gate/diff", "gate/config", "internal/text"},                                           // what loop and codereview look at
	"gate/slots":                  {"ledger", "gate/worktree", "gate/diff", "gate/config", "gate/clients", "gate/answer", "gate/prompt", "gate/paths"}, // asks reviewers, and ends their slots
	"gate/agent":                  {"ledger", "gate/scratch", "export/listings", "internal/text", "internal/files", "internal/strictjson"},             // MCP server and stop hook; they answer with listings
	"gate/githook":                {},                                                                                                                  // what git asks before a push, and the hook that asks
	"gate/loop": {"ledger", "ledger/store", "gate/worktree", "gate/slots", "gate/prompt", "gate/diff", "gate/check", "gate/clients", "gate/config", "gate/githook", "gate/process",
		"internal/text"}, // what happens in an iteration
	"gate/codereview": {"ledger", "ledger/verdict", "ledger/store", "gate/worktree", "gate/slots", "gate/diff", "gate/config"}, // what happens in a code review
	"cmd/reviewledger": {"gate/worktree", "gate/slots", "gate/loop", "gate/codereview", "gate/diff", "gate/check", "gate/config", "gate/clients", "gate/tool", "gate/builtin", "gate/answer", "gate/scratch", "gate/setup", "gate/agent", "gate/githook", "ledger", "ledger/figures", "ledger/verdict", "ledger/lists", "ledger/store", "ledger/team", "ledger/exchange",
		"internal/text", "internal/files", "export/filters", "export/schema", "export/slotfiles", "export/verdict", "export/listings", "export/console", "export/triage", "export/interop", "export/dashboard", "export/dashboard/pages"}, // wires everything

	"packaging/pack":                   {},                              // writes archives of a release
	"internal/testing/reviewtest/fake": {"internal/testing/reviewtest"}, // the fakes as a program, only for tests
}

// testImports has the additional imports of each package's tests, with the reason.
var testImports = map[string][]string{
	"ledger":                     {"ledger/match", "ledger/verdict", "internal/testing/ledgertest"},                                                                                                     // what becomes of remembered skips
	"db":                         {"internal/testing/storetest"},                                                                                                                                        // a large ledger, for query plans
	"ledger/team":                {"internal/testing/teamtest", "internal/testing/storetest"},                                                                                                           // a server, and a ledger to push
	"ledger/store":               {"internal/testing/storetest", "internal/testing/ledgertest"},                                                                                                         // a large ledger to dump
	"internal/testing/storetest": {"ledger", "ledger/store"},                                                                                                                                            // large ledgers are real ones
	"export/console":             {"internal/testing/exporttest"},                                                                                                                                       // golden files
	"internal/files":             {"internal/testing/exporttest"},                                                                                                                                       // golden files
	"export/interop":             {"internal/testing/exporttest"},                                                                                                                                       // golden files
	"export/listings":            {"internal/testing/exporttest", "internal/testing/ledgertest"},                                                                                                        // golden files
	"export/slotfiles":           {"internal/testing/exporttest"},                                                                                                                                       // golden files
	"export/verdict":             {"internal/testing/exporttest"},                                                                                                                                       // golden files
	"gate/clients":               {"internal/testing/reviewtest"},                                                                                                                                       // fake reviewers
	"gate/loop":                  {"gate/clients", "internal/testing/difftest"},                                                                                                                         // reviewers that do nothing
	"gate/codereview":            {"gate/clients", "internal/testing/difftest"},                                                                                                                         // a reviewer that does nothing
	"gate/slots":                 {"internal/testing/difftest"},                                                                                                                                         // git repositories
	"gate/worktree":              {"internal/testing/difftest"},                                                                                                                                         // git repositories
	"cmd/reviewledger":           {"internal/testing/ledgertest", "internal/testing/modeltest", "internal/testing/storetest", "internal/testing/teamtest", "internal/testing/reviewtest", "migrations"}, // the walk, benchmarks, fake reviewers, the version of a ledger
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	const imports = `{{.ImportPath}} {{join .Imports " "}}{{"\n"}}{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}`
	out, err := exec.Command("go", "list", "-f", imports, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		allowed, known := layers[name]
		if !known {
			t.Errorf("package %s is in no layer: add it to layers, with what it may import", name)
			continue
		}
		if seen[name] { // its tests
			allowed = slices.Concat(allowed, testImports[name], []string{name})
		}
		seen[name] = true
		for _, imported := range fields[1:] {
			rest, own := strings.CutPrefix(imported, module)
			if own && !slices.Contains(allowed, rest) {
				t.Errorf("%s must not import %s", name, rest)
			}
		}
	}
	if len(seen) != len(layers) {
		t.Errorf("found %d packages of %d", len(seen), len(layers))
	}
}

package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reviewledger/reviewledger/internal/testing/teamtest"
	"github.com/reviewledger/reviewledger/ledger"
)

// scriptCommands returns the commands of scripts, in addition to those of testscript:
//
//	mark FILE WHICH STATUS [RESULT]
//		edits a slot's JSON file as an agent does. WHICH is the violation's
//		index, from 0, or a part of its issue.
//	markat FILE:LINE STATUS [FLAGS]
//		runs "reviewledger mark" for the violation at this place.
//	claim WHICH STATUS
//		sets the status of a finding in the verdict file as a team does. WHICH is
//		a part of its title or ID.
//	jq PATH
//		prints the value at PATH, keys and indexes joined by dots, in the verdict
//		file: a string as it is, anything else as JSON.
//	glob-cmp PATTERN FILE
//		compares the only file that the pattern matches with FILE, and checks that
//		it is read-only.
//	validate SCHEMA FILE
//		validates the file against the schema.
//	setjson FILE PATH VALUE
//		sets a value in a JSON file. PATH is keys and indexes joined by dots;
//		VALUE is JSON. "delete" as VALUE removes it.
//	ledger QUERY
//		runs SQL on the worktree's ledger and prints a line for each row, with the
//		columns joined by "|".
//	repo [DIR]
//		creates a git repository, commits the files of the folder on branch main,
//		and checks out the branch feature. The script's own folders, files named
//		answer* or want*, and gauntlet_logs are ignored.
//	bare
//		reduces PATH to reviewledger, git, what sh scripts need, and the script's
//		folder fake.
//	await FILE
//		waits until the file exists, for commands in the background.
//	envfrom FILE
//		sets the environment variable that the file contains as NAME=VALUE.
//	lines FILE FROM TO TEXT
//		replaces the lines FROM to TO (from 1; TO = FROM-1 inserts) by TEXT, in
//		which \n is a line break. An empty TEXT deletes them.
//	gone FILE
//		waits until all processes whose IDs are in the file have ended.
//	get FILE PATH [STATUS]
//		requests a path from the dashboard and prints the response, which must have
//		the status 200 or STATUS. It waits for the URL of the dashboard in the
//		first line of the file.
//	send FILE PATH STATUS NAME=VALUE...
//		sends the form of a page with these fields, as a browser does, and prints the
//		page that follows, which must have the status.
//	team-url NAME
//		sets the environment variable to the URL of a team store for this script,
//		which does not exist yet. Its condition is [postgres].
//	silence NAME
//		sets the environment variable to the URL of a server that never answers.
//	given-up TIME
//		checks that this server was called, and not longer ago than TIME.
//	recipe NAME FILE
//		writes the shell lines of a recipe in docs/ci.md to FILE.
//	action STEP FILE
//		writes the shell lines of a step of action.yml to FILE.
//	sql FILE STATEMENTS
//		runs SQL on a database, which is created if it does not exist.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"mark": scriptMark, "markat": scriptMarkAt, "setjson": scriptSetJSON, "ledger": scriptLedger,
		"claim": scriptClaim, "jq": scriptJQ, "glob-cmp": scriptGlobCmp, "validate": scriptValidate,
		"repo": scriptRepo, "await": scriptAwait, "bare": scriptBare, "lines": scriptLines,
		"envfrom": scriptEnvFrom, "gone": scriptGone, "get": scriptGet, "send": scriptSend, "sql": scriptSQL,
		"recipe": scriptRecipe, "action": scriptAction,
		programCommand: scriptProgram, assignCommand: scriptAssign, exitCommand: scriptExitCode,
		"team-url": scriptTeamURL, "silence": scriptSilence, "given-up": scriptGivenUp,
	}
}

// scriptTeamURL sets the URL of a PostgreSQL schema that does not exist yet.
func scriptTeamURL(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: team-url NAME")
	}
	url, err := teamtest.Address()
	ts.Check(err)
	setVariable(ts, args[0], url)
}

// scriptSilence starts a server that accepts connections and never answers.
func scriptSilence(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: silence NAME")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = listener.Close() })
	called := make(chan time.Time, 1)
	silences.Store(ts, called)
	ts.Defer(func() { silences.Delete(ts) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			select {
			case called <- time.Now():
			default: // it was called before
			}
			defer func() { _ = conn.Close() }() // not before the end of the script
		}
	}()
	setVariable(ts, args[0], "postgres://x@"+listener.Addr().String()+"/x")
}

// silences has, for each script, the channel with the time of the first call of its silent server.
var silences sync.Map

// scriptGivenUp fails if the silent server was not called, or if that was longer ago.
func scriptGivenUp(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: given-up TIME")
	}
	most, err := time.ParseDuration(args[0])
	ts.Check(err)
	called, known := silences.Load(ts)
	if !known {
		ts.Fatalf("no server is silent")
	}
	select {
	case began := <-called.(chan time.Time):
		if took := time.Since(began); took > most {
			ts.Fatalf("the silent server was given up after %s", took)
		}
	default:
		ts.Fatalf("the silent server was not called")
	}
}

func scriptMark(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 && len(args) != 4 {
		ts.Fatalf("usage: mark FILE WHICH STATUS [RESULT]")
	}
	document := readJSON(ts, args[0]).(map[string]any)
	found := 0
	for i, item := range document["violations"].([]any) {
		violation := item.(map[string]any)
		if args[1] == fmt.Sprint(i) || strings.Contains(fmt.Sprint(violation["issue"]), args[1]) {
			found++
			violation["status"] = args[2]
			if len(args) == 4 {
				violation["result"] = args[3]
			}
		}
	}
	if found != 1 {
		ts.Fatalf("mark: %q is %d violations of %s", args[1], found, args[0])
	}
	writeJSON(ts, args[0], document)
}

const verdictFile = ".code-review/review-latest.json"

func scriptClaim(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: claim WHICH STATUS")
	}
	document := readJSON(ts, verdictFile).(map[string]any)
	found := 0
	for _, item := range document["findings"].([]any) {
		finding := item.(map[string]any)
		if strings.Contains(fmt.Sprint(finding["title"], " ", finding["id"]), args[0]) {
			found++
			finding["status"] = args[1]
		}
	}
	if found != 1 {
		ts.Fatalf("claim: %q is %d findings", args[0], found)
	}
	writeJSON(ts, verdictFile, document)
}

func scriptGlobCmp(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: glob-cmp PATTERN FILE")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("glob-cmp: %q matches %d files: %q", args[0], len(found), found)
	}
	info, err := os.Stat(found[0])
	ts.Check(err)
	if info.Mode().Perm() != 0o444 {
		ts.Fatalf("glob-cmp: %s has the mode %o", found[0], info.Mode().Perm())
	}
	if ts.ReadFile(found[0]) != ts.ReadFile(args[1]) {
		ts.Fatalf("glob-cmp: %s differs from %s", found[0], args[1])
	}
}

func scriptValidate(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 || neg {
		ts.Fatalf("usage: validate SCHEMA FILE")
	}
	ts.Check(validate(args[0], args[1], []byte(ts.ReadFile(args[1]))))
}

func scriptJQ(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: jq PATH")
	}
	node := readJSON(ts, verdictFile)
	for _, key := range strings.Split(args[0], ".") {
		switch at := node.(type) {
		case map[string]any:
			node = at[key]
		case []any:
			var index int
			if _, err := fmt.Sscan(key, &index); err != nil || index >= len(at) {
				ts.Fatalf("jq: no element %q", key)
			}
			node = at[index]
		default:
			ts.Fatalf("jq: nothing at %q", key)
		}
	}
	if text, ok := node.(string); ok {
		fmt.Fprintln(ts.Stdout(), text)
		return
	}
	data, err := json.Marshal(node)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), string(data))
}

func scriptSetJSON(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: setjson FILE PATH VALUE")
	}
	var value any
	if args[2] != "delete" {
		ts.Check(json.Unmarshal([]byte(args[2]), &value))
	}
	document := readJSON(ts, args[0])
	writeJSON(ts, args[0], setPath(ts, document, strings.Split(args[1], "."), value, args[2] == "delete"))
}

func setPath(ts *testscript.TestScript, node any, path []string, value any, remove bool) any {
	if len(path) == 0 {
		return value
	}
	switch node := node.(type) {
	case map[string]any:
		if remove && len(path) == 1 {
			delete(node, path[0])
		} else {
			node[path[0]] = setPath(ts, node[path[0]], path[1:], value, remove)
		}
		return node
	case []any:
		var index int
		if _, err := fmt.Sscan(path[0], &index); err != nil || index > len(node) {
			ts.Fatalf("setjson: no element %q", path[0])
		}
		if remove && len(path) == 1 {
			return append(node[:index], node[index+1:]...)
		}
		if index == len(node) {
			return append(node, value)
		}
		node[index] = setPath(ts, node[index], path[1:], value, remove)
		return node
	}
	ts.Fatalf("setjson: nothing at %q", strings.Join(path, "."))
	return nil
}

func readJSON(ts *testscript.TestScript, name string) (value any) {
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &value))
	return value
}

func writeJSON(ts *testscript.TestScript, name string, value any) {
	data, err := json.MarshalIndent(value, "", "  ")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o644))
}

// scriptMarkAt runs `reviewledger mark` with FILE:LINE in place of an ID. It means the violation
// there, preferably an open one of the newest run.
func scriptMarkAt(ts *testscript.TestScript, neg bool, args []string) {
	marked := []string{"mark"}
	for _, arg := range args {
		if file, line, ok := strings.Cut(arg, ":"); ok && regexp.MustCompile(`^\d+$`).MatchString(line) {
			arg = violationAt(ts, file, line)
		}
		marked = append(marked, arg)
	}
	if code := executeForScript(ts, marked); (code != 0) != neg {
		ts.Fatalf("%q: exit status %d", marked, code)
	}
}

func violationAt(ts *testscript.TestScript, file, line string) (id string) {
	listed, err := executeProgram(executionIn(ts, []string{"violations", "--worktree", "all", "--format", "ndjson"}))
	ts.Check(err)
	if listed.Code != 0 {
		ts.Fatalf("violations: %s", listed.Stderr)
	}
	number, err := strconv.Atoi(line)
	ts.Check(err)
	open := false
	for text := range strings.Lines(string(listed.Stdout)) {
		var v struct {
			ID, Status, File string
			Line             int
			EndLine          int `json:"end_line"`
		}
		ts.Check(json.Unmarshal([]byte(text), &v))
		if v.File != file || number < v.Line || number > max(v.Line, v.EndLine) {
			continue
		}
		if isOpen := ledger.Status(v.Status).Open(); id == "" || isOpen && !open {
			id, open = v.ID, isOpen
		}
	}
	if id == "" {
		ts.Fatalf("no violation is at %s:%s", file, line)
	}
	return id
}

func scriptLedger(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: ledger QUERY")
	}
	path := ts.Getenv("REVIEWLEDGER_DB")
	if path == "" {
		path = ts.MkAbs(filepath.Join(".git", "reviewledger", "ledger.db"))
	}
	handle, err := sql.Open("sqlite", "file:"+path+"?mode=ro&_pragma=busy_timeout(10000)")
	ts.Check(err)
	defer handle.Close()
	rows, err := handle.Query(args[0])
	ts.Check(err)
	defer rows.Close()
	columns, err := rows.Columns()
	ts.Check(err)
	for rows.Next() {
		values := make([]any, len(columns))
		pointers := make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		ts.Check(rows.Scan(pointers...))
		texts := make([]string, len(values))
		for i, value := range values {
			texts[i] = fmt.Sprint(value)
		}
		fmt.Fprintln(ts.Stdout(), strings.Join(texts, "|"))
	}
	ts.Check(rows.Err())
}

func scriptRepo(ts *testscript.TestScript, _ bool, args []string) {
	dir := "."
	if len(args) > 0 {
		dir = args[0]
	}
	path := ts.MkAbs(dir)
	git := func(args ...string) error { return ts.Exec("git", append([]string{"-C", path}, args...)...) }
	if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil {
		ts.Fatalf("repo: %s is a repository", dir)
	}
	ts.Check(makeRepository(path, "/.tmp/\n/home/\n/fake/\n/answer*\n/want*\n/*.env\n/gauntlet_logs/\n", git))
}

func scriptAwait(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for {
		if matches, err := filepath.Glob(ts.MkAbs(args[0])); err == nil && len(matches) > 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("await: %s: %v", args[0], fs.ErrNotExist)
		}
	}
}

func scriptLines(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: lines FILE FROM TO TEXT")
	}
	var from, to int
	if _, err := fmt.Sscan(args[1]+" "+args[2], &from, &to); err != nil {
		ts.Fatalf("lines: %v", err)
	}
	all := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	var text []string
	if args[3] != "" {
		text = []string{strings.ReplaceAll(args[3], `\n`, "\n") + "\n"}
	}
	all = append(append(append([]string{}, all[:from-1]...), text...), all[to:]...)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(all, "")), 0o644))
}

func scriptBare(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs(".tmp/bare")
	ts.Check(os.MkdirAll(dir, 0o755))
	for _, program := range []string{"reviewledger", "git", "sh", "grep", "cat", "true"} {
		path, err := lookPathIn(ts.Getenv("PATH"), program)
		ts.Check(err)
		ts.Check(os.Symlink(path, filepath.Join(dir, program)))
	}
	setVariable(ts, "PATH", dir+string(filepath.ListSeparator)+ts.MkAbs("fake"))
}

func lookPathIn(path, program string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, program)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is not on PATH", program)
}

func scriptEnvFrom(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: envfrom FILE")
	}
	name, value, ok := strings.Cut(strings.TrimSpace(ts.ReadFile(args[0])), "=")
	if !ok {
		ts.Fatalf("envfrom: %s holds no NAME=VALUE", args[0])
	}
	setVariable(ts, name, value)
}

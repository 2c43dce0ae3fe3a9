package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/reviewledger/reviewledger/export/slotfiles"
	"github.com/reviewledger/reviewledger/internal/files"
	"github.com/reviewledger/reviewledger/ledger"
)

// demoAnswer is how the demo's agent marks one violation.
type demoAnswer struct {
	issue  string // part of the violation's issue
	status ledger.Status
	result string
}

const demoJob = "review:src:code-quality"

// answerFirst plays the agent's turn after iteration 1.
func (d *demo) answerFirst() error {
	if err := d.write(demoScript, demoBotched); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(d.out)
	d.say("Now the agent reads each \"Review:\" file and the check's log, and changes the")
	d.say("script. In the files it sets \"status\" and \"result\" of each violation, no more:")
	if err := d.answer("safety", 1, 1,
		demoAnswer{"not quoted", ledger.StatusFixed, "put \"$1\" in quotes"},
		demoAnswer{"TMPDIR", ledger.StatusFixed, "put the folder in quotes"}); err != nil {
		return err
	}
	if err := d.answer("logic", 2, 1,
		demoAnswer{"whole amount", ledger.StatusSkipped, "the shop's rule is to cut"}); err != nil {
		return err
	}
	if err := d.showEntry("safety", 1, 1, "TMPDIR"); err != nil {
		return err
	}
	d.say("(That one is botched: with TMPDIR unset, \"$TMPDIR/totals\" is still /totals.)")
	_, _ = fmt.Fprintln(d.out)
	return nil
}

// answerSecond plays the agent's turn after iteration 2.
func (d *demo) answerSecond() error {
	if err := d.write(demoScript, demoFixed); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(d.out)
	d.say("The reviewer contradicts the claim, so the violation is open again, under the")
	d.say("same id. This time the agent gives the folder a default, and deletes nothing:")
	if err := d.answer("safety", 1, 2, demoAnswer{"TMPDIR", ledger.StatusFixed, "falls back to /tmp, and deletes nothing any more"}); err != nil {
		return err
	}
	return d.showEntry("safety", 1, 2, "TMPDIR")
}

// slotPath returns the path of a slot's JSON file.
func (d *demo) slotPath(adapter string, slot, iteration int) string {
	return filepath.Join(d.dir, "gauntlet_logs", slotfiles.SlotJSONName(demoJob, adapter, slot, iteration))
}

func (d *demo) readSlot(adapter string, slot, iteration int) (document ledger.SlotDocument, err error) {
	path := d.slotPath(adapter, slot, iteration)
	data, err := files.ReadFile(path)
	if err != nil {
		return document, fmt.Errorf("read what the reviewer %s reported: %w", adapter, err)
	}
	if document, err = slotfiles.UnmarshalSlot(data); err != nil {
		return document, fmt.Errorf("read %q: %w", path, err)
	}
	return document, nil
}

// answer edits a slot's file as an agent would.
func (d *demo) answer(adapter string, slot, iteration int, answers ...demoAnswer) error {
	document, err := d.readSlot(adapter, slot, iteration)
	if err != nil {
		return err
	}
	for i := range document.Violations {
		v := &document.Violations[i]
		for _, a := range answers {
			if strings.Contains(v.Issue, a.issue) {
				v.Status, v.Result = string(a.status), &a.result
			}
		}
	}
	data, err := slotfiles.MarshalSlot(document)
	if err != nil {
		return err
	}
	return files.WriteFile(d.slotPath(adapter, slot, iteration), data)
}

// showEntry prints one violation as it is in the file.
func (d *demo) showEntry(adapter string, slot, iteration int, issue string) error {
	path := d.slotPath(adapter, slot, iteration)
	data, err := files.ReadFile(path)
	if err != nil {
		return err
	}
	var file struct {
		Violations []json.RawMessage `json:"violations"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("read %q: %w", path, err)
	}
	for _, entry := range file.Violations {
		if strings.Contains(string(entry), issue) {
			d.show(strings.ReplaceAll(string(entry), "\n    ", "\n") + "\n")
		}
	}
	return nil
}

// reopened returns the ID of the violation whose fix was botched.
func (d *demo) reopened() string {
	path := filepath.Join(d.dir, "gauntlet_logs", slotfiles.PreviousName, slotfiles.SlotJSONName(demoJob, "safety", 1, 2))
	data, err := files.ReadFile(path)
	document, _ := slotfiles.UnmarshalSlot(data)
	if err != nil || len(document.Violations) == 0 {
		return "VIOLATION"
	}
	return document.Violations[0].ID
}

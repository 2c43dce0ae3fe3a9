package main

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/gate/answer"
	"github.com/reviewledger/reviewledger/gate/clients"
	"github.com/reviewledger/reviewledger/gate/diff"
)

// askTimeout is the time limit for an adapter to answer the doctor's prompt.
const askTimeout = 2 * time.Minute

// adapter examines one adapter and, with --ask, sends it a prompt.
func (d *doctor) adapter(ctx context.Context, w *workspace, name string, cooling map[string]time.Time) {
	label := "adapter " + name
	command := w.config.Adapters[name].Command
	program, why := w.missing(name)
	if program == "" {
		d.add(label, healthOK, "", "built in")
		return
	}
	if why != "" {
		fix := "install " + program + " and put it on PATH, or remove " + name + " from the configuration"
		if len(command) > 0 {
			fix = "correct cli.adapters." + name + ".command in .gauntlet/config.yml"
			if filepath.Base(program) == program {
				fix = "install " + program + ", or " + fix
			}
		}
		d.add(label, d.severity(w, name), fix, "%q %s", program, why)
		return
	}
	if until, ok := cooling[name]; ok {
		d.add(label, d.severity(w, name), "wait, use another adapter, or: reviewledger doctor --reset "+name,
			"reached a limit, and is not asked until %s", until.Local().Format("Jan 2 15:04 MST"))
		return
	}
	found := program
	if path, err := exec.LookPath(program); err == nil {
		found = path
	}
	if len(command) == 0 {
		version, err := clients.Version(ctx, name, w.repo.Root)
		if err != nil {
			d.add(label, healthWarning, "run `"+program+" --version`", "%s: %v", found, err)
			return
		}
		found += ", " + version + ", " + adapterModel(w, name)
	}
	if w.config.Adapters[name].Output.IsReport() {
		d.tool(ctx, w, name, found)
		return
	}
	if !d.ask {
		d.signIn(ctx, w, name, found)
		return
	}
	took, err := d.askAdapter(ctx, w, name)
	if err != nil {
		d.add(label, healthProblem, "run `"+program+"`, log in if it asks you to, and try again", "%s: %v", found, err)
		return
	}
	d.add(label, healthOK, "", "%s, answered in %.1fs", found, took.Seconds())
}

func adapterModel(w *workspace, name string) string {
	model := clients.ModelOf(name, w.config.Adapters[name].Model)
	if model == "" {
		return "its own default model"
	}
	return "model " + model
}

// signIn reports whether the adapter has credentials.
func (d *doctor) signIn(ctx context.Context, w *workspace, name, found string) {
	label := "adapter " + name
	if len(w.config.Adapters[name].Command) > 0 {
		d.add(label, healthOK, "", "%s", found)
		return
	}
	state := clients.CheckSignIn(ctx, name, w.repo.Root)
	words := found + ", " + string(state.State)
	if state.State == clients.SignInUnknown {
		words = found + ", whether it is signed in is unknown"
	}
	if state.Detail != "" {
		words += " (" + state.Detail + ")"
	}
	switch state.State {
	case clients.SignedIn:
		d.add(label, healthOK, "", "%s", words)
	case clients.SignedOut:
		d.add(label, d.severity(w, name), state.Fix, "%s", words)
	default:
		d.add(label, healthWarning, "reviewledger doctor --ask", "%s", words)
	}
}

// resetAdapter ends the cooldown of an adapter that reached a limit.
func resetAdapter(ctx context.Context, global *globalOptions, adapter string) error {
	repo, err := diff.Open(ctx, global.dir)
	if err != nil {
		return err
	}
	w := &workspace{global: global, repo: repo}
	if err := w.openExistingLedger(ctx); err != nil {
		return err
	}
	defer func() { _ = w.close() }()
	found, names := false, configuredNames(configured(ctx, global))
	if w.ledger != nil {
		if found, err = w.ledger.ResetCooldown(ctx, adapter); err != nil {
			return err
		}
		recorded, err := w.ledger.Names(ctx)
		if err != nil {
			return err
		}
		names.Adapters = append(names.Adapters, recorded.Adapters...)
	}
	message := "adapter %q will be asked again\n"
	if !found {
		if err := filters.CheckName("adapter", adapter, names.Adapters); err != nil {
			return err
		}
		message = "adapter %q is not waiting for a limit to end\n"
	}
	_, err = fmt.Fprintf(global.stdout, message, adapter)
	return err
}

// severity returns how bad it is that an adapter cannot be used: a problem if a review has no other
// adapter.
func (d *doctor) severity(w *workspace, name string) health {
	for _, job := range w.config.AllJobs() {
		if job.Review == nil {
			continue
		}
		listed, others := false, 0
		for _, adapter := range job.Review.CLIPreference {
			listed = listed || adapter == name
			if _, why := w.missing(adapter); adapter != name && why == "" {
				others++
			}
		}
		if listed && others == 0 {
			return healthProblem
		}
	}
	return healthWarning
}

// askAdapter has an adapter review nothing, in the same way as in a loop.
func (d *doctor) askAdapter(ctx context.Context, w *workspace, name string) (time.Duration, error) {
	reviewer, err := w.reviewer(name)
	if err != nil {
		return 0, err
	}
	const prompt = `This is a test. Answer with exactly this line: {"status": "pass", "violations": [], "not_reviewed": []}` + "\n"
	reply, err := reviewer.Review(ctx, clients.Call{
		Dir: w.repo.Root, Timeout: askTimeout, Prompt: []byte(prompt), Subject: &clients.Subject{},
		Schema: answer.Schema(answer.SchemaOptions{Enforced: true}), StrictSchema: answer.Schema(answer.SchemaOptions{Strict: true}),
	})
	if err == nil {
		if _, misfit := answer.Read(reply.Text, answer.Asked{ByAbsence: true}); misfit != nil {
			err = cmp.Or(clients.Refusal(reply, []byte(prompt)), error(misfit))
		}
	}
	if err != nil {
		return 0, fmt.Errorf("no answer: %w", err)
	}
	return reply.Duration, nil
}

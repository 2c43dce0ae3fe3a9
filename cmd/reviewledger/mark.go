package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reviewledger/reviewledger/export/filters"
	"github.com/reviewledger/reviewledger/internal/text"
	"github.com/reviewledger/reviewledger/ledger"
)

// markOptions are the flags and arguments of mark.
type markOptions struct {
	filters.Violations
	format format
	all    bool
	group  bool
	result string
	as     ledger.Actor
	// why is the mark's --reason. It hides the filter of violations with the same name.
	why ledger.SkipReason
	// remember and forget are --remember and --no-remember, and like is the ID of --like.
	remember, forget bool
	like             string
	ids              []string
	to               string
	// version is what a page that marks has seen, see [ledger.MarkRequest].
	version string
}

const markHelp = `Mark violations of the open run as fixed, skipped, disputed, or open again (new), in the
ledger and in the latest review files that list them. Either all of them are
marked, or none. A violation is named by its ID, by a unique prefix of it of at
least four characters, or by its place (FILE:LINE), if one problem is open there.
With --group, the whole block that it is shown in is marked, each violation under
its own ID; only a person skips a block of different words. With --all, filters select violations of the open run;
without --status, only open ones. Manual edits in the review files are recorded
first.

A fix is a claim until a reviewer confirms it in the next run. A skip does not
need confirmation; explain it with --result and --reason, or with --like, which
takes both from another skip. A skip that a person makes is remembered in later
runs (see "skips"), unless the reason is deferred or out_of_scope, or the report
is about a whole file; --remember and --no-remember decide otherwise. The status
new ends that, too.

A dispute says in --result why the violation is not a problem. The next run asks
the reviewers who reported it: they withdraw it, or it is open again. It can be
disputed once; until the answer, the marks fixed, skipped and new take the dispute
back. Findings of tools and of the built-in reviewer cannot be disputed. With a
person's --remember, later runs remember the finding if it is withdrawn.

With duplicate and the ID of another violation of the run, both become one
problem: the result of the other one applies to it, too, and a fix has to be
confirmed by the reviewers of both. They have to be listed as perhaps the same
("also:"), unless a person marks (--as human). A mark on a duplicate is one on
what it was joined to; the status new ends the join.

A report that was not counted ("not counted:", or violations --discarded) is taken
up with its ID and the status new: it is a violation of the run from then on.

What an abandoned run left open or claimed can only be skipped, by ID: until then,
each pass of its branch names what is still there.

Findings of the current code review are marked in the same way, also by their ID
in .code-review/review-latest.json, where skipped is "wont_fix" and new is
"open"; they cannot be disputed. Only the status changes; "reviewledger code-review --verify" updates the
verdict.

Exit codes: 0 marked, even if the filters matched nothing; 2 error, nothing
marked.`

func newMarkCommand(global *globalOptions) *cobra.Command {
	var o markOptions
	cmd := &cobra.Command{
		Use:   "mark ID... fixed|skipped|disputed|new|duplicate [OTHER]",
		Short: "Mark violations as fixed, skipped, disputed, duplicates or open again",
		Long:  markHelp,
		Example: `  reviewledger mark 8f3kq2 fixed --result 'checks the bounds'
  reviewledger mark 8f3kq2 --group fixed --result 'checks the bounds'
  reviewledger mark src/a.go:12 fixed --result 'checks the bounds'
  reviewledger mark 8f3kq2 9a1bcd skipped --reason false_positive
  reviewledger mark 8f3kq2 skipped --remember --reason accepted_risk
  reviewledger mark 8f3kq2 skipped --like 9a1bcd
  reviewledger mark 8f3kq2 disputed --result 'a.go:40 holds the lock'
  reviewledger mark 9a1bcd duplicate 8f3kq2
  reviewledger mark quality-be976622-2 fixed
  reviewledger mark --all --file 'vendor/**' skipped --reason out_of_scope`,
		Args:              func(_ *cobra.Command, args []string) error { return o.parse(args) },
		ValidArgsFunction: completeArgs(global, inTurn(completeWords(ledger.MarkStatuses()), completeViolations(ledger.OpenStatuses()...)), 1000),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range markFilters() {
				if cmd.Flags().Changed(name) && !o.all {
					return usageError("--%s is a filter: use it with --all, without IDs", name)
				}
			}
			return runMark(cmd.Context(), global, o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.all, "all", false, "mark all violations of the open run that match the filters")
	flags.BoolVar(&o.group, "group", false, "mark the whole block of each violation")
	flags.StringVar(&o.result, "result", "", "how it was fixed, or why it is skipped or disputed")
	flags.BoolVar(&o.remember, "remember", false, "remember the skip, or the withdrawn finding, in later runs")
	flags.BoolVar(&o.forget, "no-remember", false, "do not remember the skip in later runs")
	flags.StringVar(&o.like, "like", "", "take result and reason from this skipped violation")
	addActor(global, cmd, &o.as)
	o.addFilters(global, cmd)
	addChoice(global, cmd, &o.why, "reason", "`reason` for skipping: "+ledger.OneOf(ledger.SkipReasons()), ledger.SkipReasons())
	addFormat(global, cmd, &o.format)
	complete(global, cmd, "like", completeViolations(ledger.StatusSkipped))
	return cmd
}

// addActor adds the flag that says who marks.
func addActor(global *globalOptions, cmd *cobra.Command, as *ledger.Actor) {
	addChoice(global, cmd, as, "as", "who marks (default: human on a terminal, else agent)", []ledger.Actor{ledger.ActorAgent, ledger.ActorHuman})
}

// markFilters returns the filters of violations that make sense within one run.
func markFilters() []string {
	return []string{"gate", "entry-point", "adapter", "status", "priority", "file", "iteration", "since", "until", "in-fix-lines"}
}

// addFilters adds the filters of markFilters.
func (o *markOptions) addFilters(global *globalOptions, cmd *cobra.Command) {
	listing := pflag.NewFlagSet("violations", pflag.ContinueOnError)
	o.Violations.Add(listing)
	for _, name := range markFilters() {
		flag := listing.Lookup(name)
		flag.Usage = "with --all: " + flag.Usage
		cmd.Flags().AddFlag(flag)
	}
	completeFilters(global, cmd)
}

// isMark reports whether violations can be marked with the status.
func isMark(status string) bool {
	return slices.Contains(ledger.MarkStatuses(), ledger.Status(status))
}

// wantedStatus says how the arguments end.
func wantedStatus() string {
	return "the last argument must be " + ledger.OneOf(ledger.OwnMarks()) + ", or the last two duplicate and the ID of the original"
}

// parse parses the arguments: IDs, and the status at the end.
func (o *markOptions) parse(args []string) error {
	if len(args) == 0 {
		return usageError("missing status: %s", wantedStatus())
	}
	if done, err := o.parseDuplicate(args); done {
		return err
	}
	if last := args[len(args)-1]; !isMark(last) {
		if len(args) > 1 && isMark(args[len(args)-2]) {
			return usageError("unknown argument %q after %s: words go after --result", last, args[len(args)-2])
		}
		return usageError("missing or unknown status %q: %s", last, wantedStatus())
	}
	o.ids, o.to = args[:len(args)-1], args[len(args)-1]
	switch {
	case len(o.ids) == 0 && !o.all:
		return usageError("missing violation: name the violations to mark %s, or use --all with filters", o.to)
	case len(o.ids) > 0 && o.all:
		return usageError("--all and IDs cannot be used together: omit %q", o.ids[0])
	case o.why != "" && o.to != string(ledger.StatusSkipped):
		return usageError("--reason is for skipped violations: with %s, use --result", o.to)
	case o.result != "" && o.to == string(ledger.StatusNew):
		return usageError("--result cannot be used with new, which removes the mark")
	case o.all && o.group:
		return usageError("--all and --group cannot be used together: name a violation of the block")
	case o.remember && o.forget:
		return usageError("--remember and --no-remember cannot be used together")
	}
	if o.to == string(ledger.StatusDisputed) {
		return o.checkDispute()
	}
	if (o.remember || o.forget || o.like != "") && o.to != string(ledger.StatusSkipped) {
		return usageError("--remember, --no-remember and --like are for skipped violations: omit them with %s", o.to)
	}
	return nil
}

// checkDispute checks the flags that are given with the status disputed.
func (o *markOptions) checkDispute() error {
	switch {
	case ledger.Blank(o.result):
		return usageError("missing --result: say why the violation is not a problem, for its reviewer")
	case o.forget || o.like != "":
		return usageError("--no-remember and --like are for skipped violations: omit them with disputed")
	case o.remember && o.as != ledger.ActorHuman:
		return usageError("--remember with disputed needs --as human: only a person decides what later runs filter")
	}
	return nil
}

// parseDuplicate parses arguments that end with duplicate and the ID of the original.
func (o *markOptions) parseDuplicate(args []string) (done bool, err error) {
	at := slices.Index(args, string(ledger.StatusDuplicate))
	if at < 0 {
		return false, nil
	}
	o.ids, o.to = args[:at], args[at]
	switch {
	case at != len(args)-2:
		return true, usageError("duplicate is followed by one ID: reviewledger mark VIOLATION... duplicate OTHER")
	case at == 0 || o.all:
		return true, usageError("missing violation: name the violations that are duplicates of %q", args[at+1])
	case o.group:
		return true, usageError("--group cannot be used with duplicate: name the violations that are one problem")
	case o.result != "" || o.why != "" || o.remember || o.forget || o.like != "":
		return true, usageError("--result, --reason, --remember, --no-remember and --like cannot be used with duplicate: those of %q apply", args[at+1])
	}
	o.result = args[at+1]
	return true, nil
}

// markActor returns who marks, according to the flag or the terminal.
func markActor(global *globalOptions, as ledger.Actor) ledger.Actor {
	switch {
	case as != "":
		return as
	case isTerminal(global.stdin):
		return ledger.ActorHuman
	}
	return ledger.ActorAgent
}

// memory returns what --remember and --no-remember say.
func (o *markOptions) memory() ledger.Memory {
	switch {
	case o.remember:
		return ledger.MemoryKeep
	case o.forget:
		return ledger.MemoryDrop
	}
	return ledger.MemoryDefault
}

func runMark(ctx context.Context, global *globalOptions, o markOptions) error {
	return withWorkspace(ctx, global, openWorkspace, (*workspace).openToMark, func(w *workspace) error {
		mark, err := w.marker(ctx, o)
		if err != nil {
			return err
		}
		request := ledger.MarkRequest{IDs: o.ids, Group: o.group, Like: o.like, Version: o.version, Mark: ledger.Mark{
			Status: ledger.Status(o.to), Result: o.result, Reason: o.why, Actor: markActor(global, o.as), Memory: o.memory(),
		}}
		if o.all {
			if err := knownFilters(ctx, global, w.ledger, &o.Violations); err != nil {
				return err
			}
			f, err := o.Resolve(ctx, w.ledger)
			if err != nil {
				return err
			}
			request.Filter = &f
		}
		done, err := mark(ctx, request)
		if err != nil {
			return explainMark(err)
		}
		return printMarked(global, o, done)
	})
}

// marker takes the lock for what is to be marked and returns the function that marks it: violations
// of the open run, or findings of the current code review.
func (w *workspace) marker(ctx context.Context, o markOptions) (func(context.Context, ledger.MarkRequest) (ledger.Marked, error), error) {
	findings, err := w.codeReviews().NamesFindings(ctx, o.ids)
	if err != nil {
		return nil, err
	}
	if !findings {
		return w.loop().Mark, w.takeLock(ctx)
	}
	err = w.lockCodeReviews(ctx)
	return w.codeReviews().Mark, err
}

// explainMark returns a refusal without the errors around it, because it already says what to do.
func explainMark(err error) error {
	if refused := (*ledger.MarkError)(nil); errors.As(err, &refused) {
		return refused
	}
	return err
}

// markedJSON is a violation that was marked.
type markedJSON struct {
	ID     string `json:"id"`
	From   string `json:"from"`
	Status string `json:"status"`
	// Of is the original of a duplicate. InsteadOf are named duplicates, in whose place this
	// violation was marked.
	Of        *string  `json:"of"`
	InsteadOf []string `json:"instead_of"`
	// Remembered reports whether later runs remember the skip.
	Remembered bool `json:"remembered"`
}

func printMarked(global *globalOptions, o markOptions, done ledger.Marked) error {
	items := make([]markedJSON, 0, len(done.Violations)+len(done.TakenUp)+len(done.Unchanged))
	for _, r := range done.TakenUp {
		items = append(items, markedJSON{ID: r.ID, From: string(r.Disposition), Status: o.to, InsteadOf: []string{}})
	}
	for _, v := range done.Unchanged {
		items = append(items, markedJSON{ID: v.ShortID, From: string(v.Status), Status: string(v.Status), InsteadOf: []string{}})
	}
	for _, v := range done.Violations {
		item := markedJSON{ID: v.ShortID, From: string(v.Status), Status: o.to, Remembered: done.Remembered[v.ID], InsteadOf: append([]string{}, done.Instead[v.ID]...)}
		if done.Mark.Status == ledger.StatusDuplicate {
			item.Of = &done.Mark.Result
		}
		items = append(items, item)
	}
	if o.format != formatTable {
		return printItems(global.stdout, o.format, items)
	}
	page := global.newPage()
	if len(items) == 0 {
		page.Words("No violation of the open run matches the filters; nothing was marked.")
		return global.print(page)
	}
	for _, r := range done.TakenUp {
		line := fmt.Sprintf("%s: taken up, was %s - %s", r.ID, r.Disposition, text.EscapeLine(r.Place.String()))
		if related := done.Related[r.ID]; len(related) > 0 {
			line += fmt.Sprintf(" (perhaps the same as %s)", strings.Join(related, ", "))
		}
		page.Line("%s", text.Cut(line, page.Style.Width))
	}
	for _, v := range done.Unchanged {
		page.Line("%s: taken up already, and %s", v.ShortID, v.Status)
	}
	for _, v := range done.Violations {
		page.Line("%s", text.Cut(markedLine(v, o, done), page.Style.Width))
	}
	if done.Verdict != "" {
		page.Words("The verdict stays %s until you run `reviewledger code-review --verify`.", done.Verdict)
	}
	return global.print(page)
}

// markedLine says what became of one violation, without repeating what the user has just typed.
func markedLine(v ledger.ListedViolation, o markOptions, done ledger.Marked) string {
	to := o.to
	if done.Mark.Status == ledger.StatusDuplicate {
		to += " of " + done.Mark.Result
	}
	line := fmt.Sprintf("%s: %s, was %s - %s", v.ShortID, to, v.Status, text.EscapeLine(v.Place.String()))
	switch {
	case done.Remembered[v.ID] && done.Mark.Status == ledger.StatusDisputed:
		line += " (remembered in later runs once it is withdrawn)"
	case done.Remembered[v.ID]:
		line += " (remembered in later runs)"
	case o.remember:
		line += " (not remembered: the line that it is about is not known)"
	}
	if named := done.Instead[v.ID]; len(named) > 0 {
		line += fmt.Sprintf(" (instead of %s, a duplicate of it)", strings.Join(named, ", "))
	}
	return line
}

package pages

import (
	"strings"
	"testing"
	"time"

	"github.com/reviewledger/reviewledger/export/dashboard/chart"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/figures"
)

// What pages say if there is little to show, or more than they show.
func TestPagesSayWhatTheirRowsAre(t *testing.T) {
	t.Parallel()
	all := Scope{Since: allTime}
	since := Scope{Filter: figures.Filter{Period: ledger.Period{Since: frame().Now.Add(-week)}}}
	gate := Scope{Filter: figures.Filter{Gate: "security"}, Since: allTime}
	discarded := exampleDiscarded()
	repeats := exampleDiscarded()
	repeats.Rows.Value[0].Reason, repeats.Pager = "repeats violation cp8zn701, which was skipped", Pager{Next: "y"}
	search := exampleSearch()
	search.Facets.Value = ledger.Facets{Unknown: true}
	one := exampleFilesPage()
	one.Figures.Value.Files = one.Figures.Value.Files[:1]
	counted := exampleViolationsPage()
	counted.Filter = ledger.ViolationFilter{}
	counted.Facets.Value.Priorities = []ledger.Facet{{Value: "low", Count: ledger.Count{Violations: 9, Filter: ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.Low}}}},
		{Value: "critical", Count: ledger.Count{Violations: 1, Filter: ledger.ViolationFilter{Priorities: []ledger.Priority{ledger.Critical}}}},
	}
	counted.Facets.Value.Alone = &ledger.Count{}
	original, joined := exampleViolation(), exampleViolation()
	duplicate := joined.History.Violation
	duplicate.ShortID, duplicate.Status, duplicate.DuplicateOf, duplicate.Adapter, duplicate.Slot = "dup00001", ledger.StatusDuplicate, original.History.Violation.ShortID, "codex", 2
	original.History.Violation.Related = []string{"dup00001", "near0001"}
	original.Problem.Value = []ledger.ListedViolation{duplicate}
	joined.Problem.Value = []ledger.ListedViolation{joined.History.Violation}
	joined.History.Violation = duplicate
	taken := exampleViolation()
	taken.History.Violation.Status, taken.History.Violation.Answers, taken.History.Violation.Evidence = ledger.StatusWithdrawn, "the caller <checks>", "it does"
	taken.History.Reports = taken.History.Reports[:1]
	taken.History.Events = append(taken.History.Events[:1:1],
		ledger.Event{Iteration: 1, Number: 2, Status: ledger.StatusDisputed, Actor: ledger.ActorAgent, Result: "the caller <checks>"},
		ledger.Event{Iteration: 2, Number: 3, Status: ledger.StatusReopened, Actor: ledger.ActorReviewer, Result: "nobody checks"})
	insisted := taken
	insisted.History.Words = []ledger.ReviewerWord{
		{Iteration: 2, Slot: 1, Adapter: "claude", Verdict: ledger.DisputeStands, Evidence: "no test <checks>"},
		{Iteration: 2, Slot: 2, Adapter: "codex", Verdict: ledger.DisputeStands, Evidence: "nobody checks"}}
	told := exampleViolation()
	told.History.Violation.Issue = "Deletes /totals.\n\nThat is where the totals of all shops are."
	told.History.Events[2].Result = "TMPDIR may be <empty>, too"
	filtered := exampleViolation()
	filtered.Why.Sentences = []string{"See `reviewledger why x`.", "half a ` pair"}
	filtered.History.Reports = filtered.History.Reports[:1]
	filtered.History.Events = []ledger.Event{
		{Iteration: 1, Number: 1, Status: ledger.StatusNew, Actor: ledger.ActorAgent, Reason: ledger.ReasonTakenUp},
		{Iteration: 2, Number: 2, Status: ledger.StatusVerified, Actor: ledger.ActorReviewer, Result: "it is gone"},
		{Iteration: 2, Number: 3, Status: ledger.StatusVerified, Actor: ledger.ActorReviewer}}
	problems := exampleViolationsPage()
	near := duplicate
	near.ShortID, near.DuplicateOf, near.Status, near.Related = duplicate.DuplicateOf, "", ledger.StatusNew, []string{"dup00001", "near0001"}
	problems.Rows.Value = []ledger.ListedViolation{duplicate, near, taken.History.Violation}
	tied := exampleFilesPage()
	for i := range tied.Figures.Value.Files {
		tied.Figures.Value.Files[i].Violations.Violations = 2
	}
	nothing := search
	nothing.Rows.Value, nothing.Pager = nil, Pager{}
	unmatched := counted
	unmatched.Rows.Value, unmatched.Pager = nil, Pager{}
	same := exampleViolationsPage()
	head, other := violationIn(runID, 1, ledger.StatusNew, ledger.High, "Division by zero", "a.go", 1), violationIn(runID, 2, ledger.StatusNew, ledger.High, "division by  zero", "a.go", 1)
	head.Block, other.Block = head.ShortID, head.ShortID
	same.Rows.Value = []ledger.ListedViolation{other, head}
	looked := exampleRunPage()
	looked.Why.LookedAt = &ledger.LookedAt{By: []ledger.Look{{Gate: "security", Adapter: "claude"}}}
	looked.State.Gates[1].Slots[0].Notes = "I read <all> of it."
	passed := exampleViolation()
	passed.History.Events[4].Confirmed = ledger.ConfirmedByPass
	handed := exampleViolation()
	handed.History.Violation.Job, handed.History.Violation.HandedFrom = "review:api:style", handed.History.Violation.Job
	first, second, disputed := exampleRun(), exampleRun(), exampleRuns()
	disputed.Rows.Value[0].Run.Withdrawn = 1
	second.ID = otherID
	for name, c := range map[string]struct {
		page           Page
		says, saysNone string
	}{
		"nobody asked":         {Reviewers{Scope: all}, "Nobody was asked.</b>A reviewer is counted when a slot asks it. A run is recorded when a gate is executed. In the repository:<pre><code>reviewledger init\nreviewledger run<", "in all"},
		"nobody asked lately":  {Reviewers{Scope: since}, `Nobody was asked since 14 Nov.</b>A reviewer is counted when a slot asks it. <a href="/reviewers?since=all">`, "<pre>"},
		"no file at a gate":    {Files{Scope: gate}, `No file has violations.</b>A file is listed when a reviewer reports something in it. <a href="/files?since=all">`, "<pre>"},
		"no check":             {Checks{Scope: all}, "No check was executed.</b>", "in all"},
		"no verdict":           {Verdicts{Scope: all}, "No code review came to a verdict.</b>A verdict is recorded by:<pre><code>reviewledger code-review<", "in all"},
		"no violation":         {Violations{}, "<code>reviewledger init\nreviewledger run<", ""},
		"no loop":              {Overview{Scope: all, Next: Panel[NextSteps]{Value: NextSteps{Recorded: 1}}}, "no loop is waiting", "All open loops"},
		"loops":                {exampleOverview(), "All open loops", ""},
		"no pass ever":         {Overview{Scope: all}, "No run has passed.</b></div>", "longer period"},
		"no run lately":        {Overview{Scope: since}, "No run began.</b>Choose a longer period to see more.", ""},
		"one file":             {one, "12 weeks", "Where violations are"},
		"files that tie":       {tied, "12 weeks", "Where violations are"},
		"a search of nothing":  {nothing, "No violation matches.", "Priority</h2>"},
		"filters of nothing":   {unmatched, "No violation matches.", "Priority</h2>"},
		"a search":             {search, "Priority</h2>", ""},
		"an ID in a list":      {exampleViolationsPage(), `<td class="nw"><span class="mono">cp8zn701</span></td>`, ""},
		"an ID in a run":       {exampleRunPage(), `<td class="nw"><span class="mono">cp8zn701</span></td>`, ""},
		"other formats, too":   {exampleViolationsPage(), `&amp;sort=priority&amp;format=csv">CSV`, ""},
		"words of a block":     {same, `↳ </span><a href="/violations/` + other.ShortID + `">the same words</a>`, "division by"},
		"who looked":           {looked, "The change was looked at by claude (security).", ""},
		"passed without words": {passed, "was asked about the claim and passed without a word on it", ""},
		"handed to a gate":     {handed, `>review:api:security</a></dd><dt>Answered by</dt><dd>review:api:style, because its gate is gone</dd>`, "/review:api:style@"},
		"answers for its own":  {exampleViolation(), `>review:api:security</a></dd><dt>Reported by</dt>`, "Answered by"},
		"open code reviews":    {exampleOverview(), `<dt>Open now in code reviews</dt><dd class="v"><a href="/violations?kind=code_review&amp;status=new&amp;status=reopened&amp;status=disputed">3</a></dd>`, ""},
		"open loops":           {Overview{Scope: all}, "<dt>Open now in loops</dt>", "Open now in code reviews"},
		"title of a run":       {exampleRunPage(), "<h1>session-login: Sessions end after an hour</h1>", ""},
		"run without a commit": {Run{State: &ledger.State{Run: ledger.Run{Branch: "wip"}}}, "<h1>wip</h1>", ""},
		"titles of runs":       {exampleRuns(), ">session-login: Sessions end after an hour</a>", ""},
		"no run to compare":    {Compare{}, "This ledger holds no run.", "<select"},
		"one run to compare":   {Compare{Recent: []ledger.Run{first}}, "There is one run so far.", "<select"},
		"two runs to compare":  {Compare{Recent: []ledger.Run{first, second}}, `<option value="` + otherID + `" selected>`, "There is one run"},
		"one run chosen":       {Compare{A: &RunRow{Run: first}, Recent: []ledger.Run{first, second}}, `<option value="` + otherID + `" selected>`, ""},
		"first of a search":    {search, "the first 5 violations, best first", ""},
		"rest of reports":      {discarded, "1 more report, newest first", ""},
		"first of reports":     {repeats, "the first 1 report, newest first", ""},
		"violation named":      {repeats, `repeats violation cp8zn701, which was skipped: </span><a class="small" href="/violations/cp8zn701">cp8zn701</a>`, ""},
		"violation not named":  {discarded, `outside the changed lines: </span><a class="small" href="/violations/cp8zn701">`, ""},
		"reports of a problem": {original, `>dup00001</a> by codex@2 at <span class="mono">`, "Duplicate of"},
		"perhaps the same":     {original, `<dt>Perhaps the same</dt><dd><a class="mono" href="/violations/near0001">near0001</a></dd>`, ""},
		"a duplicate":          {joined, `<dt>Duplicate of</dt><dd><a href="/violations/` + duplicate.DuplicateOf + `">`, "<dt>Answer</dt>"},
		"both sides":           {taken, `<b>Disputed</b></p><p>the caller &lt;checks&gt;</p><p><b>Its reviewer withdrew it</b></p><p>it does</p>`, "<dt>Answer</dt>"},
		"a dispute that stood": {taken, `was asked about the dispute and says that it stands`, ""},
		"who insisted":         {insisted, `<b>codex@2</b> was asked about the dispute and says that it stands`, ""},
		"who insisted, too":    {insisted, `<b>claude@1</b> said of it: stands`, ""},
		"why not fixed":        {told, `was asked about it and says that it is not fixed<span class="muted"> → reopened`, ""},
		"why not fixed, words": {told, `<blockquote>TMPDIR may be &lt;empty&gt;, too</blockquote>`, ""},
		"reported once more":   {told, `reported it again<span class="muted"> · `, "saw the claim"},
		"the same words":       {exampleViolation(), `<blockquote> <span class="path">src/total.sh:10-11, critical</span></blockquote>`, ""},
		"first of two lines":   {told, `<h1>Deletes /totals.</h1>`, "totals.…"},
		"taken up":             {filtered, `@1</b> reported it<span`, "reported it again"},
		"a confirmation":       {filtered, `was asked about the claim and says that it is fixed<`, ""},
		"absence confirms":     {filtered, `did not report it again after the claim<`, ""},
		"a command":            {filtered, `See <code>reviewledger why x</code>.`, ""},
		"half a pair":          {filtered, "half a ` pair", ""},
		"why a duplicate":      {joined, `Why it is a duplicate<`, ""},
		"joined in a list":     {problems, `joined to it: </span><a class="mono" href="/violations/dup00001">dup00001</a><br><span class="small muted">perhaps the same: </span><a class="mono" href="/violations/near0001">near0001</a>`, ""},
		"duplicate in a list":  {problems, `duplicate of </span><a class="mono"`, ""},
		"dispute in a list":    {problems, `disputed: the caller &lt;checks&gt;</span>`, "<checks>"},
		"nothing to filter":    {counted, `<span class="row">`, "alone=1"},
		"runs unknown":         {Runs{Rows: Panel[[]RunRow]{Problem: "the file is gone"}}, "A run is one fix-verify loop", "0 runs"},
		"runs as they end":     {exampleRuns(), ">Skipped</th>", ">Withdrawn</th>"},
		"runs with a dispute":  {disputed, ">Withdrawn</th>", ""},
		"skips unknown":        {Skips{Rows: Panel[[]ledger.Skip]{Problem: "the file is gone"}}, "A skip that is remembered", "0 violations"},
		"another page":         {Failure{Status: 404, Message: "no such run", Suggestions: []Suggestion{{"All runs", "/runs"}}}, `no such run<br><a href="/runs">All runs</a> · <a href="/">Overview</a>`, "Did you mean"},
	} {
		document := rendered(t, c.page)
		_, document, _ = strings.Cut(document, "<main")
		if !strings.Contains(document, c.says) {
			t.Errorf("%s: the page does not say %q:\n%s", name, c.says, document)
		}
		if c.saysNone != "" && strings.Contains(document, c.saysNone) {
			t.Errorf("%s: the page says %q", name, c.saysNone)
		}
	}
	document := rendered(t, looked)
	if list, notes := strings.Index(document, "Violations of this run"), strings.Index(document, "I read &lt;all&gt; of it."); list < 0 || list > notes {
		t.Errorf("violations are at %d, notes at %d", list, notes)
	}
	document = rendered(t, counted)
	if critical, low := strings.Index(document, "priority=critical"), strings.Index(document, "priority=low"); critical < 0 || critical > low {
		t.Errorf("critical is filtered at %d, low at %d: priorities are in their order, not in that of their numbers", critical, low)
	}
}

func TestComparisonSaysDifferences(t *testing.T) {
	t.Parallel()
	p := exampleCompare()
	p.A.Run.FinishedAt, p.B.Run.FinishedAt = p.A.Run.StartedAt.Add(time.Hour), p.B.Run.StartedAt.Add(40*time.Minute)
	p.B.Cost = ledger.Cost{USD: 1.5, Known: 2, Calls: 2}
	for _, want := range []string{"−20 m 00 s", "&#43;$0.50", "same"} {
		if !strings.Contains(rendered(t, p), want) {
			t.Errorf("the comparison does not say %q", want)
		}
	}
	p.B.Cost.Known = 1
	if strings.Contains(rendered(t, p), "&#43;$0.50") {
		t.Error("costs of which only a part is known are compared")
	}
}

func TestOneWeekOfACheckIsNotDrawn(t *testing.T) {
	t.Parallel()
	weeks := []figures.CheckWeek{{}, {Took: figures.Durations{N: 3, P50: 35 * time.Millisecond}}}
	if c := medianCell(weeks); c.Drawing != nil || c.Parts[0].Text != "35 ms, one week" {
		t.Errorf("one week is %+v", c)
	}
	weeks[0].Took = figures.Durations{N: 1, P50: 70 * time.Millisecond}
	if c := medianCell(weeks); c.Drawing == nil || c.Parts[0].Text != "−50%" {
		t.Errorf("two weeks are %+v", c)
	}
	if few := string(chart.Strip([]bool{true, false})); !strings.Contains(few, `d="M0 18v-16`) || !strings.Contains(few, "f-muted") {
		t.Errorf("two executions are %s", few)
	}
}

// The page of a violation has the commands for each mark that it can get.
func TestViolationsHaveTheCommandsThatMarkThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Violation)
		want   string // statuses, and --group
	}{
		"open":           {func(*Violation) {}, "fixed skipped disputed"},
		"claimed":        {func(p *Violation) { p.History.Violation.Status = ledger.StatusFixed }, "skipped new"},
		"skipped":        {func(p *Violation) { p.History.Violation.Status = ledger.StatusSkipped }, "fixed new"},
		"verified":       {func(p *Violation) { p.History.Violation.Status = ledger.StatusVerified }, ""},
		"of a block":     {func(p *Violation) { p.History.Violation.Block = "abcd1234" }, "fixed --group fixed skipped disputed"},
		"of no reviewer": {func(p *Violation) { p.History.Violation.Adapter = ledger.BuiltinAdapter }, "fixed skipped"},
		"disputed before": {func(p *Violation) {
			p.History.Events = append(p.History.Events, event("a", 6, 3, ledger.StatusDisputed, ledger.ActorAgent))
		}, "fixed skipped"},
		"of a closed run": {func(p *Violation) { p.Current, p.History.Violation.RunOpen = false, false }, ""},
		"of an abandoned": {func(p *Violation) {
			p.History.Violation.RunOpen, p.History.Violation.RunStatus = false, ledger.StatusAbandoned
		}, "skipped"},
		"of a code review":  {func(p *Violation) { p.Run.Kind = ledger.KindCodeReview; p.History.Violation.RunOpen = false }, "fixed skipped"},
		"of another ledger": {func(p *Violation) { p.Run.Worktree = "" }, ""},
	} {
		p := exampleViolation()
		p.Current, p.Run.Worktree, p.History.Violation.Status = true, "/home/a da", ledger.StatusReopened
		c.change(&p)
		var got []string
		if made, shown := p.marks(links{}); shown {
			for _, s := range made.Next {
				if want := "cd '/home/a da' && " + s.Command; s.Copy != want {
					t.Errorf("%s: copied is %s, want %s", name, s.Copy, want)
				}
				words, _, _ := strings.Cut(strings.TrimPrefix(s.Command, "reviewledger mark "+p.History.Violation.ShortID+" "), " --re")
				got = append(got, words)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: marks %q, want %q", name, got, c.want)
		}
		if _, shown := p.marks(links{team: true}); shown {
			t.Errorf("%s: a copy of a team's ledger can be marked", name)
		}
		// A form has buttons for the same marks, and leaves the command for a block.
		p.Form = &MarkForm{Worktree: "/home/a da"}
		made, _ := p.marks(links{})
		buttons, commands := buttonsOf(made), len(made.Next)
		if want := strings.Replace(c.want, " --group fixed", "", 1); buttons != want || commands != strings.Count(c.want, "--group") {
			t.Errorf("%s: buttons %q and %d commands, want %q", name, buttons, commands, want)
		}
	}
}

// buttonsOf returns the marks that the form of a panel can send.
func buttonsOf(made panel) string {
	var list []string
	if made.Form != nil {
		for _, b := range made.Form.Buttons {
			list = append(list, b.Value)
		}
	}
	return strings.Join(list, " ")
}

// A form marks only in the worktree of the server, but for what any abandoned run left, and only what its page
// shows. What cannot be said with a mark is not asked.
func TestFormsOfViolations(t *testing.T) {
	t.Parallel()
	abandoned := func(p *Violation) {
		p.Run.Status, p.History.Violation.RunOpen, p.History.Violation.RunStatus = ledger.StatusAbandoned, false, ledger.StatusAbandoned
	}
	elsewhere := func(p *Violation) { p.Form.Worktree = "/home/ada/other" }
	duplicate := func(p *Violation) {
		p.History.Violation.Status, p.History.Violation.DuplicateOf = ledger.StatusDuplicate, "0r1g1nal"
	}
	withdrawn := func(p *Violation) { p.Form.Words, p.History.Violation.Status = "", ledger.StatusWithdrawn }
	for name, c := range map[string]struct {
		changes        []func(*Violation)
		buttons        string
		says, saysNone string
	}{
		"open":                   {nil, "fixed skipped disputed", `<textarea id="mark-result" name="result" rows="3">TMPDIR is always set</textarea>`, "Your words"},
		"a reason":               {nil, "fixed skipped disputed", `<option value="false_positive" selected>false positive</option>`, `<option value="" selected>`},
		"remembered":             {nil, "fixed skipped disputed", "Later runs remember a person&#39;s skip", ""},
		"elsewhere":              {[]func(*Violation){elsewhere}, "", "<b>Your words</b></p><p>TMPDIR is always set</p>", "<form class=\"body mark\""},
		"abandoned":              {[]func(*Violation){abandoned}, "skipped", "Skip it", "Dispute it"},
		"abandoned elsewhere":    {[]func(*Violation){abandoned, elsewhere}, "skipped", "Skip it", "Dispute it"},
		"of a worktree unknown":  {[]func(*Violation){abandoned, func(p *Violation) { p.Run.Worktree = "" }}, "", "<b>Your words</b>", "Skip it"},
		"a duplicate":            {[]func(*Violation){duplicate}, "new", `What <a href="/violations/0r1g1nal">0r1g1nal</a> is marked as applies to this one, too.`, "Later runs remember"},
		"only to be opened":      {[]func(*Violation){withdrawn}, "new", "Open it again", "<textarea"},
		"of a code review":       {[]func(*Violation){func(p *Violation) { p.Run.Kind = ledger.KindCodeReview }}, "fixed skipped", "Skip it", "Later runs remember"},
		"the answer to no mark":  {[]func(*Violation){func(p *Violation) { p.Form.Refused = "" }}, "fixed skipped disputed", "Skip it", "Not marked"},
		"the answer to a mark":   {[]func(*Violation){func(p *Violation) { p.Form.Refused, p.Form.Recorded = "", "x: skipped\nwarning: <y>\n" }}, "fixed skipped disputed", "<span>x: skipped</span></p><div class=\"body why\"><p>warning: &lt;y&gt;</p></div>", "Not marked"},
		"not marked, by a title": {nil, "fixed skipped disputed", "<title>Not marked: Where TMPDIR", ""},
	} {
		p := exampleMarking()
		for _, change := range c.changes {
			change(&p)
		}
		document := rendered(t, p)
		if !strings.Contains(document, c.says) || c.saysNone != "" && strings.Contains(document, c.saysNone) {
			t.Errorf("%s: it must say %q and not %q:\n%s", name, c.says, c.saysNone, document)
		}
		if made, _ := p.marks(links{}); buttonsOf(made) != c.buttons {
			t.Errorf("%s: buttons %q, want %q", name, buttonsOf(made), c.buttons)
		}
	}
}

func TestLogsWrapAndAnswersAreIndented(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for answer, want := range map[string]string{
		`{"status":"pass","n":[1, 2e3]}`: "{\n  \"status\": \"pass\",\n  \"n\": [\n    1,\n    2e3\n  ]\n}",
		"Here it is:\n{\"a\":1}\n{b}\n":  "Here it is:\n{\n  \"a\": 1\n}\n{b}\n",
		"no JSON {":                      "no JSON {",
		deep:                             deep,
	} {
		if got := indented(answer); got != want {
			t.Errorf("%q is shown as %q, want %q", answer, got, want)
		}
	}
	p := exampleLog()
	p.Text.Value = `{"a":1}`
	if document := rendered(t, p); !strings.Contains(document, `class="code scroll wraps"`) || !strings.Contains(document, "<td>  &#34;a&#34;: 1</td>") {
		t.Errorf("the answer is not indented:\n%s", document)
	}
	p.Kind = "prompt" // shown as it was sent
	if document := rendered(t, p); !strings.Contains(document, "<td>{&#34;a&#34;:1}</td>") {
		t.Errorf("the prompt is another:\n%s", document)
	}
}

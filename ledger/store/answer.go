package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/reviewledger/reviewledger/db"
	"github.com/reviewledger/reviewledger/ledger"
	"github.com/reviewledger/reviewledger/ledger/match"
)

// answerWriter writes one slot's answer in one transaction.
type answerWriter struct {
	*tx
	*Recorder
	a     SlotAnswer
	slot  int64
	job   int64
	known map[string]*violation // the violations of the run, by ULID
	own   []*violation          // those of the job, oldest first
	// confirmed has how claims and disputes were confirmed in this iteration, the weakest of their reporters, by ULID.
	confirmed map[string]ledger.Confirmation
	began     map[string]ledger.Violation // as they were when the iteration began, by ULID

	excerpts map[int]db.InsertReportExcerptParams // by the position of the report

	entries []ledger.SlotEntry // what the slot's file lists
	shown   []shownRows        // the rows that each entry shows
	listed  map[string]bool    // the ULIDs of the entries' violations
	left    []ledger.Report    // the filtered reports
	created []int64            // the rows of the violations that the answer begins
	ids     []violationID      // drawn in advance
	// byProblem groups the violations from before the answer by problem. It is nil until needed.
	byProblem map[string][]*ledger.Violation
	// connected are the violations of the run, by ULID, after the answer was compared with what others said,
	// or nil if it was not.
	connected map[string]*violation
	// unlisted is set if the slot's entries are not kept, because edits in the files of a code review's
	// slots are not read.
	unlisted bool
}

// shownRows are the rows that an entry shows.
type shownRows struct {
	id                string // of the violation
	violation, report int64
}

func (w *answerWriter) write(ctx context.Context) (result SlotResult, err error) {
	if err := w.addRemembered(ctx); err != nil {
		return result, err
	}
	known := w.earlier()
	evaluation := match.Evaluate(w.a.Answer, known, w.a.Facts, w.a.Rules)
	w.a.Answer.Entries, w.a.Facts.Entries = nil, nil // the reports have them now
	result.Evaluation = evaluation
	if err := w.putCall(ctx, w.slot, w.a.SlotCall); err != nil {
		return result, err
	}
	w.listed, w.unlisted = make(map[string]bool, len(evaluation.Reports)), w.a.Rules.Verify
	w.entries = make([]ledger.SlotEntry, 0, len(evaluation.Reports))
	if err := w.writeReports(ctx, evaluation.Reports); err != nil {
		return result, err
	}
	result.Filtered = ledger.FilteredEntries(w.left)
	for _, d := range ledger.FilteredDispositions() {
		result.LeftOut += evaluation.Count(d)
	}
	if result.Verified, result.Withdrawn, err = w.writeWords(ctx, evaluation, known); err != nil {
		return result, err
	}
	if err := w.changeStatuses(ctx, result); err != nil {
		return result, err
	}
	if err := w.connect(ctx); err != nil {
		return result, err
	}
	if evaluation.Status != ledger.SlotError || evaluation.Stands() {
		contradicted := match.Contradicted(evaluation, known)
		w.listContradicted(contradicted)
		carried := match.Unaddressed(evaluation, known, w.a.Slot, len(w.a.Fillers[w.a.Job]))
		w.listCarried(carried)
		result.Carried = len(carried)
		w.addKnown(evaluation, contradicted)
		result.Status = evaluation.Ended(result.Carried)
		result.Document = w.document(result)
	}
	if err := w.addSkippedBefore(ctx, evaluation.Reports); err != nil {
		return result, err
	}
	return result, w.finish(ctx, result)
}

// writeWords records the slot's words on claims and disputes, what it calls gone, and its notes. It
// returns the claims that the answer verifies and the disputed findings that it withdraws.
func (w *answerWriter) writeWords(ctx context.Context, e ledger.Evaluation, known []ledger.Known) (verified, withdrawn []string, err error) {
	words, gone := map[int64]ledger.ReviewerWord{}, map[int64]ledger.ReviewerWord{}
	for id, evidence := range e.Gone { // also a disputed one, on which there is another word
		gone[w.known[id].Row] = ledger.ReviewerWord{Verdict: ledger.ClaimGone, Evidence: evidence}
	}
	for id, verdict := range e.Words {
		words[w.known[id].Row] = ledger.ReviewerWord{Verdict: verdict, Evidence: e.Evidence[id], Confirmed: e.Confirmed[id]}
	}
	if err := errors.Join(w.putWords(ctx, w.slot, words), w.putWords(ctx, w.slot, gone)); err != nil || len(words) == 0 {
		return nil, nil, err
	}
	putTo := make(map[string][]match.Asked, len(e.Words))
	for id := range e.Words {
		putTo[id] = w.asked(id)
	}
	all, how, err := w.claimWordsOf(ctx, w.run, w.iteration)
	for id := range putTo {
		for _, asked := range putTo[id] {
			w.confirmed[id] = ledger.Weakest(w.confirmed[id], how[asked])
		}
	}
	verified, withdrawn = match.Confirmed(e, known, putTo, all)
	return verified, withdrawn, err
}

// earlier returns the job's violations of earlier iterations, at their places in the tree that was
// reviewed. It leaves out what another slot reported first in this iteration, because the slots of
// one iteration review independently. A duplicate has the state of its original.
func (w *answerWriter) earlier() []ledger.Known {
	var list []ledger.Known
	for _, row := range w.own {
		v, id := row.Violation, row.ID
		was, existed := w.began[id]
		if !existed {
			continue
		}
		v.Status, v.Place = v.Fate(), v.ReportedAt()
		list = append(list, ledger.Known{
			Violation: v, Whereabouts: w.a.Facts.Locate(v, was),
			WasClaim: was.Claim(), WasDisputed: was.Fate() == ledger.StatusDisputed, WasOpen: was.Fate().Open(), Asked: w.a.Asked[id], Listed: w.a.Listed[id],
		})
	}
	return list
}

// prepareReports stores the code at the places of the reports, and draws the ids that they need.
func (w *answerWriter) prepareReports(ctx context.Context, reports []ledger.Evaluated) (err error) {
	if w.job, err = w.JobID(ctx, w.a.Job); err != nil {
		return err
	}
	if err := w.putExcerpts(ctx, reports); err != nil {
		return err
	}
	n := 0 // of the violations that they begin, and the reports that users can refer to
	for _, r := range reports {
		if r.Disposition != ledger.Accepted || w.known[r.Match] == nil {
			n++
		}
	}
	w.ids, err = w.newViolationIDs(ctx, n)
	return err
}

// writeReports writes what became of each report.
func (w *answerWriter) writeReports(ctx context.Context, reports []ledger.Evaluated) error {
	if err := w.prepareReports(ctx, reports); err != nil {
		return err
	}
	// Of several reports of one violation the leading one is written last, because the violation
	// shows the text of its latest report.
	for _, leads := range []bool{false, true} {
		those := func(r *ledger.Evaluated) bool { return (r.Leads || r.Match == "") == leads }
		if err := w.writeThose(ctx, reports, those); err != nil {
			return err
		}
	}
	return w.followJoined(ctx, w.run, w.joinedTo()...)
}

// writeThose writes those of the reports, with the violations that begin with them.
func (w *answerWriter) writeThose(ctx context.Context, reports []ledger.Evaluated, those func(*ledger.Evaluated) bool) error {
	before := len(w.created)
	for i := range reports {
		if those(&reports[i]) {
			if err := w.writeReport(ctx, w.reportRow(&reports[i])); err != nil {
				return err
			}
		}
	}
	if err := w.showReports(ctx); err != nil {
		return err
	}
	return w.insertEvents(ctx, w.created[before:], w.event(ledger.StatusNew))
}

// joinedTo returns the short ids of the originals of the run's duplicates.
func (w *answerWriter) joinedTo() (ids []string) {
	for i := range w.a.Before.Violations {
		if of := w.a.Before.Violations[i].DuplicateOf; of != "" && !slices.Contains(ids, of) {
			ids = append(ids, of)
		}
	}
	return ids
}

// reportRow is the row of a report, with the violation that it is about.
type reportRow struct {
	report *ledger.Evaluated
	row    int64
	// shortID is its own short id, if users can refer to it, and fingerprint that of its line, if it is
	// kept.
	shortID, fingerprint string
	// begins is set if the violation begins with the report.
	begins    bool
	violation violationID
	of        *int64 // the row of the violation
}

func (w *answerWriter) reportRow(r *ledger.Evaluated) *reportRow {
	row := &reportRow{report: r}
	if r.Disposition == ledger.Accepted || r.Disposition.Filtered() {
		row.fingerprint = ledger.Fingerprint(w.a.Job, r.Place.File, r.Line)
	}
	known := w.known[r.Match]
	if known != nil {
		row.violation, row.of = violationID{known.ID, known.ShortID}, &known.Row
	}
	switch {
	case intoFinding(r): // users refer to the finding
	case r.Disposition != ledger.Accepted: // so that later prompts and users can refer to it
		row.shortID = w.nextID().short
		w.left = append(w.left, filteredReport(row.shortID, *r))
	case known == nil:
		row.begins, row.violation = true, *w.nextID()
		r.ShortID = row.violation.short
	case r.Leads:
		r.ShortID = known.ShortID
	}
	return row
}

// writeReport writes a report with the code at its place, begins its violation if there is none, and
// lists it in the slot's file.
func (w *answerWriter) writeReport(ctx context.Context, row *reportRow) (err error) {
	r := row.report
	if row.begins {
		begun, err := w.InsertViolation(ctx, db.InsertViolationParams{
			Ulid: row.violation.ulid, ShortID: row.violation.short, RunID: w.run, JobID: w.job, Slot: int64(w.a.Slot), Adapter: w.a.Adapter,
			File: r.Place.File, Priority: string(r.Priority), Iteration: int64(w.number), Fingerprint: optional(row.fingerprint), At: w.at,
			SeenBefore: optional(r.SeenBefore), InFixLines: boolean(r.InFixLines),
		})
		if err != nil {
			return err
		}
		row.of, w.created = &begun, append(w.created, begun)
	}
	if err := w.insertReport(ctx, w.slot, row); err != nil {
		return err
	}
	if x, there := w.excerpts[r.Position]; there {
		x.ReportID = row.row
		err = w.InsertReportExcerpt(ctx, x)
	}
	if err == nil {
		err = w.putPlaces(ctx, row.row, r.Also)
	}
	if err == nil && r.Remembered != nil {
		err = w.MeetSkip(ctx, db.MeetSkipParams{ReportID: row.row, Skipped: r.Remembered.ID, Event: int64(r.Remembered.Event)})
	}
	if err != nil || r.Disposition != ledger.Accepted {
		return err
	}
	violation, known := *row.of, w.known[r.Match]
	if row.begins || r.Leads {
		entry := reportEntry(row.violation.short, *r)
		entry.Fingerprint = row.fingerprint
		if known != nil && known.Status.Open() && known.Priority.Higher(r.Priority) {
			entry.Priority = string(known.Priority) // the priority of an open violation never falls
		}
		w.list(row.violation.ulid, entry, shownRows{row.violation.ulid, violation, row.row})
	}
	if row.begins {
		return nil
	}
	return w.TouchViolation(ctx, db.TouchViolationParams{LastIteration: int64(w.number), LastSeen: w.at, ID: violation})
}

// keepHunks stores the changes around the places of the claims that the answer settles, with the
// events that settle them.
func (w *answerWriter) keepHunks(ctx context.Context, ids []string) error {
	blobs := map[string]int64{} // claims that lie close together have the same hunks
	for _, id := range ids {
		hunks := w.a.Content.Hunks[id]
		if hunks == "" || w.known[id].Original != nil {
			continue
		}
		blob, kept := blobs[hunks]
		if !kept {
			var err error
			if blob, err = w.putBlob(ctx, []byte(hunks)); err != nil {
				return err
			}
			blobs[hunks] = blob
		}
		if err := w.InsertEventHunks(ctx, db.InsertEventHunksParams{BlobID: blob, ViolationID: w.known[id].Row}); err != nil {
			return err
		}
	}
	return nil
}

func (w *answerWriter) nextID() *violationID {
	id := &w.ids[0]
	w.ids = w.ids[1:]
	return id
}

// event returns the parameters of a reviewer's event.
func (w *answerWriter) event(status ledger.Status) db.InsertEventParams {
	return db.InsertEventParams{IterationID: w.iteration, Status: string(status), Actor: string(ledger.ActorReviewer), At: w.at}
}

func reportEntry(shortID string, r ledger.Evaluated) ledger.SlotEntry {
	return ledger.SlotEntry{
		ID: shortID, File: r.Place.File, Line: r.Place.Start, EndLine: r.Place.End,
		Issue: r.Issue, Fix: r.Fix, Priority: string(r.Priority), Also: r.Also, Status: string(ledger.StatusNew),
	}
}

func (w *answerWriter) list(id string, entry ledger.SlotEntry, rows shownRows) {
	w.listed[id] = true
	w.entries, w.shown = append(w.entries, entry), append(w.shown, rows)
}

func (w *answerWriter) changeStatuses(ctx context.Context, r SlotResult) error {
	for _, change := range []struct {
		ids    []string
		status ledger.Status
	}{{r.Reopened, ledger.StatusReopened}, {r.Verified, ledger.StatusVerified}, {r.Withdrawn, ledger.StatusWithdrawn}} {
		if err := w.changeStatus(ctx, change.ids, change.status, r.Evidence); err != nil {
			return fmt.Errorf("%d violations become %s: %w", len(change.ids), change.status, err)
		}
		if err := w.keepHunks(ctx, change.ids); err != nil {
			return err
		}
	}
	return nil
}

// changeStatus gives the violations the status. The result of each event is the reviewer's
// evidence. A withdrawal is remembered if the dispute is to be.
//
// Rule: A human's skip is remembered.
func (w *answerWriter) changeStatus(ctx context.Context, ids []string, status ledger.Status, evidence map[string]string) error {
	rows, of := w.problems(ids)
	results, confirmed := map[int64]string{}, map[int64]ledger.Confirmation{}
	for _, id := range ids {
		if status == ledger.StatusVerified {
			confirmed[of[id]] = ledger.Weakest(confirmed[of[id]], w.confirmed[id])
		}
		if said := evidence[id]; said != "" && results[of[id]] == "" {
			results[of[id]] = said
		}
	}
	for _, row := range rows {
		event := w.event(status)
		event.ViolationID, event.Result, event.Confirmed = row, optional(results[row]), optional(string(confirmed[row]))
		if status == ledger.StatusWithdrawn {
			lines, err := w.LineOfDispute(ctx, row)
			if err != nil {
				return err
			}
			if len(lines) > 0 {
				event.Fingerprint = lines[0]
			}
		}
		if err := w.InsertEvent(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

// listContradicted lists the claims and disputes that the answer contradicts without reporting
// them again.
func (w *answerWriter) listContradicted(ids []string) {
	for _, id := range ids {
		if !w.listed[id] {
			v := *w.known[id]
			if v.Status != ledger.StatusDuplicate {
				v.Status = ledger.StatusReopened // it changed after the row was read
			}
			w.listKnown(&v)
		}
	}
}

func (w *answerWriter) listKnown(v *violation) {
	entry := v.Entry()
	entry.Fingerprint = v.Fingerprint
	w.list(v.ID, entry, shownRows{v.ID, v.Row, v.ReportRow})
}

// listCarried lists the slot's open violations that its answer does not name.
func (w *answerWriter) listCarried(ids []string) {
	for _, id := range ids {
		w.listKnown(w.known[id])
	}
}

// addKnown adds to each listed violation what is known about it: which violations may be the same
// and, if it is open again, the reviewer's answer to its latest claim or dispute, from this or an
// earlier iteration.
func (w *answerWriter) addKnown(e ledger.Evaluation, contradicted []string) {
	for i := range w.entries {
		entry, id := &w.entries[i], w.shown[i].id
		if other, compared := w.connected[id]; compared {
			entry.Related, entry.Group, entry.DuplicateOf = other.Related, other.Block, other.DuplicateOf
		}
		v, known := w.known[id]
		if !known {
			continue
		}
		was := v.Entry()
		if w.connected == nil {
			entry.Related, entry.Group, entry.DuplicateOf = was.Related, was.Group, was.DuplicateOf
		}
		entry.Said, entry.Reopened = was.Said, was.Reopened
		if slices.Contains(contradicted, id) {
			entry.Said, entry.Reopened = e.Evidence[id], true
		}
	}
}

func (w *answerWriter) document(result SlotResult) ledger.SlotDocument {
	return ledger.SlotDocument{
		Job: w.a.Job, Slot: w.a.Slot, Adapter: w.a.Adapter, Iteration: w.number,
		At: w.time(), Status: result.Status, RawOutput: w.a.Raw, Violations: w.entries, Filtered: result.Filtered,
	}
}

func filteredReport(id string, r ledger.Evaluated) ledger.Report {
	return ledger.Report{ID: id, Position: r.Position, Place: r.Place, Issue: r.Issue, Fix: r.Fix, Priority: r.Priority, Disposition: r.Disposition, Reason: r.Reason}
}

func (w *answerWriter) finish(ctx context.Context, result SlotResult) error {
	if result.Document.Job != "" && !w.unlisted {
		for i, entry := range w.entries {
			if err := w.InsertSlotEntry(ctx, db.InsertSlotEntryParams{
				SlotID: w.slot, Position: int64(i + 1), ViolationID: w.shown[i].violation, ReportID: w.shown[i].report, Status: entry.Status, Result: entry.Result,
			}); err != nil {
				return err
			}
		}
	}
	params := finishSlot(w.tx, w.slot, w.a.SlotCall, result.Reason)
	params.Accepted = int64(result.Count(ledger.Accepted))
	params.OutOfDiff = int64(result.Count(ledger.OutOfDiff))
	params.BelowThreshold = int64(result.Count(ledger.BelowThreshold))
	params.PreviouslySkipped = int64(result.Count(ledger.PreviouslySkipped))
	params.RememberedSkip = int64(result.Count(ledger.RememberedSkip))
	params.Malformed = int64(result.Count(ledger.Malformed))
	params.Merged = int64(result.Count(ledger.Merged))
	params.OutsideVerify = int64(result.Count(ledger.OutsideVerify))
	params.New, params.Reopened, params.Verified = int64(len(w.created)), int64(len(result.Reopened)), int64(len(result.Verified))
	params.Carried, params.Notes = int64(result.Carried), optional(w.a.Answer.Notes)
	for _, how := range result.Confirmed {
		params.WithoutWord += boolean(how == ledger.ConfirmedByPass)
	}
	call := w.a.SlotCall
	call.ErrorKind = cmp.Or(call.ErrorKind, ledger.ErrorBadAnswer) // counted if the answer is in error
	return w.finishSlot(ctx, w.tx, w.slot, result.Status, call, params)
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

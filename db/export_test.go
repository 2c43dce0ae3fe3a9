package db

import "github.com/reviewledger/reviewledger/queries"

// Statements returns the SQL of queries, by what uses it.
func Statements() map[string]string {
	return map[string]string{
		"runs": queries.Rows()["ListRuns"], "run by prefix": queries.Rows()["RunsWithPrefix"],
		"violation by short id": idStartsWith("short_id"), "violation by ulid": idStartsWith("ulid"),
		"violation details": queries.Rows()["Violations"],
		"violations --wide": excerpts,
		"file names":        fileNames, "history events": queries.Rows()["EventsOfViolation"], "history words": queries.Rows()["WordsOfViolation"], "history reports": queries.Rows()["ReportsOfViolation"],
		"slot filtered": queries.Rows()["FilteredReports"], "slot reports": queries.Rows()["ReportsOfSlot"], "discarded": queries.Rows()["DiscardedReports"], "mark": entriesOfViolations,
		"show iterations": queries.Rows()["IterationsOfRun"], "show gates": queries.Rows()["GatesOfRun"], "show slots": queries.Rows()["SlotsOfRun"], "why run": queries.Rows()["ViolationsOfRun"],
		"search": matchingRows, "search of": searchedRows, "search snippets": snippets, "search discarded": queries.Rows()["FoundReports"],
		"status passed": queries.Rows()["PassedRuns"], "status last": queries.Rows()["LastRun"],
		"skips": rememberedSkips, "skips met": queries.Rows()["SkipsOf"], "run remembered": queries.Rows()["RememberedOnLines"], "run said before": queries.Rows()["SkippedOnLines"],
		"show ended skips": slotsOfEndedSkips, "live usual": usualDurations,
		"log check": gateLog, "log slot": slotTexts, "log change": hunksOfViolation,
		"compare": wordingsOfRun, "log calls": queries.Rows()["CallsOfSlot"],
		"run earlier": queries.Rows()["LeftInFiles"], "run earlier reports": queries.Rows()["FilteredInFiles"], "run claims": queries.Rows()["WordsOfIteration"], "search slots": queries.Rows()["FoundNotes"], "known jobs": jobNames,
		"why events": queries.Rows()["EventsOfRun"], "why left": leftByIterations, "show costs": costsOfRuns, "why transitions": queries.Rows()["TransitionsOfRun"],
		"verdict of run": queries.Rows()["Verdicts"], "findings of run": queries.Rows()["Findings"], "status edits": queries.Rows()["SlotEntries"], "status ended skips": slotsOfEndedSkips,
		"facets": totalsOfList, "report first": queries.Figures()["FirstReported"],
	}
}

// idStartsWith returns the statement that finds the violations whose ID begins with something.
func idStartsWith(column string) string {
	var l List
	l.KeepColumn(column, "from", "")
	l.KeepColumn(column, "until", "")
	return l.statement()
}

// ListStatement returns the list as SQL.
func ListStatement(l List) string { return l.statement() }

package db

import "github.com/reviewledger/reviewledger/queries"

// Statements returns the SQL of queries, by what uses it.
func Statements() map[string]string {
	return map[string]string{
		"runs": listRuns, "run by prefix": runsWithPrefix,
		"violation by short id": violationsWithShortPrefix, "violation by ulid": violationsWithPrefix,
		"violation details": queries.Rows()["Violations"],
		"violations --wide": excerptsOfViolations,
		"file names":        fileNames, "history events": eventsOfViolation, "history words": wordsOfViolation, "history reports": reportsOfViolation,
		"slot reports": reportsOfSlot, "discarded": discardedReports, "mark": entriesOfViolations,
		"show iterations": iterations, "show gates": gatesOfRun, "show slots": slotsOfRun, "why run": queries.Rows()["ViolationsOfRun"],
		"search": matchingRows, "search of": searchedRows, "search snippets": snippets, "search discarded": discardedReportsByID,
		"status passed": passedRuns, "status last": lastRun,
		"skips": rememberedSkips, "skips met": memoryOfViolations, "run remembered": rememberedOnLines, "run said before": skippedOnLines,
		"show ended skips": slotsOfEndedSkips, "live usual": usualDurations,
		"log check": gateLog, "log slot": slotTexts, "log excerpt": excerptsOfViolation, "log change": hunksOfViolation,
		"compare": wordingsOfRun, "log calls": callsOfSlot, "show notes": notesOfRun, "history places": placesOfReports,
		"run earlier": leftInFiles, "run earlier reports": filteredInFiles, "run claims": claimWordsOf, "search slots": slotsWithNotes, "known jobs": jobNames,
		"why events": eventsOfRun, "why left": leftByIterations, "show costs": costsOfRuns, "why transitions": transitionsOfRun,
		"verdict of run": latestVerdict, "status edits": queries.Rows()["SlotEntries"], "status ended skips": slotsOfEndedSkips,
		"facets": totalsOfList, "report first": queries.Figures()["FirstReported"],
	}
}

// ListStatement returns the list as SQL.
func ListStatement(l List) string { return l.statement() }

package db

// Statements returns the SQL of queries, by what uses it.
func Statements() map[string]string {
	return map[string]string{
		"runs": listRuns, "run by prefix": runsWithPrefix,
		"violation by short id": violationsWithShortPrefix, "violation by ulid": violationsWithPrefix,
		"violation details": violationDetails, "violation reporters": reportersOfViolations, "violation gone": goneWordsOf,
		"violations --wide": excerptsOfViolations,
		"file names":        fileNames, "history events": eventsOfViolation, "history words": wordsOfViolation, "history reports": reportsOfViolation,
		"slot reports": reportsOfSlot, "discarded": discardedReports, "mark": entriesOfViolations,
		"show iterations": iterations, "show gates": gatesOfRun, "show slots": slotsOfRun, "why run": violationsOfRun,
		"search": matchingReports, "search of": violationsOfReports, "search by ids": textsOfReports,
		"search filtered": acceptedReports, "search discarded": discardedReportsByID, "search newest discarded": newestDiscards,
		"status passed": passedRuns, "status last": lastRun,
		"skips": rememberedSkips, "skips met": memoryOfViolations, "run remembered": rememberedOnLines, "run said before": skippedOnLines,
		"show ended skips": slotsOfEndedSkips,
		"report events":    eventsInPeriod,
		"report file":      detailsOf, "report recurring": latestOfFingerprint, "report overlap": overlapOfRuns,
		"log check": gateLog, "log slot": slotTexts, "log excerpt": excerptsOfViolation, "log change": hunksOfViolation,
		"compare": wordingsOfRun, "log calls": callsOfSlot, "show notes": notesOfRun, "history places": placesOfReports,
		"run earlier": leftInFiles, "run earlier reports": filteredInFiles, "run claims": claimWordsOf, "search notes": matchingNotes, "search slots": slotsWithNotes, "known jobs": jobNames,
		"why events": eventsOfRun, "why left": leftByIterations, "show costs": costsOfRuns, "why transitions": transitionsOfRun,
		"report oldest of few": oldestOfNewest, "report newest runs": newestRuns,
		"report first times": firstTimes, "verdict of run": latestVerdict, "status edits": slotEntries, "status ended skips": slotsOfEndedSkips,
		"report check": latestChecks, "report check of few": latestOfFewChecks, "report checks up to": countChecksUpTo, "facets of few": totalsOfList, "report checks of trees": checksOfTrees,
		"sums violations": contributingViolations, "sums events": contributingEvents, "sums changed": runsChangedSince, "sums line": countRunsOfFingerprint, "sums runs of line": runsWithFingerprint,
	}
}

// ListStatement returns the list as SQL.
func ListStatement(l List) string { return l.statement() }

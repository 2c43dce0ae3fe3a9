package modeltest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/reviewledger/reviewledger/ledger"
)

// Answer is an answer that a slot may give, with its description.
type Answer struct {
	ledger.Answer
	Name string
}

func modelEntry(words, place int, p ledger.Priority, sameAs string) ledger.Entry {
	return ledger.Entry{Place: Places[place], Issue: modelWords[words], Priority: p, SameAs: sameAs}
}

// Answers returns what a slot may answer: each word on each claim and dispute, and each possible
// report in an answer that otherwise says that all is fixed. The first three answers are the usual
// ones.
func (w *World) Answers(s int) []Answer {
	key := [modelViolations + 1]uint8{uint8(s)} // what the answers depend on
	for i, v := range w.violations {
		if v.slot > 0 && !v.born && !v.former {
			key[i+1] = 1 + v.place + 2*(v.put>>s&1) + 4*(v.disputes>>s&1)
		}
	}
	list, known := modelAnswers.Load(key)
	if !known {
		list, _ = modelAnswers.LoadOrStore(key, w.makeAnswers(s))
	}
	return list.([]Answer)
}

// modelAnswers caches the answers by what they depend on.
var modelAnswers sync.Map

func (w *World) makeAnswers(s int) (list []Answer) {
	var claims, disputes []ledger.ClaimWord
	for i, v := range w.violations {
		if v.slot > 0 && v.put&(1<<s) != 0 {
			claims = append(claims, ledger.ClaimWord{ID: modelNames[i], Verdict: ledger.ClaimFixed, Evidence: "seen"})
		}
		if v.slot > 0 && v.disputes&(1<<s) != 0 {
			disputes = append(disputes, ledger.ClaimWord{ID: modelNames[i], Verdict: ledger.DisputeStands, Evidence: "seen"})
		}
	}
	withdrawn := slices.Clone(disputes)
	for n := range withdrawn {
		withdrawn[n].Verdict = ledger.DisputeWithdrawn
	}
	add := func(name, failed string, claims []ledger.ClaimWord, entries ...ledger.Entry) {
		for n := range entries {
			entries[n].Position = n + 1
		}
		list = append(list, Answer{ledger.Answer{Error: failed, Entries: entries, Claims: claims, Disputes: disputes}, name})
	}
	report := func(words int, p ledger.Priority) ledger.Entry { return modelEntry(words, words%2, p, "") }
	add("all is fixed", "", claims)
	add("all is fixed; A is there", "", claims, report(0, ledger.High))
	add("all is fixed; B is there", "", claims, report(1, ledger.High))
	for n, claim := range claims {
		for _, verdict := range []ledger.ClaimVerdict{ledger.ClaimNotFixed, ledger.ClaimCannotTell} {
			words := slices.Clone(claims)
			words[n].Verdict = verdict
			add(fmt.Sprintf("%s is %s, the others are fixed", claim.ID, verdict), "", words)
		}
	}
	for i, v := range w.violations {
		if v.slot > 0 && !v.born && !v.former {
			add("all is fixed; "+modelNames[i]+" by name (low)", "", claims, modelEntry(int(v.place)+2, int(v.place), ledger.Low, modelNames[i]))
		}
	}
	add("all is fixed; A is there (low)", "", claims, report(0, ledger.Low))
	for n, dispute := range disputes {
		words := slices.Clone(disputes)
		words[n].Verdict = ledger.DisputeWithdrawn
		list = append(list, Answer{ledger.Answer{Claims: claims, Disputes: words}, dispute.ID + " is withdrawn, the others stand, all is fixed"})
	}
	if len(disputes) > 0 {
		again := modelEntry(0, 0, ledger.High, disputes[0].ID)
		again.Position = 1
		list = append(list, Answer{ledger.Answer{Claims: claims, Disputes: withdrawn}, "all is withdrawn and fixed"},
			Answer{ledger.Answer{Claims: claims, Disputes: withdrawn, Entries: []ledger.Entry{again}}, "all is withdrawn and fixed; " + again.SameAs + " by name"},
			Answer{ledger.Answer{Error: "it broke", Claims: claims, Disputes: withdrawn}, "an error; all is withdrawn and fixed"},
			Answer{ledger.Answer{}, "no word on anything"})
	}
	add("all is fixed; A and B are there", "", claims, report(0, ledger.High), report(1, ledger.High))
	add("an error; all is fixed; A is there", "it broke", claims, report(0, ledger.High))
	if len(claims)+len(disputes) > 0 {
		list = append(list, plainAnswers()...)
	}
	if len(claims) > 0 {
		add("an error; all is fixed", "it broke", claims)
		add("no word on any claim", "", nil)
		add("all is fixed; A is there in other words (low)", "", claims, report(2, ledger.Low))
		add("all is fixed; a name that was not listed", "", claims, modelEntry(2, 0, ledger.Low, "zz"))
	}
	for i, v := range w.violations {
		if v.slot > 0 && !v.born && !v.former {
			add("all is fixed; "+modelNames[i]+" by name, at the other place (high)", "", claims, modelEntry(3-int(v.place), 1-int(v.place), ledger.High, strings.ToUpper(modelNames[i])))
		}
	}
	return list
}

// plainAnswers returns answers that say nothing of the claims and disputes that were put.
func plainAnswers() []Answer {
	fails := func(name string, entry ledger.Entry) Answer {
		entry.Position = 1
		return Answer{ledger.Answer{Entries: []ledger.Entry{entry}}, "plain: " + name}
	}
	return []Answer{
		{ledger.Answer{Passed: true}, "plain: a pass"},
		fails("A is there", modelEntry(0, 0, ledger.High, "")),
		fails("A is there in other words (low)", modelEntry(2, 0, ledger.Low, "")),
		fails("B is there (low)", modelEntry(1, 1, ledger.Low, "")),
		fails("B is there in other words", modelEntry(3, 1, ledger.High, "")),
	}
}

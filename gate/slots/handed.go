package slots

import "github.com/reviewledger/reviewledger/ledger"

// HandedIn returns the answer of a slot whose entries were handed in by somebody else who
// reviewed. It starts the slot's log.
func (a *Asker) HandedIn(job Job, slot Slot, entries []ledger.Entry) (*Answer, error) {
	answer := &Answer{
		Job: job, Slot: slot, asker: a, header: a.Header(job, slot), Given: ledger.Answer{Entries: entries},
		Call: ledger.SlotCall{Job: job.ID, Slot: slot.Index, Adapter: slot.Adapter},
	}
	for _, entry := range entries {
		answer.given = append(answer.given, entry.Place)
	}
	var err error
	answer.path, err = a.Logs.StartSlotLog(answer.header)
	return answer, err
}

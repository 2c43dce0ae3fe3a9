package ledger

import (
	"cmp"
	"slices"
)

// Heir is a review gate that may answer for what a gate left that is gone.
type Heir struct {
	Job, EntryPoint string
	// Covers reports whether the gate looks at the file.
	Covers func(file string) bool
}

// HandOn returns, by ULID, the job that answers from now on for what gates left that are gone: their open
// findings and claims go to the first review gate of their entry point, else to the first one that covers
// the file. heirs are the gates that run here with a reviewer that answers with words, in order. Disputes
// stay with their adapters, and what a tool reported with its tool.
//
// Rule: Flags restrict what runs, never what is outstanding.
func (s *State) HandOn(gone func(job string) bool, byTool func(*Violation) bool, heirs []Heir) map[string]string {
	to := map[string]string{}
	for n := range s.Violations {
		v := &s.Violations[n]
		waits := v.Claim() || v.Fate().ForAuthor()
		if !waits || v.lost() || !gone(v.Job) || byTool(v) {
			continue
		}
		entry := ""
		if gate := s.LatestGate(v.Job); gate != nil {
			entry = gate.EntryPoint
		}
		at := slices.IndexFunc(heirs, func(h Heir) bool { return entry != "" && h.EntryPoint == entry })
		if at < 0 {
			at = slices.IndexFunc(heirs, func(h Heir) bool { return h.Covers(v.Place.File) })
		}
		if at >= 0 {
			to[v.ID] = heirs[at].Job
		}
	}
	return to
}

// ReporterJob returns the job whose reviewer reported the violation, which may be gone.
func (v Violation) ReporterJob() string { return cmp.Or(v.HandedFrom, v.Job) }

// HandedTo returns the job that answers for the violation because its reporter's is gone, or "".
func (v Violation) HandedTo() string {
	if v.HandedFrom == "" {
		return ""
	}
	return v.Job
}

// Heirs returns the jobs that answer for what is outstanding and was handed to them. They need not have
// run: perhaps nothing that they look at has changed.
func (s *State) Heirs() (jobs []string) {
	for _, v := range s.Violations {
		if v.HandedFrom != "" && (v.Fate().Open() || v.Claim()) {
			jobs = append(jobs, v.Job)
		}
	}
	return jobs
}

// Hand makes other jobs answer for violations, by ULID.
func (s *State) Hand(to map[string]string) {
	for n := range s.Violations {
		v := &s.Violations[n]
		if job := to[v.ID]; job != "" {
			if v.HandedFrom == "" {
				v.HandedFrom = v.Job
			}
			v.Job = job
		}
	}
}

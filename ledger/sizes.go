package ledger

// Sizes is the disk usage of a ledger, in bytes.
type Sizes struct {
	// Bytes is the size of the database, and Free the unused space in it, which pruning gives back
	// to the file system.
	Bytes int64 `json:"bytes"`
	Free  int64 `json:"free_bytes"`
	// Parts are the sizes of groups of tables with their indexes, largest first.
	Parts []PartSize `json:"parts"`
	// Texts are the sizes of prompts, answers and logs by kind, largest first.
	Texts []TextSize `json:"texts"`
	// Months are the months in which runs started, oldest first.
	Months []MonthSize `json:"growth"`
}

// PartSize is the size of one part of a ledger.
type PartSize struct {
	Name  string `json:"part"`
	Bytes int64  `json:"bytes"`
}

// TextSize is the size of the texts of one kind. Stored is their size after compression. A text
// that is of several kinds counts in each of them.
type TextSize struct {
	Kind   string `json:"kind"` // prompt, answer, stderr, log, excerpt or change
	Texts  int    `json:"count"`
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"stored_bytes"`
}

// MonthSize is what the runs of a month added.
type MonthSize struct {
	Month      string `json:"month"` // as in 2026-01, in UTC
	Runs       int    `json:"runs"`
	Iterations int    `json:"iterations"`
	Violations int    `json:"violations"`
	// Stored is the size, after compression, of the texts that were added in the month.
	Stored int64 `json:"stored_bytes"`
}

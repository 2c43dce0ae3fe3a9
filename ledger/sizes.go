package ledger

// Sizes is how much room a ledger takes up, in bytes.
type Sizes struct {
	// Bytes is the size of the database, and Free what of it holds nothing: pruning gives
	// it back.
	Bytes, Free int64
	// Parts are what kinds of tables take up, with their indexes, the largest first.
	Parts []PartSize
	// Texts are the prompts, answers and logs by kind, the largest first.
	Texts []TextSize
	// Months are those in which runs started, the oldest first.
	Months []MonthSize
}

// PartSize is what one part of a ledger takes up.
type PartSize struct {
	Name  string
	Bytes int64
}

// TextSize is what texts of a kind take up. Stored is their size after compression. Those
// that are of several kinds count in each.
type TextSize struct {
	Kind          string // prompt, answer, stderr, log, excerpt or change
	Texts         int
	Bytes, Stored int64
}

// MonthSize is what came in a month.
type MonthSize struct {
	Month                        string // as in 2026-01, in UTC
	Runs, Iterations, Violations int
	// Stored is the size of the texts that came then, after compression.
	Stored int64
}

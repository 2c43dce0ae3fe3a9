package ledger

// Facet is how many of the listed violations have a value; its filter is that of the
// list with the value.
type Facet struct {
	Value string
	Count
}

// Facets are what a list of violations can be narrowed to, the most frequent first, at
// most eight of each.
type Facets struct {
	// Violations are all that are listed.
	Violations                            Count
	Statuses, Priorities, Gates, Adapters []Facet
	Folders                               []Facet // the first folder of the path; "": none
	Recurring, Alone, InFixLines          *Count  // nil: too many to count
	// Unknown says that there are too many to count at all; the others are then empty.
	FoldersUnknown, Unknown bool
}

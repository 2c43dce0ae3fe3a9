package pages

import "time"

// Frame has what every page shows around its content.
type Frame struct {
	Ledger string // name of the ledger, usually the repository
	// Now is when the page is made. Times are shown relative to it.
	Now    time.Time
	Schema int // version of the ledger's schema; 0 if there is no ledger
	// Pulled is when what is shown was pulled from a team store, or zero for a ledger of its own.
	// Commands that ask get --team then.
	Pulled time.Time
	// Marks means that violations can be marked on their pages.
	Marks bool
	// Open is the number of open violations, or nil if unknown.
	Open *int
	// Version is the ETag of the state of the ledger that the page shows, or empty if unknown.
	Version string
	// Assets is the path below which [Static] is served, with a trailing slash.
	Assets string
}

package pages

import "time"

// Frame holds what every page shows around its content.
type Frame struct {
	Ledger string // what the ledger is called: the repository, mostly
	// Now is when the page is made; times are shown as seen from there.
	Now    time.Time
	Schema int // of the ledger; 0: there is none
	// Team says that the store of a team is shown: its commands take --team, and what only
	// one machine knows has none.
	Team bool
	// Open is how many violations are open, where that is known.
	Open *int
	// Version is the ETag of the ledger's state that the page shows; empty: not known.
	Version string
	// Assets is the address below which [Static] is served, with its slash.
	Assets string
}

package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/reviewledger/reviewledger/export/console"
	"github.com/reviewledger/reviewledger/ledger/store"
)

// ledgerOptions make the store report long work: bringing a ledger of an older schema up to
// date, or adding up all its runs. On a terminal a line shows the progress, and disappears
// afterwards.
func ledgerOptions(global *globalOptions, path string) store.Options {
	file, ok := global.stderr.(*os.File)
	live := ok && term.IsTerminal(int(file.Fd()))
	var began time.Time
	return store.Options{Upgrading: func(p store.Progress) {
		if p.Done == 0 {
			began = time.Now()
			fmt.Fprintf(global.stderr, "Upgrading the ledger %q from schema %d to %d. This can take a minute for a large ledger.\n", path, p.From, p.To)
		}
		if !live {
			return
		}
		fmt.Fprintf(global.stderr, "\r\x1b[KStep %d of %d (%s)", min(p.Done+1, p.Steps), p.Steps, time.Since(began).Round(time.Second))
		if p.Done == p.Steps {
			fmt.Fprint(global.stderr, "\r\x1b[K")
		}
	}, Adding: func(p store.Progress) {
		switch {
		case !live:
		case p.Done == p.Steps:
			fmt.Fprint(global.stderr, "\r\x1b[K")
		default:
			fmt.Fprintf(global.stderr, "\r\x1b[KAdding up run %d of %d", p.Done+1, p.Steps)
		}
	}, Unkept: func(err error) {
		console.NewConsole(global.stdout, global.stderr, global.style()).Warn(fmt.Sprintf("%v: figures are added up again each time", err))
	}}
}

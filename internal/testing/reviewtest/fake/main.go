// Fake is each of the fakes of package reviewtest, by the name under which it is started. It starts
// in a tenth of the time of the test binary of a large package.
package main

import (
	"os"

	"github.com/reviewledger/reviewledger/internal/testing/reviewtest"
)

func main() { os.Exit(reviewtest.Main()) }

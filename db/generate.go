// Package db holds the generated queries of the ledger's database, and what
// opens it. Only package store of the ledger uses it.
package db

//go:generate go tool -modfile=../go.tool.mod sqlc generate -f ../sqlc.yaml
//go:generate go run ./shorten . sums postgres
//go:generate go test . -run TestEmptyLedgerIsWhatMigrationsMake -update

// Package db opens the ledger's database and holds its generated queries. Apart from tests, only
// package store of the ledger imports it.
package db

//go:generate go tool -modfile=../go.tool.mod sqlc generate -f ../sqlc.yaml
